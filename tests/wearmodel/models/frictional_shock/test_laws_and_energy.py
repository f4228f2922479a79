"""All combinations of laws under random rough inputs: laws, energy, splits, events, snapshots.

By default, the tests take two dozen runs of each combination, always the same. The campaign takes
thousands of new runs:
WEARFMU_CAMPAIGN=5000 pytest tests/wearmodel/models/frictional_shock -k random
"""

import json
import math
import os
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wearmodel import FrictionalShock, NormalLaw, TangentialLaw

from .energy import EnergyAccount
from .law_combinations import laws
from .laws import SCALE_FLOOR, worst_violations
from .random_runs import RandomRun, random_runs
from .trace import Trace, record

# Rounding of a sum of two series with two dozen terms, each with an error of up to 2⁻⁵². Most runs
# have up to a hundred segments, whose rounding adds up.
_SUM = 45 * 2.0**-52
_RUN = 100 * _SUM
# The rounding may come from the largest terms of the run. It is compared with the smallest scale.
_LAW_ROUNDING = _SUM / SCALE_FLOOR
# A touching guard has a double root, which is located to the square root of the rounding.
_TOUCH = math.sqrt(_SUM)

_CAMPAIGN = int(os.environ.get("WEARFMU_CAMPAIGN", "0"))
_EXAMPLES = _CAMPAIGN or 24

# Values that must not change when a run is cut into pieces.
_COMPARED = (
    "wear_work",
    "friction_work",
    "contact_damping_work",
    "sliding_distance",
    "relative_displacement",
    "relative_velocity",
    "gap",
    "gap_velocity",
    "impact_impulse",
)

many = settings(
    max_examples=_EXAMPLES,
    deadline=None,
    derandomize=not _CAMPAIGN,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
few = settings(many, max_examples=max(12, _EXAMPLES // 3))


def drawn(data: st.DataObject, normal_law: NormalLaw, tangential_law: TangentialLaw) -> RandomRun:
    return data.draw(random_runs(normal_law, tangential_law), label="run")


def modes(run: RandomRun, trace: Trace) -> list[tuple[int, int, float]]:
    """Return contact and direction of slip with the start time of each mode.

    If a guard touches its bound, the rounding of one bit decides whether a mode of √ε of its time
    occurs. Such short modes are left out.
    """
    shortest = 1e-6 * run.step_size
    sequence: list[tuple[int, int, float]] = []
    for segment in trace.segments:
        entered = (segment.contact, segment.sliding, segment.start)
        if segment.duration > shortest and (not sequence or sequence[-1][:2] != entered[:2]):
            sequence.append(entered)
    return sequence


def grazes(run: RandomRun, trace: Trace) -> bool:
    """Return whether a mode of the run is very short, or a contact closes at very low speed.

    The next instants then depend on a velocity that is only rounding, to √ε instead of ε.
    """
    return any(
        0.0 < segment.duration < 1e-6 * run.step_size
        or (segment.event.startswith("closing") and abs(segment.moved["normal_velocity"]) < 1e-6)
        for segment in trace.segments
    )


@pytest.mark.long
@laws
@many
@given(data=st.data())
def test_laws_hold_throughout_random_runs(data, normal_law, tangential_law):
    run = drawn(data, normal_law, tangential_law)
    _, trace = run.traced()
    worst = worst_violations(run.parameters, trace.segments)
    # In metres. The position of a closing is rounded once.
    assert worst.pop("rigid gap", 0.0) <= 1e-15
    for name, violation in worst.items():
        assert violation <= _LAW_ROUNDING, f"{name}: {violation}"


@pytest.mark.long
@laws
@many
@given(data=st.data())
def test_energy_and_wear_are_accounted_for_in_random_runs(data, normal_law, tangential_law):
    run = drawn(data, normal_law, tangential_law)
    model, trace = run.traced()
    account = EnergyAccount(run.parameters, trace.segments)
    assert account.relative_residual <= _RUN, account.terms
    losses = {name: loss for name, loss in account.terms.items() if not name.endswith("input")}
    for name, loss in losses.items():
        assert loss >= -_RUN * account.turnover, f"{name} gave energy"
    outputs = model.outputs()
    # The goal is 1e-10 of the work. For very little wear, the bound is the rounding of a sum of all
    # energies.
    tolerance = 1e-10 * account.wear_work + _SUM * account.turnover
    assert abs(outputs["wear_work"] - account.wear_work) <= tolerance
    tolerance = 1e-10 * account.friction_work + _SUM * account.turnover
    assert abs(outputs["friction_work"] - account.friction_work) <= tolerance
    tolerance = 1e-10 * account.contact_damping_work + _SUM * account.turnover
    assert abs(outputs["contact_damping_work"] - account.contact_damping_work) <= tolerance
    # The goal is the same. The distance is a difference of rounded displacements below a metre.
    assert outputs["sliding_distance"] == pytest.approx(
        account.sliding_distance, rel=1e-10, abs=1e-15
    )


@laws
@many
@given(data=st.data())
def test_outputs_keep_the_laws_at_every_sample_of_random_runs(data, normal_law, tangential_law):
    run = drawn(data, normal_law, tangential_law)
    model = run.start()
    values = run.parameters
    before = model.outputs()
    for inputs in run.inputs:
        model.step_polynomial(run.step_size, **inputs)
        now = model.outputs()
        force, friction = now["normal_force"], now["friction_force"]
        slip = now["slip_velocity"]
        # Rounding of the forces that are compared with friction.
        inertia = values.mass * 60.0 + abs(model.snapshot()["state"][0]) * values.stiffness
        assert force >= 0.0
        assert abs(friction) <= values.static_coefficient * force + _RUN * (force + inertia)
        assert now["wear_power"] == force * abs(slip)
        assert now["friction_power"] >= 0.0
        if now["contact_mode"] == 2:
            assert abs(friction) == pytest.approx(values.friction_coefficient * force, rel=1e-15)
            # Friction opposes the slip, unless slip is about to stop and only rounding is left.
            # This is the rounding of a sum of forces of 1e3 N over the weakest damper of these
            # runs, 0.01 N.s/m.
            assert friction * slip <= 1e-9 * abs(friction)
        else:
            assert slip == 0.0
        if now["contact_mode"] == 0:
            assert force == friction == 0.0
        if normal_law is NormalLaw.rigid:
            assert now["gap"] >= -1e-15  # The position of a closing is rounded once.
        for name in (
            "wear_work",
            "friction_work",
            "contact_damping_work",
            "sliding_distance",
            "impact_impulse",
        ):
            assert now[name] >= before[name]
        for name in ("slip_count", "shock_count", "peak_normal_force"):
            assert now[name] >= before[name]
        before = now


@pytest.mark.long
@laws
@few
@given(
    data=st.data(),
    order=st.integers(0, 3),
    samples=st.lists(
        st.tuples(*[st.integers(-4, 4).map(lambda n: 5.0 * n)] * 4), min_size=5, max_size=20
    ),
)
def test_laws_and_energy_hold_under_random_samples_that_jump(
    data, order, samples, normal_law, tangential_law
):
    # Multiples of 5 m/s2 and 5 N balance the weight of 10 m/s2 exactly. Forces can then be zero for
    # a whole step.
    run = drawn(data, normal_law, tangential_law)
    model = FrictionalShock(replace(run.parameters, input_extrapolation_order=order))
    trace = record(model)
    for sample in samples:
        model.step(run.step_size, *sample)
    account = EnergyAccount(run.parameters, trace.segments)
    assert account.relative_residual <= _RUN, account.terms
    for name, violation in worst_violations(run.parameters, trace.segments).items():
        assert violation <= _LAW_ROUNDING, f"{name}: {violation}"


@laws
@few
@given(data=st.data(), splits=st.sampled_from([2, 3, 7]))
def test_splitting_the_steps_of_random_runs_changes_nothing(
    data, splits, normal_law, tangential_law
):
    run = drawn(data, normal_law, tangential_law)
    whole, whole_trace = run.traced()
    split, split_trace = run.traced(splits)
    whole_modes, split_modes = modes(run, whole_trace), modes(run, split_trace)
    assert [mode[:2] for mode in whole_modes] == [mode[:2] for mode in split_modes]
    got, want = split.outputs(), whole.outputs()
    # The rounding of a position, ≤ 1e-16 m, over the slowest closing that does not graze, 1e-6 m/s,
    # changes an instant by 1e-10 s. This is 1e-9 of runs that last a few tenths of a second. The
    # rounding of metres and metres a second over the run is added. After grazing, the tolerance is
    # _TOUCH, which the following shocks may amplify tenfold.
    relative, absolute = 1e-9, _RUN
    if grazes(run, whole_trace) or grazes(run, split_trace):
        relative, absolute = 10.0 * _TOUCH, _TOUCH
    for name in _COMPARED:
        assert got[name] == pytest.approx(want[name], rel=relative, abs=absolute), name


@laws
@few
@given(data=st.data())
def test_no_event_of_random_runs_is_missed(data, normal_law, tangential_law):
    run = data.draw(random_runs(normal_law, tangential_law, longest=1), label="run")
    _, whole = run.traced()
    _, fine = run.traced(100)
    coarse_modes, fine_modes = modes(run, whole), modes(run, fine)
    assert [mode[:2] for mode in coarse_modes] == [mode[:2] for mode in fine_modes]
    # The tolerances are those for the splits, for instants within the step.
    tolerance = 10.0 * _TOUCH if grazes(run, whole) or grazes(run, fine) else 1e-9
    for coarse, exact in zip(coarse_modes, fine_modes, strict=True):
        assert coarse[2] == pytest.approx(exact[2], rel=0.0, abs=tolerance * run.step_size)


@laws
@few
@given(data=st.data(), at=st.integers(0, 5))
def test_save_step_restore_step_of_random_runs_is_bit_identical(
    data, at, normal_law, tangential_law
):
    run = drawn(data, normal_law, tangential_law)
    model = run.start()

    def play(inputs: dict[str, tuple[float, ...]]) -> None:
        # `step` also stores the samples of the extrapolation in the snapshot.
        model.step(run.step_size, **{name: series[0] for name, series in inputs.items()})

    at %= len(run.inputs)
    for inputs in run.inputs[:at]:
        play(inputs)
    saved = json.loads(json.dumps(model.snapshot()))
    outputs_then = model.output_values()
    for inputs in run.inputs[at:]:
        play(inputs)
    first = model.snapshot()
    first_outputs = model.output_values()
    model.restore(saved)
    assert model.output_values() == outputs_then
    for inputs in run.inputs[at:]:
        play(inputs)
    assert model.snapshot() == first
    assert model.output_values() == first_outputs

    fresh = FrictionalShock(run.parameters)
    fresh.restore(saved)
    for inputs in run.inputs[at:]:
        fresh.step(run.step_size, **{name: series[0] for name, series in inputs.items()})
    assert fresh.snapshot() == first


@laws
@few
@given(data=st.data())
def test_a_trace_changes_no_bit_of_random_runs(data, normal_law, tangential_law):
    run = drawn(data, normal_law, tangential_law)
    traced, _ = run.traced()
    plain = run.start()
    for inputs in run.inputs:
        plain.step_polynomial(run.step_size, **inputs)
    got, want = traced.outputs(), plain.outputs()
    for name, value in want.items():
        # The plain run takes quiet steps in one piece, with another order of the same sums.
        assert got[name] == pytest.approx(value, rel=1e-12, abs=1e-15), name
