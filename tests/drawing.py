"""Examples of Hypothesis: the same in every run, or new ones with the profile `explore`.

No profile has a deadline or a health check of speed: those are wall times of the test's own process.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers


def load() -> None:
    """Register the profiles and load `repeat`."""
    calm = [HealthCheck.too_slow, HealthCheck.data_too_large]
    settings.register_profile(
        "repeat", derandomize=True, database=None, deadline=None, suppress_health_check=calm
    )
    settings.register_profile("explore", deadline=None, print_blob=True, suppress_health_check=calm)
    settings.load_profile("repeat")
    _draw_nothing_from_the_source()


def _draw_nothing_from_the_source() -> None:
    """Let Hypothesis draw no numbers and texts that it finds in our source.

    It takes those of the modules that happen to be imported, so the same test would draw other examples when
    another one ran before it, or when any file was changed.
    """
    providers._get_local_constants = lambda: providers._local_constants
