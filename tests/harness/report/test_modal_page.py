"""The page of a structure: orbits to scale, error bars, and the conditions of each picture."""

import base64
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness import load_case, load_fmu, run_case
from harness.case.notes import structure_notes
from harness.case.shipped import shipped_cases
from harness.command_line import main
from harness.fmu.history import RunRecord
from harness.report.modal_pictures import ModalRun, modal_grids, modal_numbers, modal_pictures
from harness.report.validation_page import write_validation_report
from tests.structures import contact, modal_structure, point
from wearmodel import ModalShock
from wearmodel.kernel.shoe.parameters import InputTiming
from wearmodel.models.modal_quantities import structure_outputs
from wearmodel.structure import ContactObstacle, Structure

STEP = 2e-3


def two_masses(*, friction: float = 0.3, **others: Any) -> Structure:
    """Return a mass in a round hole with an offset, and a mass between two planes."""
    rubbing = {
        "contact_stiffness": 1e5,
        "contact_damping": 20.0,
        "tangential_stiffness": 1e5,
        "friction_coefficient": friction,
        **others,
    }
    return modal_structure(
        [5.0, 5.0, 4.0, 4.0],
        contact("hole", "A", "circle", gap=1e-3, offset=[0.0, 4e-4, -1e-4], **rubbing),
        contact("slot", "B", "two_planes", gap=5e-4, **rubbing),
        points=[
            point("A", y=[1, 0, 0, 0], z=[0, 1, 0, 0]),
            point("B", x=[0, 0, 1, 0], z=[0, 0, 0, 1]),
        ],
        modes={"damping_ratio": 0.02},
        load=[{"name": "push", "shape": [1.0, 0.7, 0.1, 1.0]}],
        observe=[{"point": "A"}],
    )


def modal_run(structure: Structure, steps: int) -> ModalRun:
    """Run the structure under a load that is not periodic."""
    time = np.arange(steps + 1) * STEP
    load = 3.0 * np.sin(2 * math.pi * 3.0 * time) + 3.0 * np.sin(2 * math.pi * 4.3 * time**1.1)
    model = ModalShock(structure, input_timing=InputTiming.end)
    rows = [model.output_values()]
    for value in load[1:]:
        model.step_values(STEP, [0.0, 0.0, 0.0, float(value)])
        rows.append(model.output_values())
    outputs = structure_outputs(structure)
    values = {
        one.name: np.array(row) for one, row in zip(outputs, zip(*rows, strict=True), strict=True)
    }
    units = {one.name: one.unit for one in outputs}
    return ModalRun(RunRecord(time, values, 1.0, (), units), structure, {})


@pytest.fixture(scope="module")
def run() -> ModalRun:
    return modal_run(two_masses(), 500)


def numbers(values: Any) -> np.ndarray:
    """Return the array of a plotly figure, which can be encoded in base64."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), dtype=values["dtype"])
    return np.array(values, dtype=float)


def orbits(run: ModalRun) -> Any:
    return next(one for one in modal_pictures(run) if one.title.startswith("Orbits")).figure


def test_an_orbit_lies_where_the_point_is_in_its_hole(run):
    path, _, clearance = orbits(run).data[:3]
    place = run.history["hole.relative_displacement_y"] + 4e-4
    assert numbers(path.x) == pytest.approx(1e3 * place, rel=1e-6)
    place = run.history["hole.relative_displacement_z"] - 1e-4
    assert numbers(path.y) == pytest.approx(1e3 * place, rel=1e-6)
    # Single precision.
    assert np.hypot(numbers(clearance.x), numbers(clearance.y)) == pytest.approx(1.0, rel=1e-6)


def test_a_polygon_is_drawn_by_its_corners():
    """The frame of this hole is y, z. The sides are lines at their gaps from the centre."""
    structure = two_masses()
    hole, slot = structure.contacts
    gaps = np.array([1.0, 1.2, 1.3, 1.1]) * 1e-3
    polygon = replace(hole, obstacle=ContactObstacle.polygon, gaps=tuple(gaps))
    clearance = orbits(modal_run(replace(structure, contacts=(polygon, slot)), 20)).data[2]
    x, y = numbers(clearance.x), numbers(clearance.y)
    drawn = sorted(zip(x.tolist(), y.tolist(), strict=True))
    wanted = sorted([(1.0, 1.2), (-1.3, 1.2), (-1.3, -1.1), (1.0, -1.1), (1.0, 1.2)])
    # Single precision.
    assert np.array(drawn) == pytest.approx(np.array(wanted), rel=1e-6)


def test_what_touches_lies_outside_the_clearance_or_on_it(run):
    _, touching, _ = orbits(run).data[:3]
    radius = np.hypot(numbers(touching.x), numbers(touching.y))
    closed = run.history["hole.contact_mode"] != 0.0
    assert np.count_nonzero(closed) > 10
    assert np.isfinite(radius).tolist() == closed.tolist()
    # The damper keeps a contact closed only inside the obstacle.
    assert np.min(radius[closed]) > 1.0 - 1e-6


def test_the_planes_lie_at_their_gaps(run):
    clearance = orbits(run).data[5]
    levels = numbers(clearance.y)
    assert sorted(set(np.round(levels, 6).tolist())) == [-0.5, 0.5]


def test_both_axes_of_a_round_orbit_have_one_scale(run):
    layout = orbits(run).layout
    anchored = {"x": layout.yaxis.scaleanchor, "x2": layout.yaxis2.scaleanchor}
    for axis, title in zip(anchored, layout.annotations, strict=True):
        is_round = "hole" in title.text
        assert anchored[axis] == (axis if is_round else None)
        # Between planes, equal scales would leave half of the picture blank.
        assert ("unequal scales" in title.text) is not is_round


def test_a_long_slide_on_a_plane_says_that_its_axes_differ(tmp_path):
    case = load_case(shipped_cases()["block_on_slope"])
    result = run_case(case, load_fmu_of(case.file, tmp_path))
    write_validation_report([result], tmp_path / "page.html")
    assert "unequal scales" in (tmp_path / "page.html").read_text(encoding="utf-8")


def load_fmu_of(case: Path, folder: Path) -> Path:
    from harness.case.case_fmu import fmu_of

    return fmu_of(load_case(case), folder)


def test_error_bars_are_those_of_the_run_after_its_first_tenth(run):
    time, work = run.history.times, run.history["hole.wear_work"]
    power = run.wear_powers["hole"]
    settled = np.interp(0.1 * time[-1], time, work)
    assert power.mean == pytest.approx((work[-1] - settled) / (0.9 * time[-1]), rel=1e-12)
    # The interval of twenty batches is a lower bound, because the batches are still correlated.
    borders = np.linspace(0.1 * time[-1], time[-1], 21)
    rates = np.diff(np.interp(borders, time, work)) / (0.045 * time[-1])
    # Student's quantile of 19 degrees of freedom at 97.5 %, from a table.
    plain = 2.093 * np.std(rates, ddof=1) / math.sqrt(20)
    assert plain < power.half_width < 2.0 * plain
    (drawn,) = next(
        one for one in modal_pictures(run) if one.title.startswith("Wear p")
    ).figure.data
    bars = dict(zip(drawn.y, numbers(drawn.error_x.array), strict=True))
    assert bars["hole"] == power.half_width


def test_the_wear_of_all_contacts_is_not_taken_for_independent(run):
    total = run.wear_powers[""]
    assert total.mean == pytest.approx(sum(run.wear_powers[n].mean for n in ("hole", "slot")))
    table = modal_grids(run)[1]
    assert table.rows[-1][0] == "all contacts"
    assert float(table.rows[-1][4].split()[0]) == pytest.approx(total.half_width, rel=0.05)


def test_the_depth_a_year_is_that_of_the_mean_power(run):
    row = next(row for row in modal_grids(run)[1].rows if row[0] == "hole")
    # k P t/A with the defaults k = 1e-13 m²/N, A = 1e-4 m², and a year of 365.25 days, in mm.
    wanted = 1e3 * 1e-13 / 1e-4 * run.wear_powers["hole"].mean * 365.25 * 86400.0
    assert float(row[-1]) == pytest.approx(wanted, rel=5e-3)


def test_modes_are_not_shaded_where_they_change_more_often_than_a_screen_shows():
    run = modal_run(two_masses(), 300)
    assert all(one.shaded for one in modal_pictures(run) if one.title.startswith("Contact"))
    times = np.arange(3001) * STEP
    values = {name: np.resize(column, 3001) for name, column in run.history.values.items()}
    values["hole.contact_mode"] = np.arange(3001) % 2 * 1.0
    record = RunRecord(times, values, 1.0, (), run.history.units)
    busy = ModalRun(record, run.structure, {})
    shaded = {one.title: one.shaded for one in modal_pictures(busy)}
    assert not shaded["Contact hole"]


def test_a_gap_that_wears_is_drawn_at_the_end_too():
    run = modal_run(two_masses(wear_feedback=True, archard_coefficient=1e-7), 150)
    traces = [one for one in orbits(run).data if one.name == "worn clearance"]
    assert [one.showlegend for one in traces] == [True, False]
    hole, slot = traces
    radius = 1e3 * (1e-3 + run.history["hole.wear_depth"][-1])
    # Single precision.
    assert np.hypot(numbers(hole.x), numbers(hole.y)) == pytest.approx(radius, rel=1e-6)
    assert radius > 1.001
    depths = [run.history[f"slot.wear_depth_{plane}"][-1] for plane in ("lower", "upper")]
    wanted = [-(0.5 + 1e3 * depths[0]), 0.5 + 1e3 * depths[1]]
    assert sorted(set(numbers(slot.y).tolist())) == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize(
    ("law", "name"),
    [
        ({}, "μ F_N"),
        ({"friction_coefficient_static": 0.5}, "max μ F_N"),
        ({"friction_coefficient_slow": 0.4, "friction_decay_velocity": 0.1}, "max μ F_N"),
        ({"viscous_friction": 1.0}, None),
    ],
    ids=["Coulomb", "static", "weakening", "viscous"],
)
def test_friction_never_leaves_the_bound_that_is_drawn(law, name):
    run = modal_run(two_masses(**law), 100)
    figure = next(one for one in modal_pictures(run) if one.title == "Contact hole").figure
    curves = {one.name: numbers(one.y) for one in figure.data}
    assert ({"μ F_N", "max μ F_N"} & curves.keys()) == ({name} if name else set())
    if name is not None:
        # Single precision for forces of a few newtons.
        assert np.all(curves["friction force"] <= curves[name] + 1e-5)


def test_a_bar_that_is_not_sure_is_a_warning():
    # The mass slides to rest, so the wear power decreases during the whole run.
    structure = two_masses()
    run = modal_run(structure, 120)
    work = run.history.values["hole.wear_work"]
    work[:] = 1.0 - np.exp(-run.history.times / run.history.times[-1])
    warnings = list(structure_notes(run.structure, run.inputs, run.history))
    assert any(
        "mean wear power of hole" in one and "the rate still changes" in one for one in warnings
    )
    row = next(row for row in modal_grids(run)[1].rows if row[0] == "hole")
    assert row[4].endswith(" *")


def test_without_friction_there_is_no_wear_to_show():
    run = modal_run(two_masses(friction=0.0), 120)
    titles = [one.title for one in modal_pictures(run)]
    assert titles == ["Orbits in the clearances", "Contact hole", "Contact slot", "Observed points"]
    assert not any("wear" in one.label for one in modal_numbers(run))
    assert len(modal_grids(run)) == 1


def test_an_fmu_of_a_structure_brings_its_clearances_itself(tmp_path):
    case = load_case(shipped_cases()["slider_in_ring"])
    fmu = load_fmu_of(case.file, tmp_path)
    text = case.file.read_text(encoding="utf-8").replace('structure = "structure.toml"\n', "")
    renamed = tmp_path / "Ring.fmu"
    fmu.rename(renamed)
    file = tmp_path / "ring.toml"
    file.write_text(text.replace('"ModalShock"', '"Ring.fmu"'), encoding="utf-8")
    page = tmp_path / "page.html"
    assert main(["run", str(file), "--report", str(page)]) == 0
    assert ">Orbits in the clearances<" in page.read_text(encoding="utf-8")


def test_the_tube_of_the_fmu_to_try_has_a_page(tmp_path):
    file = tmp_path / "tube.toml"
    file.write_text(
        '[case]\ntitle = "the tube to try"\nsource = "none"\nfmu = "ModalShock"\n'
        "[inputs]\n"
        "base_acceleration_y = {kind = 'sine', amplitude = 30.0, frequency = 12.0}\n"
        "[experiment]\nstop_time = 0.02\nstep_size = 1e-3\nallow_coarse_step = true\n",
        encoding="utf-8",
    )
    load_fmu("ModalShock", folder=tmp_path)
    page = tmp_path / "page.html"
    assert main(["run", str(file), "--out", str(tmp_path), "--report", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    for title in ("Orbits in the clearances", "Contact support_1", "Observed points", "Inputs"):
        assert f">{title}<" in text


@pytest.fixture(scope="module")
def tube_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    case = load_case(shipped_cases()["slider_in_ring"])
    result = run_case(case, load_fmu_of(case.file, folder))
    write_validation_report([result], folder / "page.html")
    return folder / "page.html"


@pytest.mark.hosts
@pytest.mark.parametrize("width", [1200, 400])
def test_a_round_clearance_is_round_on_the_screen(browser, tube_page, width):
    browser.show(tube_page, width=width)
    boxes = browser.run(
        "const plot = [...document.querySelectorAll('figure')].find("
        " f => f.querySelector('h3').textContent.startsWith('Orbits')).querySelector('.plot');"
        "return [...plot.querySelectorAll('.scatterlayer .trace path.js-line')].map(p => {"
        " const b = p.getBBox(); return [b.width, b.height]; })"
    )
    wide, high = boxes[-1]
    assert wide == pytest.approx(high, rel=0.01)
    assert wide > 150
    assert browser.overflow() == []
    assert browser.complaints() == []
