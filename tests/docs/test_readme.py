"""The commands of the README work and print the output that it shows."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

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
    assert result[0] == '"time","wear_work"'
    assert main([*shlex.split(run)[1:], "--json", "quake.json"]) == 0
    quantities = json.loads(Path("quake.json").read_text())["quantities"]
    # The steps of FMPy (5 ms) and of the command (1 ms) end at the same samples. The rest is
    # rounding.
    work = quantities["wear_work"]["value"]
    assert float(result[-1].split(",")[1]) == pytest.approx(work, rel=1e-12)
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
