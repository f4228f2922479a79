"""The verification book shows each case, with the results of a run, under a phenomenon."""

import importlib.util
import re
import subprocess
import sys
from types import ModuleType

import pytest

from harness.case.shipped import shipped_cases

from .documents import ROOT


@pytest.fixture(scope="module")
def book() -> ModuleType:
    spec = importlib.util.spec_from_file_location("book", ROOT / "docs" / "book.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (5.67e-10, "6e-10"),
        (0.0023, "2e-3"),
        (9.99e-13, "< 1e-12"),
        (1e-12, "1e-12"),
        (0.0, "< 1e-12"),
    ],
)
def test_errors_have_one_digit_and_rounding_has_none(book, error, shown):
    assert book.shown_error(error) == shown


def test_every_case_shows_a_phenomenon_and_every_phenomenon_has_cases(book):
    documents = book.case_documents()
    shown = {
        title: {name for name, document in documents.items() if contains(document)}
        for title, (_, contains) in book.PHENOMENA.items()
    }
    assert [title for title, names in shown.items() if not names] == []
    assert set().union(*shown.values()) == set(shipped_cases())
    assert shown["Friction tables"] == {"free_slide_measured"}
    assert "ssnd116_seg2" in shown["Contact element"]


def test_the_pictures_of_the_phenomena_exist(book):
    for picture, _ in book.PHENOMENA.values():
        assert not picture or (ROOT / "docs" / "pictures" / f"{picture}.svg").exists()


def test_the_book_has_each_case_with_its_values_and_errors(book, shipped_results, tmp_path):
    book.write_book(shipped_results, tmp_path, "9.9")
    text = (tmp_path / "cases.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\w+)$", text, re.MULTILINE) == list(shipped_cases())
    section = text.split("\n## sdnd104_a15\n")[1].split("\n## ")[0]
    assert "| 15.2670995894 | 6e-10 |" in section
    assert "η* = 2/√(π² + 4)" in section
    assert (tmp_path / "pictures" / "ssnd116_seg2_path.svg").exists()
    assert "wearfmu 9.9" in (tmp_path / "index.md").read_text(encoding="utf-8")


def test_links_of_the_book_stay_in_the_book(book, shipped_results, tmp_path):
    book.write_book(shipped_results, tmp_path, "9.9")
    for page in tmp_path.glob("*.md"):
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            file = target.partition("#")[0]
            assert re.match(r"https?:", target) or not file or (tmp_path / file).exists(), target


@pytest.mark.hosts
def test_sphinx_writes_the_book_without_a_warning(book, shipped_results, tmp_path):
    book.write_book(shipped_results, tmp_path / "source", "9.9")
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "-b", "singlehtml"]
    command += ["-c", str(ROOT / "docs"), str(tmp_path / "source"), str(tmp_path / "book")]
    subprocess.run(command, check=True)
    assert "Index by phenomenon" in (tmp_path / "book" / "index.html").read_text(encoding="utf-8")
