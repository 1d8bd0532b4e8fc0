"""What holds for all tests: none asks how fast this machine is, and none is left to chance."""

from __future__ import annotations

from contextlib import suppress

with suppress(ImportError):  # the lab of the cameras has no hypothesis
    from hypothesis import HealthCheck, settings

    # the same examples each time; `--hypothesis-profile=default` looks for new ones
    too_slow = [HealthCheck.too_slow]
    settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=too_slow)
    settings.load_profile("steady")
