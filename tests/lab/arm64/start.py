"""`python3 start.py -c TEXT`, `-m MODULE …`: as Python itself does, from the project's folder."""

from __future__ import annotations

import os
import runpy
import sys

os.chdir("/opt/project")
kind, what, *rest = sys.argv[1:]
sys.argv = [what, *rest]
if kind == "-c":
    exec(what)  # the lab's own words
else:
    runpy.run_module(what, run_name="__main__", alter_sys=True)
