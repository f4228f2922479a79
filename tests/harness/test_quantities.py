"""Quantities of expectations, on arrays short enough to compute by hand."""

import math

import numpy as np
import pytest

from harness.case.expectations import Check, InstantExpectation, WindowExpectation, window_quantity
from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord

TIMES = np.array([0.0, 0.5, 1.0, 1.5, 2.0])
SAMPLES = np.array([0.0, 2.0, -4.0, 2.0, 6.0])
EXPERIMENT = Experiment(stop_time=2.0, step_size=0.5)
RECORD = RunRecord(times=TIMES, values={"x": SAMPLES}, seconds=0.0, messages=())


def over(quantity: str, start: float, end: float) -> WindowExpectation:
    return WindowExpectation(
        quantity=quantity,
        variable="x",
        window=(start, end),
        value=0.0,
        rtol=0.0,
        source="by hand",
        reason="halves are exact",
    )


def at(time: float, **tolerance: float) -> InstantExpectation:
    return InstantExpectation(
        quantity="value",
        variable="x",
        time=time,
        value=10.0,
        source="by hand",
        reason="halves are exact",
        **tolerance,
    )


@pytest.mark.parametrize(
    ("quantity", "want"),
    [
        ("mean", 0.75),  # ½·(½·0 + 2 − 4 + 2 + ½·6)·½ s / 2 s → (0 + 2 − 4 + 2 + 3)·0.5/2
        ("rms", math.sqrt(10.5)),  # (½·0 + 4 + 16 + 4 + ½·36)·0.5/2
        ("max", 6.0),
        ("min", -4.0),
        ("increment", 6.0),
        ("mean_rate", 3.0),
    ],
)
def test_quantity_over_the_whole_record(quantity, want):
    assert window_quantity(quantity, TIMES, SAMPLES) == want


@pytest.mark.parametrize(
    ("quantity", "want"), [("mean", -1.0), ("max", 2.0), ("increment", 0.0), ("mean_rate", 0.0)]
)
def test_window_takes_both_its_ends_and_nothing_beyond(quantity, want):
    # The window [0.5, 1.5] contains 2, −4, 2.
    assert over(quantity, 0.5, 1.5).measure(RECORD, EXPERIMENT) == want


def test_mean_weighs_by_time_when_the_last_interval_is_the_long_one():
    got = window_quantity("mean", np.array([0.0, 1.0, 4.0]), np.array([0.0, 2.0, 4.0]))
    assert got == 2.5  # (1·1 + 3·3)/4


def test_value_is_that_of_its_instant():
    assert at(1.0, rtol=0.0).measure(RECORD, EXPERIMENT) == -4.0


@pytest.mark.parametrize(
    ("tolerance", "got", "passed"),
    [
        ({"rtol": 0.0}, 10.0, True),
        ({"rtol": 0.0, "atol": 0.0}, np.nextafter(10.0, 11.0), False),
        ({"rtol": 0.1}, 11.0, True),  # 0.1·10 = 1 exactly
        ({"atol": 1.0}, 9.0, True),
        ({"atol": 1.0}, 8.875, False),
        ({"atol": 0.5, "rtol": 0.1}, 11.5, True),
        ({"atol": 0.5, "rtol": 0.1}, 11.625, False),
        ({"atol": 1e300}, math.nan, False),
        ({"atol": 1e300}, math.inf, False),
    ],
    ids=[
        "exact and equal",
        "exact and one rounding off",
        "relative, on the bound",
        "absolute, on the bound",
        "absolute, beyond",
        "both add up",
        "beyond both",
        "nan never passes",
        "infinity never passes",
    ],
)
def test_check_passes_within_atol_plus_rtol_times_want(tolerance, got, passed):
    assert Check(at(1.0, **tolerance), float(got)).passed is passed
