"""The check finds a step with a large effect on the results, and accepts other steps."""

import math
import re
from typing import Any

import numpy as np
import pytest

from fmu_src.models import ModalShock
from harness.fmu import step_effect as step_effects
from harness.fmu.experiment import Experiment
from harness.fmu.files import own_fmu
from harness.fmu.input_timing import InputReading
from harness.fmu.model_runs import StepModel
from harness.fmu.noise import NoiseSignal
from harness.fmu.signals import ConstantSignal, SampledSignal, Signal, SineSignal
from harness.fmu.simulation import simulate
from harness.fmu.step_check import step_findings
from harness.fmu.step_effect import step_effect
from wearmodel import FrictionalShock, FrictionalShockParameters
from wearmodel.compiled.run_library import runs_of

from ...docs.documents import ROOT
from .input_families import END, FAMILIES, START, STEPS, FamilyRun, family_run

BLOCK: dict[str, Any] = {"gravity": 10.0, "friction_coefficient": 0.1}
STEP = 0.01


@pytest.fixture(scope="module")
def compiled_kernel() -> None:
    """Compile the kernel. Without it only the first part of a long run is checked."""
    runs_of("FrictionalShock")


def samples(count: int) -> Any:
    return STEP * np.arange(count)


def rough(rms: float) -> FamilyRun:
    """Return a sine of 1 Hz with sensor noise."""
    noise = rms * np.random.default_rng(1).standard_normal(10_001)
    wave = 60.0 * np.sin(2.0 * np.pi * samples(10_001))
    return FamilyRun(SampledSignal(samples(10_001), wave + noise), STEP, BLOCK, START, 100.0)


def two_tones() -> FamilyRun:
    times = samples(10_001)
    values = 0.9 * np.sin(0.5 * np.pi * times) + 0.18 * np.sin(62.0 * np.pi * times)
    return FamilyRun(SampledSignal(times, values), STEP, BLOCK, START, 100.0)


def short_record() -> FamilyRun:
    values = 3.5 * np.sin(80.0 * np.pi * samples(250) + 0.3)
    return FamilyRun(SampledSignal(samples(250), values), STEP, BLOCK, START, 2.49)


def corners() -> FamilyRun:
    values = np.array([0.0, 3.0, -3.0, 2.0, 0.0])
    table = SampledSignal(np.array([0.0, 0.105, 0.505, 1.005, 2.0]), values)
    return FamilyRun(table, STEP, BLOCK, END, 2.0)


NAMED = {
    "0.9 m/s² at 0.25 Hz and 0.18 m/s² at 31 Hz": two_tones(),
    "250 samples of 3.5 m/s² at 40 Hz": short_record(),
    "60 m/s² at 1 Hz, sensor noise of 0.95 m/s² rms": rough(0.95),
    "60 m/s² at 1 Hz, sensor noise of 1.3 m/s² rms": rough(1.3),
    "straight lines with corners at 0.105, 0.505 and 1.005 s, `end`": corners(),
}
VERDICTS = {True: "error", False: "warning", None: "passes"}


def verdict(run: FamilyRun) -> str:
    regular = [finding for finding in run.findings if "chaotic" not in finding.problem]
    return VERDICTS[regular[0].is_error if regular else None]


def effect_of(
    inputs: dict[str, Signal],
    *,
    step: float = STEP,
    stop: float = 2.0,
    reading: InputReading = START,
    model: StepModel | None = None,
) -> step_effects.StepEffect | None:
    model = model or StepModel("FrictionalShock", {**BLOCK, "input_timing": reading.end})
    return step_effect(model, inputs, Experiment(stop_time=stop, step_size=step), reading)


# Findings.


@pytest.mark.parametrize("name", list(NAMED))
def test_a_large_error_is_refused_and_a_small_one_is_silent(name):
    run = NAMED[name]
    assert verdict(run) == ("error" if run.error > 0.2 else "passes")
    assert run.error > 0.4 or run.error < 0.002


def test_the_table_of_the_page_is_what_the_rule_finds():
    page = (ROOT / "docs/inputs.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([\d.]+) % \| (error|warning|passes) \|$", page, re.M)
    # Rounded to three digits.
    found = [(name, f"{100.0 * run.wear_error:.3g}", verdict(run)) for name, run in NAMED.items()]
    assert rows == found


# The campaign uses both input timings for each step.
@pytest.mark.long
@pytest.mark.native
@pytest.mark.usefixtures("compiled_kernel")
@pytest.mark.parametrize(
    ("step", "reading"), list(zip(STEPS, (END, START), strict=True)), ids=["end", "start"]
)
@pytest.mark.parametrize("family", list(FAMILIES))
def test_a_warning_comes_with_an_error_above_4_percent_and_none_below_1_percent(
    family, step, reading
):
    family_run(family, step, 0, reading).require_right_verdict()


def test_a_coarse_sine_is_judged_by_its_derivatives_and_not_by_chords():
    signal = SineSignal(kind="sine", amplitude=5.0, frequency=8.0)
    found = effect_of({"base_acceleration": signal})
    assert found is not None
    fine = STEP / 400
    shoe = FrictionalShock(FrictionalShockParameters(**BLOCK, input_extrapolation_order=3))
    for number in range(round(2.0 / fine)):
        shoe.step(fine, base_acceleration=float(signal.sample(np.array([number * fine]))[0]))
    work = {number.name: number.defined for number in found.judged}["wear_work"]
    # The extrapolation at that step has an error of (ωh)^4 of the input.
    assert work == pytest.approx(shoe.outputs()["wear_work"], rel=1e-6)


def test_a_jump_within_a_step_counts_from_its_instant():
    jump = SampledSignal(np.array([0.0, 0.505, 2.0]), np.array([0.0, 3.0, 3.0]), "previous")
    found = effect_of({"base_acceleration": jump})
    assert found is not None
    work = {number.name: number.defined for number in found.judged}["wear_work"]
    # The block slides with 3 − μ g = 2 m/s² for 1.495 s.
    assert work == pytest.approx(0.1 * 10.0 / 0.1 * 0.5 * 2.0 * 1.495**2, rel=1e-12)


# Runs of the check.


@pytest.mark.parametrize(
    ("name", "reading", "inputs"),
    [
        ("FrictionalShock", START, ["base_acceleration"]),
        ("FrictionalShock", END, ["base_acceleration"]),
        ("ModalShock", START, ["base_acceleration_z"]),
        ("DisChoc", InputReading("end"), ["imposed_displacement_x", "imposed_displacement_y"]),
    ],
    ids=["shoe, start", "shoe, end", "structure", "spring"],
)
def test_what_is_received_is_what_the_fmu_receives(name, reading, inputs):
    times = 0.0137 * np.arange(200)
    rows = np.random.default_rng(2).standard_normal((2, 200)).cumsum(axis=1)
    signals: dict[str, Signal] = {
        given: SampledSignal(times, row) for given, row in zip(inputs, rows, strict=False)
    }
    parameters: dict[str, Any] = {
        "FrictionalShock": {"input_timing": reading.end},
        "ModalShock": {},
        "DisChoc": {"drive": "displacement"},
    }[name]
    structure = ModalShock.structure.with_parameters({}) if name == "ModalShock" else None
    model = StepModel(name, parameters, structure)
    experiment = Experiment(stop_time=2.0, step_size=STEP)
    effect = step_effect(model, signals, experiment, reading)
    assert effect is not None
    history = simulate(own_fmu(name), experiment, parameters=parameters, inputs=signals)
    numbers = {number.name: number.received for number in (*effect.judged, *effect.shown)}
    compared = [number for number in numbers if number in history.values]
    assert any(number.endswith("wear_work") for number in compared)
    for number in compared:
        assert numbers[number] == history[number][-1]


def test_inputs_that_are_received_as_they_are_defined_need_no_run(monkeypatch):
    def fail(*_: Any) -> Any:
        raise AssertionError("it ran")

    monkeypatch.setattr(step_effects._Numbers, "run", fail)
    noise = NoiseSignal(kind="noise", rms=1.0, sample_interval=0.02, low=1.0, high=20.0)
    table = SampledSignal(samples(201), np.sin(9.0 * samples(201)))
    sine = SineSignal(kind="sine", amplitude=5.0, frequency=20.0)
    still = ConstantSignal(kind="constant", value=2.0)
    for reading, signals in (
        (END, (noise, table, still)),
        (InputReading("start", -1, True, 15), (noise, table, still, sine)),
        (START, (still,)),
    ):
        for signal in signals:
            assert effect_of({"base_acceleration": signal}, reading=reading) is None
    with pytest.raises(AssertionError, match="it ran"):
        effect_of({"base_acceleration": table})


def test_a_run_with_parameter_changes_is_judged_up_to_the_first():
    model = StepModel("FrictionalShock", {**BLOCK, "input_timing": "start"}, changes_at=0.75)
    signal = SineSignal(kind="sine", amplitude=5.0, frequency=2.0)
    found = effect_of({"base_acceleration": signal}, model=model)
    assert found is not None
    assert found.until == pytest.approx(0.75)


@pytest.mark.parametrize(("is_compiled", "steps"), [(True, 300), (False, 50)])
def test_of_a_long_run_the_first_part_is_judged(is_compiled, steps, monkeypatch):
    monkeypatch.setattr(StepModel, "is_compiled", is_compiled)
    monkeypatch.setitem(step_effects.MOST_POINTS, "FrictionalShock", 300)
    monkeypatch.setattr(step_effects, "FEWEST_POINTS", 50)
    signal = SineSignal(kind="sine", amplitude=5.0, frequency=2.0)
    found = effect_of({"base_acceleration": signal}, stop=6.0)
    assert found is not None
    assert found.until == pytest.approx(steps * STEP)
    # The samples of a table are within the steps.
    table = SampledSignal(0.0025 * np.arange(2401), np.sin(0.03 * np.arange(2401)))
    found = effect_of({"base_acceleration": table}, stop=6.0)
    assert found is not None
    assert found.until == pytest.approx((75 if is_compiled else 30) * STEP)


def light_mass(contact_stiffness: float, height: float) -> StepModel:
    """Return a mass of 0.1 g that falls on a spring without a damper and bounces for ever."""
    parameters = {
        "mass": 1e-4,
        "gravity": 10.0,
        "normal_law": "penalty",
        "contact_stiffness": contact_stiffness,
        "initial_gap": height,
    }
    return StepModel("FrictionalShock", parameters)


@pytest.mark.long
@pytest.mark.parametrize("is_compiled", [True, False])
def test_of_a_run_of_many_bounces_the_part_is_judged_that_costs_a_bounded_number_of_pieces(
    is_compiled, monkeypatch
):
    most = 2000
    bound = "MOST_PIECES" if is_compiled else "FEWEST_POINTS"
    monkeypatch.setattr(StepModel, "is_compiled", is_compiled)
    monkeypatch.setattr(step_effects, bound, most, raising=False)
    stiffness, mass, height, gravity = 1e4, 1e-4, 1e-6, 10.0
    signal = SineSignal(kind="sine", amplitude=5.0, frequency=2.0)
    model = light_mass(stiffness, height)
    found = effect_of({"base_acceleration": signal}, model=model, stop=6.0)
    assert found is not None
    # Drop, rise, and a contact of more than half a period of the mass on its spring.
    rate, impact = math.sqrt(stiffness / mass), math.sqrt(2.0 * gravity * height)
    bounce = 2.0 * impact / gravity + 2.0 * (math.pi - math.atan(impact * rate / gravity)) / rate
    # A bounce has two pieces or more. A step has one point and may have one piece. The checked
    # part of a run is doubled, so before the last doubling the bound was not reached.
    longest = most / (2.0 / bounce - 1.0 / STEP)
    assert step_effects.FEWEST_JUDGED * STEP <= found.until <= 2.0 * longest + STEP


def test_a_step_of_too_many_events_is_not_judged():
    """A step has 800 bounces. Twenty steps exceed the cost limit of the check."""
    signal = SineSignal(kind="sine", amplitude=15.0, frequency=1.0)
    (finding,) = step_findings(
        {"base_acceleration": signal},
        Experiment(stop_time=1.0, step_size=STEP),
        START,
        light_mass(1e8, 1e-10),
    )
    assert not finding.is_error
    assert finding.line == (
        "step_size=0.01 s is not checked, because 20 steps have too many events: "
        "--check-step compares the run with a run at half the step"
    )


# Irregular runs.


def test_motion_below_an_atom_is_no_motion():
    # The amplitude equals the friction bound. Sliding can only start due to rounding.
    signal = SineSignal(kind="sine", amplitude=1.0, frequency=1.0)
    found = effect_of({"base_acceleration": signal}, step=0.02)
    assert found is not None
    assert all(abs(number.share) < 1e-6 for number in found.judged)


@pytest.mark.native
@pytest.mark.usefixtures("compiled_kernel")
def test_chaotic_motion_is_known_to_its_scatter_and_refuses_nothing():
    """A ball on a table with four times the acceleration of gravity bounces chaotically."""
    model = StepModel(
        "FrictionalShock",
        {
            "normal_law": "rigid", "restitution": 0.7, "gravity": 10.0,
            "friction_coefficient": 0.1, "initial_velocity": 0.1, "initial_gap": 0.0,
        },
    )  # fmt: skip
    shaken: dict[str, Signal] = {
        "base_acceleration_normal": SineSignal(kind="sine", amplitude=45.0, frequency=5.0),
        "base_acceleration": SineSignal(kind="sine", amplitude=6.0, frequency=3.0),
    }
    experiment = Experiment(stop_time=60.0, step_size=0.005)
    findings = step_findings(shaken, experiment, START, model)
    # One note contains all values.
    (chaotic,) = [finding for finding in findings if "chaotic" in finding.problem]
    assert "wear_work to ± " in chaotic.problem
    assert not any(finding.is_error for finding in findings)
    assert chaotic.remedy == "compare means over a longer time"


def test_a_few_wrong_pulses_are_no_chaos():
    """Their scatter is as large as their errors, but it is proportional to the disturbance."""
    times = np.array([0.0, 0.5, 0.502, 0.506, 0.51, 2.0])
    pulse = SampledSignal(times, np.array([0.0, 0.0, 60.0, 60.0, 0.0, 0.0]))
    found = effect_of({"base_acceleration": pulse}, reading=END)
    assert found is not None
    assert not any(number.is_chaotic for number in found.judged if abs(number.share) > 0.02)
    assert max(abs(number.share) for number in found.judged) > 0.5
