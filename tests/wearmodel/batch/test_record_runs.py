"""Compiled runs with sampled inputs, compared with closed forms and with the interpreted model."""

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from wearmodel import FrictionalShock, FrictionalShockParameters
from wearmodel.batch import record_runs
from wearmodel.batch.record_runs import run_records
from wearmodel.batch.run_state import RunState
from wearmodel.compiled.run_library import Runs, run_source, runs_of
from wearmodel.models.frictional_shock import INPUT_UNITS, OUTPUT_NAMES

SAMPLES = 161
STEP = 1.0 / 64.0

NORMAL_LAWS: dict[str, dict[str, Any]] = {
    "prescribed": {"normal_law": "prescribed"},
    "prescribed_preload": {"normal_law": "prescribed", "preload": 3.0},
    "penalty": {"normal_law": "penalty", "contact_stiffness": 2e3, "initial_gap": -0.005},
    "penalty_damped": {
        "normal_law": "penalty",
        "contact_stiffness": 2e3,
        "contact_damping": 20.0,
        "start_in_equilibrium": True,
    },
    "rigid": {"normal_law": "rigid", "restitution": 0.5},
    "rigid_plastic": {"normal_law": "rigid", "normal_stiffness": 40.0, "normal_damping": 0.5},
}
TANGENTIAL_LAWS: dict[str, dict[str, Any]] = {
    "rigid": {"tangential_law": "rigid"},
    "rigid_spring": {"tangential_law": "rigid", "stiffness": 30.0, "damping": 0.4},
    "penalised": {"tangential_law": "penalty", "tangential_stiffness": 2e4},
    "penalised_undamped": {
        "tangential_law": "penalty",
        "tangential_stiffness": 2e4,
        "tangential_damping": 0.0,
        "stiffness": 30.0,
        "friction_coefficient_static": 0.4,
    },
}
OBSTACLES: dict[str, dict[str, Any]] = {
    "one_plane": {},
    "two_planes": {"obstacle": "two_planes", "plane_half_spacing": 0.0625},
}
COMBINATIONS = {
    f"{normal}-{tangential}-{obstacle}": {
        "friction_coefficient": 0.25,
        **NORMAL_LAWS[normal],
        **TANGENTIAL_LAWS[tangential],
        **OBSTACLES[obstacle],
    }
    for normal, tangential, obstacle in itertools.product(NORMAL_LAWS, TANGENTIAL_LAWS, OBSTACLES)
}
combinations = pytest.mark.parametrize("values", COMBINATIONS.values(), ids=COMBINATIONS.keys())


def rough_inputs(seed: int) -> dict[str, NDArray[np.float64]]:
    """Return random samples on a dyadic grid. For 1 kg, forcings and slopes are exact."""
    generator = np.random.default_rng(seed)
    largest = (480, 900, 200, 300)
    inputs = {
        name: generator.integers(-bound, bound, SAMPLES) / 64.0
        for name, bound in zip(INPUT_UNITS, largest, strict=True)
    }
    for samples in inputs.values():
        samples[0] = 0.0  # starts in equilibrium, pressed against the plane
    return inputs


def by_hand(
    values: dict[str, Any], inputs: dict[str, NDArray[np.float64]], linear: bool
) -> NDArray[np.float64]:
    """Return all outputs at all samples from the interpreted model."""
    start = {name: float(samples[0]) for name, samples in inputs.items()}
    model = FrictionalShock(FrictionalShockParameters(**values), **start)
    rows = [model.output_values()]
    for j in range(SAMPLES - 1):
        if linear:
            lines = {
                name: (float(samples[j]), float(samples[j + 1] - samples[j]) / STEP)
                for name, samples in inputs.items()
            }
            model.step_polynomial(STEP, **lines)
        else:
            model.step(STEP, **{name: float(samples[j]) for name, samples in inputs.items()})
        rows.append(model.output_values())
    return np.array(rows)


@combinations
@pytest.mark.parametrize("between_samples", ["linear", "extrapolated"])
def test_every_output_has_the_bits_of_the_interpreted_model(values, between_samples):
    inputs = rough_inputs(len(repr(values)))
    want = by_hand(values, inputs, between_samples == "linear")
    runs = run_records(
        FrictionalShockParameters(**values),
        STEP,
        **inputs,
        between_samples=between_samples,
        histories=OUTPUT_NAMES,
    )
    assert runs.failures == ()
    for column, name in enumerate(OUTPUT_NAMES):
        np.testing.assert_array_equal(runs.histories[name], want[:, column], err_msg=name)
        assert runs.final[name] == want[-1, column]


WEAKENING = {"friction_coefficient_slow": 0.4, "friction_decay_velocity": 0.05}
FURTHER_LAWS: dict[str, dict[str, Any]] = {
    "weakening": WEAKENING,
    "strengthening, penalised": {
        "friction_coefficient_slow": 0.03,
        "friction_decay_velocity": 0.05,
        "tangential_law": "penalty",
        "tangential_stiffness": 1e4,
    },
    "viscous": {"viscous_friction": 0.1},
    "weakening at impacts": {
        **WEAKENING,
        "normal_law": "rigid",
        "restitution": 0.5,
        "initial_gap": 1e-3,
        "initial_velocity": 0.3,
    },
    "wear that acts back": {
        **WEAKENING,
        "normal_law": "penalty",
        "contact_stiffness": 1e4,
        "contact_damping": 5.0,
        "wear_feedback": True,
        "wear_time_scale": 1e6,
    },
}


@pytest.mark.parametrize("values", FURTHER_LAWS.values(), ids=FURTHER_LAWS)
def test_nonlinear_modes_have_the_bits_of_the_interpreted_model(values):
    inputs = rough_inputs(7)
    want = by_hand(values, inputs, True)
    runs = run_records(FrictionalShockParameters(**values), STEP, **inputs, histories=OUTPUT_NAMES)
    assert runs.failures == ()
    assert runs.final["wear_work"] > 0.0
    for column, name in enumerate(OUTPUT_NAMES):
        np.testing.assert_array_equal(runs.histories[name], want[:, column], err_msg=name)


@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_uneven_steps_have_the_bits_of_the_interpreted_model(order):
    # Step sizes span two decades, so samples are often omitted and orders reduced.
    generator = np.random.default_rng(order)
    times = np.concatenate([[0.0], np.cumsum(10.0 ** generator.uniform(-4.0, -2.0, SAMPLES - 1))])
    inputs = rough_inputs(order)
    parameters = FrictionalShockParameters(input_extrapolation_order=order)
    runs = run_records(
        parameters, times, **inputs, between_samples="extrapolated", histories=OUTPUT_NAMES
    )
    model = FrictionalShock(parameters)
    for j, step_size in enumerate(np.diff(times).tolist()):
        model.step(step_size, **{name: float(samples[j]) for name, samples in inputs.items()})
        got = tuple(float(runs.histories[name][j + 1]) for name in OUTPUT_NAMES)
        assert got == model.output_values()


def test_the_random_runs_slip_stick_fly_and_knock():
    modes: set[float] = set()
    shocks = slips = 0.0
    for values in COMBINATIONS.values():
        runs = run_records(
            FrictionalShockParameters(**values),
            STEP,
            **rough_inputs(len(repr(values))),
            histories=("contact_mode",),
        )
        modes |= set(runs.histories["contact_mode"].tolist())
        shocks += float(runs.final["shock_count"])
        slips += float(runs.final["slip_count"])
    assert modes == {0.0, 1.0, 2.0}
    assert shocks > 500
    assert slips > 500


def test_wear_work_of_a_ramp_is_exact():
    # A = r t from rest. Slip starts at t1 = μ g/r with |v| = r (t − t1)²/2, so the wear work at T
    # is m g r (T − t1)³/6.
    rate, stop = 4.0, 1.5
    runs = run_records(
        FrictionalShockParameters(mass=2.0), [0.0, 0.5, stop], base_acceleration=[0.0, 2.0, 6.0]
    )
    want = 2.0 * 10.0 * rate * (stop - 0.1 * 10.0 / rate) ** 3 / 6.0
    assert runs.final["wear_work"] == pytest.approx(want, rel=1e-14, abs=0)  # some roundings
    assert runs.final["slip_count"] == 1.0


def test_more_samples_on_the_same_lines_change_nothing():
    coarse = rough_inputs(5)["base_acceleration"]
    times = np.arange(SAMPLES) * STEP
    fine_times = np.arange(4 * (SAMPLES - 1) + 1) * (STEP / 4.0)
    fine = np.interp(fine_times, times, coarse)
    parameters = FrictionalShockParameters(stiffness=30.0, damping=0.4, friction_coefficient=0.25)
    one = run_records(parameters, times, base_acceleration=coarse)
    other = run_records(parameters, fine_times, base_acceleration=fine)
    # Rounding of 640 steps. The spring prevents its growth.
    for name in ("wear_work", "relative_displacement", "sliding_distance"):
        assert other.final[name] == pytest.approx(float(one.final[name]), rel=1e-12, abs=0)


def test_sets_and_records_cross_and_threads_change_no_bit():
    sets = [FrictionalShockParameters(friction_coefficient=mu) for mu in (0.05, 0.1, 0.2)]
    records = np.array([rough_inputs(seed)["base_acceleration"] for seed in range(5)])
    names = ("wear_work", "slip_velocity")
    whole = run_records(sets, STEP, base_acceleration=records, histories=names, threads=1)
    threaded = run_records(sets, STEP, base_acceleration=records, histories=names, threads=3)
    assert whole.final["wear_work"].shape == (3, 5)
    assert whole.histories["slip_velocity"].shape == (3, 5, SAMPLES)
    for name in names:
        np.testing.assert_array_equal(threaded.histories[name], whole.histories[name])
    for i, j in itertools.product(range(3), range(5)):
        single = run_records(sets[i], STEP, base_acceleration=records[j])
        assert single.final["wear_work"].shape == ()
        assert single.final["wear_work"] == whole.final["wear_work"][i, j]
    assert run_records(sets, STEP, base_acceleration=records[0]).final["gap"].shape == (3,)
    assert run_records(sets[0], STEP, base_acceleration=records).final["gap"].shape == (5,)


@combinations
@pytest.mark.parametrize("between_samples", ["linear", "extrapolated"])
def test_a_run_in_three_calls_has_the_bits_of_one_in_one_call(values, between_samples):
    times = STEP * np.arange(SAMPLES)
    inputs = rough_inputs(1)
    options = {"between_samples": between_samples, "histories": OUTPUT_NAMES}
    parameters = FrictionalShockParameters(**values)
    whole = run_records(parameters, times, **inputs, **options)
    state, first = RunState(), 0
    for count in (2, SAMPLES // 3, SAMPLES):
        given = {name: samples[first:count] for name, samples in inputs.items()}
        part = run_records(parameters, times[first:count], **given, **options, state=state)
        assert state.steps == count - 1
        np.testing.assert_array_equal(part.time, times[first:count])
        for name in OUTPUT_NAMES:
            np.testing.assert_array_equal(
                part.histories[name], whole.histories[name][first:count], err_msg=name
            )
        first = state.steps
    for name in OUTPUT_NAMES:
        np.testing.assert_array_equal(part.final[name], whole.final[name])


def test_a_run_that_fails_on_its_way_leaves_no_state():
    state, parameters = RunState(), FrictionalShockParameters(normal_law="rigid")
    run_records(parameters, [0.0, 1.0], base_acceleration=[0.0, 1e200], state=state)
    assert state.steps == 1
    record = [1e200, 1e308, 0.0]
    run = run_records(parameters, [1.0, 4.0, 5.0], base_acceleration=record, state=state)
    (failure,) = run.failures
    assert failure.time == 1.0
    assert (state.steps, state.contents) == (0, [])


def test_a_state_for_several_runs_is_refused():
    state, parameters = RunState(), FrictionalShockParameters()
    with pytest.raises(ValueError, match="state needs a single run: there are 2"):
        run_records([parameters] * 2, 0.1, base_acceleration=np.zeros(5), state=state)


@pytest.mark.hosts
@pytest.mark.native
def test_compiled_and_interpreted_runs_agree_to_the_bit(monkeypatch):
    sets = [FrictionalShockParameters(**values) for values in list(COMBINATIONS.values())[::5]]
    # Values are not on a dyadic grid, so all operations round.
    record = np.random.default_rng(1).standard_normal((2, 120)) * 6.0
    inputs = {"base_acceleration": record, "base_acceleration_normal": 1.3 * record[::-1]}
    compiled = run_records(sets, 0.017, **inputs, histories=OUTPUT_NAMES)
    assert runs_of("FrictionalShock").is_compiled
    source = run_source("FrictionalShock")
    monkeypatch.setattr(record_runs, "runs_of", lambda name, **_: Runs(source, None))
    interpreted = run_records(sets, 0.017, **inputs, histories=OUTPUT_NAMES)
    for name in OUTPUT_NAMES:
        np.testing.assert_array_equal(compiled.histories[name], interpreted.histories[name])
        np.testing.assert_array_equal(compiled.final[name], interpreted.final[name])


def test_a_failing_run_is_reported_and_the_others_go_on():
    # Without loss at impact, a mass that falls 1e-12 m bounces 1e5 times in a step of 0.1 s.
    bouncing = FrictionalShockParameters(normal_law="rigid", restitution=1.0, initial_gap=1e-12)
    resting = FrictionalShockParameters(normal_law="rigid")
    runs = run_records(
        [resting, bouncing], [0.0, 0.1, 0.2], base_acceleration=2.0, histories=("wear_work",)
    )
    (failure,) = runs.failures
    assert (failure.parameter_set, failure.record, failure.time) == (1, 0, 0.0)
    assert "contact events within one step" in failure.reason
    assert np.isnan(runs.final["wear_work"][1])
    assert np.isnan(runs.histories["wear_work"][1, 1:]).all()
    # Slip from the start with 1 m/s2 at 10 N: 10 N × 0.02 m.
    assert runs.final["wear_work"][0] == pytest.approx(0.2, rel=1e-14, abs=0)


def test_overflow_is_a_failure_with_its_time():
    runs = run_records(
        FrictionalShockParameters(normal_law="rigid"),
        [0.0, 1.0, 4.0],
        base_acceleration=[0.0, 1e200, 1e308],
    )
    (failure,) = runs.failures
    assert failure.time == 1.0
    assert "overflowed" in failure.reason


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"times": 0.1}, r"times=0.1 s is a sampling step: at least one input must be an array"),
        ({"times": -0.1, "base_acceleration": [0, 1]}, r"times=-0.1 s must be > 0"),
        ({"times": [0.0, 0.2, 0.1]}, r"times\[2\]=0.1 s must be finite and > times\[1\]=0.2 s"),
        ({"times": [0.0, 1.0], "normal_load": [1.0, np.nan]}, r"normal_load\[1\]=nan N must be f"),
        ({"times": [0.0, 1.0], "base_acceleration": [1.0] * 3}, r"of shape \(3,\) must fit 1 rec"),
        ({"times": [0.0, 1.0], "histories": ["wear"]}, r"histories: 'wear' must be one of normal_"),
        ({"times": [0.0, 1.0], "between_samples": "cubic"}, r"between_samples='cubic' must be"),
        ({"times": [0.0, 1.0], "parameters": []}, r"parameters=\[\] must contain at least one"),
        (
            {"times": [0.0, 1.0], "base_acceleration": np.zeros((2, 2, 2))},
            r"base_acceleration has 3 axes",
        ),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        run_records(**{"parameters": FrictionalShockParameters(), **arguments})


def sine_and_derivatives(
    amplitude: float, omega: float, times: NDArray[np.float64], orders: int = 15
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a sine at `times`, shape (n,), and its derivatives, shape (orders, n)."""
    phase = omega * times + np.outer(np.arange(orders + 1), np.full_like(times, 0.5 * np.pi))
    rows = amplitude * omega ** np.arange(orders + 1.0)[:, None] * np.sin(phase)
    return rows[0], rows[1:]


@pytest.mark.parametrize("values", [COMBINATIONS["penalty_damped-penalised-one_plane"], {}])
def test_derivatives_are_the_polynomials_of_a_model_taken_step_by_step(values):
    times = np.arange(41) / 32.0
    wave, slopes = sine_and_derivatives(5.0, 6.0, times)
    load, load_slopes = sine_and_derivatives(0.5, 9.0, times, orders=4)
    run = run_records(
        FrictionalShockParameters(**values),
        times,
        base_acceleration=wave,
        normal_load=load,
        between_samples="derivatives",
        derivatives={"base_acceleration": slopes, "normal_load": load_slopes},
        histories=OUTPUT_NAMES,
    )
    model = FrictionalShock(
        FrictionalShockParameters(**values), base_acceleration=wave[0], normal_load=load[0]
    )
    rows = [model.output_values()]
    factorials = np.cumprod(np.arange(1.0, 16.0))
    for step in range(40):
        model.step_polynomial(
            1.0 / 32.0,
            base_acceleration=[wave[step], *slopes[:, step] / factorials],
            normal_load=[load[step], *load_slopes[:, step] / factorials[:4]],
        )
        rows.append(model.output_values())
    found = np.array([run.histories[name] for name in OUTPUT_NAMES]).T
    assert found.tolist() == [list(row) for row in rows]


def test_sdnd104_with_eight_steps_a_period_and_15_derivatives():
    times = np.arange(97) / 8.0
    wave, slopes = sine_and_derivatives(15.0, 2.0 * np.pi, times)
    run = run_records(
        FrictionalShockParameters(),
        times,
        base_acceleration=wave,
        between_samples="derivatives",
        derivatives={"base_acceleration": slopes},
        histories=["wear_work"],
    )
    work = run.histories["wear_work"]
    # Mean over [4, 12] s of the exact solution at 30 digits. The input has an error of (ωh)^16/16!.
    assert (work[96] - work[32]) / 8.0 == pytest.approx(15.2670995893716, rel=1e-13)


@pytest.mark.parametrize(
    ("between_samples", "share_of_the_way", "shocks"),
    [
        ("derivatives", 1.0 + 1e-9, 0),
        ("derivatives", 1.0 - 1e-6, 1),
        ("extrapolated", 1.0 + 1e-9, 1),
    ],
)
def test_only_an_input_known_from_the_first_step_on_tells_a_graze_from_a_knock(
    between_samples, share_of_the_way, shocks
):
    frequency, forcing, amplitude = 20.0, 7.0, 3.0
    times = np.arange(101) / 100.0

    def displacement(time: float) -> float:
        """Return the solution of u'' + ω² u = −A sin Ω t from rest."""
        free = forcing / frequency * np.sin(frequency * time)
        return -amplitude / (frequency**2 - forcing**2) * (np.sin(forcing * time) - free)

    deepest = minimize_scalar(displacement, bounds=(0.2, 0.27), options={"xatol": 1e-13})
    gap = -deepest.fun * share_of_the_way
    wave, slopes = sine_and_derivatives(amplitude, forcing, times)
    run = run_records(
        FrictionalShockParameters(
            gravity=0.0, normal_law="rigid", normal_stiffness=frequency**2, initial_gap=gap
        ),
        times,
        base_acceleration_normal=wave,
        between_samples=between_samples,
        derivatives={"base_acceleration_normal": slopes}
        if between_samples == "derivatives"
        else None,
        histories=["shock_count", "impact_impulse"],
    )
    assert run.histories["shock_count"].max() == shocks
    if between_samples == "derivatives":
        # The speed v of the mass of 1 kg at the distance δ before its turning point is v² = 2 a δ.
        deceleration = frequency**2 * -deepest.fun - amplitude * np.sin(forcing * deepest.x)
        speed = np.sqrt(2.0 * deceleration * max(0.0, -deepest.fun - gap))
        assert run.histories["impact_impulse"].max() == pytest.approx(speed, rel=1e-4)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"derivatives": None}, "derivatives and between_samples='derivatives' must be"),
        ({"derivatives": {"load": np.zeros((1, 5))}}, "'load' is not an input: base_acc"),
        (
            {"derivatives": {"normal_load": np.zeros((16, 5))}},
            r"derivatives of normal_load have the shape \(16, 5\): it must be 1 to 15 orders × 5",
        ),
        (
            {"derivatives": {"normal_load": [[0.0, np.nan, 0.0, 0.0, 0.0]]}},
            r"normal_load\[1\]\[1\]=nan N/s\^1 must be finite",
        ),
        (
            {"base_acceleration": np.zeros((2, 5)), "derivatives": {}},
            "derivatives need a single record: there are 2",
        ),
    ],
)
def test_derivatives_that_do_not_fit_are_refused(changes, message):
    given = {"base_acceleration": np.zeros(5), "between_samples": "derivatives", **changes}
    with pytest.raises(ValueError, match=message):
        run_records(FrictionalShockParameters(), 0.1, **given)
