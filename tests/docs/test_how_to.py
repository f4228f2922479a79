"""The code blocks of the how-tos run and print the output that the pages show."""

import re

import pytest

from .documents import ROOT, blocks, run_document

HOW_TO = ROOT / "docs" / "how_to"

# Pages, with the number of outputs that are compared. The page of the native FMU has its own test.
COMPARED = {
    "how_to/blocks": 3,
    "how_to/classical_schemes": 2,
    "how_to/coupling": 3,
    "how_to/events": 1,
    "how_to/fit": 3,
    "how_to/life": 4,
    "how_to/notebooks": 2,
    "how_to/own_case": 4,
    "how_to/own_shaking": 1,
    "how_to/shock_statistics": 2,
    "how_to/step": 1,
    "how_to/sweep": 1,
    "how_to/tube_in_supports": 4,
    "how_to/tube_over_years": 1,
    "kernel_language": 2,
    "provenance": 1,
    "verification": 1,
}


# A service life takes a minute. The classical schemes and a fit take 15 s. Two maps, and the pairs
# of a mass and its contact, take 10 s. The C++ of the kernel needs the native tool chain.
_MARKS = {
    "how_to/classical_schemes": [pytest.mark.hosts],
    "how_to/coupling": [pytest.mark.hosts],
    "how_to/fit": [pytest.mark.hosts],
    "how_to/life": [pytest.mark.campaign],
    "how_to/sweep": [pytest.mark.hosts],
    "kernel_language": [pytest.mark.native],
}


@pytest.mark.long
@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=_MARKS.get(page, ())) for page in COMPARED]
)
def test_the_commands_and_scripts_of_the_page_print_what_it_shows(page, tmp_path):
    assert run_document(ROOT / "docs" / f"{page}.md", tmp_path) == COMPARED[page]


@pytest.mark.parametrize("page", sorted(HOW_TO.glob("*.md")), ids=lambda page: page.stem)
def test_a_how_to_shows_a_picture_of_its_result(page):
    if page.stem in ("tables", "structure_file", "step"):
        return  # these pages describe files and a check
    lines = page.read_text(encoding="utf-8").splitlines()
    assert any(line.startswith("![") and "(../pictures/" in line for line in lines)


# Their limits are those of the commands and functions that they use.
_WITHOUT_LIMITS = (
    "classical_schemes",
    "events",
    "notebooks",
    "own_case",
    "shock_statistics",
    "tables",
)


@pytest.mark.parametrize("page", sorted(HOW_TO.glob("*.md")), ids=lambda page: page.stem)
def test_a_how_to_has_its_limits_and_no_method(page):
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert "Method" not in headings
    if page.stem not in _WITHOUT_LIMITS:
        assert "Limits" in headings


_QUOTED = {
    "tube_in_supports": ("tube_structure.toml", "tube_for_long.toml"),
    "tube_over_years": ("life_of_a_tube_structure.toml", "life_of_a_tube.toml"),
}


@pytest.mark.parametrize("page", _QUOTED)
def test_the_lines_of_toml_that_a_page_quotes_are_those_of_the_files(page):
    def keys(text):
        return {" ".join(re.sub(r"\s+#.*", "", line).split()) for line in text.splitlines()}

    files = "\n".join((ROOT / "examples" / name).read_text("utf-8") for name in _QUOTED[page])
    quoted = [text for kind, text in blocks(HOW_TO / f"{page}.md") if kind == "toml"]
    assert quoted
    assert keys("\n".join(quoted)) - {""} <= keys(files)
