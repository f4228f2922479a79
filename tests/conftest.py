"""Marks that hold for whole folders, and in which order several processes take the tests.

The shipped cases are run once for all tests that look at them.
"""

import gc
import json
from collections.abc import Generator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from wearmodel.installation import install_command, missing_tools

# A busy machine stops a test for longer than any deadline.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

# Folders whose tests need a C compiler, another master or the native tool chain.
_HOST_FOLDERS = tuple(Path(__file__).with_name(name) for name in ("masters", "native"))

_NATIVE_FOLDER = Path(__file__).with_name("native")
_BENCHMARKS = Path(__file__).with_name("benchmarks")
_NOT_COMPILED = "needs the compiled kernel"

# One after the other by the same process, which runs the shipped cases once for all of them.
_TOGETHER = (
    "tests/docs/test_accuracy_table.py",
    "tests/docs/test_book.py",
    "tests/docs/test_readme.py",
    "tests/harness/case/test_reference_cases.py",
    "tests/harness/report/test_validation_report.py",
)
# What takes longest comes first, so that all processes end together, and each of its tests goes to
# whichever process is free. The first two compile the kernels, of the shoe and of structures: each
# once, at the same time; whoever needs them afterwards finds them in the cache.
_FIRST = (
    "tests/harness/case/test_notes.py::test_a_sweep_and_a_life_note_what_the_case_notes",
    "tests/docs/test_how_to.py::test_the_commands_and_scripts_of_the_page_print_what_it_shows"
    "[how_to/tube_in_supports]",
    *_TOGETHER,
    "tests/docs/test_how_to.py",
    "tests/harness/sweep/test_sweep_command.py",
    "tests/harness/sweep/test_sweep_cluster.py",
    "tests/harness/sweep/test_interrupts.py",
    "tests/wearmodel/models/modal_shock/test_contacts_at_one_instant.py",
    "tests/wearmodel/models/frictional_shock/test_speeds_far_above_decay.py",
    "tests/wearmodel/models/frictional_shock/test_varying_friction.py",
    "tests/wearmodel/models/frictional_shock/test_laws_and_energy.py",
)


@pytest.fixture(scope="session")
def shipped_cases_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, Path]:
    """Exit code of `wearfmu validate`, and its folder.

    The folder contains the FMUs, deep/report.html, results.json and printed.txt.
    """
    from harness.command_line import main

    folder = tmp_path_factory.mktemp("shipped")
    page, numbers = folder / "deep" / "report.html", folder / "results.json"
    arguments = ["validate", "--out", str(folder), "--report", str(page), "--json", str(numbers)]
    with (folder / "printed.txt").open("w", encoding="utf-8") as file, redirect_stdout(file):
        code = main(arguments)
    return code, folder


@pytest.fixture(scope="session")
def shipped_results(shipped_cases_run: tuple[int, Path]) -> dict[str, dict[str, Any]]:
    """The results of `wearfmu validate` by the name of the case, read once for all tests."""
    content = json.loads((shipped_cases_run[1] / "results.json").read_text(encoding="utf-8"))
    return {case["name"]: case for case in content["cases"]}


def _place(test: str) -> int:
    """Where a test stands among those that come first, and behind them if it is none."""
    return next((at for at, one in enumerate(_FIRST) if test.startswith(one)), len(_FIRST))


def _handed_out_with(test: str) -> str:
    """What goes to one process as a whole: a test, a file whose fixtures are made once, or two."""
    file = test.partition("::")[0]
    if file in _TOGETHER:
        return _TOGETHER[0]
    return test if _place(test) < len(_FIRST) else file


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect the tests without a search for garbage, and leave them out of all later ones.

    The search among thousands of tests, which all stay, took a fifth of the time of collection.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the benchmarks, unless the command line names them or has `--benchmark-only`."""
    is_left_out = collection_path == _BENCHMARKS and not config.getoption("benchmark_only")
    return True if is_left_out else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of those folders with `hosts`, and put what takes longest first.

    What needs the compiled kernel is skipped where it cannot be compiled.
    """
    cannot_compile = bool(missing_tools())
    for item in items:
        if any(folder in item.path.parents for folder in _HOST_FOLDERS):
            item.add_marker(pytest.mark.hosts)
        if _NATIVE_FOLDER in item.path.parents:
            item.add_marker(pytest.mark.native)
        if cannot_compile and item.get_closest_marker("native"):
            item.add_marker(pytest.mark.skip(reason=_NOT_COMPILED))
    items.sort(key=lambda item: _place(item.nodeid))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line how many tests were skipped because the kernel cannot be compiled."""
    skipped = [
        report
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple) and _NOT_COMPILED in report.longrepr[2]
    ]
    if skipped:
        terminalreporter.write_line(
            f"{len(skipped)} tests need the compiled kernel (extra `native`) and were skipped: "
            f"{install_command('native')}"
        )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand out files rather than tests, in the order in which they are collected."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return _handed_out_with(nodeid)

    config.option.loadscopereorder = False
    return Scheduling(config, log)
