"""The report of a record: numbers first, parameters in words, folded tables, on any screen."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lxml import html

from fmu_src.models.frictional_shock import FMU
from harness.case.shipped import shipped_cases
from harness.command_line import main
from harness.figures.labels import shown_unit, spoken
from harness.report.key_numbers import key_number

GRAVITY = 9.80665
SETTINGS = (
    "mass=4",
    "friction_coefficient=0.15",
    f"gravity={GRAVITY}",
    "normal_law=rigid",
    "tangential_law=penalty",
    "tangential_stiffness=9e6",
    "restitution=0.3",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write page and JSON of a run with sliding and impacts."""
    folder = tmp_path_factory.mktemp("shaking")
    times = np.arange(0.0, 2.0, 0.005)
    rows = np.column_stack(
        [times, 4.0 * np.sin(2.0 * np.pi * times), 14.0 * np.sin(4.0 * np.pi * times)]
    )
    record = folder / "quake.csv"
    np.savetxt(record, rows, delimiter=",", header="time,acc,vertical", comments="")
    settings = [text for setting in SETTINGS for text in ("--set", setting)]
    code = main(
        ["run", "--input", str(record), "--normal", "vertical", "--unit", "m/s2",
         "--out", str(folder), *settings, "--report", str(folder / "quake.html"),
         "--json", str(folder / "quake.json")]
    )  # fmt: skip
    assert code == 0
    return folder


@pytest.fixture(scope="module")
def tree(folder: Path) -> Any:
    """Return the elements of the page."""
    return html.parse(folder / "quake.html").getroot()


@pytest.fixture(scope="module")
def quantities(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the quantities of the JSON file by name."""
    content = json.loads((folder / "quake.json").read_text(encoding="utf-8"))
    found: dict[str, dict[str, Any]] = content["quantities"]
    return found


def figures(tree: Any) -> dict[str, Any]:
    """Return the figures by their titles."""
    return {
        figure.findtext("h3"): json.loads(figure.find("div/script").text)
        for figure in tree.iter("figure")
    }


def parameters(tree: Any) -> dict[str, list[str]]:
    """Return value, unit and meaning of each parameter."""
    rows = tree.xpath('//section[@id="parameters"]//tbody/tr')
    cells = [[cell.text_content() for cell in row] for row in rows]
    return {name: others for name, *others in cells}


def test_the_key_numbers_come_first_and_are_those_of_the_run(tree, quantities):
    header = tree.find(".//header")
    shown = {
        one.findtext("dt"): " ".join(one.find("dd").text_content().split())
        for one in header.iterfind(".//dl/div")
    }
    # Worn volume and depth are shown only with a wear coefficient.
    assert "worn volume" not in shown
    for label, name in (
        ("wear work", "wear_work"),
        ("peak displacement", "peak displacement"),
        ("residual displacement", "residual displacement"),
        ("sliding distance", "sliding_distance"),
        ("shock count", "shock_count"),
    ):
        number = key_number(label, quantities[name]["value"], quantities[name]["unit"])
        assert shown[label] == f"{number.value} {number.unit}".strip()
    assert quantities["shock_count"]["value"] > 0


@pytest.mark.parametrize(
    ("value", "unit", "wanted"),
    [
        (5.36732e-10, "m", "0.5367 nm"),
        (-0.00419196, "m", "−4.192 mm"),
        (0.536732, "J", "536.7 mJ"),
        (12345.0, "N", "12.35 kN"),
        (0.999967, "N", "1 N"),
        (0.99994, "N", "999.9 mN"),
        (5.36732e-14, "m3", "5.367·10⁻⁵ mm³"),
        (3.5, "m/s2", "3.5 m/s²"),
        (0.0, "m", "0 m"),
        (28.0, "1", "28"),
    ],
)
def test_a_key_number_has_four_digits_and_a_unit_that_suits_it(value, unit, wanted):
    number = key_number("", value, unit)
    assert f"{number.value} {number.unit}".strip() == wanted


@pytest.mark.parametrize(
    ("unit", "wanted"), [("m2/N", "m²/N"), ("N.s/m", "N·s/m"), ("m/s2", "m/s²"), ("1", "")]
)
def test_a_unit_is_shown_as_people_write_it(unit, wanted):
    assert shown_unit(unit) == wanted


def test_parameters_stand_in_words_with_unit_and_the_tables_meaning(tree):
    shown = parameters(tree)
    declared = {one.name: one for one in FMU.slave.table if one.causality == "parameter"}
    assert shown.keys() == declared.keys()
    for name, (value, unit, meaning) in shown.items():
        assert meaning == declared[name].description
        assert unit == shown_unit(declared[name].unit)
        assert not value.startswith("-")
        if declared[name].enumeration is not None or declared[name].kind == "Boolean":
            assert not re.fullmatch(r"[\d.]+", value), name
    assert shown["normal_law"][0] == "rigid"
    assert shown["start_in_equilibrium"][0] == "false"
    assert not re.fullmatch(r"-?\d+", shown["input_extrapolation_order"][0])
    assert shown["friction_coefficient_static"][0] == "0.15 (equal to the coefficient of slow slip)"
    # 2√(m (k + K_T)) = 2√(4·9e6).
    assert shown["tangential_damping"][0] == "12000 (critical, 2√(m (k + K_T)))"


def test_parameters_that_were_set_stand_apart_from_the_defaults(tree):
    section = tree.xpath('//section[@id="parameters"]')[0]
    unfolded = section.xpath('./div[@class="table"]//tbody/tr/th')
    names = {cell.text_content() for cell in unfolded}
    assert names >= {setting.partition("=")[0] for setting in SETTINGS}
    assert "stiffness" not in names


def test_the_operators_tables_are_folded_behind_plain_words_and_say_why_they_differ(tree):
    [folded] = tree.xpath('//section[@id="results"]/details')
    assert folded.get("open") is None
    assert "statistics of forces and shocks" in folded.findtext("summary").lower()
    assert "fourth digit" in folded.findtext("p")
    text = folded.text_content()
    for operator, plain in (
        ("PUIS_USURE", "mean wear power [W]"),
        ("T_CHOC_MINI", "shortest shock [s]"),
        ("MOYEN_T_CHOC", "mean over the time in contact"),
        ("IMPULSION", "impulse [N·s]"),
    ):
        assert operator in text
        assert plain in text.lower() or plain in text
    outside = [
        element
        for element in tree.iter("table", "p", "h2", "h3", "li")
        if "USURE" in element.text_content() and element.getparent().tag != "details"
        and not element.xpath("ancestor::details")
    ]  # fmt: skip
    assert outside == []


def test_every_value_at_the_pointer_has_its_axis_unit(tree):
    for title, figure in figures(tree).items():
        layout = figure["layout"]
        for trace in figure["data"]:
            axis = layout["yaxis" + trace["yaxis"][1:]]["title"]["text"]
            [unit] = re.findall(r"\[(.*)\]", axis)
            assert trace["hovertemplate"].endswith(f"%{{y:.6g}} {unit}"), title


def test_displacement_and_sliding_end_at_the_numbers_of_the_run(tree, quantities):
    figure = figures(tree)["Displacement and sliding"]
    ends = []
    for trace in figure["data"]:
        values = np.frombuffer(base64.b64decode(trace["y"]["bdata"]), dtype=trace["y"]["dtype"])
        ends.append(values[-1])
    wanted = [
        1e3 * quantities[name]["value"] for name in ("residual displacement", "sliding_distance")
    ]
    # Curves have single precision.
    assert ends == pytest.approx(wanted, rel=1e-6)
    titles = [figure["layout"][axis]["title"]["text"] for axis in ("yaxis", "yaxis2")]
    assert titles == [
        f"{spoken('relative_displacement')} [mm]",
        f"{spoken('sliding_distance')} [mm]",
    ]


@pytest.mark.hosts
@pytest.mark.parametrize("width", [400, 1400])
def test_nothing_is_cut_off(browser, folder, width):
    browser.show(folder / "quake.html", width=width)
    browser.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert browser.overflow() == []
    assert browser.complaints() == []


@pytest.mark.hosts
def test_panels_stand_below_each_other_on_a_phone_and_beside_each_other_elsewhere(browser, folder):
    boxes = (
        "const [plot] = [...document.querySelectorAll('figure')]"
        " .filter(one => one.querySelector('h3').textContent === 'Friction force');"
        "return [...plot.querySelectorAll('.plot .bglayer rect, .plot .draglayer .nsewdrag')]"
        " .map(one => { const box = one.getBoundingClientRect();"
        " return [box.left, box.top, box.right, box.bottom]; });"
    )
    browser.show(folder / "quake.html", width=1400)
    (left, _, right, _), (next_left, *_) = browser.run(boxes)[:2]
    assert left < right < next_left
    browser.show(folder / "quake.html", width=400)
    (left, _, _, bottom), (next_left, next_top, *_) = browser.run(boxes)[:2]
    assert left == pytest.approx(next_left, abs=1.0)
    assert bottom < next_top


@pytest.mark.hosts
def test_the_policy_of_a_report_refuses_foreign_scripts_and_requests(browser, folder):
    browser.show(folder / "quake.html")
    assert browser.run("return document.querySelectorAll('.plot .trace').length") > 0
    assert browser.complaints() == []
    for forbidden, directive in (
        ("fetch('http://127.0.0.1:9/').catch(() => {});", "connect-src"),
        (
            "const script = document.createElement('script'); script.text = 'window.ran = true';"
            "document.body.append(script);",
            "script-src-elem",
        ),
    ):
        refused = browser.driver.execute_async_script(
            "addEventListener('securitypolicyviolation',"
            " (event) => arguments[0](event.effectiveDirective));" + forbidden
        )
        assert refused == directive
    assert browser.run("return window.ran") is None
    assert all("Content Security Policy" in complaint for complaint in browser.complaints())


@pytest.mark.hosts
def test_a_browser_that_cannot_unpack_the_library_names_the_reason(browser, folder):
    driver = browser.driver
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    try:
        driver.execute_cdp_cmd(
            "Page.addScriptToEvaluateOnNewDocument",
            {"source": "delete window.DecompressionStream;"},
        )
        driver.get((folder / "quake.html").as_uri())
        shown = "return [...document.querySelectorAll('.plot')].map((plot) => plot.innerText)"
        texts = browser.run(shown)
        complaints = browser.complaints()
    finally:
        driver.close()
        driver.switch_to.window(first)
    assert set(texts) == {"This picture needs a browser of 2023 or newer."}
    assert complaints == []


@pytest.mark.hosts
def test_print_unfolds_the_tables_and_keeps_the_colours(browser, folder):
    browser.show(folder / "quake.html")
    browser.run(
        "addEventListener('beforeprint', () => { window.atPrint = {"
        " open: [...document.querySelectorAll('details')].every(one => one.open),"
        " colours: getComputedStyle(document.querySelector('.shade')).printColorAdjust }; })"
    )
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    exact = browser.run(
        "return getComputedStyle(document.querySelector('.shade')).printColorAdjust"
    )
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert exact == "exact"
    browser.driver.print_page()
    assert browser.run("return window.atPrint.open") is True
    assert browser.run("return document.querySelectorAll('details[open]').length") == 0


CONTRAST = """
const light = (text) => {
  const part = text.match(/[\\d.]+/g).slice(0, 3).map(Number).map((one) => one / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
  return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
};
const paper = light(getComputedStyle(document.body).backgroundColor);
const parts = document.querySelectorAll(
  'p, dt, dd, th, td, summary, figcaption, a, .plot .ytick text, .plot .legendtext, .plot .ytitle');
return [...parts].map((part) => {
  const style = getComputedStyle(part);
  const ink = light(part instanceof SVGElement ? style.fill : style.color);
  return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
});
"""


@pytest.mark.hosts
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(browser, folder, scheme):
    browser.show(folder / "quake.html", scheme=scheme)
    ratios = browser.run(CONTRAST)
    # WCAG 2.2, success criterion 1.4.3, level AA.
    assert len(ratios) > 100
    assert min(ratios) >= 4.5


@pytest.mark.hosts
def test_pictures_over_time_zoom_together_and_return_each_to_its_own_span(browser, folder):
    browser.show(folder / "quake.html")
    spans = (
        "return [...document.querySelectorAll('#pictures .plot')]"
        ".filter(plot => plot.layout.meta.over_time).map(plot => plot.layout.xaxis.range)"
    )
    before = browser.run(spans)
    assert len(before) >= 4
    wait = "const done = arguments[arguments.length - 1];"
    zoom = (
        f"{wait} Plotly.relayout(document.querySelector('#pictures .plot'), %s)"
        ".then(() => setTimeout(done, 1000))"
    )
    browser.driver.execute_async_script(zoom % "{ 'xaxis.range[0]': 0.5, 'xaxis.range[1]': 1.0 }")
    assert browser.run(spans) == [[0.5, 1.0]] * len(before)
    first, last = before[0]
    browser.driver.execute_async_script(zoom % f"{{ 'xaxis.range': [{first}, {last}] }}")
    assert browser.run(spans) == before


def test_a_report_with_all_pictures_of_a_record_is_small_enough_to_send(folder):
    # 20 s in steps of 1 ms. With the complete bundle of plotly the page has more than 5 MB.
    record, report = (
        shipped_cases()["synthetic_quake"].parent / "acceleration.csv",
        folder / "a.html",
    )
    settings = ["normal_law=penalty", "start_in_equilibrium=true", "contact_stiffness=1e6"]
    options = ["--normal", "vertical_acceleration", "--unit", "m/s2", "--out", str(folder)]
    options += [text for setting in settings for text in ("--set", setting)]
    assert main(["run", "--input", str(record), *options, "--report", str(report)]) == 0
    assert report.stat().st_size < 2.2e6


@pytest.mark.hosts
def test_the_first_screen_shows_the_answer_the_key_numbers_and_a_picture(browser, folder):
    browser.show(folder / "quake.html", width=1280)
    top = "return document.querySelector('%s').getBoundingClientRect().top"
    places = [browser.run(top % name) for name in (".summary", "dl", ".plot")]
    assert places == sorted(places)
    assert places[-1] < 700.0  # px of a screen of 900
    assert "eak displacement" in browser.run("return document.querySelector('.summary').innerText")


@pytest.mark.hosts
def test_no_button_uploads_a_picture(browser, folder):
    browser.show(folder / "quake.html")
    buttons = browser.run(
        "return [...document.querySelectorAll('.plot .modebar-btn')].map(b => b.dataset.title)"
    )
    assert {"Download plot as a PNG", "Save as SVG"} <= set(buttons)
    assert not any("hare" in title or "loud" in title for title in buttons)


@pytest.mark.hosts
@pytest.mark.parametrize(("scheme", "paper"), [("light", "255, 255, 255"), ("dark", "21, 24, 28")])
def test_a_saved_picture_has_the_paper_of_its_colours(browser, folder, scheme, paper):
    # Pale letters on a transparent background are not readable in a document.
    browser.show(folder / "quake.html", scheme=scheme)
    saved = browser.driver.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "Plotly.toImage(document.querySelector('.plot'), { format: 'svg' })"
        ".then((text) => done(decodeURIComponent(text)));"
    )
    assert re.search(rf"<rect [^>]*fill: rgb\({paper}\); fill-opacity: 1", saved)


@pytest.mark.hosts
def test_a_picture_is_saved_as_svg_with_its_curves(browser, folder):
    browser.show(folder / "quake.html")
    saved = browser.driver.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "URL.createObjectURL = (file) => { file.text().then(done); return 'blob:saved'; };"
        "document.querySelector('.plot [data-title=\"Save as SVG\"]').click();"
    )
    assert saved.startswith("<svg")
    assert saved.count('class="trace scatter') >= 2
