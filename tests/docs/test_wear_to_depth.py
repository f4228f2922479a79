"""The page on worn shapes and years prints the output that it shows."""

from .documents import ROOT, run_document


def test_the_page_on_wear_and_depth_prints_what_it_shows(tmp_path):
    assert run_document(ROOT / "docs" / "how_to" / "wear_to_depth.md", tmp_path) == 2
