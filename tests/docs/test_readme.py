"""The commands of the README work and print the output that it shows."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from harness.command_line import main

from .documents import README, ROOT, commands, run_document


def test_the_readme_s_starts_run_and_print_what_it_shows(shipped_cases_run, tmp_path):
    printed = {"wearfmu validate": shipped_cases_run[1] / "printed.txt"}
    assert set(printed) <= set(commands(README, "wearfmu"))
    assert run_document(README, tmp_path, printed) == 4
    assert (tmp_path / "quake.html").exists()
    assert (tmp_path / "blocks.html").exists()


def test_fmpy_answers_the_shipped_record_as_the_command_does(tmp_path, monkeypatch):
    """The result is not zero, because FMPy reads the columns that are named like inputs."""
    record = Path("harness/cases/synthetic_quake/acceleration.csv")
    (simulate,) = (line for line in commands(README, "fmpy") if str(record) in line)
    (run, *_) = (line for line in commands(README, "wearfmu run") if str(record) in line)
    (tmp_path / record).parent.mkdir(parents=True)
    shutil.copy(ROOT / record, tmp_path / record)
    monkeypatch.chdir(tmp_path)
    assert main(["build", "FrictionalShock"]) == 0
    words = shlex.split(simulate)
    subprocess.run([sys.executable, "-m", *words], check=True, timeout=120.0)
    result = Path(words[words.index("--output-file") + 1]).read_text().splitlines()
    assert result[0] == '"time","normal_force","slip_velocity","wear_work"'
    assert main([*shlex.split(run)[1:], "--json", "quake.json"]) == 0
    quantities = json.loads(Path("quake.json").read_text())["quantities"]
    # The steps of FMPy (5 ms) and of the command (1 ms) end at the same samples. The rest is
    # rounding.
    work = quantities["wear_work"]["value"]
    assert float(result[-1].split(",")[-1]) == pytest.approx(work, rel=1e-12)
    assert work > 0.5


def test_the_first_screen_ends_with_make_and_needs_no_compiler():
    text = README.read_text(encoding="utf-8")
    first, _, rest = text.partition("| Shaken equipment")
    assert "make validate" in first
    assert "make test" in first
    assert re.findall(r"pip install '\.\[(.*)\]'", first) == ["report"]
    assert re.findall(r"pip install '\.\[(.*)\]'", rest)[0].split(",")[0] == "native"


def test_the_extras_of_the_installation_exist():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = README.read_text(encoding="utf-8")
    installed = {
        extra
        for extras in re.findall(r"pip install '\.\[(.*)\]'", text)
        for extra in extras.split(",")
    }
    (listed,) = re.findall(r"The extras are optional: (.*)\.", text)
    named = set(re.findall(r"`(\w+)`", listed))
    assert named >= installed
    assert named <= set(project["optional-dependencies"])


def _without(words: list[str], option: str, values: int = 1) -> list[str]:
    place = words.index(option)
    return words[:place] + words[place + 1 + values :]


# Start of a row in the table of docs/masters/fmpy.md, and the effect of the mistake on the words of
# the command and on the record (header, times, accelerations).
_MISTAKES = {
    "`friction_coeficient` for": (
        lambda words: [
            word.replace("friction_coefficient", "friction_coeficient")
            for word in _without(words, "--validate", 0)
        ],
        lambda header, time, value: (header, time, value),
    ),
    "no `gravity 9.80665`": (
        lambda words: _without(words, "gravity"),
        lambda header, time, value: (header, time, value),
    ),
    "times in ms": (list, lambda header, time, value: (header, 1e3 * time, value)),
    "accelerations in g": (list, lambda header, time, value: (header, time, value / 9.80665)),
    "column `acceleration` for": (
        list,
        lambda header, time, value: ("time,acceleration", time, value),
    ),
    "no `--output-interval`": (
        lambda words: _without(words, "--output-interval"),
        lambda header, time, value: (header, time, value),
    ),
    "`--output-interval 0.05`": (
        lambda words: [*_without(words, "--output-interval"), "--output-interval", "0.05"],
        lambda header, time, value: (header, time, value),
    ),
    "two times exchanged": (
        list,
        lambda header, time, value: (
            header,
            time[[*range(600), 601, 600, *range(602, len(time))]],
            value,
        ),
    ),
    "no `--stop-time`": (
        lambda words: _without(words, "--stop-time"),
        lambda header, time, value: (header, time, value),
    ),
}


def test_fmpy_accepts_the_mistakes_that_its_page_lists(tmp_path, monkeypatch):
    page = (ROOT / "docs" / "masters" / "fmpy.md").read_text(encoding="utf-8")
    section = page.split("### Mistakes without an error message")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (.*?) \| ([\d.]+) J \|", section, re.MULTILINE)
    record = Path("harness/cases/synthetic_quake/acceleration.csv")
    (command,) = (line for line in commands(README, "fmpy") if str(record) in line)
    times, values = np.loadtxt(ROOT / record, delimiter=",", skiprows=1, usecols=(0, 1)).T
    monkeypatch.chdir(tmp_path)
    assert main(["build", "FrictionalShock"]) == 0
    seen = set()
    for row, printed in rows:
        (start,) = (start for start in _MISTAKES if row.startswith(start))
        change_words, change_record = _MISTAKES[start]
        header, time, value = change_record("time,base_acceleration", times, values)
        np.savetxt(
            "own.csv", np.column_stack([time, value]), delimiter=",", header=header, comments=""
        )
        words = change_words(shlex.split(command))
        words[words.index("--input-file") + 1] = "own.csv"
        subprocess.run([sys.executable, "-m", *words], check=True, timeout=120.0)
        last = Path(words[words.index("--output-file") + 1]).read_text().splitlines()[-1]
        assert f"{float(last.split(',')[-1]):.4f}" == printed, row
        seen.add(start)
    assert seen == set(_MISTAKES)
