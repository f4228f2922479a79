"""Compiler processes end when the process that started them ends for any reason."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wearmodel.compiled.translate import NAMESPACE, _translated

# Upper limit for the start or end of a process in these tests, s.
PATIENCE = 60.0

# Stand-in for Pythran or zig: it starts a child process, writes both process ids, and continues.
TOOL = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open("numbers.part", "w") as file:
    file.write(f"{os.getpid()} {child.pid}")
os.rename("numbers.part", "numbers")
time.sleep(600)
"""
TRANSLATE = """
import sys
from pathlib import Path
from wearmodel.compiled.translate import _translated
_translated("", Path(sys.argv[1]))
"""


def is_running(number: int) -> bool:
    """Return whether the process runs. A zombie does not run."""
    try:
        status = Path(f"/proc/{number}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_killed_compilation_ends_its_tools_and_their_children(tmp_path, ending):
    package = tmp_path / "tools" / "pythran"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "run.py").write_text(TOOL)
    folder = tmp_path / "work"
    folder.mkdir()
    path = os.pathsep.join([str(package.parent), *sys.path])
    process = subprocess.Popen(
        [sys.executable, "-c", TRANSLATE, str(folder)],
        env={**os.environ, "PYTHONPATH": path},
        stderr=subprocess.DEVNULL,
        # Otherwise a background process ignores Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    deadline = time.monotonic() + PATIENCE
    numbers = folder / "numbers"
    while not numbers.exists():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    family = [int(number) for number in numbers.read_text().split()]
    try:
        assert all(map(is_running, family))
        process.send_signal(ending)
        process.wait(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while any(map(is_running, family)) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not [number for number in family if is_running(number)]
    finally:
        for number in filter(is_running, family):
            os.kill(number, signal.SIGKILL)


@pytest.mark.native
def test_a_tool_that_fails_is_quoted(tmp_path):
    with pytest.raises(RuntimeError, match=r"(?s)Pythran does not accept.*no such name_of_a_type"):
        _translated("#pythran export f(no such name_of_a_type)\ndef f(a): return a\n", tmp_path)
    assert not (tmp_path / f"{NAMESPACE}.hpp").exists()
