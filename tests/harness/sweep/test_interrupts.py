"""A command that is ended early prints one line and leaves no temporary folder."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.fmu.files import own_fmu
from harness.interrupts import ended_as_interrupted, held_interrupts

from .sweep_processes import without_estimate

ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
# Limit in s for each process of these tests, also on a busy machine.
PATIENCE = 120.0


@pytest.fixture(scope="module")
def fmus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the built FMU, so that no command has to build it."""
    return own_fmu("FrictionalShock", tmp_path_factory.mktemp("fmus")).parent


def interruptible() -> None:
    # A process in the background ignores Ctrl-C, and its children inherit this.
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def ended(
    arguments: list[str], ending: int, temporary: Path, started: Callable[[], bool]
) -> tuple[int, str]:
    """Start a command, end it and its processes during its work, and return code and stderr."""
    process = subprocess.Popen(
        [sys.executable, "-m", "harness", *arguments],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=interruptible,
    )
    deadline = time.monotonic() + PATIENCE
    while not started():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.killpg(process.pid, ending)
    return process.wait(PATIENCE), process.communicate()[1]


@pytest.mark.long
@pytest.mark.parametrize("ending", ENDING)
def test_a_run_that_is_ended_says_so_and_leaves_no_folder(tmp_path, fmus, ending):
    record = tmp_path / "quake.csv"
    record.write_text("time,acceleration\n0,0\n1,1\n2,0\n")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    # 2e7 steps, far more than the run completes before the signal.
    arguments = ["run", "--input", str(record), "--out", str(fmus), "--substeps", "10_000_000"]

    def started() -> bool:
        return any(temporary.glob("wearfmu-*/modelDescription.xml"))

    code, text = ended(arguments, ending, temporary, started)
    assert (code, text) == (2, "wearfmu: interrupted\n")
    assert list(temporary.iterdir()) == []


# The test of a run includes the third signal.
@pytest.mark.long
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_sweep_that_is_ended_leaves_no_folder_of_any_of_its_processes(
    sweep_file, tmp_path, fmus, ending, change
):
    change(sweep_file, ('engine = "kernel"', 'engine = "fmu"'), ("count = 40", "count = 400"))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    journal = sweep_file.with_name("shoe.csv.journal")

    def started() -> bool:
        return journal.is_file() and journal.read_bytes().count(b"\n") > 1

    arguments = ["sweep", str(sweep_file), "--out", str(fmus), "--workers", "2"]
    code, text = ended(arguments, ending, temporary, started)
    resume = "shoe.csv.journal keeps finished runs. Run the command again to resume"
    assert (code, without_estimate(text)) == (2, f"wearfmu: interrupted: {resume}\n")
    assert list(temporary.iterdir()) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("ending", "delay"),
    [(signal.SIGINT, 0.0), (signal.SIGINT, 0.7), (signal.SIGINT, 1.4), (signal.SIGTERM, 0.7)],
)
def test_a_sweep_that_is_ended_while_its_workers_start_says_so_in_one_line_within_two_seconds(
    sweep_file, tmp_path, ending, delay, change
):
    change(sweep_file, ("count = 40", "count = 4_000"))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    ended_at: list[float] = []

    def started() -> bool:
        if not any(temporary.iterdir()):
            return False
        time.sleep(delay)
        ended_at.append(time.monotonic())
        return True

    code, text = ended(["sweep", str(sweep_file), "--workers", "2"], ending, temporary, started)
    assert time.monotonic() - ended_at[0] < 2.0
    assert code == 2
    # The journal may not be open yet.
    assert without_estimate(text).startswith("wearfmu: interrupted")
    assert without_estimate(text).count("\n") == 1
    assert list(temporary.iterdir()) == []


def test_an_interrupt_waits_for_what_must_not_be_parted():
    done: list[int] = []

    def is_not_parted() -> None:
        with ended_as_interrupted(), held_interrupts():
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.raise_signal(number)
                done.append(number)

    with pytest.raises(KeyboardInterrupt):
        is_not_parted()
    assert done == [signal.SIGINT, signal.SIGTERM]


def test_a_signal_that_is_ignored_stays_so():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ended_as_interrupted():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_signals_end_the_process_as_before_once_the_command_is_over():
    before = [signal.getsignal(number) for number in ENDING]
    with pytest.raises(KeyboardInterrupt), ended_as_interrupted():
        signal.raise_signal(signal.SIGTERM)
    assert [signal.getsignal(number) for number in ENDING] == before


def test_an_interrupt_that_comes_while_an_object_is_deleted_is_not_lost(capfd):
    class EndsTheProcess:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(1.0)  # the exception is raised and ignored here

    def loses_it_and_waits() -> None:
        EndsTheProcess()
        time.sleep(PATIENCE)

    with pytest.raises(KeyboardInterrupt), ended_as_interrupted():
        loses_it_and_waits()
    assert capfd.readouterr().err == ""
