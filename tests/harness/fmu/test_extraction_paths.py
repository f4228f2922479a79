"""The library of pythonfmu crashes on percent-encoded paths, so the harness avoids them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fmu_src.archive.builder import build_fmu
from harness import simulate
from harness.errors import FmuError
from harness.fmu.experiment import Experiment
from harness.fmu.instance import extract_fmu

CASE = """\
[case]
title = "A path with special characters"
source = "closed form"
fmu = "{fmu}"

[experiment]
stop_time = 0.01
step_size = 1e-3

[[expect]]
quantity = "value"
variable = "normal_force"
time = 0.01
value = 10.0
rtol = 0.0
source = "m g"
reason = "one product"
"""


@pytest.fixture(scope="module")
def shoe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_fmu("FrictionalShock", tmp_path_factory.mktemp("fmu"))


@pytest.mark.parametrize("name", ["é", "#", "+", "%", ":", "a b", "(1)", "日本"])
def test_a_run_from_any_folder_survives_and_passes(shoe, tmp_path, name):
    folder = tmp_path / name
    (folder / "temporary").mkdir(parents=True)
    shutil.copy(shoe, folder / f"{name}.fmu")
    (folder / "case.toml").write_text(CASE.format(fmu=f"{name}.fmu"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "harness", "run", folder / "case.toml"],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder / "temporary")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert list((folder / "temporary").iterdir()) == []  # nothing remains in the temporary folder


SHORT = Experiment(stop_time=0.01, step_size=1e-3)


def test_an_extracted_fmu_runs_in_its_place_and_stays(shoe, tmp_path):
    folder = tmp_path / "FrictionalShock.fmu"
    extract_fmu(shoe, folder)
    before = sorted(folder.rglob("*"))
    for _ in range(2):
        record = simulate(folder, SHORT, parameters={"mass": 2.0})
        assert record["normal_force"].tolist() == [20.0] * 11  # m g
    # Python may have added compiled files.
    after = [path for path in sorted(folder.rglob("*")) if "__pycache__" not in path.parts]
    assert after == before


def test_an_extracted_fmu_whose_path_would_crash_the_process_is_refused(shoe, tmp_path):
    folder = tmp_path / "é"
    extract_fmu(shoe, folder)
    with pytest.raises(FmuError, match=r"/é: the path must consist of letters, digits"):
        simulate(folder, SHORT)
