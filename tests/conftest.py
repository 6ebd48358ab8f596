"""Hypothesis without deadlines: no test depends on how fast the machine is. In CI every run tries the same examples."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "illusion", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("illusion")
