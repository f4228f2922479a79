"""`wearfmu sweep` as a process: killed and resumed, on a Dask cluster, and with failed points.

The tests compare whole files, byte by byte.
"""

import csv
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from pythonfmu.builder import FmuBuilder

from .sweep_processes import (
    PATIENCE,
    dask_cluster,
    finished,
    journal_rows,
    kill_when_rows,
    processes_under,
    wait_for_rows,
)

Starter = Callable[..., "subprocess.Popen[str]"]
Change = Callable[..., None]
FORTY_POINTS = (("count = 40", "count = 20"), ("count = 25", "count = 2"))


def resumed_and_undisturbed(
    sweep_file: Path,
    change: Change,
    start_sweep: Starter,
    points: int,
    *,
    kill_at: int,
    compiled: bool,
) -> tuple[bytes, bytes]:
    """Return the results of a sweep that was killed and resumed, and of an undisturbed one."""
    result = sweep_file.with_name("shoe.csv")
    journal = sweep_file.with_name("shoe.csv.journal")
    process = start_sweep(sweep_file, compiled=compiled)
    kept = kill_when_rows(process, journal, kill_at)
    assert kill_at <= kept < points
    assert not result.exists()
    code, text = finished(start_sweep(sweep_file, compiled=compiled))
    assert code == 0, text
    # The rows in the journal are not computed again.
    assert f"{points} points ({kept} of them before) in " in text
    assert not journal.exists()

    change(sweep_file, ('"shoe.csv"', '"undisturbed.csv"'))
    code, text = finished(start_sweep(sweep_file, compiled=compiled))
    assert code == 0, text
    assert f"{points} points in " in text
    return result.read_bytes(), sweep_file.with_name("undisturbed.csv").read_bytes()


@pytest.mark.long
def test_a_sweep_killed_on_its_way_and_called_again_gives_the_file_of_an_undisturbed_one(
    sweep_file, change, start_sweep
):
    resumed, undisturbed = resumed_and_undisturbed(
        # A short sweep has few batches. After half of them it could be complete before it is
        # killed.
        sweep_file,
        change,
        start_sweep,
        1000,
        kill_at=100,
        compiled=False,
    )
    assert resumed == undisturbed
    rows = list(csv.DictReader(resumed.decode().splitlines()))
    assert [int(row["point"]) for row in rows] == list(range(1000))


@pytest.mark.campaign
def test_a_sweep_of_100_000_points_killed_half_way_gives_the_file_of_an_undisturbed_one(
    sweep_file, change, start_sweep
):
    change(sweep_file, ("count = 40", "count = 400"), ("count = 25", "count = 250"))
    resumed, undisturbed = resumed_and_undisturbed(
        sweep_file, change, start_sweep, 100_000, kill_at=50_000, compiled=True
    )
    assert resumed == undisturbed
    assert resumed.count(b"\n") == 100_001


@pytest.mark.long
@pytest.mark.parametrize("engine", ["kernel", "fmu"])
def test_a_sweep_whose_process_alone_is_killed_leaves_no_worker_and_goes_on(
    sweep_file, change, start_sweep, engine
):
    change(sweep_file, ('"kernel"', f'"{engine}"'), ("count = 25", "count = 5"))
    journal = sweep_file.with_name("shoe.csv.journal")
    process = start_sweep(sweep_file, "--workers", "2")
    wait_for_rows(process, journal, 20)
    workers = processes_under(process)
    assert len(workers) >= 2
    process.kill()
    # Without a parent process that waits for them, orphans remain as zombies.
    _, alive = psutil.wait_procs(workers, timeout=5.0)
    process.communicate(timeout=PATIENCE)
    assert [worker for worker in alive if worker.status() != psutil.STATUS_ZOMBIE] == []
    kept = journal_rows(journal)
    code, text = finished(start_sweep(sweep_file))
    assert code == 0, text
    assert f"200 points ({kept} of them before) in " in text


@pytest.mark.long
def test_a_sweep_that_changed_since_it_was_killed_is_refused(sweep_file, change, start_sweep):
    journal = sweep_file.with_name("shoe.csv.journal")
    kept = kill_when_rows(start_sweep(sweep_file), journal, 1)
    change(sweep_file.with_name("shoe.toml"), ("gravity = 10.0", "gravity = 9.81"))
    code, text = finished(start_sweep(sweep_file))
    assert code == 2
    assert f"wearfmu: {journal.name} was written before a change of the sweep file" in text
    assert journal_rows(journal) == kept


def test_an_interrupted_sweep_says_so_in_one_line_and_keeps_its_journal(sweep_file, start_sweep):
    journal = sweep_file.with_name("shoe.csv.journal")
    process = start_sweep(sweep_file)
    wait_for_rows(process, journal, 1)
    os.killpg(process.pid, signal.SIGINT)
    code, text = finished(process)
    assert code == 2
    # The line is printed once for any number of processes.
    assert re.fullmatch(
        "runs are interpreted, .*: WEARFMU_INTERPRETED is set\n"
        "wearfmu: interrupted: shoe.csv.journal keeps finished runs. Run the command again to "
        "resume\n",
        text,
    )
    assert journal_rows(journal) >= 1


@pytest.mark.hosts
def test_a_scheduler_and_two_workers_give_the_file_of_this_machine(
    sweep_file, tmp_path, change, start_sweep
):
    change(sweep_file, *FORTY_POINTS)
    page = tmp_path / "map.html"
    with dask_cluster(tmp_path, 2) as (_, address):
        for engine in ("kernel", "fmu"):
            change(sweep_file, ("kernel", engine))
            code, text = finished(start_sweep(sweep_file, "--scheduler", address, "--map", page))
            assert code == 0, text
            assert page.is_file()
            page.unlink()
            by_cluster = sweep_file.with_name("shoe.csv").read_bytes()
            assert by_cluster.count(b"\n") == 41

            code, text = finished(start_sweep(sweep_file, "--workers", "1"))
            assert code == 0, text
            assert sweep_file.with_name("shoe.csv").read_bytes() == by_cluster


@pytest.mark.campaign
def test_a_sweep_whose_scheduler_dies_says_so_in_one_line_and_goes_on_elsewhere(
    sweep_file, tmp_path, start_sweep
):
    journal = sweep_file.with_name("shoe.csv.journal")
    with dask_cluster(tmp_path, 1) as (scheduler, address):
        process = start_sweep(sweep_file, "--scheduler", address)
        wait_for_rows(process, journal, 1)
        scheduler.kill()
        code, text = finished(process)
    assert code == 2
    lost = "wearfmu: the connection with the scheduler is lost: run the sweep again to resume\n"
    assert text == lost
    kept = journal_rows(journal)
    code, text = finished(start_sweep(sweep_file))
    assert code == 0, text
    assert f"1000 points ({kept} of them before) in " in text


@pytest.mark.long
def test_a_scheduler_that_is_not_there_is_an_unusable_environment(sweep_file, start_sweep):
    code, text = finished(start_sweep(sweep_file, "--scheduler", "tcp://127.0.0.1:9"))
    assert code == 2
    assert "wearfmu: scheduler tcp://127.0.0.1:9: cannot be reached" in text
    assert "Traceback" not in text


@pytest.fixture(params=["processes", pytest.param("cluster", marks=pytest.mark.hosts)])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Yield the option for a computation by two workers."""
    if request.param == "processes":
        yield ("--workers", "2")
        return
    with dask_cluster(tmp_path, 2, nanny=True) as (_, address):
        yield ("--scheduler", address)


@pytest.mark.long
def test_a_point_of_40_whose_run_is_killed_fails_alone(
    sweep_file, change, start_sweep, deadly_kernel, where
):
    change(sweep_file, *FORTY_POINTS)
    code, text = finished(start_sweep(sweep_file, *where))
    assert code == 1, text
    assert "point 13: the process that computed this point ended unexpectedly" in text
    with sweep_file.with_name("shoe.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 40
    assert [number for number, row in enumerate(rows) if row["failure"]] == [13]
    assert [number for number, row in enumerate(rows) if not row["wear_power"]] == [13]


@pytest.mark.long
def test_points_that_refuse_or_kill_their_process_are_recorded_and_the_rest_goes_on(
    tmp_path, start_sweep, where
):
    FmuBuilder.build_FMU(Path(__file__).with_name("crashing_slave.py"), dest=tmp_path)
    (tmp_path / "case.toml").write_text(
        '[case]\ntitle = "Crash"\nsource = "-"\nfmu = "CrashingSlave.fmu"\n'
        "[experiment]\nstop_time = 1.0\nstep_size = 0.5\n",
        encoding="utf-8",
    )
    (tmp_path / "sweep.toml").write_text(
        '[sweep]\ntitle = "Crash"\ncase = "case.toml"\nengine = "fmu"\noutput = "crash.csv"\n'
        'quantities = [{ name = "twice", quantity = "value", variable = "result", time = 1.0 }]\n'
        '[design]\nkind = "list"\n[vary.level]\nof = "parameters.level"\n'
        "start = 0.0\nstop = 39.0\ncount = 40\n",
        encoding="utf-8",
    )
    code, text = finished(start_sweep(tmp_path / "sweep.toml", *where))
    assert code == 1, text
    assert "point 13: the process that computed this point ended unexpectedly" in text
    with (tmp_path / "crash.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    failures = {int(row["point"]): row["failure"] for row in rows if row["failure"]}
    assert set(failures) == {7, 13}
    assert failures[7].startswith("fmi2DoStep at t=0 s: ")
    assert [row["twice"] for row in rows] == [
        "" if number in failures else repr(2.0 * number) for number in range(40)
    ]


def test_a_map_of_what_is_no_number_is_refused_before_the_work(
    sweep_file, tmp_path, change, start_sweep
):
    change(
        sweep_file,
        ("parameters.friction_coefficient", "parameters.tangential_law"),
        ("start = 0.05\nstop = 0.15\ncount = 25", 'values = ["rigid", "penalty"]'),
    )
    code, text = finished(start_sweep(sweep_file, "--map", tmp_path / "map.html"))
    assert (code, text) == (2, "wearfmu: --map: the values of vary.friction must be numbers\n")
    assert not sweep_file.with_name("shoe.csv.journal").exists()


@pytest.mark.long
def test_a_map_that_cannot_be_written_is_refused_before_the_work(sweep_file, tmp_path, start_sweep):
    code, text = finished(start_sweep(sweep_file, "--map", tmp_path))
    assert (code, text) == (2, f"wearfmu: --map {tmp_path} is a folder and must be a file\n")
    code, text = finished(start_sweep(sweep_file, "--map", sweep_file.with_name("shoe.csv")))
    assert code == 2
    assert text.endswith("shoe.csv is also the file of sweep.output: choose another file\n")
    assert not sweep_file.with_name("shoe.csv.journal").exists()


def test_the_folder_of_the_results_is_made(sweep_file, change, start_sweep):
    change(
        sweep_file,
        ('"shoe.csv"', '"results/deep/shoe.csv"'),
        ("count = 40", "count = 2"),
        ("count = 25", "count = 2"),
    )
    code, text = finished(start_sweep(sweep_file))
    assert code == 0, text
    folder = sweep_file.parent / "results" / "deep"
    names = sorted(one.name for one in folder.iterdir())
    assert names == ["shoe.csv", "shoe.csv-metadata.json"]
