"""Programs run in a Python process of their own, for what holds between processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Program = Callable[..., str]


@pytest.fixture
def run_program() -> Program:
    """`run_program(text, package_root=…, cache=…)` → what the program printed."""

    def run(
        text: str, *, package_root: Path | None = None, cache: Path | None = None, **extra: str
    ) -> str:
        environment = {**os.environ, **extra}
        if cache is not None:
            environment["NUMBA_CACHE_DIR"] = str(cache)
        done = subprocess.run(
            [sys.executable, "-c", text],
            cwd=package_root,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
