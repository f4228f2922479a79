"""With `--live`, the reports of `run` and `validate` contain the page that computes."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from harness.command_line import main
from wearmodel import installation
from wearmodel.installation import install_command

QUAKE = Path("harness/cases/synthetic_quake/acceleration.csv")


def inside(browser: Any, report: Path) -> Any:
    """Wait until the page within a report has computed, and return its values."""
    browser.show(report)
    driver = browser.driver
    driver.switch_to.frame(driver.find_element("css selector", "iframe.live"))
    deadline = time.monotonic() + 30.0
    while driver.execute_script("return document.documentElement.dataset.drawn") != "all":
        assert time.monotonic() < deadline
        time.sleep(0.1)
    found = driver.execute_script(
        "const { outputs, count } = wearfmu.result;"
        "return { work: outputs.wear_work[count], slid: outputs.sliding_distance[count],"
        " titles: wearfmu.facts.starts.map((one) => one.title),"
        " link: document.getElementById('copy-link').hidden,"
        " height: window.frameElement.clientHeight, needed: document.body.scrollHeight };"
    )
    driver.switch_to.default_content()
    return found


@pytest.mark.hosts
def test_the_report_of_a_shaking_computes_the_same_run(tmp_path, browser):
    settings = ("friction_coefficient=0.15", "normal_law=rigid", "restitution=0.2")
    given = [word for setting in settings for word in ("--set", setting)]
    report, numbers = tmp_path / "quake.html", tmp_path / "quake.json"
    arguments = ["run", "--input", str(QUAKE), *given, "--normal", "3", "--remove-mean"]
    arguments += ["--scale", "1.25"]
    arguments += ["--substeps", "7", "--out", str(tmp_path), "--json", str(numbers)]
    assert main([*arguments, "--report", str(report), "--live"]) == 0
    seen = inside(browser, report)
    wanted = json.loads(numbers.read_text(encoding="utf-8"))["quantities"]
    # The means are summed in another order.
    assert seen["work"] == pytest.approx(wanted["wear_work"]["value"], rel=1e-12)
    assert seen["slid"] == pytest.approx(wanted["sliding_distance"]["value"], rel=1e-12)
    # In a report, a link to a part of another page would be broken.
    assert seen["link"] is True
    assert seen["height"] >= seen["needed"]
    assert browser.complaints() == []


@pytest.mark.hosts
def test_the_report_of_cases_offers_those_that_the_page_can_show(tmp_path, browser):
    report = tmp_path / "report.html"
    cases = ["sdnd104_a1p5", "ssnd116_poi1", "sliding_to_rest"]
    arguments = ["validate", *cases, "--out", str(tmp_path), "--report", str(report), "--live"]
    assert main(arguments) == 0
    seen = inside(browser, report)
    assert seen["titles"] == ["SDND104, a0 = 1.5 m/s²: stick-slip", "A body slides to rest"]
    assert browser.complaints() == []


@pytest.mark.hosts
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["validate", "sliding_to_rest"], "--live requires --report"),
        (["run", "--input", str(QUAKE)], "--live requires --report"),
        (["run", "ssnd116_poi1", "--report", "page.html"], "the page cannot show these cases"),
    ],
)
def test_live_is_refused_where_it_would_do_nothing(tmp_path, monkeypatch, arguments, words, capsys):
    arguments = [str(Path(one).resolve()) if one.endswith(".csv") else one for one in arguments]
    monkeypatch.chdir(tmp_path)
    assert main([*arguments, "--live", "--out", str(tmp_path)]) == 2
    assert words in capsys.readouterr().err
    assert not Path("page.html").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["page", "--out", "page.html"],
        ["validate", "sliding_to_rest", "--report", "page.html", "--live"],
    ],
    ids=["page", "validate"],
)
def test_without_the_extra_one_line_says_what_is_needed(tmp_path, monkeypatch, arguments, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(installation, "_NATIVE_TOOLS", ("no_such_compiler",))
    assert main(arguments) == 2
    assert capsys.readouterr().err == (
        f"wearfmu: the page that computes needs no_such_compiler: {install_command('native')}\n"
    )
    assert not Path("page.html").exists()
