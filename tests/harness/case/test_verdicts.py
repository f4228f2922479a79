"""A case without expectations has run but not passed, and does not need a source."""

import json
import re
from pathlib import Path

import pytest

from harness.command_line import main

RAN = "ran, nothing to compare"
# Words of a comparison. A page of a run without a comparison must not contain them.
COMPARED = re.compile(
    r"validation|every number|is compared|independent source|truth|tolerance|\bpass(ed)?\b",
    re.IGNORECASE,
)


@pytest.fixture
def compared(tmp_path: Path, good_case: str) -> Path:
    """Write a case with an expectation that passes."""
    file = tmp_path / "compared.toml"
    file.write_text(good_case, encoding="utf-8")
    return file


@pytest.fixture
def plain(tmp_path: Path, good_case: str) -> Path:
    """Write the same case without expectations and without a source."""
    text = good_case.partition("[[expect]]")[0].replace('source = "by hand"\n', "")
    file = tmp_path / "plain.toml"
    file.write_text(text, encoding="utf-8")
    return file


def spoilt(file: Path, old: str, new: str) -> Path:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return file


def json_of(arguments: list[str], folder: Path, code: int) -> dict[str, object]:
    target = folder / "results.json"
    assert main([*arguments, "--json", str(target)]) == code
    content: dict[str, object] = json.loads(target.read_text(encoding="utf-8"))
    return content


@pytest.mark.parametrize("command", ["run", "validate"])
def test_a_case_that_expects_nothing_ran_and_did_not_pass(plain, tmp_path, capsys, command):
    content = json_of([command, str(plain)], tmp_path, 0)
    out = capsys.readouterr().out
    assert out.splitlines()[-1].startswith(f"1 case {RAN}: 8 steps in ")
    # The outputs come first. A table of verdicts would have one row without a comparison.
    assert re.search(r"^total +6 *$", out, re.MULTILINE)
    assert COMPARED.search(out) is None
    (case,) = content["cases"]  # type: ignore[misc]
    for one in (content, case):
        assert (one["verdict"], one["passed"]) == (RAN, None)
    assert case["source"] is None


def test_the_page_of_a_run_says_that_nothing_was_compared(plain, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert main(["run", str(plain), "--report", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "<title>Run of plain</title>" in text
    body = text.partition("<body>")[2]
    shown = re.sub(r"<script.*?</script>|<[^>]*>", " ", body, flags=re.DOTALL)
    assert f"1 case {RAN}" in shown
    assert COMPARED.search(shown) is None
    assert "Source:" not in shown


def test_the_page_of_a_comparison_is_a_validation_report(compared, tmp_path):
    page = tmp_path / "page.html"
    assert main(["run", str(compared), "--report", str(page)]) == 0
    assert "<title>Validation report</title>" in page.read_text(encoding="utf-8")


def test_what_was_compared_decides_where_some_was(compared, plain, tmp_path, capsys):
    content = json_of(["validate", str(compared), str(plain)], tmp_path, 0)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith(f"1 case passed; 1 {RAN}: 1 of 1 check passed, 16 steps in ")
    assert [content["passed"], *(one["passed"] for one in content["cases"])] == [True, True, None]  # type: ignore[attr-defined]

    spoilt(compared, "value = 6.0", "value = 6.5")
    content = json_of(["validate", str(compared), str(plain)], tmp_path, 1)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith(f"1 of 2 cases failed; 1 {RAN}: 0 of 1 check passed")
    assert [one["verdict"] for one in content["cases"]] == ["FAIL", RAN]  # type: ignore[attr-defined]
    assert content["verdict"] == "FAIL"


def test_a_run_that_breaks_off_failed_though_nothing_was_expected(plain, tmp_path, capsys):
    spoilt(plain, "gain = 2.0", "discard_at = 0.5")
    content = json_of(["run", str(plain)], tmp_path, 1)
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 of 1 case failed")
    assert (content["verdict"], content["passed"]) == ("FAIL", False)


def test_a_source_is_asked_for_where_there_is_something_to_compare(compared, capsys):
    spoilt(compared, 'source = "by hand"\n', "")
    assert main(["run", str(compared)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"wearfmu: {compared}: case.source is missing")


def test_verbose_text_of_a_case_without_source_has_no_empty_brackets(plain, capsys):
    assert main(["run", str(plain), "-v"]) == 0
    assert "plain: Toy\n" in capsys.readouterr().out
