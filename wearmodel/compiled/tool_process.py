"""Runs translator and compiler so that they end with the process that started them.

A compiler starts further processes, and a killed process cannot end them. Therefore a guard, which
is this file run as a program, starts the tool in its own process group. The standard input of the
guard is a pipe, which the system closes when the parent process ends. The guard then kills the
whole group.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path


def run_tool(arguments: list[str], folder: Path) -> tuple[int, str, str]:
    """Run Python with these arguments in a folder. Return exit code, output and errors."""
    command = [sys.executable, "-P", __file__, *arguments]
    reading, writing = os.pipe()
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=reading,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
    except BaseException:
        os.close(writing)
        raise
    finally:
        os.close(reading)
    with process:
        try:
            output, errors = process.communicate()
        finally:
            os.close(writing)
    return process.returncode, output, errors


def _kill_with_parent(tool: subprocess.Popen[bytes]) -> None:
    os.read(0, 1)
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    tool.kill()


def _guard() -> int:
    command = [sys.executable, "-P", *sys.argv[1:]]
    tool = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    threading.Thread(target=_kill_with_parent, args=(tool,), daemon=True).start()
    return tool.wait()


if __name__ == "__main__":
    sys.exit(_guard())
