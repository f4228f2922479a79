"""The sketches of the models name variables of the FMU, in the colours of their kinds."""

import re
import zipfile
from importlib.resources import files
from xml.etree import ElementTree

import pytest

from fmu_src.archive.builder import build_fmu
from fmu_src.models import fmu_definition, fmu_names

DRAWN = [name for name in fmu_names() if fmu_definition(name).page.sketch is not None]
KINDS = ("parameter", "input", "output")


def sketch(model: str) -> str:
    name = fmu_definition(model).page.sketch
    assert name is not None
    return files("fmu_src").joinpath("archive", name).read_text(encoding="utf-8")


def named(
    element: ElementTree.Element, kind: str = "", shown: bool = False
) -> set[tuple[str, str]]:
    """Return the names of variables in an element, with the kind given by their colour."""
    classes = element.get("class", "").split()
    kind = next((k for k in KINDS if f"sketch-{k}" in classes), kind)
    if "sketch-name" in classes or "sketch-note" in classes:
        shown = "sketch-name" in classes
    found = set()
    if shown:
        found |= {(word, kind) for word in re.findall(r"[a-z]\w+", element.text or "")}
    for child in element:
        found |= named(child, kind, shown)
        if shown:
            found |= {(word, kind) for word in re.findall(r"[a-z]\w+", child.tail or "")}
    return found - {("two_planes", kind)}


@pytest.mark.parametrize("model", DRAWN)
def test_a_sketch_names_variables_of_the_fmu_in_the_colours_of_their_kinds(model):
    kinds = {variable.name: variable.causality for variable in fmu_definition(model).slave.table}
    shown = named(ElementTree.fromstring(sketch(model)))
    assert len(shown) > 10
    assert {name: kinds.get(name) for name, _ in shown} == dict(shown)


def test_the_sketch_of_the_shoe_names_every_input():
    shown = named(ElementTree.fromstring(sketch("FrictionalShock")))
    table = fmu_definition("FrictionalShock").slave.table
    assert {v.name for v in table if v.causality == "input"} <= {name for name, _ in shown}


@pytest.mark.parametrize("model", DRAWN)
def test_a_sketch_has_colours_for_dark_screens_and_loads_nothing(model):
    text = sketch(model)
    assert "prefers-color-scheme: dark" in text
    assert set(re.findall(r"https?://[^\"'\s]+", text)) == {"http://www.w3.org/2000/svg"}
    assert "<image" not in text


@pytest.mark.parametrize("model", DRAWN)
def test_the_page_inside_the_fmu_holds_the_sketch(model, tmp_path):
    with zipfile.ZipFile(build_fmu(model, tmp_path)) as archive:
        page = archive.read("documentation/index.html").decode("utf-8")
    assert sketch(model) in page
