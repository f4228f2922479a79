"""The page on case files names every key of the section [life], and its laws and shapes."""

import re
from dataclasses import fields

import pytest

from harness.life.sections import (
    ArchardLaw,
    Criterion,
    EdfMzLaw,
    KwuEpriLaw,
    LifeSection,
    Scatter,
    ServiceSection,
)
from wearmodel.statistics.worn_shapes import SHAPES, CrownedPad, FlatPad
from wearmodel.statistics.worn_sides import TubeBySides

from .documents import ROOT

PAGE = ROOT / "docs" / "case_files.md"
LAWS = (ArchardLaw, EdfMzLaw, KwuEpriLaw)


@pytest.mark.parametrize(
    "section",
    [
        *(LifeSection, ServiceSection, Criterion, *LAWS, Scatter),
        *(FlatPad, CrownedPad, TubeBySides, *SHAPES.values()),
    ],
    ids=lambda one: one.__name__,
)
def test_every_key_of_a_life_is_described(section):
    text = PAGE.read_text(encoding="utf-8").split("## Service life", 1)[1].split("\n## ", 1)[0]
    named = set(re.findall(r"`(\w+)`", text))
    keys = {one.name for one in fields(section)} - {"kind"}
    assert keys - named == set()


def test_every_law_and_shape_of_a_life_is_described():
    text = PAGE.read_text(encoding="utf-8")
    kinds = [*SHAPES, "FLAT", "BALL", "ARCHARD", "EDF_MZ", "KWU_EPRI"]
    assert [kind for kind in kinds if f"`{kind}`" not in text] == []
