"""The two-body example with the native FMU, whose derivatives reduce the number of iterations."""

from dataclasses import replace
from pathlib import Path

import fmpy
import numpy as np
import pytest

from ..examples.test_coupled_support import example as coupled_example

example = coupled_example


@pytest.fixture(scope="module")
def folders(
    native_fmu: Path, python_fmu: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """Extract the native and the Python FMU."""
    folder = tmp_path_factory.mktemp("coupled")
    return (
        Path(fmpy.extract(native_fmu, folder / "native")),
        Path(fmpy.extract(python_fmu, folder / "python")),
    )


def test_in_stick_the_second_trial_agrees(example, folders):
    # With permanent stick, the residual is linear with the known slope −(1 + m/M).
    system = replace(example.System(), support_mass=0.8, friction_coefficient=10.0)
    native, trials = example.run_iterated(folders[0], system, 400)
    python, trials_by_secant = example.run_iterated(folders[1], system, 400)
    assert trials <= 2.0
    assert trials_by_secant > 2.9
    # Iterations end when mean acceleration and mean force agree to 1e-10 m/s2. The run lasts 4 s.
    np.testing.assert_allclose(native, python, rtol=0.0, atol=1e-9)


def test_in_stick_slip_fewer_trials_give_the_same_run(example, folders):
    system = example.System()
    native, trials = example.run_iterated(folders[0], system, 400)
    python, trials_by_secant = example.run_iterated(folders[1], system, 400)
    assert trials < trials_by_secant
    # Stick-slip does not amplify differences of the residual, 1e-10 m/s2 per step. After each
    # stick, the position of the shoe is unchanged, and the shoe moves with its support.
    np.testing.assert_allclose(native, python, rtol=0.0, atol=1e-8)
