"""Printed forecasts of the remaining time of ten service lives, in samples."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rates.forecasts import FILES, ROOT, forecasts

pytestmark = pytest.mark.campaign


@pytest.mark.parametrize("name", FILES)
def test_a_printed_forecast_is_within_a_factor_of_two_of_the_needed_samples(name: str) -> None:
    found = forecasts(Path(ROOT / name))
    assert found.printed
    for ratio in found.printed:
        assert 0.5 <= ratio <= 2.0
