"""A native FMU with other defaults: description, results, and rebuilds."""

from pathlib import Path

import fmpy
import numpy as np
import pytest

from fmu_src.archive.builder import build_fmu
from fmu_src.native.native_builder import is_stale
from harness import simulate
from harness.command_line import main
from harness.fmu.experiment import Experiment
from harness.fmu.signals import SineSignal
from tests.native_fmus import build_native_fmu

VALUES = {
    "normal_law": "penalty",
    "contact_stiffness": 1e5,
    "normal_stiffness": 3e3,
    "initial_normal_velocity": -0.3,
    "stiffness": 40.0,
    "input_extrapolation_order": 3,
}
TEXTS = [f"{name}={value}" for name, value in VALUES.items()]


@pytest.fixture(scope="module")
def variant(native_fmu: Path) -> Path:
    """Build the native FMU with these values as defaults."""
    folder = native_fmu.parent.parent
    return build_native_fmu("FrictionalShock", folder, file_stem="variant", start_values=VALUES)


def starts(fmu: Path) -> dict[str, str | None]:
    return {one.name: one.start for one in fmpy.read_model_description(fmu).modelVariables}


def test_description_and_behaviour_are_those_of_the_python_fmu_with_these_defaults(
    variant, native_fmu, tmp_path
):
    python = build_fmu("FrictionalShock", tmp_path, start_values=VALUES)
    assert starts(variant) == starts(python) != starts(native_fmu)
    experiment = Experiment(stop_time=1.0, step_size=1e-3)
    shaking = SineSignal(kind="sine", amplitude=15.0, frequency=1.0)

    def run(fmu: Path, **parameters: float | str) -> dict[str, np.ndarray]:
        return dict(
            simulate(
                fmu, experiment, parameters=parameters, inputs={"base_acceleration": shaking}
            ).values
        )

    by_default = run(variant)
    assert by_default["shock_count"][-1] > 10
    # The defaults, the same values set individually, and the Python FMU agree.
    for other in (run(native_fmu, **VALUES), run(python)):
        for name, values in by_default.items():
            np.testing.assert_array_equal(other[name], values, err_msg=name)
    # A default can be overridden.
    usual = {name: one for name, one in starts(native_fmu).items() if name in VALUES}
    back = {name: float(text or "") for name, text in usual.items() if name != "normal_law"}
    back["input_extrapolation_order"] = int(back["input_extrapolation_order"])
    for name, values in run(variant, **back, normal_law="prescribed").items():
        np.testing.assert_array_equal(run(native_fmu)[name], values, err_msg=name)


def test_other_defaults_are_another_fmu(variant, native_fmu):
    assert not is_stale(variant, model="FrictionalShock", start_values=VALUES)
    assert is_stale(variant, model="FrictionalShock")
    assert is_stale(variant, model="FrictionalShock", start_values={**VALUES, "stiffness": 41.0})
    assert is_stale(native_fmu, start_values=VALUES)
    assert not is_stale(native_fmu, start_values={"normal_law": "prescribed"})
    assert is_stale(native_fmu, ("linux64", "win64"))


def test_the_command_builds_it_once(native_fmu, variant, capsys):
    written = variant.stat().st_mtime_ns
    folder = native_fmu.parent.parent
    command = ["build", "FrictionalShock", "--native", "--out", str(folder)]
    command += ["--name", "variant", "--start", *TEXTS]
    assert main(command) == 0
    assert capsys.readouterr().out == f"{variant}\n"
    assert variant.stat().st_mtime_ns == written


def test_which_events_return_may_be_a_default_in_fmi_3(tmp_path):
    command = [
        "build",
        "FrictionalShock",
        "--native",
        "--out",
        str(tmp_path),
        "--name",
        "returning",
    ]
    starts_at = ["--start", "return_at=shocks", "minimum_return_interval=1e-3", "mass=2"]
    assert main([*command, "--fmi", "3", *starts_at]) == 0
    started = starts(tmp_path / "native" / "fmi3" / "returning.fmu")
    assert (started["return_at"], started["minimum_return_interval"]) == ("1", "0.001")
    assert started["mass"] == "2.0"
    # FMI 2.0 and models without events do not have these parameters.
    assert main([*command, *starts_at]) == 2
    other = [word.replace("FrictionalShock", "BaseMotion") for word in command]
    assert main([*other, "--fmi", "3", "--start", "return_at=shocks"]) == 2
