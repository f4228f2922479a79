"""The file of the public surface lists the present names, with every kind of name."""

import dataclasses
import importlib.util
import json
import shutil
from types import ModuleType

import pytest

import wearmodel.structure
from fmu_src.models import fmu_definition
from harness.case.case_file import Heading
from harness.subcommands import post

from .documents import ROOT

FILE = ROOT / "docs" / "public_surface.toml"
REMEDY = (
    "the public surface has changed: run `python docs/public_surface.py`, and choose the next "
    "version by docs/release.md"
)


@pytest.fixture(scope="module")
def public_surface() -> ModuleType:
    path = ROOT / "docs" / "public_surface.py"
    spec = importlib.util.spec_from_file_location("public_surface", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_public_surface_changes_with_its_file_only(public_surface):
    assert FILE.read_text(encoding="utf-8") == public_surface.text(), REMEDY


def other_signature(public_surface, monkeypatch, folder):
    monkeypatch.setattr(wearmodel, "run_blocks", lambda records: None, raising=False)


def name_less(public_surface, monkeypatch, folder):
    monkeypatch.setattr(wearmodel.structure, "__all__", wearmodel.structure.__all__[1:])


def other_unit(public_surface, monkeypatch, folder):
    slave = fmu_definition("FrictionalShock").slave
    first, *others = slave.table
    monkeypatch.setattr(slave, "table", (dataclasses.replace(first, unit="m"), *others))


def key_less(public_surface, monkeypatch, folder):
    monkeypatch.delitem(Heading.__dataclass_fields__, "source")


def option_less(public_surface, monkeypatch, folder):
    monkeypatch.setattr(post, "add_options", lambda parser: None)


def format_less(public_surface, monkeypatch, folder):
    shutil.copytree(ROOT / "docs" / "api", folder / "api")
    schema = json.loads((ROOT / "docs" / "results.schema.json").read_text(encoding="utf-8"))
    schema["$defs"]["life"]["required"].remove("years")
    (folder / "results.schema.json").write_text(json.dumps(schema), encoding="utf-8")
    monkeypatch.setattr(public_surface, "FOLDER", folder)


@pytest.mark.parametrize(
    "change",
    [other_signature, name_less, other_unit, key_less, option_less, format_less],
    ids=lambda change: change.__name__,
)
def test_a_change_of_each_kind_changes_the_text(public_surface, monkeypatch, tmp_path, change):
    change(public_surface, monkeypatch, tmp_path)
    assert public_surface.text() != FILE.read_text(encoding="utf-8")
