"""The validation report in a browser: numbers, pictures, colours and print."""

import base64
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.case.shipped import shipped_cases
from harness.command_line import main
from harness.figures.palette import COLOURS
from wearmodel.installation import install_command

# Pictures that these cases must have.
NEEDED_PICTURES = {
    "sdnd104_a15": [
        "Acceleration and velocity",
        "Construction of θ",
        "Friction force",
        "Displacement and sliding",
        "Wear",
    ],
    "sdnd104_a1p5": [
        "Acceleration and velocity",
        "Friction force",
        "Displacement and sliding",
        "Wear",
    ],
    "ssnd116_seg2": ["Path", "Histories"],
    "spring_wall": ["Contact"],
    "oblique_impact": [
        "Acceleration and velocity",
        "Displacement and sliding",
        "Friction force",
        "Wear",
        "Contact",
    ],
}


@pytest.fixture(scope="module")
def folder(shipped_cases_run: tuple[int, Path]) -> Path:
    """Return the folder with report and JSON of all shipped cases."""
    return shipped_cases_run[1]


@pytest.fixture
def page(browser: Any, folder: Path) -> Any:
    browser.show(folder / "deep" / "report.html")
    return browser


def test_the_report_of_all_cases_stays_small(folder):
    assert (folder / "deep" / "report.html").stat().st_size < 2.2e6


@pytest.mark.hosts
def test_the_report_of_all_cases_begins_with_its_largest_error_and_a_picture(page, shipped_results):
    percent = {
        name: max(100.0 * c["error"] / c["tolerance"] for c in case["checks"] if c["error"])
        for name, case in shipped_results.items()
        if any(check["error"] for check in case["checks"])
    }
    worst = max(percent, key=percent.__getitem__)
    answer = page.run("return document.querySelector('#overview .numbers').innerText")
    wanted = f"largest error, {worst} {percent[worst]:.3g} % of its tolerance"
    assert answer.split() == wanted.split()
    tops = page.run(
        "return ['.numbers', '.plot', '.table'].map(name =>"
        " document.querySelector('#overview ' + name).getBoundingClientRect().top + scrollY)"
    )
    assert tops == sorted(tops)
    assert tops[1] < 900.0
    drawn = page.run("return document.querySelector('#overview .plot').data[0].text")
    assert drawn == list(shipped_results)


@pytest.mark.hosts
def test_the_page_opens_without_console_message_and_without_any_request(page):
    assert page.complaints() == []
    assert page.run("return performance.getEntriesByType('resource').map(e => e.name)") == []


@pytest.mark.hosts
def test_every_picture_is_drawn_with_all_its_curves(page):
    drawn = page.run(
        "return [...document.querySelectorAll('.plot')].map(plot => ["
        " plot.data.length, plot.querySelectorAll('.scatterlayer .trace').length,"
        " plot.querySelector('.main-svg').getBoundingClientRect().width])"
    )
    # One of each case, and three of all cases.
    assert len(drawn) == len(shipped_cases()) + 3
    for curves, traces, width in drawn:
        assert curves == traces > 0
        assert width > 500


@pytest.mark.hosts
def test_the_report_of_one_case_has_all_its_pictures(browser, folder, tmp_path):
    target = tmp_path / "report.html"
    options = ["--out", str(folder), "--report", str(target)]
    assert main(["validate", *NEEDED_PICTURES, *options]) == 0
    browser.show(target)
    for case, needed in NEEDED_PICTURES.items():
        titles = browser.run(
            f"return [...document.querySelectorAll('#case-{case} h3')].map(t => t.textContent)"
        )
        assert titles == needed


@pytest.mark.hosts
def test_every_check_stands_in_the_page_with_its_numbers_source_and_reason(page, shipped_results):
    for case in shipped_results.values():
        rows = page.run(
            f"return [...document.querySelector('#case-{case['name']} > .table')"
            ".querySelectorAll('tbody tr')]"
            ".map(row => [...row.cells].map(cell => cell.textContent))"
        )
        wanted = [
            [
                f"{check['got']:.12g}",
                f"{check['want']:.12g}",
                f"{check['error']:.1e}",
                f"{check['tolerance']:.1e}",
                "pass",
                check["source"],
                check["reason"],
            ]
            for check in case["checks"]
        ]
        assert [row[1:] for row in rows] == wanted


@pytest.mark.hosts
def test_instants_of_stick_slip_are_the_closed_forms(page):
    # SDND104 (V5.01.104), section 2, a0 = 1.5: t1 = arcsin(2/3)/2π.
    caption = page.run("return document.querySelector('#case-sdnd104_a1p5 figcaption').textContent")
    assert "t₁ = 0.1161398 s, t₂ = 0.5288904 s, t₃ = 0.6161398 s" in caption


@pytest.mark.hosts
def test_plot_colours_follow_the_scheme(browser, folder):
    ink = (
        "return getComputedStyle(document.querySelector('#sdnd104 .plot .ytick text')).fill"
        "+ ' on ' + getComputedStyle(document.body).backgroundColor"
    )
    found = {}
    for scheme in ("light", "dark"):
        browser.show(folder / "deep" / "report.html", scheme=scheme)
        found[scheme] = browser.run(ink)
    assert COLOURS["text"].light == "#1b1e22"
    assert COLOURS["text"].dark == "#e7e9ec"
    assert found == {
        "light": "rgb(27, 30, 34) on rgb(255, 255, 255)",
        "dark": "rgb(231, 233, 236) on rgb(21, 24, 28)",
    }


@pytest.mark.hosts
def test_print_fits_the_paper_and_the_screen_comes_back(page):
    page.run(
        "addEventListener('beforeprint', () => { window.widths = [...document.querySelectorAll("
        "'.plot')].map(plot => plot.layout.width); })"
    )
    # The print command of the driver waits at most 10 s for the pictures.
    printed = page.driver.execute_cdp_cmd("Page.printToPDF", {})
    paper = base64.b64decode(printed["data"])
    assert paper.startswith(b"%PDF")
    assert set(page.run("return window.widths")) == {700}
    assert page.run("return document.querySelector('.plot').layout.width") is None
    assert page.complaints() == []


@pytest.mark.hosts
def test_nothing_is_cut_off_on_a_phone(browser, folder):
    browser.show(folder / "deep" / "report.html", width=400)
    browser.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert browser.overflow() == []


@pytest.mark.hosts
def test_headings_tables_and_pictures_speak_to_a_screen_reader(page):
    assert page.run("return document.documentElement.lang") == "en"
    assert page.run("return document.querySelectorAll('table:not(:has(caption))').length") == 0
    assert page.run("return document.querySelectorAll('.plot:not([aria-label])').length") == 0
    broken = page.run(
        "return [...document.querySelectorAll('a[href^=\"#\"]')].map(a => a.hash.slice(1))"
        ".filter(id => document.getElementById(id) === null)"
    )
    assert broken == []


@pytest.mark.hosts
def test_a_failed_case_shows_why(browser, tmp_path, good_case, capsys):
    wrong, stopped = tmp_path / "wrong.toml", tmp_path / "stopped.toml"
    wrong.write_text(good_case.replace("value = 6.0", "value = 7.0"), encoding="utf-8")
    stopped.write_text(good_case.replace("gain = 2.0", "discard_at = 0.5"), encoding="utf-8")
    target = tmp_path / "report.html"
    assert main(["validate", str(wrong), str(stopped), "--report", str(target)]) == 1
    assert f"report: {target}" in capsys.readouterr().out
    browser.show(target)
    verdicts = browser.run(
        "return [...document.querySelectorAll('section h2 .verdict')].map(v => v.textContent)"
    )
    assert verdicts == ["FAIL", "FAIL"]
    warning = browser.run("return document.querySelector('#case-stopped .warnings').textContent")
    assert "fmi2DoStep at t=0.5 s: discard" in warning
    assert browser.complaints() == []


@pytest.mark.hosts
@pytest.mark.parametrize("name", ["sdnd104_a15", "ssnd116_seg2", "ball_on_shaken_table"])
@pytest.mark.parametrize("width", [740, 1280])
def test_the_first_screen_of_a_single_case_shows_its_picture(
    browser, folder, tmp_path, name, width
):
    target = tmp_path / "report.html"
    assert main(["run", name, "--out", str(folder), "--report", str(target)]) == 0
    browser.show(target, width=width)
    tops = browser.run(
        "return ['.plot', '.plot ~ figcaption', '.table']"
        ".map(name => document.querySelector(name).getBoundingClientRect().top)"
    )
    assert tops == sorted(tops)
    assert tops[0] < 900.0


@pytest.mark.hosts
def test_rows_of_a_table_are_not_stretched_by_narrow_columns(browser, folder, tmp_path):
    target = tmp_path / "report.html"
    case = ["ball_on_shaken_table", "--out", str(folder), "--report", str(target)]
    assert main(["run", *case]) == 0
    for width in (740, 1280):
        browser.show(target, width=width)
        heights = browser.run(
            "return [...document.querySelector('.table').querySelectorAll('tbody tr')]"
            ".map(row => row.getBoundingClientRect().height)"
        )
        assert max(heights) < 120.0  # px, six lines


STRANGE_CASE = """\
[case]
title = "A <b>strange</b> & small case"
source = "none"
fmu = "../renamed.fmu"

[parameters]
friction_coefficient = {friction}

[inputs.base_acceleration]
kind = "sine"
amplitude = 15.0
frequency = {frequency}
offset = 1.0

[experiment]
stop_time = 1.0
step_size = 0.01
"""


@pytest.mark.hosts
def test_cases_of_ones_own_may_be_called_and_set_as_they_like(browser, folder, tmp_path):
    shutil.copy(folder / "FrictionalShock.fmu", tmp_path / "renamed.fmu")
    files = []
    for place, friction, frequency in (("a", 0.0, 1.0), ("b", 0.1, 0.0)):
        (tmp_path / place).mkdir()
        files.append(tmp_path / place / "my case.1.toml")
        text = STRANGE_CASE.format(friction=friction, frequency=frequency)
        files[-1].write_text(text, encoding="utf-8")
    target = tmp_path / "report.html"
    assert main(["validate", *map(str, files), "--report", str(target)]) == 0
    browser.show(target)
    assert browser.complaints() == []
    sections = browser.run("return [...document.querySelectorAll('main section')].map(s => s.id)")
    assert sections == ["overview", "case-my-case-1", "case-my-case-1-1"]
    lead = browser.run("return document.querySelector('#case-my-case-1 p').textContent")
    assert lead.startswith("A <b>strange</b> & small case.")
    # Each case has pictures of displacement, friction and wear.
    assert browser.run("return document.querySelectorAll('.plot .main-svg').length") >= 6


def test_a_missing_library_is_told_before_any_case_runs(tmp_path, good_case, monkeypatch, capsys):
    file = tmp_path / "case.toml"
    file.write_text(good_case, encoding="utf-8")
    monkeypatch.setitem(sys.modules, "plotly.subplots", None)
    assert main(["validate", str(file), "--report", str(tmp_path / "report.html")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    command = install_command("report")
    assert err == f"wearfmu: --report needs plotly, which cannot be imported: {command}\n"
