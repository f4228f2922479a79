"""The runs of a service life are as long as their wear requires, but not much longer."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from harness.case.case_file import Case
from harness.command_line import main
from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord
from harness.life import answers, load_life, run_life
from harness.life.known_power import KnownPower, Precision
from harness.life.motion_runs import MARKS, MotionRuns, Rates, _is_multiple, _side_shares
from harness.life.wear_power import WearOfService
from harness.life.worn_contact import WornContact
from harness.sweep import Study, continued_run, open_journal
from wearmodel.batch.run_state import RunState
from wearmodel.statistics.known_rate import KnownRate, known_rate
from wearmodel.statistics.paired_blocks import block_errors
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

from .pads import ARCHARD, LIFE, life_file

SINE = 'kind = "sine"\namplitude = 2.0\nfrequency = 5.0'
NOISE = """kind = "noise"
rms = 0.9
low = 5.0
high = 20.0
sample_interval = 0.002
seed = 1"""


def test_rare_wear_takes_long_runs_and_wear_that_has_become_frequent_short_ones(
    tmp_path: Path,
) -> None:
    file = life_file(
        tmp_path,
        LIFE.replace("relative_error = 0.02", "relative_error = 0.4"),
        (SINE, NOISE),
        ("friction_coefficient = 0.0", "friction_coefficient = 0.2"),
        ("contact_stiffness = 9e5", "contact_stiffness = 1e7\ncontact_damping = 1e3"),
        ("stop_time = 2.0", "stop_time = 20.0"),
    )
    text = file.read_text(encoding="utf-8")
    velocity = next(line for line in text.splitlines() if line.startswith("initial_velocity"))
    file.write_text(text.replace(f"{velocity}\n", ""), encoding="utf-8")
    assert ARCHARD in text
    life = load_life(file)
    # New, and at the depth where half of the spring force is worn off.
    depths = (0.0, 5e-5, 5e-5, 5e-5, 5e-5, 0.0)
    spans, shares = [], []
    with open_journal(life.journal, "test", work="life") as journal:
        service = WearOfService(life, journal)
        for number, depth in enumerate(depths):
            service(np.array([1e-4 * depth, 0.0]))
            ((known,),) = service._read(journal.rows[number])
            spans.append(known.span)
            shares.append(known.share_needed)
            assert known.is_enough
            assert known.share_needed <= 1.0
    # Twenty seconds contain too few wear events of the new contact.
    assert spans[0] >= 160.0
    # The first run of the worn contact has the same length, so that both have equal errors. The
    # next ones start at two to four times the necessary length, or at the length of the case, and
    # are extended as usual.
    assert spans[1] == spans[0]
    for before, share, after in zip(spans[1:5], shares[1:5], spans[2:5], strict=False):
        planned = before
        while 0.5 * planned >= max(2.0 * share * before, 20.0):
            planned *= 0.5
        assert after in (planned, 2.0 * planned, 4.0 * planned)
    assert max(spans[2:5]) < spans[0]
    # The rare wear of the new contact requires a longer run again.
    assert spans[5] > spans[4]


def test_a_run_asked_for_again_but_longer_takes_the_missing_steps_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (motion,) = (life := load_life(life_file(tmp_path))).motions
    steps_taken: list[int] = []

    def counted(study: Study, state: RunState) -> RunRecord | str:
        outcome = continued_run(study, state)
        assert isinstance(outcome, RunRecord)
        steps_taken.append(outcome.times.size - 1)
        return outcome

    monkeypatch.setattr("harness.life.motion_runs.continued_run", counted)
    runs = MotionRuns(life)
    case = motion.case

    def lasting(stop_time: float) -> Case:
        return replace(case, experiment=replace(case.experiment, stop_time=stop_time))

    for stop_time in (0.2, 0.6, 0.8):
        rates = runs.rates(motion, runs.worn(lasting(stop_time), [1e-5]), [1e-5])
        assert rates == MotionRuns(life).rates(
            motion, runs.worn(lasting(stop_time), [1e-5]), [1e-5]
        )
    assert steps_taken[::2] == [100, 200, 100]
    # Runs with another depth, another step or a shorter duration start from zero.
    del steps_taken[:]
    runs.rates(motion, runs.worn(lasting(0.8), [2e-5]), [2e-5])
    finer = replace(lasting(0.8), experiment=lasting(0.8).experiment.with_half_the_step())
    runs.rates(motion, runs.worn(finer, [2e-5]), [2e-5])
    runs.rates(motion, runs.worn(lasting(0.8), [2e-5]), [2e-5])
    runs.rates(motion, runs.worn(lasting(0.4), [2e-5]), [2e-5])
    assert steps_taken == [400, 800, 400, 200]


def test_a_power_that_falls_fast_need_not_be_known_as_well_as_one_that_stays(
    tmp_path: Path,
) -> None:
    life = load_life(life_file(tmp_path, LIFE.replace("error = 0.02", "error = 0.2")))
    # Ten of 40 years have passed. At the present power, the worn volume would take four years.
    volume, year = 1e-9, SECONDS_PER_YEAR
    power = life.law.power(volume / (4.0 * year))

    def lengths_needed(*before: tuple[float, float]) -> float:
        precision = Precision(life)
        for share, times in before:
            known = KnownPower(times * power, 0.0, times * power, 0.0, 0.0, 100.0)
            precision.take(0, 0, known, share * volume)
        rate = KnownRate(power, 0.8 * power, 1.2 * power, 0.95, 100.0, 1e3, 0.1 * power)
        (judged,) = precision.judged(0, [Rates(rate, rate)], [volume], 10.0 * year)
        assert judged.is_enough == (judged.lengths_needed <= 1.0)
        return judged.lengths_needed

    # ± 20 % is twice the accepted error, which is half of 0.2.
    steady = lengths_needed((0.9, 1.0))
    assert steady == pytest.approx(4.0)
    # The power has decreased by a factor e over a tenth of the volume. The further wear is
    # 0.1 ln(1 + 30/4/0.1) = 0.43 of the volume. At the present power it would take 1.7 years.
    lasting = 0.1 * math.log1p(30.0 / 4.0 / 0.1) * 4.0
    allowed = max(1.0, 4.0 / (3.0 * lasting))
    assert lengths_needed((0.9, math.e)) == pytest.approx(4.0 / allowed**2)
    # Over a hundredth of the volume, so that the further wear is much smaller.
    lasting = 0.01 * math.log1p(30.0 / 4.0 / 0.01) * 4.0
    assert lengths_needed((0.99, math.e)) == pytest.approx((2.0 * 3.0 * lasting / 4.0) ** 2)
    # If the power has increased with the volume, no decrease is assumed.
    assert lengths_needed((0.9, 0.5)) == steady


def test_the_time_step_has_no_error_if_the_inputs_are_followed_exactly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: set[float] = set()
    rates = MotionRuns.rates

    def seen(runs: MotionRuns, motion: object, case: Case, depths: object) -> list[Rates]:
        steps.add(case.experiment.step_size)
        return rates(runs, motion, case, depths)  # type: ignore[arg-type]

    monkeypatch.setattr(MotionRuns, "rates", seen)
    life = LIFE.replace("relative_error = 0.02", "relative_error = 0.4")
    noise = NOISE.replace("rms = 0.9", "rms = 2.0")
    for timing, wanted in (("end", {0.002}), ("start", {0.002, 0.001})):
        steps.clear()
        changed = ("friction_coefficient = 0.0", f'input_timing = "{timing}"\ndamping = 2.0')
        file = life_file(tmp_path, life, (SINE, noise), changed)
        (motion,) = (loaded := load_life(file)).motions
        with open_journal(loaded.journal, timing, work="life") as journal:
            WearOfService(loaded, journal)(np.zeros(2))
        loaded.journal.unlink()
        assert motion.case.experiment.step_size == 0.002
        assert steps == wanted


def test_a_difference_of_chance_between_two_steps_is_no_error_of_the_step() -> None:
    random = np.random.default_rng(4)
    counted = []
    for shift in (0.0, 1.0):
        for _ in range(400):
            both = []
            for mean in (10.0, 10.0 + shift):
                blocks = random.normal(mean, 1.0, 20) / 20.0
                total = float(blocks.sum())
                rate = KnownRate(total, total - 0.5, total + 0.5, 0.95, 1.0, 1e3, 0.22)
                deviations = blocks - total / 20.0
                both.append(Rates(rate, rate, blocks=tuple(deviations.tolist())))
            known = KnownPower(10.0, 0.5, 10.0, 0.5, 0.0, 1.0)
            counted.append(known.with_half_the_step(*both).weighed_step)
    # 6 % of random differences exceed twice their standard error, by Student's distribution.
    assert np.count_nonzero(counted[:400]) <= 40
    # A difference of 1 counts as far as it exceeds this: E max(0, x) of a normal x.
    error = math.sqrt(2.0 / 20.0)
    excess = (1.0 - 2.0 * error) / error
    want = error * (excess * norm.cdf(excess) + norm.pdf(excess))
    # The mean of 400 draws has an error of 0.015. The standard errors also have scatter.
    assert np.mean(counted[400:]) == pytest.approx(want, abs=0.05)


def test_runs_last_as_long_as_the_slowest_process_and_the_answer_names_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    life = LIFE.replace("relative_error = 0.02", "relative_error = 0.4\nslowest = '%s'")
    noise = NOISE.replace("rms = 0.9", "rms = 2.0")
    change = ("friction_coefficient = 0.0", 'input_timing = "end"\ndamping = 2.0')
    file = life_file(tmp_path, life % "0.5 min", (SINE, noise), change)
    (motion,) = load_life(file).motions
    # 2 s is doubled until the run has at least 30 s.
    assert motion.case.experiment.stop_time == 32.0
    assert main(["life", str(file), "--years", "1"]) == 0
    limit = re.search(r"excitation slower than (\d+) s", capsys.readouterr().out)
    assert limit is not None
    assert float(limit[1]) >= 32.0
    for wrong in ("1", "1 m", "-1 h", "h"):
        file = life_file(tmp_path, life % wrong, (SINE, noise), change)
        assert main(["life", str(file)]) == 2
        assert f"life.slowest = '{wrong}' must be" in capsys.readouterr().err


def test_an_answer_is_not_known_for_processes_slower_than_all_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    life = LIFE.replace("relative_error = 0.02", "relative_error = 0.4")
    noise = NOISE.replace("rms = 0.9", "rms = 2.0")
    change = ("friction_coefficient = 0.0", 'input_timing = "end"\ndamping = 2.0')
    result = run_life(load_life(life_file(tmp_path, life, (SINE, noise), change), years=1.0))
    assert result.is_known
    slow = replace(result, life=replace(result.life, slowest=10.0 * result.valid_for))
    assert not slow.is_known
    assert f"needs runs of {40.0 * result.valid_for:g} s" in answers(slow)[0]


def test_runs_without_any_wear_do_not_grow_beyond_two_million_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """4096 times a first run of 20 s would be 82 million steps of 1 ms."""
    spans: list[float] = []

    def still(runs: MotionRuns, motion: object, case: Case, depths: object) -> list[Rates]:
        spans.append(case.experiment.stop_time)
        times = np.linspace(0.0, case.experiment.stop_time, 1001)
        rate = known_rate(times, np.zeros(1001), start=0.1 * case.experiment.stop_time)
        return [Rates(rate, rate)]

    monkeypatch.setattr(MotionRuns, "rates", still)
    file = life_file(
        tmp_path,
        LIFE,
        (SINE, NOISE.replace("sample_interval = 0.002", "sample_interval = 0.001")),
        ("friction_coefficient = 0.0", 'input_timing = "end"\nfriction_coefficient = 0.0'),
        ("stop_time = 2.0", "stop_time = 20.0"),
        ("step_size = 0.002", "step_size = 0.001"),
    )
    result = run_life(load_life(file))
    # The first run of which nine tenths exceed two million steps has 2560 s.
    assert spans == [20.0 * 2.0**doublings for doublings in range(8)]
    # If no events were observed, the rate is not assumed to be zero.
    assert not result.is_known
    (contact,) = result.contacts
    assert contact.not_known is not None
    assert not contact.not_known.is_bounded
    assert "less than one event in 769.1 s with 95 %" in contact.not_known.reason
    assert contact.not_known.reason.endswith("if wear is rarer, set a longer stop_time")
    assert math.isinf(contact.states[-1].depth_upper)


def test_runs_without_wear_still_grow_if_a_known_event_bounds_the_rate(tmp_path: Path) -> None:
    still = known_rate(np.linspace(0.0, 1e4, 1001), np.zeros(1001))
    precision = Precision(load_life(life_file(tmp_path)))
    (judged,) = precision.judged(0, [Rates(still, still)], [0.0], 0.0)
    assert judged.is_idle
    precision.take(0, 0, KnownPower(1.0, 0.1, 1.0, 0.1, 0.5, 20.0), 0.0)
    (judged,) = precision.judged(0, [Rates(still, still)], [0.0], 0.0)
    assert not judged.is_idle
    assert math.isfinite(judged.rate.upper)


@pytest.mark.parametrize("start", [0.0, 2.0, 3.0])
def test_the_shares_of_sides_are_those_of_the_settled_wear_work(start: float) -> None:
    # Side 2 wears in the first 2 s only. Sides 1 and 3 wear at the rates 1 W and 3 W.
    times = np.linspace(0.0, 20.0, 11)
    works = np.column_stack((times, np.minimum(5.0 * times, 10.0), 3.0 * times))
    contact = WornContact("ModalShock", "S", sides=3)
    values = {MARKS: times, "S.by_side.wear_work": works}
    record = RunRecord(np.linspace(0.0, 20.0, 101), values, 0.0, ())
    first = Experiment(stop_time=20.0, step_size=0.2)
    shares, errors = _side_shares(record, contact, first.span, start)
    settled = np.array([20.0 - start, max(0.0, 10.0 - 5.0 * start), 3.0 * (20.0 - start)])
    assert shares == pytest.approx(tuple(settled / settled.sum()))
    # The rates of sides 1 and 3 do not have scatter.
    assert np.array(errors)[:, [0, 2]] == pytest.approx(0.0, abs=1e-9)
    assert np.any(np.abs(np.array(errors)[:, 1]) > 1e-3) == (start < 2.0)
    unworn = RunRecord(record.times, {**values, "S.by_side.wear_work": 0.0 * works}, 0.0, ())
    assert _side_shares(unworn, contact, first.span, start) == ((0.0, 0.0, 0.0), ())
    assert _side_shares(record, replace(contact, sides=0), first.span, start) == ((), ())


def test_errors_of_sides_are_relative_to_the_wear_power() -> None:
    random = np.random.default_rng(1)
    times = np.linspace(0.0, 20.0, 321)
    works = np.cumsum(random.random((321, 4)), axis=0)
    contact = WornContact("ModalShock", "S", sides=4)
    first = Experiment(stop_time=20.0, step_size=0.0625)
    record = RunRecord(times, {MARKS: times, "S.by_side.wear_work": works}, 0.0, ())
    shares, errors = _side_shares(record, contact, first.span, 2.0)
    assert sum(shares) == pytest.approx(1.0)
    whole = works.sum(axis=1)
    power = (whole[-1] - np.interp(2.0, times, whole)) / 18.0
    wanted = block_errors(times, whole, 2.0, 20.0) / power
    # Each error has four digits.
    assert np.array(errors).sum(axis=1) == pytest.approx(wanted, abs=1e-3 * np.abs(wanted).max())


@pytest.mark.parametrize(
    ("interval", "step", "is_multiple"),
    [(0.002, 0.002, True), (0.004, 0.002, True), (0.3, 0.1, True), (0.003, 0.002, False),
     (0.001, 0.002, False), (0.0020001, 0.002, False)],
)  # fmt: skip
def test_samples_of_noise_are_at_steps_if_their_interval_is_a_multiple(
    interval: float, step: float, *, is_multiple: bool
) -> None:
    assert _is_multiple(interval, step) is is_multiple


@pytest.mark.parametrize(
    ("slowest", "stop_time"),
    [("", 2.0), ("1 s", 2.0), ("2 s", 2.0), ("2.01 s", 4.0), ("4 s", 4.0), ("30 s", 32.0)],
)
def test_the_first_run_doubles_until_it_is_as_long_as_the_slowest_process(
    slowest: str, stop_time: float, tmp_path: Path
) -> None:
    key = f'\nslowest = "{slowest}"' if slowest else ""
    life = load_life(life_file(tmp_path, LIFE.replace("[life]", f"[life]{key}")))
    assert life.case.experiment.stop_time == stop_time
    assert life.motions[0].case.experiment.stop_time == stop_time
    assert life.slowest == (float(slowest.split()[0]) if slowest else 0.0)


@pytest.mark.parametrize("start", [0.0, 3.0])
@pytest.mark.parametrize("doublings", [0, 1, 3])
def test_a_run_begins_at_its_start_however_long_it_is(
    start: float, doublings: int, tmp_path: Path
) -> None:
    stop = start + 2.0
    text = f"start_time = {start}\nstop_time = {stop}"
    span = 2.0**doublings * 1.99
    life_text = LIFE.replace("[life]", f'[life]\nslowest = "{span} s"')
    file = life_file(tmp_path, life_text, ("stop_time = 2.0", text))
    experiment = load_life(file).motions[0].case.experiment
    assert experiment.start_time == start
    assert experiment.stop_time == start + 2.0 * 2.0**doublings
