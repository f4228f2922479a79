"""The FMU reference contains the tables of the present variables, as plain Markdown too."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from fmu_src.models import fmu_definition, fmu_names

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "fmu_reference.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def fmu_tables() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fmu_tables", DOCS / "fmu_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_command_writes(fmu_tables):
    assert fmu_tables.with_tables(PAGE) == PAGE, "run `python docs/fmu_tables.py`"


def test_the_rules_of_the_page_have_no_unfilled_values():
    assert re.findall(r"\{\w*!r\}", PAGE) == []


def test_what_stands_between_marks_is_written_anew_and_nothing_else(fmu_tables):
    row, _ = re.findall(r"^\| `friction_coefficient` \| μ_d .*\n", PAGE, flags=re.MULTILINE)
    assert fmu_tables.with_tables(PAGE.replace(row, "")) == PAGE
    assert fmu_tables.with_tables(PAGE.replace("# FMU reference", "# Mine")) != PAGE


@pytest.mark.parametrize("name", fmu_names())
def test_every_variable_has_a_row_as_the_page_stands_in_the_repository(name):
    rows = re.findall(r"^\| `([\w.]+)(?:\[1…32\])?` \|", PAGE, flags=re.MULTILINE)
    names = [one.name.partition("[")[0] for one in fmu_definition(name).slave.table]
    assert [stem for stem in names if stem not in rows] == []


def test_every_name_of_the_page_that_looks_like_a_variable_is_one():
    known = {one.name for name in fmu_names() for one in fmu_definition(name).slave.table}
    section = PAGE.split("### Signs")[1].split("<!-- laws -->")[0]
    assert set(re.findall(r"`(\w+)`", section)) <= known
