"""Programs of `make peers` solve the problems, and docs/benchmarks.md shows the stored result."""

import json
import re
import shutil
import sys
from dataclasses import replace

import pytest

from wearmodel.compiled.run_library import runs_of

from .__main__ import PAGE, RESULT
from .problems import PROBLEMS, TUBE_REFERENCES, Problem, write_data
from .report import BEGIN, END, best, described, plain, ratio, section, with_section
from .roster import PEERS
from .worker import FailedError, Worker

KEPT = json.loads(RESULT.read_text(encoding="utf-8"))


def problem_named(name: str) -> Problem:
    return next(problem for problem in PROBLEMS if problem.name == name)


@pytest.fixture
def start(tmp_path):
    """Start a program with this interpreter."""
    workers = []

    def make(program: str) -> Worker:
        workers.append(Worker(sys.executable, program, tmp_path, tmp_path / f"{program}.log"))
        return workers[-1]

    yield make
    for worker in workers:
        worker.close()


def test_page_shows_the_kept_result():
    page = PAGE.read_text(encoding="utf-8")
    assert with_section(page, KEPT) == page
    assert page[page.index(BEGIN) : page.index(END) + len(END)] == section(KEPT)


def test_a_page_without_marks_is_refused():
    with pytest.raises(ValueError, match="substring not found"):
        with_section("# Benchmarks\n", KEPT)


def test_kept_result_has_all_peers_with_the_pinned_versions():
    assert [row["peer"] for row in KEPT["peers"]] == [peer.name for peer in PEERS]
    assert KEPT["rounds"] >= 5
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", KEPT["date"])
    for peer, row in zip(PEERS, KEPT["peers"], strict=True):
        assert (row["version"] is None) == (row["reason"] is not None), row
        if row["version"] is not None and peer.packages and peer.module is not None:
            assert peer.packages[0] == f"{peer.packages[0].partition('==')[0]}=={row['version']}"


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_each_problem_is_run_or_has_a_reason(peer):
    listed = next(row for row in KEPT["peers"] if row["peer"] == peer.name)
    for problem in PROBLEMS:
        settings = peer.settings.get(problem.function, ())
        assert bool(settings) != (problem.function in peer.reasons), problem.name
        if listed["reason"] is None:
            run = [
                row["setting"]
                for row in KEPT["results"]
                if (row["problem"], row["peer"]) == (problem.name, peer.name)
            ]
            assert run == list(settings), problem.name


def test_our_compiled_run_is_accurate_in_every_problem():
    """The smallest error is below 1e-9. It depends on the method, not on the machine."""
    for problem in PROBLEMS:
        errors = [
            row["error"]
            for row in KEPT["results"]
            if (row["problem"], row["peer"]) == (problem.name, "ours, compiled run")
        ]
        assert min(errors) < 1e-9, f"{problem.name}: {min(errors):.1e}"


def test_table_has_the_fastest_row_for_each_goal():
    rows = [
        {"error": error, "seconds": seconds}
        for error, seconds in ((1e-2, 1.0), (1e-4, 3.0), (1e-5, 2.0), (1e-8, 9.0))
    ]
    assert best(rows) == [rows[2], rows[3]]
    assert best(rows[:1]) == rows[:1]
    assert best([]) == []


def test_ratio_is_to_our_fastest_run_that_is_as_accurate():
    ours = [{"error": 1e-3, "seconds": 1.0}, {"error": 1e-15, "seconds": 4.0}]
    assert ratio({"error": 1e-2, "seconds": 2.0}, ours) == 2.0
    assert ratio({"error": 1e-9, "seconds": 2.0}, ours) == 0.5
    # Both errors are rounding errors.
    assert ratio({"error": 1e-16, "seconds": 2.0}, ours) == 0.5


def test_numbers_have_their_digits_without_an_exponent():
    assert [plain(value, 2) for value in (0.254, 3.44, 93.7, 631.2)] == [
        "0.25",
        "3.4",
        "94",
        "630",
    ]


def test_a_setting_that_fails_is_listed_with_its_reason():
    result = json.loads(json.dumps(KEPT))
    rows = [
        row
        for row in result["results"]
        if (row["problem"], row["peer"]) == ("ball", "heyoka, events")
    ]
    rows[0]["failure"] = "ValueError: no root"
    text = section(result).split("### Bouncing ball")[1].split("###")[0]
    assert f"- heyoka, events, {described(rows[0]['setting'])}: ValueError: no root." in text
    # The other setting is still in the table.
    assert f"| heyoka, events | {described(rows[1]['setting'])} |" in text


def test_error_is_relative_to_each_value_or_to_the_largest():
    ball = problem_named("ball")
    values = list(ball.exact())
    values[2] *= 1.01
    assert ball.error(values) == pytest.approx(0.01)
    tube = problem_named("tube_30")
    values = list(tube.exact())
    values[1] += 0.01 * max(values)
    assert tube.error(values) == pytest.approx(0.01)
    assert tube.error([float("nan")] * len(values)) == float("inf")


@pytest.mark.long
@pytest.mark.parametrize("modes", TUBE_REFERENCES)
def test_our_tube_agrees_with_an_independent_integration(start, tmp_path, modes):
    if not runs_of("ModalShock").is_compiled:
        pytest.skip("needs a compiled kernel")
    data = str(write_data(tmp_path)[f"tube_{modes}"])
    ours = start("wearfmu").ask(problem="tube", setting={"form": "run_structure"}, data=data)
    # Integrated here, because the modes differ by 1e-10 between processors.
    tight = {"method": "DOP853", "rtol": 1e-11}
    found = start("scipy").ask(problem="tube", setting=tight, data=data)["values"]
    error = replace(problem_named(f"tube_{modes}"), exact=lambda: found).error(ours["values"])
    assert error < 1e-12, f"{error:.1e} must be below 1e-12"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("scheme", ["RK4", "Moreau–Jean"])
@pytest.mark.parametrize(
    ("name", "coarse", "fine"),
    [
        ("sdnd104_1p5", {"steps per period": 1000}, {"steps per period": 16_000}),
        ("ball", {"steps per second": 1000}, {"steps per second": 100_000}),
        ("tube_30", {"steps per ms": 50}, {"steps per ms": 800}),
    ],
)
def test_constant_steps_converge_to_the_exact_values(start, tmp_path, scheme, name, coarse, fine):
    """The order is about 1 or higher: 1/16 of the step, at most 1/10 of the error."""
    problem, worker = problem_named(name), start("stepping")
    data = write_data(tmp_path).get(name)
    errors = [
        problem.error(
            worker.ask(
                problem=problem.function,
                setting={"scheme": scheme, "theta": 0.5, **steps, **problem.setting},
                data=None if data is None else str(data),
            )["values"]
        )
        for steps in (coarse, fine)
    ]
    assert errors[1] < 0.1 * errors[0], errors


def test_a_program_that_ends_gives_the_reason(start):
    worker = start("heyoka" if sys.modules.get("heyoka") is None else "nothing")
    with pytest.raises(FailedError, match=r"heyoka|No such file"):
        worker.ask(problem="shoe", setting={})
