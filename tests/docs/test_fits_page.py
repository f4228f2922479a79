"""The page on intervals of fits has the form that `python -m tests.fits` writes."""

import re

from tests.fits.cells import NOISES, RIGS
from tests.fits.fits_table import HEADING, markdown
from tests.fits.planted import PLANTED

from .documents import ROOT

PAGE = ROOT / "docs" / "fits.md"
LINES = PAGE.read_text(encoding="utf-8").splitlines()
BORDER = LINES.index(HEADING)
ROWS = [line for line in LINES[:BORDER] if line.startswith("| ")][1:]


def test_the_page_has_the_form_and_the_rows_of_the_campaign():
    draws = int(LINES[2].split()[0])
    ((noticed, wrong),) = re.findall(r"warning in (\d+) of (\d+)", "\n".join(LINES))
    named = dict.fromkeys(PLANTED, True)
    assert markdown(ROWS, draws, named, int(noticed), int(wrong)).splitlines() == LINES
    cells = [tuple(line.strip("| ").split(" | ")[:2]) for line in ROWS]
    assert cells == [(rig, noise) for rig in RIGS for noise in NOISES]
