"""`wearfmu variables` lists the content of the model description for every variable."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import fmpy
import pytest
from rich.cells import cell_len

from fmu_src.models import fmu_names
from harness.command_line import main
from harness.fmu.files import own_fmu
from harness.fmu.variable_table import variable_table


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict[str, Any]]:
    assert main(["variables", *arguments, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    return {one["name"]: one for one in content["variables"]}


def number(text: str | None) -> float | None:
    return None if text is None else float(text)


@pytest.mark.parametrize("name", fmu_names())
def test_one_of_ours_is_listed_as_its_model_description_read_by_fmpy_has_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    found = listed(capsys, name)
    path = own_fmu(name, tmp_path)
    described = fmpy.read_model_description(path).modelVariables
    assert list(found) == [one.name for one in described]
    for one in described:
        said = found[one.name]
        assert (said["causality"], said["type"]) == (one.causality, one.type)
        assert said["meaning"] == one.description
        if one.type == "Real":
            assert (said["unit"] or "1") == (one.unit or "1")
            assert (said["minimum"], said["maximum"]) == (number(one.min), number(one.max))
            assert said["start"] == number(one.start)
        if one.type == "Enumeration":
            literals = {item.name: int(item.value) for item in one.declaredType.items}
            assert said["literals"] == literals
    # The file gives the same list, except for entries that FMI does not have.
    of_file = listed(capsys, str(path))
    for name, said in of_file.items():
        for key in ("causality", "type", "unit", "literals", "meaning"):
            assert said[key] == found[name][key], (name, key)
        if said["type"] in ("Real", "Enumeration", "Boolean", "Integer"):
            assert said["start"] == found[name]["start"], name


def test_an_fmu_of_anyone_is_listed_with_all_its_variables(
    toy_fmu: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [one.name for one in fmpy.read_model_description(toy_fmu).modelVariables]
    assert list(listed(capsys, str(toy_fmu))) == names
    assert main(["variables", str(toy_fmu)]) == 0
    lines = capsys.readouterr().out.splitlines()
    for name in names:
        assert any(line.split()[:1] == [name] for line in lines)


def test_without_an_fmu_the_frictional_shock_is_listed_and_the_others_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["variables"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (friction,) = (at for at, line in enumerate(lines) if line.startswith("friction_coefficient "))
    assert lines[friction].split() == ["friction_coefficient", "μ_d", "1", "0.1", "≥", "0.0"]
    assert lines[friction + 1] == "    Coefficient of friction in (fast) slip, μ_d. Tunable"
    headings = [line for line in lines if line in ("Inputs", "Outputs", "Parameters")]
    assert headings == ["Inputs", "Outputs", "Parameters"]
    assert lines[-1] == "also: wearfmu variables BaseMotion | DisChoc | ModalShock | FILE.fmu"


@pytest.mark.parametrize("name", fmu_names())
@pytest.mark.parametrize("width", [80, 120])
def test_lines_fit_the_width_and_nothing_is_cut(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, width: int
) -> None:
    if width != 80:
        monkeypatch.setattr("harness.console._PLAIN_WIDTH", width)
    assert main(["variables", name]) == 0
    printed = capsys.readouterr().out
    assert max(map(cell_len, printed.splitlines())) <= width
    words = " ".join(printed.split())
    for variable in variable_table(name).variables:
        # The rows of a friction table share a line.
        stem, _, number = variable.name.partition("[")
        assert f" {stem}[1…32] " in words if number else f" {variable.name} " in words
        description = variable.description.replace(f"Row {number[:-1]} of", "Rows of")
        assert " ".join(description.split()) in words


def test_an_fmu_that_there_is_not_is_refused_with_those_that_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["variables", "DisChok"]) == 2
    assert capsys.readouterr().err == (
        "wearfmu: 'DisChok': must be one of BaseMotion, DisChoc, FrictionalShock, "
        "ModalShock, or the path of a .fmu file; did you mean 'DisChoc'?\n"
    )
    assert main(["variables", "none.fmu"]) == 2
    assert capsys.readouterr().err == (
        "wearfmu: none.fmu: no such FMU; `wearfmu build` writes FMUs into build/\n"
    )
