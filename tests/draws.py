"""How many of a test's random draws `make test` takes, and how many `make campaign`."""

import os


def draws(quick: int, whole: int) -> int:
    """`quick` or, in `make campaign`, `whole`."""
    return whole if os.environ.get("WEARFMU_CAMPAIGN") else quick
