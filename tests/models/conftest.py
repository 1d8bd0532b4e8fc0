"""Training needs torch, which the device never installs."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["test_train*.py"]
