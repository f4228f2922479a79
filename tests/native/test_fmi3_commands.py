"""Commands that build and examine FMUs of FMI 3.0."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.command_line import main


def test_the_command_builds_the_fmu_beside_that_of_fmi_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for options, place in (([], "native"), (["--fmi", "3"], "native/fmi3")):
        command = ["build", "BaseMotion", "--native", *options, "--out", str(tmp_path)]
        assert main(command) == 0
        assert capsys.readouterr().out == f"{tmp_path / place / 'BaseMotion.fmu'}\n"


def test_python_fmus_are_of_fmi_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "BaseMotion", "--fmi", "3", "--out", str(tmp_path)]) != 0
    assert "--fmi 3 requires --native" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_doctor_steps_an_fmu_of_fmi_3(
    fmi3_fmus: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", str(fmi3_fmus("DisChoc"))]) == 0
    shown = capsys.readouterr().out
    assert "DisChoc.fmu: FMI 3.0 co-simulation, without Python" in shown
    assert "loads the FMU and takes a step" in shown
    assert "finds all functions of the FMU" in shown
