"""Observed order, archive and validation of each scheme, on problems with a closed form."""

import math
from typing import Any

import numpy as np
import pytest

from wearmodel.reference.schemes import (
    ADAPT_1,
    ADAPT_2,
    BOGACKI_SHAMPINE_32,
    DEVOGE,
    DORMAND_PRINCE_54,
    EULER,
    Problem,
    SchemeRecord,
    Tableau,
    march,
)

from .problems import CONTACT_STIFFNESS, oscillator, spring_wall

DURATION = 1.0
AMPLITUDE = 15.0
ANGULAR_FREQUENCY = 2.0 * math.pi
STIFFNESS = 9.0
OSCILLATOR = oscillator(STIFFNESS, amplitude=AMPLITUDE, displacement=0.5, velocity=1.0)


def run(tableau: Tableau, problem: Problem, step: float, archive_every: int = 1) -> SchemeRecord:
    """Integrate over the duration with equal steps."""
    return march(tableau, problem, duration=DURATION, step_size=step, archive_every=archive_every)


# Scheme, order, and step size.
RUNS: dict[str, tuple[Tableau, int, float]] = {
    "EULER": (EULER, 1, 1e-3),
    # With one point per period, the steps are never shortened.
    "ADAPT 1": (ADAPT_1._replace(points_per_period=1.0), 1, 1e-3),
    "ADAPT 2": (ADAPT_2._replace(points_per_period=1.0), 2, 1e-3),
    "DEVOGE": (DEVOGE, 4, 1e-2),
    "RUNGE_KUTTA 3(2)": (BOGACKI_SHAMPINE_32, 3, 1e-2),
    "RUNGE_KUTTA 5(4)": (DORMAND_PRINCE_54, 5, 2e-2),
}


def exact_displacement(time: float) -> float:
    """Return the closed form of OSCILLATOR: ẍ = −a₀ sin ωt − ω₀² x from x(0) = 0.5, v(0) = 1."""
    natural = math.sqrt(STIFFNESS)
    forced = -AMPLITUDE / (STIFFNESS - ANGULAR_FREQUENCY**2)
    free = (1.0 - forced * ANGULAR_FREQUENCY) / natural
    return (
        forced * math.sin(ANGULAR_FREQUENCY * time)
        + free * math.sin(natural * time)
        + 0.5 * math.cos(natural * time)
    )


@pytest.mark.parametrize("scheme", RUNS)
def test_observed_order_is_that_of_the_scheme(scheme):
    tableau, order, step = RUNS[scheme]
    errors = [
        abs(
            run(tableau, OSCILLATOR, step / refinement).displacement[-1]
            - exact_displacement(DURATION)
        )
        for refinement in (1, 2, 4)
    ]
    observed = math.log2(errors[1] / errors[2])
    # The next term of the error is smaller in the ratio of the steps, a few percent.
    assert observed == pytest.approx(order, abs=0.1), errors


@pytest.mark.parametrize("scheme", RUNS)
def test_free_flight_is_exact(scheme):
    slow = run(RUNS[scheme][0], oscillator(0.0, velocity=1.0), 1e-2)
    fast = run(RUNS[scheme][0], oscillator(0.0, velocity=2.0), 1e-2)
    # With the same excitation, the difference is a flight at 1 m/s, which every scheme integrates
    # exactly. The tolerance is the rounding of a hundred sums of numbers below 5.
    assert np.max(np.abs(fast.displacement - slow.displacement - fast.time)) < 1e-13


@pytest.mark.parametrize("scheme", RUNS)
def test_every_step_is_archived_on_demand(scheme):
    record = run(RUNS[scheme][0], OSCILLATOR, 1e-2)
    assert len(record.time) == 101
    assert record.time[0] == 0.0
    assert record.time[-1] == pytest.approx(DURATION, rel=1e-12)  # 100 sums of 0.01


def test_archive_every_keeps_the_same_run():
    every = run(EULER, spring_wall(), 1e-3)
    tenth = run(EULER, spring_wall(), 1e-3, archive_every=10)
    assert np.array_equal(tenth.displacement, every.displacement[::10])


@pytest.mark.parametrize("scheme", RUNS)
def test_the_end_is_archived_after_any_number_of_steps(scheme):
    # Of 100 steps, every seventh one, the start and the end are archived.
    tableau = RUNS[scheme][0]
    every = run(tableau, OSCILLATOR, 1e-2)
    seventh = run(tableau, OSCILLATOR, 1e-2, archive_every=7)
    assert seventh.displacement.tolist() == [*every.displacement[::7], every.displacement[-1]]


@pytest.mark.parametrize("scheme", ["EULER", "RUNGE_KUTTA 5(4)"])
def test_fixed_steps_written_with_ten_digits_are_as_many_as_meant(scheme):
    record = run(RUNS[scheme][0], OSCILLATOR, 0.3333333333)
    assert record.time.tolist() == [i * 0.3333333333 for i in range(4)]


def test_adapt_shortens_the_step_where_the_contact_is_stiff():
    record = march(
        ADAPT_2,
        spring_wall(),
        duration=0.3,
        first_step=1e-3,
        largest_step=1e-2,
        largest_redo_count=50,
    )
    steps = np.diff(record.time)
    in_contact = record.displacement[1:] > 0.0
    # 50 points per period of 2π/ω_c = 62.5 ms in contact, or 628 ms in flight, where the step grows
    # by a tenth every five steps. The first step into contact may be longer.
    assert np.max(steps[in_contact][1:]) < 2.0 * math.pi / 100.49876 / 50.0
    assert np.max(steps) > 4.0 * np.max(steps[in_contact][1:])
    # The maximum of the closed form, K_N v₀/ω_c. Leapfrog has an error of (ω dt)²/8 = (2π/50)²/8.
    largest_force = CONTACT_STIFFNESS * np.max(record.displacement)
    assert largest_force == pytest.approx(9950.3719, rel=2e-3)


def test_runge_kutta_keeps_its_tolerance():
    record = march(
        DORMAND_PRINCE_54,
        OSCILLATOR,
        duration=DURATION,
        first_step=1e-2,
        largest_step=1.0,
        tolerance=1e-8,
        scale=1.0,
    )
    assert len(record.time) < 100
    # At most some 50 local errors of 1e-8 (|x| + 1), where |x| + 1 ≈ 2.
    assert abs(record.displacement[-1] - exact_displacement(DURATION)) < 1e-6


def test_impossible_step_control_is_refused():
    # With so many points per period, every step is too large.
    tableau = ADAPT_2._replace(points_per_period=1e12)
    with pytest.raises(RuntimeError, match=r"fell below 1e-06 of first_step=0.001 s"):
        march(tableau, spring_wall(), duration=1.0, step_size=1e-3, largest_redo_count=100)


@pytest.mark.parametrize(
    ("tableau", "options", "message"),
    [
        (EULER, {"step_size": 0.0}, r"first_step=0.0 s must be > 0"),
        (EULER, {"step_size": 0.3}, r"must be a whole number of 0.3 s"),
        (EULER, {"step_size": 0.1, "duration": -1.0}, r"duration=-1.0 s must be > 0"),
        (ADAPT_2, {"first_step": 0.1}, r"largest_step=0.0 s must be > 0"),
        (
            BOGACKI_SHAMPINE_32,
            {"first_step": 0.1, "largest_step": 0.2},
            r"largest_step=0.2 s must be first_step=0.1 s",
        ),
        (BOGACKI_SHAMPINE_32, {"step_size": 0.1, "tolerance": -1.0}, r"tolerance=-1.0 must be ≥ 0"),
        (BOGACKI_SHAMPINE_32, {"step_size": 0.1, "scale": math.nan}, r"scale=nan must be ≥ 0"),
    ],
)
def test_bad_options_are_refused(tableau: Tableau, options: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        march(tableau, OSCILLATOR, **{"duration": 1.0, **options})
