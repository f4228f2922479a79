"""Each scheme on problems with a closed form: observed order, archive, bad input."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from wearmodel.reference.schemes import (
    BOGACKI_SHAMPINE_32,
    DORMAND_PRINCE_54,
    SchemeRecord,
    ShockOscillator,
    adapt,
    devoge,
    euler,
    runge_kutta,
    sine_excitation,
)

from .wall import spring_wall

Run = Callable[..., SchemeRecord]

DURATION = 1.0
AMPLITUDE = 15.0
ANGULAR_FREQUENCY = 2.0 * math.pi
STIFFNESS = 9.0
EXCITATION = sine_excitation(AMPLITUDE, ANGULAR_FREQUENCY)
OSCILLATOR = ShockOscillator(stiffness=STIFFNESS, initial_displacement=0.5, initial_velocity=1.0)


def equal_steps(scheme: Callable[..., SchemeRecord]) -> Run:
    def run(oscillator: ShockOscillator, step: float, archive_every: int = 1) -> SchemeRecord:
        return scheme(
            oscillator,
            EXCITATION,
            duration=DURATION,
            first_step=step,
            largest_step=step,
            archive_every=archive_every,
        )

    return run


def euler_steps(oscillator: ShockOscillator, step: float, archive_every: int = 1) -> SchemeRecord:
    return euler(
        oscillator, EXCITATION, duration=DURATION, step_size=step, archive_every=archive_every
    )


RUNS: dict[str, tuple[Run, int, float]] = {
    "EULER": (euler_steps, 1, 1e-3),
    # A single point a period never shortens these steps.
    "ADAPT 1": (equal_steps(partial(adapt, order=1, points_per_period=1)), 1, 1e-3),
    "ADAPT 2": (equal_steps(partial(adapt, order=2, points_per_period=1)), 2, 1e-3),
    "DEVOGE": (equal_steps(devoge), 4, 1e-2),
    "RUNGE_KUTTA 3(2)": (equal_steps(partial(runge_kutta, tableau=BOGACKI_SHAMPINE_32)), 3, 1e-2),
    "RUNGE_KUTTA 5(4)": (equal_steps(partial(runge_kutta, tableau=DORMAND_PRINCE_54)), 5, 2e-2),
}


def exact_displacement(time: float) -> float:
    """Closed form of OSCILLATOR: ẍ = −a₀ sin ωt − ω₀² x from x(0) = 0.5, v(0) = 1."""
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
    run, order, step = RUNS[scheme]
    errors = [
        abs(run(OSCILLATOR, step / refinement).displacement[-1] - exact_displacement(DURATION))
        for refinement in (1, 2, 4)
    ]
    observed = math.log2(errors[1] / errors[2])
    # The next term of the error is a step's ratio smaller, which leaves a few percent.
    assert observed == pytest.approx(order, abs=0.1), errors


@pytest.mark.parametrize("scheme", RUNS)
def test_free_flight_is_exact(scheme):
    run, _, _ = RUNS[scheme]
    slow = run(ShockOscillator(initial_velocity=1.0), 1e-2)
    fast = run(ShockOscillator(initial_velocity=2.0), 1e-2)
    # Same excitation: the difference is a flight at 1 m/s, exact in every scheme; rounding of
    # a hundred sums of numbers below 5.
    assert np.max(np.abs(fast.displacement - slow.displacement - fast.time)) < 1e-13


@pytest.mark.parametrize("scheme", RUNS)
def test_every_step_is_archived_on_demand(scheme):
    record = RUNS[scheme][0](ShockOscillator(stiffness=STIFFNESS, initial_velocity=1.0), 1e-2)
    assert len(record.time) == 101
    assert record.time[0] == 0.0
    assert record.time[-1] == pytest.approx(DURATION, rel=1e-12)  # 100 sums of 0.01


def test_archive_every_keeps_the_same_run():
    every = euler(spring_wall(), EXCITATION, duration=1.0, step_size=1e-3)
    tenth = euler(spring_wall(), EXCITATION, duration=1.0, step_size=1e-3, archive_every=10)
    assert np.array_equal(tenth.displacement, every.displacement[::10])


@pytest.mark.parametrize("scheme", RUNS)
def test_the_end_is_archived_after_any_number_of_steps(scheme):
    # 100 steps, of which none but every seventh, the start and the end are kept.
    run = RUNS[scheme][0]
    every = run(OSCILLATOR, 1e-2)
    seventh = run(OSCILLATOR, 1e-2, archive_every=7)
    assert seventh.displacement.tolist() == [*every.displacement[::7], every.displacement[-1]]


@pytest.mark.parametrize(
    "run",
    [
        partial(euler, step_size=0.3333333333),
        partial(
            runge_kutta,
            tableau=DORMAND_PRINCE_54,
            first_step=0.3333333333,
            largest_step=0.3333333333,
        ),
    ],
    ids=["EULER", "RUNGE_KUTTA"],
)
def test_fixed_steps_written_with_ten_digits_are_as_many_as_meant(run):
    record = run(OSCILLATOR, EXCITATION, duration=1.0)
    assert record.time.tolist() == [i * 0.3333333333 for i in range(4)]


def test_adapt_shortens_the_step_where_the_contact_is_stiff():
    record = adapt(
        spring_wall(),
        sine_excitation(0.0, 0.0),
        order=2,
        duration=0.3,
        first_step=1e-3,
        largest_step=1e-2,
        largest_redo_count=50,
    )
    steps = np.diff(record.time)
    in_contact = record.normal_force[1:] > 0.0
    # 50 points a period of 2π/ω_c = 62.5 ms in contact, of 628 ms in flight, where the step grows
    # by a tenth every five; the first step into contact may straddle it.
    assert np.max(steps[in_contact][1:]) < 2.0 * math.pi / 100.49876 / 50.0
    assert np.max(steps) > 4.0 * np.max(steps[in_contact][1:])
    # The peak of the closed form, K_N v₀/ω_c; leapfrog errs by (ω dt)²/8 = (2π/50)²/8.
    assert np.max(record.normal_force) == pytest.approx(9950.3719, rel=2e-3)


def test_runge_kutta_keeps_its_tolerance():
    record = runge_kutta(
        OSCILLATOR,
        EXCITATION,
        tableau=DORMAND_PRINCE_54,
        duration=DURATION,
        first_step=1e-2,
        largest_step=1.0,
        tolerance=1e-8,
        scale=1.0,
    )
    assert len(record.time) < 100
    # Local errors of 1e-8 of about (|x| + 1) ≈ 2, some 50 of them at most.
    assert abs(record.displacement[-1] - exact_displacement(DURATION)) < 1e-6


def test_impossible_step_control_names_the_knob():
    # So many points a period that no step is small enough.
    with pytest.raises(RuntimeError, match=r"points_per_period"):
        adapt(
            spring_wall(),
            sine_excitation(0.0, 0.0),
            order=2,
            duration=1.0,
            first_step=1e-3,
            largest_step=1e-3,
            points_per_period=10**12,
            largest_redo_count=100,
        )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (partial(euler, step_size=0.0, duration=1.0), r"step_size=0.0 s must be > 0"),
        (partial(euler, step_size=0.3, duration=1.0), r"must be a whole number of step_size"),
        (partial(euler, step_size=0.1, duration=-1.0), r"duration=-1.0 s must be > 0"),
        (
            partial(euler, step_size=0.1, duration=1.0, archive_every=0),
            r"archive_every=0 must be ≥ 1",
        ),
        (
            partial(adapt, order=3, duration=1.0, first_step=0.1, largest_step=0.1),
            r"order=3 must be 1 or 2",
        ),
        (
            partial(
                adapt, order=2, duration=1.0, first_step=0.1, largest_step=0.1, points_per_period=0
            ),
            r"points_per_period=0 must be ≥ 1",
        ),
        (
            partial(
                runge_kutta,
                tableau=BOGACKI_SHAMPINE_32,
                duration=1.0,
                first_step=0.1,
                largest_step=0.2,
            ),
            r"largest_step=0.2 s must be first_step=0.1 s",
        ),
        (
            partial(
                runge_kutta,
                tableau=BOGACKI_SHAMPINE_32,
                duration=1.0,
                first_step=0.1,
                largest_step=0.1,
                tolerance=0.0,
            ),
            r"tolerance=0.0 must be > 0",
        ),
        (
            partial(
                runge_kutta,
                tableau=BOGACKI_SHAMPINE_32,
                duration=1.0,
                first_step=0.1,
                largest_step=0.1,
                scale=math.nan,
            ),
            r"scale=nan must be ≥ 0",
        ),
    ],
)
def test_bad_options_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(ShockOscillator(), EXCITATION)


def test_devoge_refuses_damping():
    with pytest.raises(ValueError, match=r"damping=1.0 N.s/m must be 0 with DEVOGE"):
        devoge(
            ShockOscillator(damping=1.0), EXCITATION, duration=1.0, first_step=0.1, largest_step=0.1
        )
