"""Threads of C and Python hosts: correct results without deadlock, crash or memory growth."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fmpy
import pytest

from harness.fmu.interface import read_interface
from harness.fmu.python_library import host_environment

from .c_host import c_compiler, compile_host, run_host

# Detects a host that hangs at its end.
TIMEOUT = 60.0
THREADS = 8


@pytest.fixture(scope="session")
def threads_host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = c_compiler()
    assert compiler is not None, "these tests need gcc"
    host = tmp_path_factory.mktemp("threads") / "threads_host"
    source = Path(__file__).with_name("threads_host.c")
    command = [compiler, "-O2", "-Wall", "-Wextra", "-pthread", "-o", str(host), str(source)]
    subprocess.run([*command, "-ldl", "-lm"], check=True)
    return host


def run(host: Path, fmu_folder: Path, folder: Path, what: str, count: int) -> list[float]:
    fmu = fmu_folder / "FrictionalShock.fmu"
    interface = read_interface(fmu)
    extracted = fmpy.extract(fmu, str(folder / "extracted"))
    reference = interface.variables["wear_work"].valueReference
    done = subprocess.run(
        [str(host), extracted, interface.description.guid, str(reference), what, str(count)],
        env={**os.environ, **host_environment()},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [float(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("what", ["own", "handed"])
def test_threads_of_a_c_host_get_what_one_thread_gets(threads_host, fmu_folder, tmp_path, what):
    (tmp_path / "one").mkdir()
    (alone,) = run(threads_host, fmu_folder, tmp_path / "one", "own", 1)
    assert alone > 1.0
    assert run(threads_host, fmu_folder, tmp_path, what, THREADS) == [alone] * THREADS


def test_threads_that_come_and_go_leave_bounded_memory_behind(threads_host, fmu_folder, tmp_path):
    # A thread state has some 5 kB and would outlive its thread: 1800 of them would be 9 MB. At most
    # 64 are kept, all in the first tenth of the threads. The limit of 0.5 MB is for the allocator.
    early, late = run(threads_host, fmu_folder, tmp_path, "churn", 2000)
    assert late - early < 500


def test_instances_of_one_process_may_be_freed_in_any_order(fmu_folder, tmp_path):
    # The first FMU starts Python in the process and is freed first.
    host = compile_host(tmp_path)
    names = ("BaseMotion", "FrictionalShock")
    for number, order in enumerate((names, names[::-1])):
        folder = tmp_path / str(number)
        folder.mkdir()
        interfaces = [read_interface(fmu_folder / f"{name}.fmu") for name in order]
        environment = {**os.environ, **host_environment()}
        done = run_host(host, interfaces, folder, 1e-3, "run 100\n", environment, timeout=TIMEOUT)
        assert (done.returncode, done.stderr) == (0, "")


def step_in_a_pool(fmu: Path, folder: Path) -> None:
    """Create instances in this thread and step them in the threads of a pool."""
    description = fmpy.read_model_description(fmu)
    slaves = []
    for number in range(THREADS):
        slave = fmpy.fmi2.FMU2Slave(
            guid=description.guid,
            modelIdentifier=description.coSimulation.modelIdentifier,
            unzipDirectory=fmpy.extract(fmu, str(folder / str(number))),
            instanceName=str(number),
        )
        slave.instantiate()
        slave.setupExperiment()
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        slaves.append(slave)
    reference = next(v.valueReference for v in description.modelVariables if v.name == "wear_work")
    with ThreadPoolExecutor(max_workers=4) as pool:
        for step in range(200):
            for slave in slaves:
                slave.setReal([0], [15.0 * step / 200])
            list(pool.map(lambda slave, at=step: slave.doStep(at * 1e-3, 1e-3), slaves))
    worn = {slave.getReal([reference])[0] for slave in slaves}
    for slave in slaves:
        slave.terminate()
        slave.freeInstance()
    assert len(worn) == 1
    assert worn.pop() > 0.0


def test_instances_stepped_by_a_pool_of_python_threads_agree(fmu_folder, tmp_path):
    # A separate process, which must also end without errors.
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]);"
        "from tests.masters.test_host_threads import step_in_a_pool;"
        "step_in_a_pool(Path(sys.argv[2]), Path(sys.argv[3]))"
    )
    fmu = fmu_folder / "FrictionalShock.fmu"
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", code, root, str(fmu), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
