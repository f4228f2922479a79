"""A process that answers one line of JSON with another, so that its runs can be interleaved."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any


class Worker:
    """A program started once and asked many times."""

    def __init__(self, interpreter: str, program: Path, **environment: str) -> None:
        self.process = subprocess.Popen(
            [interpreter, str(program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **environment},
            text=True,
        )

    def ask(self, **request: Any) -> dict[str, float]:
        """Return the answer to one request."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer: dict[str, float] = json.loads(self.process.stdout.readline())
        return answer

    def close(self) -> None:
        """End the program, which stops at the end of its input."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def interpreter_with(module: str) -> str | None:
    """Return this interpreter, or the system's, whichever can import `module`; None if neither."""
    for interpreter in (sys.executable, "/usr/bin/python3"):
        if not Path(interpreter).exists():
            continue
        tried = subprocess.run([interpreter, "-c", f"import {module}"], capture_output=True)
        if tried.returncode == 0:
            return interpreter
    return None
