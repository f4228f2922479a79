"""The table of statements names existing cases, tests and pages. Some statements are tested here.

Sources: SDND104 (V5.01.104) and SSND116. The formulas are written here independently.
"""

import ast
import math
import re
from collections import defaultdict
from pathlib import Path

import pytest

from harness import load_case
from harness.case.shipped import shipped_cases
from wearmodel import FrictionalShock, FrictionalShockParameters
from wearmodel.reference.closed_forms import Regime, RubbingShoe, RubbingShoeHistory
from wearmodel.reference.schemes import differences_2003, recorded_runs

from .documents import ROOT

PAGE = ROOT / "docs" / "statements.md"
ROWS = [
    [cell.strip() for cell in line.strip("|\n").split("|")]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if re.match(r"\| [A-Z]\d+ \|", line)
]
OMEGA = 2.0 * math.pi
ETA_STAR = 2.0 / math.sqrt(math.pi**2 + 4.0)


def headings(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub and the site name them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def functions_of_tests() -> dict[str, set[str]]:
    """Return the names of the functions of each test file, by its path in the clone."""
    return {
        file.relative_to(ROOT).as_posix(): {
            one.name
            for one in ast.parse(file.read_text(encoding="utf-8")).body
            if isinstance(one, ast.FunctionDef)
        }
        for file in (ROOT / "tests").rglob("test_*.py")
    }


def test_every_row_has_five_cells_and_a_number_of_its_own():
    assert [row for row in ROWS if len(row) != 5] == []
    numbers = [row[0] for row in ROWS]
    assert len(numbers) == len(set(numbers)) > 60
    for letter, group in _by_letter(numbers).items():
        assert group == [f"{letter}{at + 1}" for at in range(len(group))]


def _by_letter(numbers: list[str]) -> dict[str, list[str]]:
    groups = defaultdict(list)
    for number in numbers:
        groups[number[0]].append(number)
    return groups


def test_every_case_of_the_table_is_shipped():
    named = {name for row in ROWS for name in re.findall(r"`(\w+)`", row[3])}
    assert {"sdnd104_a15", "ssnd116_poi1", "spring_wall"} <= named
    assert named - set(shipped_cases()) == set()


def test_every_shipped_case_of_the_documents_is_in_the_table():
    named = {name for row in ROWS for name in re.findall(r"`(\w+)`", row[3])}
    of_documents = {name for name in shipped_cases() if name.startswith(("sdnd104", "ssnd116"))}
    assert of_documents - named == {"sdnd104_penalised_a1p01"}


def test_every_test_of_the_table_exists():
    known = functions_of_tests()
    named = [pair for row in ROWS for pair in re.findall(r"`([\w/]+\.py)::(\w+)`", row[4])]
    assert len(named) > 50
    for file, function in named:
        found = [functions for path, functions in known.items() if path.endswith(f"/{file}")]
        assert len(found) == 1, f"{file} is missing or not unique"
        assert function in found[0], f"{file}::{function}"


def test_every_page_and_heading_of_the_table_exists():
    links = {link for row in ROWS for link in re.findall(r"\]\(([^)]+)\)", row[4])}
    assert "verification.md#contradictions-in-the-documents" in links
    for link in links:
        page, _, anchor = link.partition("#")
        assert anchor in headings(PAGE.parent / page), link


def test_every_row_names_a_test_or_a_page():
    assert [row for row in ROWS if not re.search(r"`[\w/]+\.py::\w+`|\]\(", row[4])] == []


def wear_power(amplitude: float, **parameters: object) -> float:
    """Return the mean over [4, 12] s. The sine is given as 20 Taylor polynomials per second."""
    model = FrictionalShock(FrictionalShockParameters(**parameters))
    works = {}
    for step in range(240):
        values = [math.sin(OMEGA * step / 20.0 + order * math.pi / 2.0) for order in range(21)]
        series = [
            amplitude * value * OMEGA**order / math.factorial(order)
            for order, value in enumerate(values)
        ]
        model.step_polynomial(0.05, base_acceleration=series)
        works[step + 1] = model.outputs()["wear_work"]
    return (works[240] - works[80]) / 8.0


@pytest.mark.parametrize(
    ("amplitude", "change"), [(15.0, -2.19e-5), (1.5, 7.5e-7), (1.01, 2.0e-8)], ids=str
)
def test_the_weak_spring_changes_the_wear_power_less_than_the_printed_differences(
    amplitude, change
):
    exact = RubbingShoe(amplitude=amplitude).mean_wear_power(4.0, 12.0)
    relative = wear_power(amplitude, stiffness=3e-5) / exact - 1.0
    # The digits were computed with another program. 2.0e-8 is a change of the smallest slips.
    assert relative == pytest.approx(change, rel=0.05)
    assert 100.0 * abs(relative) < differences_2003()[amplitude]


@pytest.mark.parametrize("amplitude", [1.5, 1.01])
def test_the_first_slip_has_the_printed_start_and_end(amplitude):
    history = RubbingShoeHistory(RubbingShoe(amplitude=amplitude), 1.0)
    eta, speed = 1.0 / amplitude, amplitude / OMEGA
    start, end = math.asin(eta) / OMEGA, history.arrest_times[0]
    assert history.onset_times[0] == pytest.approx(start, rel=1e-14)
    # The cancellation in 1 − η² costs two digits at 1.01.
    velocity = -speed * math.sqrt(1.0 - eta**2)
    assert history.velocity_vertices[1][0] == pytest.approx(velocity, rel=1e-13)
    assert 0.25 < end < 1.0
    balance = eta * OMEGA * (end - start) - math.cos(OMEGA * start) + math.cos(OMEGA * end)
    assert abs(balance) < 1e-14  # a few roundings of terms of order 1


def test_the_limit_of_slip_slip_has_the_printed_value():
    assert round(ETA_STAR, 3) == 0.537
    shoe = RubbingShoe(1.0, 1.0, ETA_STAR, 1.0, OMEGA)
    assert shoe.regime is Regime.SLIP_SLIP
    # Stick becomes possible where a0 sin ωθ = μ g.
    assert math.sin(OMEGA * shoe.steady_reversal_time) == pytest.approx(ETA_STAR, rel=1e-14)


@pytest.mark.parametrize("amplitude", [1.5, 1.01])
def test_the_work_of_a_half_period_of_stick_slip_is_the_printed_formula(amplitude):
    shoe = RubbingShoe(amplitude=amplitude)
    history = RubbingShoeHistory(shoe, 1.0)
    start, end = history.onset_times[0], history.arrest_times[0]
    terms = (
        amplitude / OMEGA * (end - start) * math.cos(OMEGA * start),
        -amplitude / OMEGA**2 * (math.sin(OMEGA * end) - math.sin(OMEGA * start)),
        -0.5 * (end - start) ** 2,
    )
    # The terms cancel. The rounding is relative to the largest term.
    rounding = 1e-14 * max(map(abs, terms)) / abs(sum(terms))
    assert 10.0 * sum(terms) == pytest.approx(shoe.half_period_wear_work, rel=rounding)


def test_a_window_extended_by_stick_has_a_lower_mean():
    shoe = RubbingShoe(amplitude=1.5)
    # One slip ends at 12.029 s, and the next one starts at 12.116 s.
    assert shoe.wear_work(12.04, 12.1) == 0.0
    assert shoe.mean_wear_power(4.0, 12.1) < shoe.mean_wear_power(4.0, 12.04)


def test_reversals_are_in_the_search_intervals_of_the_program():
    history = RubbingShoeHistory(RubbingShoe(amplitude=15.0), 14.0)
    ends, starts = history.reversal_times[::2], history.reversal_times[1::2]
    assert len(starts) > 12
    for index, (end, start) in enumerate(zip(ends, starts, strict=False), start=1):
        assert index - 0.75 <= end <= index
        assert index - 0.25 <= start <= index + 0.5
        assert end < start


def test_the_printed_stability_limit_belongs_to_the_stiffness_of_the_recorded_runs():
    # The source prints one digit. 9e5 N/m gives 2.1e-3 s.
    assert f"{2.0 / math.sqrt(9e6):.0e}" == "7e-04"


PRINTED = {
    "ADAPT 2": (15.2660, 0.409077, 2.26164e-4, 0.0),
    "DEVOGE": (15.2665, 0.409077, 2.26164e-4, 0.0),
    "EULER": (15.2668, 0.409077, 2.26316e-4, 0.0),
}


@pytest.mark.parametrize("scheme", PRINTED)
def test_the_numbers_of_2003_are_those_of_the_shipped_table(scheme):
    table = {run.amplitude: run.document_2003 for run in recorded_runs() if run.scheme == scheme}
    assert [table[amplitude] for amplitude in (15.0, 1.5, 1.01, 0.99)] == [*PRINTED[scheme]]
    assert differences_2003() == {15.0: 0.007, 1.5: 0.004, 1.01: 0.072, 0.99: 0.0}


def test_both_forms_of_ssnd116_expect_the_same_values():
    two, one = (load_case(shipped_cases()[f"ssnd116_{form}"]) for form in ("seg2", "poi1"))
    values = [(each.variable, each.time, each.value) for each in one.expectations]
    assert values == [(each.variable, each.time, each.value) for each in two.expectations]
    assert len(values) == 7
