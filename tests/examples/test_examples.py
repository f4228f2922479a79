"""Each example runs as printed and gives the stated results."""

import ast
import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fmu_src.archive.builder import build_fmu

EXAMPLES = Path(__file__).parents[2] / "examples"


def printed(name: str, *arguments: str, folder: Path) -> str:
    """Return the output of an example, run in a separate folder."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


SCRIPTS = sorted(
    path for path in EXAMPLES.glob("*.py") if "__main__" in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_every_example_says_what_it_does(script, tmp_path):
    text = printed(script.name, "--help", folder=tmp_path)
    docstring = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8")))
    assert docstring is not None
    assert docstring.splitlines()[0] in text


@pytest.mark.long
def test_the_double_concave_bearing_has_the_loop_of_two_pendulums_in_series(tmp_path):
    lines = printed("double_concave.py", folder=tmp_path).splitlines()
    assert len(lines) == 3
    for line in lines:
        found, wanted = (float(number) for number in re.findall(r"(0\.\d+|1\.\d+)\b", line)[-2:])
        assert found == pytest.approx(wanted, rel=1e-3), line


def test_an_example_whose_reader_goes_away_ends_quietly(tmp_path):
    # The output is unbuffered, so the second line finds the pipe closed.
    command = f"{sys.executable} -u {EXAMPLES / 'monolithic_support.py'} | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_an_example_without_its_fmu_names_the_command_that_builds_it(tmp_path):
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "plain_fmpy_loop.py")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 1
    assert done.stderr == (
        "build/FrictionalShock.fmu: no such file. Build the FMUs by `wearfmu build`\n"
    )


def test_the_motion_of_both_bodies_is_printed_to_the_end(tmp_path):
    rows = printed("monolithic_support.py", folder=tmp_path).splitlines()
    assert [row.split()[0] for row in rows[1:]] == [f"{0.2 * i:.1f}" for i in range(21)]


def shown_power(text: str) -> float:
    return float(re.findall(r"mean wear power ([0-9.]+) W", text)[0])


def test_the_plain_loop_finds_the_exact_wear_power(tmp_path):
    fmu = build_fmu("FrictionalShock", tmp_path)
    text = printed("plain_fmpy_loop.py", str(fmu), folder=tmp_path)
    # Quadratic extrapolation at 1 ms has an error of 1.5e-9. Seven decimals are printed.
    assert shown_power(text) == pytest.approx(15.2670995893716, abs=1e-7)


@pytest.mark.hosts
def test_the_pair_in_libcosim_finds_the_exact_wear_power(tmp_path):
    for name in ("BaseMotion", "FrictionalShock"):
        build_fmu(name, tmp_path)
    text = printed("libcosim_pair.py", str(tmp_path), folder=tmp_path)
    assert shown_power(text) == pytest.approx(15.2670995893716, abs=1e-7)


def test_the_statistics_find_the_shock_s_exact_maximum(tmp_path):
    text = printed("statistics_of_a_record.py", folder=tmp_path)
    largest = float(text.splitlines()[2].split()[4])
    # The operator's tables print six digits.
    assert largest == pytest.approx(1e6 / math.sqrt(1.01e6 / 100.0), rel=1e-6)


def test_every_example_has_a_line_and_a_picture():
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    shown = {path.name for path in EXAMPLES.iterdir() if path.suffix in (".py", ".ipynb", ".toml")}
    shown.remove("console.py")
    assert [name for name in shown if f"]({name}) |" not in page] == []
    headings = "".join(re.findall(r"^## (.*)\n\n!\[", page, re.MULTILINE))
    assert [name for name in shown if name not in headings] == []
