"""Each example runs as printed and gives what it says."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fmu_src.archive.builder import build_fmu

EXAMPLES = Path(__file__).parents[2] / "examples"


def printed(name: str, *arguments: str, folder: Path) -> str:
    """Output of an example, run in a folder of its own."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def shown_power(text: str) -> float:
    return float(re.findall(r"mean wear power ([0-9.]+) W", text)[0])


def test_the_plain_loop_finds_the_exact_wear_power(tmp_path: Path) -> None:
    fmu = build_fmu("FrictionalShock", tmp_path)
    text = printed("plain_fmpy_loop.py", str(fmu), folder=tmp_path)
    # Quadratic extrapolation at 1 ms leaves 1.5e-9; seven decimals are printed.
    assert shown_power(text) == pytest.approx(15.2670995893716, abs=1e-7)


@pytest.mark.hosts
def test_the_pair_in_libcosim_finds_the_exact_wear_power(tmp_path: Path) -> None:
    for name in ("BaseMotion", "FrictionalShock"):
        build_fmu(name, tmp_path)
    text = printed("libcosim_pair.py", str(tmp_path), folder=tmp_path)
    assert shown_power(text) == pytest.approx(15.2670995893716, abs=1e-7)


def test_the_statistics_find_the_shock_s_exact_maximum(tmp_path: Path) -> None:
    text = printed("statistics_of_a_record.py", folder=tmp_path)
    largest = float(text.splitlines()[2].split()[4])
    # The operator's tables print six digits.
    assert largest == pytest.approx(1e6 / math.sqrt(1.01e6 / 100.0), rel=1e-6)
