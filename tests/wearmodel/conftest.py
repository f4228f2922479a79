"""Run programs in a separate Python process, for tests across processes."""

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

Program = Callable[..., str]


@pytest.fixture
def run_program() -> Program:
    """Return `run_program(text, VARIABLE=…)`, which returns the printed text."""

    def run(text: str, **variables: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", text],
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
