"""A small sweep of a rubbing shoe, and the process that runs a sweep."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path

import pytest

SHOE = """\
[case]
title = "A rubbing shoe"
source = "SDND104 (V5.01.104), section 2"
fmu = "FrictionalShock"

[parameters]
mass = 1.0
gravity = 10.0
friction_coefficient = 0.1

[inputs.base_acceleration]
kind = "sine"
amplitude = 15.0
frequency = 1.0

[experiment]
stop_time = 1.0
step_size = 0.02
"""

SWEEP = """\
[sweep]
title = "Wear power of a rubbing shoe"
case = "shoe.toml"
engine = "kernel"
output = "shoe.csv"
quantities = [
    { name = "wear_power", quantity = "mean_rate", variable = "wear_work", window = [0.5, 1.0] },
    { name = "peak_velocity", quantity = "max", variable = "relative_velocity", window = [0, 1] },
]

[design]
kind = "grid"

[vary.amplitude]
of = "inputs.base_acceleration.amplitude"
start = 0.5
stop = 20.0
count = 40
scale = "log"

[vary.friction]
of = "parameters.friction_coefficient"
start = 0.05
stop = 0.15
count = 25
"""


@pytest.fixture
def sweep_file(tmp_path: Path) -> Path:
    """Write a sweep of 1000 points, with its case beside it."""
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "shoe.toml").write_text(SHOE, encoding="utf-8")
    file = folder / "sweep.toml"
    file.write_text(SWEEP, encoding="utf-8")
    return file


@pytest.fixture
def change() -> Callable[..., None]:
    """Return a function that replaces the first occurrence of a text in a file."""

    def changed(file: Path, *pairs: tuple[str, str]) -> None:
        text = file.read_text(encoding="utf-8")
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new, 1)
        file.write_text(text, encoding="utf-8")

    return changed


@pytest.fixture
def changed_packages(tmp_path: Path) -> Callable[[str, str, str], Path]:
    """Copy the packages, with a text of a module replaced, to a folder for PYTHONPATH.

    The compiled modules are copied too, so that processes compile only changed modules.
    """

    def changed(module: str, old: str, new: str) -> Path:
        root = tmp_path / "other"
        for name in ("wearmodel", "fmu_src", "harness"):
            shutil.copytree(str(files(name)), root / name)
        text = (root / module).read_text(encoding="utf-8")
        assert old in text
        (root / module).write_text(text.replace(old, new), encoding="utf-8")
        return root

    return changed


@pytest.fixture
def deadly_kernel(
    changed_packages: Callable[[str, str, str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let a run of the kernel kill its process near an amplitude of 1.6 m/s² and μ = 0.15."""
    kills = (
        "    import os, signal\n\n    if any(1.5 < a < 1.7 and mu > 0.1 for a, mu in points):\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    begins = '    if study.model == "FrictionalShock":\n'
    root = changed_packages("harness/sweep/kernel_runs.py", begins, kills + begins)
    monkeypatch.setenv("PYTHONPATH", str(root))


def _heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def start_sweep(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Start `wearfmu sweep` as a process group of its own, in a folder that is not the sweep's.

    By default the kernel is interpreted, because the runs are short and compilation is not.
    """

    def start(
        *arguments: str | Path, compiled: bool = False, without: Sequence[str] = ()
    ) -> subprocess.Popen[str]:
        environment = dict(os.environ)
        # A module that is None in `sys.modules` cannot be imported.
        program = (
            f"import sys; sys.modules.update(dict.fromkeys({without!r})); "
            "from harness.command_line import main; sys.exit(main())"
        )
        if not compiled:
            environment["WEARFMU_INTERPRETED"] = "1"
        return subprocess.Popen(
            [sys.executable, "-c", program, "sweep", *map(str, arguments)],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # A process in the background ignores Ctrl-C, and its children inherit this.
            preexec_fn=_heed_interrupts,
        )

    return start
