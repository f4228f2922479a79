"""The two FMUs of FMI 3.0 for importers are built and reproduce their CSV files."""

import subprocess
import sys
from pathlib import Path

import fmpy
import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "fmi3"


@pytest.mark.hosts
def test_both_are_built_and_agree_with_the_closed_forms_that_are_kept(tmp_path):
    done = subprocess.run(
        [sys.executable, str(FOLDER / "build_examples.py"), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    # The script compares both with closed forms, including the times of the impacts.
    assert done.returncode == 0, done.stdout + done.stderr
    for name in ("TwoContacts", "BouncingMass"):
        written = (tmp_path / f"{name}.csv").read_text(encoding="utf-8")
        assert written == (FOLDER / f"{name}.csv").read_text(encoding="utf-8")
        description = fmpy.read_model_description(tmp_path / f"{name}.fmu")
        assert description.fmiVersion == "3.0"
        assert description.coSimulation.mightReturnEarlyFromDoStep
