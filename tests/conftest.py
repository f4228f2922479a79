"""Markers of whole folders, and the order in which several processes run the tests.

The shipped cases are run once for all tests that use their results.
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

# On a busy machine a test can be interrupted for longer than any deadline.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

# Folders with tests that need a C compiler, another master or the native tool chain.
_HOST_FOLDERS = tuple(Path(__file__).with_name(name) for name in ("masters", "native"))

_NATIVE_FOLDER = Path(__file__).with_name("native")
_BENCHMARKS = Path(__file__).with_name("benchmarks")
_NOT_COMPILED = "needs the compiled kernel"

# These files run one after the other in the same process. It runs the shipped cases once for all.
_TOGETHER = (
    "tests/docs/test_accuracy_table.py",
    "tests/docs/test_book.py",
    "tests/docs/test_readme.py",
    "tests/harness/case/test_reference_cases.py",
    "tests/harness/report/test_validation_report.py",
)
# The longest tests come first, so that all processes end at about the same time. Each of these
# tests goes to the next free process. The first two compile the kernels of the shoe and of
# structures, each once and at the same time. Later tests find the kernels in the cache.
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
    """Return the exit code of `wearfmu validate` and its folder.

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
    """Return the results of `wearfmu validate` by case name, read once for all tests."""
    content = json.loads((shipped_cases_run[1] / "results.json").read_text(encoding="utf-8"))
    return {case["name"]: case for case in content["cases"]}


def _place(test: str) -> int:
    """Return the position of a test in `_FIRST`, or a position after all of them."""
    return next((at for at, one in enumerate(_FIRST) if test.startswith(one)), len(_FIRST))


def _handed_out_with(test: str) -> str:
    """Return the unit of distribution of a test: the test, its file, or the group `_TOGETHER`."""
    file = test.partition("::")[0]
    if file in _TOGETHER:
        return _TOGETHER[0]
    return test if _place(test) < len(_FIRST) else file


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect the tests with the garbage collector off, and exclude them from later collections.

    The collected tests stay alive. Searching them for garbage took a fifth of the collection time.
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
    """Mark the tests of the host folders with `hosts` and `native`, and put the longest first.

    If the kernel cannot be compiled, tests that need it are skipped.
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
    """Print the number of tests that were skipped because the kernel cannot be compiled."""
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
    """Distribute files instead of single tests, in the order of collection."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return _handed_out_with(nodeid)

    config.option.loadscopereorder = False
    return Scheduling(config, log)
