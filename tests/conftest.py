"""What holds for all tests: none of them asks how fast this machine is."""

from __future__ import annotations

from contextlib import suppress

with suppress(ImportError):  # the lab of the cameras has no hypothesis
    from hypothesis import HealthCheck, settings

    settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("patient")
