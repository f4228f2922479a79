"""Compiled runs of a structure agree with the model in single steps."""

import numpy as np
import pytest

from wearmodel import ModalShock, run_structure
from wearmodel.batch import structure_runs
from wearmodel.batch.run_state import RunState
from wearmodel.compiled.run_library import Runs, run_source, runs_of
from wearmodel.kernel.shoe.parameters import InputTiming
from wearmodel.models.modal_quantities import structure_outputs
from wearmodel.structure import Load, Modes, Point, Structure

from ..models.modal_shock.structures import random_structure, shaking

STEP = 1e-3


def both(
    seed: int, steps: int, timing: InputTiming = InputTiming.end, order: int = -1
) -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]]:
    """Return the outputs at each sample from the model and from the run."""
    structure = random_structure(seed)
    wave = shaking(seed)
    samples = [wave(step * STEP) for step in range(steps + 1)]
    options = {"input_timing": timing, "input_extrapolation_order": order}
    model = ModalShock(structure, **options, **samples[0])
    rows = [model.output_values()]
    for step, inputs in enumerate(samples[1:] if timing is InputTiming.end else samples[:-1]):
        model.step(STEP, **inputs)
        model.time = step * STEP + STEP
        rows.append(model.output_values())
    names = [one.name for one in structure_outputs(structure)]
    run = run_structure(
        structure,
        {name: [sample[name] for sample in samples] for name in samples[0]},
        step_size=STEP,
        steps=steps,
        outputs=names,
        **options,
    )
    found = list(zip(*(run.history[name].tolist() for name in names), strict=True))
    assert tuple(run.final[name] for name in names) == found[-1]
    assert run.pieces >= steps
    assert run.time[-1] == steps * STEP
    return rows, found


TIMINGS = [(InputTiming.end, -1), (InputTiming.start, -1), (InputTiming.start, 2)]
IDS = ["end", "start", "start, order 2"]


@pytest.mark.parametrize(("timing", "order"), TIMINGS, ids=IDS)
@pytest.mark.parametrize("seed", [3, 5])
def test_a_run_of_the_lowered_kernel_repeats_the_model_bit_by_bit(monkeypatch, seed, timing, order):
    source = run_source("ModalShock")
    monkeypatch.setattr(structure_runs, "runs_of", lambda name, **_: Runs(source, None))
    rows, found = both(seed, 12, timing, order)
    assert found == rows


@pytest.mark.parametrize(("timing", "order"), TIMINGS, ids=IDS)
def test_a_run_in_two_calls_has_the_bits_of_one_in_one_call(timing, order):
    structure, wave = random_structure(5), shaking(5)
    samples = [wave(step * STEP) for step in range(31)]
    inputs = {name: np.array([sample[name] for sample in samples]) for name in samples[0]}
    names = [output.name for output in structure_outputs(structure)]
    options = {"input_timing": timing, "input_extrapolation_order": order, "outputs": names}
    whole = run_structure(structure, inputs, step_size=STEP, steps=30, **options)
    state = RunState()
    until = {name: column[:11] for name, column in inputs.items()}
    run_structure(structure, until, step_size=STEP, steps=10, state=state, **options)
    assert state.steps == 10
    left = {name: column[10:] for name, column in inputs.items()}
    # The start time of the first call applies to the whole run.
    rest = run_structure(
        structure, left, step_size=STEP, steps=20, start_time=10 * STEP, state=state, **options
    )
    assert state.steps == 30
    np.testing.assert_array_equal(rest.time, whole.time[10:])
    for name in names:
        np.testing.assert_array_equal(rest.history[name], whole.history[name][10:], err_msg=name)
    assert rest.final == whole.final


@pytest.mark.hosts
@pytest.mark.native
@pytest.mark.parametrize(("timing", "order"), TIMINGS, ids=IDS)
@pytest.mark.parametrize("seed", range(8))
def test_a_compiled_run_repeats_the_model_bit_by_bit(seed, timing, order):
    assert runs_of("ModalShock").is_compiled
    rows, found = both(seed, 60, timing, order)
    assert found == rows


@pytest.mark.parametrize("interpreted", [False, True])
def test_a_sine_by_its_derivatives_gives_the_closed_form_of_an_oscillator(monkeypatch, interpreted):
    if interpreted:
        source = run_source("ModalShock")
        monkeypatch.setattr(structure_runs, "runs_of", lambda name, **_: Runs(source, None))
    frequency, damping, omega, step = 3.0, 0.05, 11.0, 0.06
    structure = Structure(
        modes=Modes(frequency=[frequency], damping_ratio=[damping], generalised_mass=[2.0]),
        points=[Point("end", shape_x=[1.0])],
        loads=[Load("push", shape=[1.0])],
        observed=["end"],
    )
    times = np.arange(41) * step
    orders = np.arange(1, 16)[:, None]
    slopes = 7.0 * omega**orders * np.sin(omega * times + 0.5 * np.pi * orders)
    run = run_structure(
        structure,
        {"load.push": 7.0 * np.sin(omega * times)},
        step_size=step,
        steps=40,
        outputs=["end.displacement_x"],
        input_timing=InputTiming.start,
        derivatives={"load.push": slopes},
    )
    # m q̈ + 2 ζ ω_0 m q̇ + m ω_0² q = 7 sin ωt from rest.
    natural = 2.0 * np.pi * frequency
    decay, ringing = damping * natural, natural * np.sqrt(1.0 - damping**2)
    answer = 3.5 / (natural**2 - omega**2 + 2j * decay * omega)
    free = -answer.imag
    rate = (-(answer * 1j * omega).imag + decay * free) / ringing
    want = (answer * np.exp(1j * omega * times)).imag + np.exp(-decay * times) * (
        free * np.cos(ringing * times) + rate * np.sin(ringing * times)
    )
    assert run.history["end.displacement_x"] == pytest.approx(want, abs=1e-14)


@pytest.mark.parametrize(
    ("inputs", "options", "message"),
    [
        ({"load.x": 1.0}, {}, "'load.x' is not an input of this structure: base_accel"),
        ({"base_acceleration_x": [1.0]}, {}, "base_acceleration_x has the shape (1,): it must be"),
        ({"base_acceleration_x": np.nan}, {}, "base_acceleration_x must be finite"),
        ({}, {"outputs": ["gap"]}, "'gap' is not an output of this structure"),
        ({}, {"steps": 0}, "steps=0 must be ≥ 1"),
        ({}, {"derivatives": {}}, "derivatives need input_timing start: with end, inputs"),
        ({}, {"step_size": -1.0}, "step_size=-1.0 s must be > 0 and finite"),
    ],
)
def test_what_is_no_run_is_refused(inputs, options, message):
    with pytest.raises(ValueError) as refused:  # noqa: PT011, the message is compared below
        run_structure(random_structure(3), inputs, **{"step_size": STEP, "steps": 5, **options})
    assert message in str(refused.value)


@pytest.mark.long
def test_steps_may_differ_in_size():
    structure, wave = random_structure(3), shaking(3)
    sizes = STEP * np.random.default_rng(1).uniform(0.2, 2.0, 300)
    samples = [wave(number) for number in range(301)]
    model = ModalShock(structure, input_timing=InputTiming.end, **samples[0])
    rows = [model.output_values()]
    instants = np.concatenate(([0.0], np.cumsum(sizes)))
    for number, size in enumerate(sizes.tolist()):
        model.step(size, **samples[number + 1])
        model.time = float(instants[number]) + size
        rows.append(model.output_values())
    names = [output.name for output in structure_outputs(structure)]
    run = run_structure(
        structure,
        {name: [sample[name] for sample in samples] for name in samples[0]},
        step_size=sizes,
        steps=300,
        outputs=names,
    )
    assert run.time.tolist() == instants.tolist()
    found = list(zip(*(run.history[name].tolist() for name in names), strict=True))
    assert found == rows
    for wrong in (sizes[1:], np.zeros(300)):
        with pytest.raises(ValueError, match="step_size"):
            run_structure(structure, step_size=wrong, steps=300)
