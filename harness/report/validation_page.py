"""The validation report: each number with its true value, and the pictures of each case."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from fmu_src.bundled.definition import FmuDefinition
from fmu_src.models import fmu_definition
from harness.case.case_result import CaseResult
from harness.case.case_text import summary, title_of
from harness.case.notes import all_parameters, structure_of_run
from harness.figures.curves import Curve, reduced
from harness.figures.panels import Panel, side_by_side_figure
from harness.fmu.changes import marks
from harness.fmu.history import EventRecord
from harness.fmu.interface import read_interface
from harness.report.document import (
    Document,
    Folded,
    Grid,
    KeyNumber,
    Picture,
    Section,
    write_document,
)
from harness.report.key_numbers import key_numbers, parameter_grids
from harness.report.modal_pictures import ModalRun, modal_grids, modal_numbers, modal_pictures
from harness.report.panel_table import FRICTIONAL_SHOCK as SHOCK_PICTURES
from harness.report.shaken_run import ShakenRun
from harness.report.shoe_pictures import (
    WearPowerPoint,
    convergence_picture,
    extra_wear_powers,
    mean_wear_power,
    shoe_of,
    shoe_pictures,
    wear_power_picture,
)
from harness.report.spring_pictures import spring_pictures
from harness.report.table_pictures import pictures

FRICTIONAL_SHOCK = fmu_definition("FrictionalShock")
DIS_CHOC = fmu_definition("DisChoc")

_LEAD = (
    "A mass on a moving support, or a structure in its contacts, sticks, slips and impacts. Wear "
    "work is the integral of normal force times sliding speed. Each case below was run with the "
    "FMU as in a system simulator."
)
_COMPARED = (
    "Each expected number of a case comes from an independent source. A check passes if "
    "|got − truth| is at most its tolerance. With tolerance 0 both must be equal."
)
_ERRORS = "In the order of the table. Cases without any error are not shown."
_NOT_COMPARED = "Results were not compared, because the case has no expected numbers."
# Above this number of cases, the page has one picture of each and no table of parameters.
_MOST_WHOLE = 10
_BRIEF_SAMPLES = 180
_BRIEF = (
    "Of each case the first picture is shown. `wearfmu validate CASE --report FILE` draws all "
    "pictures of a case and lists its parameters."
)


def write_validation_report(
    results: Sequence[CaseResult],
    path: Path,
    *,
    live: str = "",
    progress: Callable[[float], None] | None = None,
) -> None:
    """Write the page of these results. See `write_document` for errors.

    - `results`: results in the order of the page
    - `path`: the .html file. Its folder is created if necessary.
    - `live`: a page that computes, which is shown as part of this page
    - `progress`: called with the completed fraction, up to 1
    """
    anchors = _anchors(results)
    # A single case needs no overview.
    sections = [_overview(results, anchors)] if len(results) > 1 else []
    brief = len(results) > _MOST_WHOLE
    points: list[WearPowerPoint] = []
    fmu: Path | None = None
    for done, (result, anchor) in enumerate(zip(results, anchors, strict=True), start=1):
        run = _run_of(result)
        sections.append(_case_section(result, run, anchor, brief=brief))
        if powers := _wear_power_points(result, run):
            points += powers
            fmu = result.fmu_path
        if progress is not None:
            progress(done / (len(results) + 2))
    if fmu is not None:
        sections.insert(1, _sdnd104_section(fmu, points))
    lead = [_LEAD, _COMPARED if _compared(results) else _NOT_COMPARED, *([_BRIEF] if brief else [])]
    write_document(Document(title_of(results), summary(results), lead, sections, live=live), path)
    if progress is not None:
        progress(1.0)


def _anchors(results: Sequence[CaseResult]) -> list[str]:
    """Return an id for each case: its name, with a number if several cases have this name."""
    anchors: list[str] = []
    for result in results:
        anchor = "case-" + re.sub(r"[^\w-]", "-", result.case.name)
        anchors.append(anchor if anchor not in anchors else f"{anchor}-{len(anchors)}")
    return anchors


def _overview(results: Sequence[CaseResult], anchors: Sequence[str]) -> Section:
    columns = ("case", "title", "FMU", "checks passed", "largest error, % of tolerance", "verdict")
    rows, largest = [], []
    for result in results:
        case, percent = result.case, [check.percent_of_tolerance for check in result.checks]
        largest.append(max(percent, default=0.0 if result.failure is None else math.inf))
        passed = sum(check.passed for check in result.checks)
        shown = (f"{passed} of {len(percent)}", f"{largest[-1]:.2g}") if percent else ("—", "—")
        rows.append((case.name, case.heading.title, result.fmu_path.stem, *shown, result.verdict))
    grids = [Grid("All cases", columns, rows, anchors)]
    if not _compared(results):
        return Section("overview", "Cases", grids=grids)
    names = tuple(result.case.name for result in results)
    worst = f"largest error, {names[int(np.argmax(largest))]}"
    numbers = [KeyNumber(worst, f"{max(largest):.3g}", "% of its tolerance")]
    x = np.arange(1, len(names) + 1)
    points = Curve("case", x, np.array(largest), style="points", labels=names)
    panel = Panel("largest error", (points,), "case", "% of tolerance", "", logarithmic=True)
    drawn = Picture("Largest error of each case", _ERRORS, side_by_side_figure([panel]))
    return Section("overview", "Verdicts", grids=grids, pictures=[drawn], key_numbers=numbers)


def _compared(results: Sequence[CaseResult]) -> bool:
    return any(result.case.expectations for result in results)


def _case_section(
    result: CaseResult, run: ShakenRun | ModalRun | None, anchor: str, *, brief: bool
) -> Section:
    heading, history = result.case.heading, result.record
    source = f" Source: {heading.source}." if heading.source else ""
    paragraphs = [f"{heading.title}.{source}"]
    if history is not None:
        paragraphs.append(
            f"{result.fmu_path.stem}.fmu, {history.steps} steps of "
            f"{result.case.experiment.step_size:g} s, "
            f"{1e6 * history.seconds / history.steps:.0f} µs a step."
        )
        paragraphs += [f"The FMU logged: {message}" for message in history.messages]
    rows = [
        (
            check.expectation.label,
            f"{check.got:.12g}",
            f"{check.expectation.value:.12g}",
            f"{check.error:.1e}",
            f"{check.expectation.tolerance:.1e}",
            check.verdict,
            check.expectation.source,
            check.problem or check.expectation.reason,
        )
        for check in result.checks
    ]
    columns = (
        "quantity", "got", "truth", "error", "tolerance", "verdict",
        "source of the truth", "reason of the tolerance",
    )  # fmt: skip
    warnings = [*result.notes, *([f"The run failed: {result.failure}"] if result.failure else [])]
    grids = [Grid("Results and true values, SI units", columns, rows)] if rows else []
    if history is not None and history.events is not None:
        grids.append(event_grid(history.events))
    numbers: Sequence[KeyNumber] = ()
    if isinstance(run, ModalRun):
        grids += modal_grids(run)
        numbers = modal_numbers(run)
    elif run is not None:
        numbers = key_numbers(run)
    return Section(
        anchor,
        result.case.name,
        paragraphs,
        warnings,
        grids,
        _brief(_pictures(result, run)) if brief else _pictures(result, run),
        result.verdict,
        numbers,
        [] if brief else [_parameters(result)],
    )


def _brief(drawn: Sequence[Picture]) -> Sequence[Picture]:
    """Return the first picture with fewer samples of its curves over time."""
    for picture in drawn[:1]:
        for trace in picture.figure.data if picture.figure.layout.meta.get("over_time") else ():
            trace.x, trace.y = reduced(trace.x, trace.y, _BRIEF_SAMPLES)
    return drawn[:1]


def _parameters(result: CaseResult) -> Folded:
    """Return the parameters of the case, and the defaults of all others."""
    interface = read_interface(result.fmu_path)
    known = (
        definition for definition in (FRICTIONAL_SHOCK, DIS_CHOC) if _offers(result, definition)
    )
    given = result.case.parameters
    values = all_parameters(interface, given)
    chosen, others = parameter_grids(interface, values, given, next(known, None))
    return Folded("Parameters", [chosen, replace(others, caption="Defaults")])


def _run_of(result: CaseResult) -> ShakenRun | ModalRun | None:
    """Return the run if its FMU has all variables of FrictionalShock, or contains a structure."""
    case = result.case
    if result.record is None:
        return None
    interface = read_interface(result.fmu_path)
    parameters = all_parameters(interface, case.parameters)
    if _offers(result, FRICTIONAL_SHOCK):
        return ShakenRun(result.record, parameters, case.inputs, changes=case.changes)
    for change in case.changes:
        parameters |= {name: float(value) for name, value in change.values.items()}
    structure = structure_of_run(interface, case.structure, parameters)
    if structure is None:
        return None
    return ModalRun(result.record, structure, case.inputs, case.changes)


def _offers(result: CaseResult, definition: FmuDefinition) -> bool:
    """Whether the FMU has all variables of a definition, with any name of the FMU."""
    variables = read_interface(result.fmu_path).variables
    return all(variable.name in variables for variable in definition.slave.table)


def _pictures(result: CaseResult, run: ShakenRun | ModalRun | None) -> list[Picture]:
    history = result.record
    if history is None or not history.values:
        return []
    if isinstance(run, ModalRun):
        return modal_pictures(run)
    if run is not None:
        shoe = shoe_of(run)
        drawn = shoe_pictures(run, shoe) if shoe is not None else []
        titles = [picture.title for picture in drawn]
        rest = [row for row in SHOCK_PICTURES if row.title not in titles]
        return [*drawn, *pictures(rest, run, instants=marks(result.case.changes))]
    if _offers(result, DIS_CHOC):
        return spring_pictures(result.case, result.fmu_path, history)
    return [Picture("Outputs", "Outputs that change during the run.", history.plot())]


def _wear_power_points(
    result: CaseResult, run: ShakenRun | ModalRun | None
) -> list[WearPowerPoint]:
    if not isinstance(run, ShakenRun) or (shoe := shoe_of(run, rigid=False)) is None:
        return []
    points = []
    for check in result.checks:
        described = check.expectation.described()
        if (described["quantity"], described.get("variable")) != ("mean_rate", "wear_work"):
            continue
        power = mean_wear_power(run.history, described["window"])
        points.append(WearPowerPoint(result.case.name, shoe, power, check.expectation.value))
    return points


def _sdnd104_section(fmu: Path, points: Sequence[WearPowerPoint]) -> Section:
    return Section(
        "sdnd104",
        "SDND104: wear power over η, and convergence",
        [
            "Friction μ drives a mass m under gravity g on a support with the acceleration "
            "a₀ sin ωt. In units of m g a₀/ω, the mean wear power depends on η = μg/a₀ only.",
        ],
        pictures=[wear_power_picture([*points, *extra_wear_powers(fmu)]), convergence_picture(fmu)],
    )


# Maximum number of rows. The JSON file contains all rows.
_MOST_ROWS = 200


def event_grid(events: EventRecord) -> Grid:
    """Return a table with a row for each event and a column for each variable that changes."""
    changing = [
        name
        for name, before in events.before.items()
        if not np.array_equal(before, events.after[name])
    ]
    rows = [
        (
            f"{time:.12g}",
            *(
                f"{events.before[name][row]:.6g} → {events.after[name][row]:.6g}"
                for name in changing
            ),
        )
        for row, time in enumerate(events.times[:_MOST_ROWS])
    ]
    shown = f", the first {_MOST_ROWS} of {len(events)}" if len(events) > _MOST_ROWS else ""
    caption = f"Events at which the run stopped, and variables that change{shown}"
    return Grid(caption, ("time [s]", *changing), rows)
