"""Statistics of the records of FrictionalShock.fmu, and their convergence with the sampling.

The trajectory does not depend on the step here, because there is no input or only its samples
change. Differences between two steps are sampling errors.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from fmu_src.archive.builder import build_fmu
from harness import load_case, simulate
from harness.case.shipped import shipped_cases
from harness.command_line import main
from harness.fmu.experiment import Experiment
from harness.fmu.signals import SineSignal
from wearmodel.statistics import Shock, ShockRecord, StatisticsSettings, shock_statistics

# Spring wall: m = 100 kg, k = 1e4 N/m, K_N = 1e6 N/m, v0 = 1 m/s. See the README of the case.
CONTACT_FREQUENCY, FLIGHT_FREQUENCY = math.sqrt(1.01e4), 10.0
CONTACT_TIME, FLIGHT_TIME = math.pi / CONTACT_FREQUENCY, math.pi / FLIGHT_FREQUENCY
PEAK_FORCE, IMPULSE = 1e6 / CONTACT_FREQUENCY, 2e6 / CONTACT_FREQUENCY**2


@pytest.fixture(scope="module")
def frictional_shock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the FMU of this source tree."""
    return build_fmu("FrictionalShock", tmp_path_factory.mktemp("fmu"))


def wall_shocks(fmu: Path, step: float) -> tuple[Shock, ...]:
    case = load_case(shipped_cases()["spring_wall"])
    experiment = Experiment(stop_time=case.experiment.stop_time, step_size=step)
    run = simulate(fmu, experiment, parameters=case.parameters)
    record = ShockRecord(
        time=run.times,
        normal_force=run.values["normal_force"],
        normal_velocity=run.values["gap_velocity"],
    )
    impact = shock_statistics(record, usure=False).impact
    assert impact is not None
    return impact.shocks


def worst_relative_error(shocks: tuple[Shock, ...]) -> float:
    first, second = shocks
    errors = []
    for shock, start in ((first, 0.0), (second, CONTACT_TIME + FLIGHT_TIME)):
        errors += [
            shock.peak_force / PEAK_FORCE - 1.0,
            shock.impulse / IMPULSE - 1.0,
            shock.duration / CONTACT_TIME - 1.0,
            shock.impact_velocity + 1.0,
            shock.instant / (start + 0.5 * CONTACT_TIME) - 1.0,
        ]
    return max(map(abs, errors))


def test_spring_wall_is_exact_between_samples_and_converges(frictional_shock):
    coarse, fine = (
        worst_relative_error(wall_shocks(frictional_shock, step)) for step in (2e-3, 1e-3)
    )
    # The required accuracy. (ω_c·1e-3 s)¹⁰ = 1e-10 for ten-sample stencils.
    assert fine < 1e-8
    # Ten-sample stencils approach order 10. The contacts at the coarse step have 15 samples, for
    # which ω_c·h = 0.2 is not yet small.
    order = math.log2(coarse / fine)
    assert order > 8.0, f"errors {coarse} and {fine}: order {order}"


def test_post_gives_the_spring_walls_numbers_from_the_file_that_run_wrote(
    frictional_shock, tmp_path
):
    history, target = tmp_path / "history.csv", tmp_path / "statistics.json"
    case = str(shipped_cases()["spring_wall"])
    assert main(["run", case, "--out", str(frictional_shock.parent), "--csv", str(history)]) == 0
    assert main(["post", str(history), "--impact", "--json", str(target)]) == 0
    rows = json.loads(target.read_text())["tables"]["impact"]
    shocks = tuple(
        Shock(
            number=row["CHOC"],
            instant=row["INSTANT"],
            peak_force=row["F_MAX"],
            impulse=row["IMPULSION"],
            duration=row["T_CHOC"],
            impact_velocity=row["V_IMPACT"],
            rebounds=row["NB_IMPACT"],
        )
        for row in rows
        if row["CALCUL"] == "IMPACT"
    )
    # The required accuracy.
    assert worst_relative_error(shocks) < 1e-8


def wear_power_errors(fmu: Path, amplitude: float, step: float) -> np.ndarray:
    """Return the errors of PUIS_USURE from the record [W], for several positions of the samples.

    The reference is the mean wear power of the FMU. The model is SDND104 (V5.01.104) with the sine
    of the support shifted by fractions of a step. The ends of the slips are then at six different
    positions between two samples.
    """
    errors = []
    for shift in np.arange(6) / 6.0:
        signal = SineSignal(
            kind="sine", amplitude=amplitude, frequency=1.0, phase=-2.0 * math.pi * shift * step
        )
        run = simulate(
            fmu, Experiment(stop_time=2.0, step_size=step), inputs={"base_acceleration": signal}
        )
        record = ShockRecord(
            time=run.times,
            normal_force=run.values["normal_force"],
            tangential_velocity_1=run.values["slip_velocity"],
            stick=run.values["contact_mode"] == 1.0,
        )
        settings = StatisticsSettings(window_start=1.0, window_end=2.0)
        usure = shock_statistics(record, settings, impact=False).usure
        assert usure is not None
        work = run.values["wear_work"]
        errors.append(usure.wear_power - (work[-1] - work[round(1.0 / step)]))
    return np.array(errors)


def test_wear_power_of_the_record_tends_to_the_fmus_with_order_two(frictional_shock):
    # In stick-slip, both slips of a period end at the same position in a step if the step divides
    # the half period. The error over all positions is therefore proportional to h².
    coarse, fine = (
        float(np.sqrt(np.mean(wear_power_errors(frictional_shock, 1.5, step) ** 2)))
        for step in (4e-3, 1e-3)
    )
    order = math.log(coarse / fine, 4.0)
    # At the onset only the curvature is discontinuous. Its error is of order h³.
    assert 1.9 < order < 2.1, f"errors {coarse} W and {fine} W: order {order}"


@pytest.mark.parametrize(
    ("amplitude", "slope_change"),
    # a0 = 15: at a reversal −|A| changes to +|A|, by at most 2·a0.  a0 = 1.5: a slip ends with the
    # slope μg − A(t2) = 1.2708 m/s², with t2 from the closed form.
    [(15.0, 30.0), (1.5, 1.2708)],
    ids=["slip-slip", "stick-slip"],
)
@pytest.mark.parametrize("step", [4e-3, 1e-3], ids="step={}".format)
def test_wear_power_of_the_record_is_within_the_trapezoids_error(
    frictional_shock, amplitude, slope_change, step
):
    worst = float(np.max(np.abs(wear_power_errors(frictional_shock, amplitude, step))))
    # A change D of the slope of F_N|V|, F_N = 10 N, causes an error of at most F_N·D·h²/12, twice
    # a second.
    bound = 2.0 * 10.0 * slope_change * step**2 / 12.0
    # The smooth arcs and the curvature at the onset are of higher order. A tenth is added for
    # them.
    assert worst < 1.1 * bound
    # The error is caused by the trapezoid rule. An exact integral has far less than 1 % of it.
    assert worst > 0.01 * bound
