"""A process that answers lines of JSON, so that the runs of peers can alternate."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).with_name("programs")


class FailedError(Exception):
    """The process ended without an answer. The message is its last line."""


class Worker:
    """A program of `programs`, which is started once and answers many requests.

    It writes its files to `folder` and its messages to the file `log`.
    """

    def __init__(self, interpreter: str, program: str, folder: Path, log: Path) -> None:
        # One thread, because the CPU time of all threads counts. The program of wearfmu must
        # compute the modes of the tube with the same rounding as the data for the other programs.
        names = [] if program == "wearfmu" else ["OMP", "OPENBLAS", "MKL"]
        single = {f"{name}_NUM_THREADS": "1" for name in names}
        folder.mkdir(parents=True, exist_ok=True)
        self.log = log.open("w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [interpreter, str(PROGRAMS / f"{program}_program.py"), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            env={**os.environ, **single, "PYTHONPATH": str(ROOT)},
            text=True,
        )

    def ask(self, **request: Any) -> dict[str, Any]:
        """Return the answer to one request. Raise FailedError if the process has ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise FailedError(self._reason()) from None
        line = self.process.stdout.readline()
        if not line:
            raise FailedError(self._reason())
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """Close the input of the program, which ends it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.log.close()

    def _reason(self) -> str:
        self.process.wait()
        self.log.seek(0)
        lines = [line.strip() for line in self.log if line.strip()]
        return lines[-1] if lines else f"exit code {self.process.returncode}"
