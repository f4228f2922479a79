"""Life files of a pad with exactly known wear."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from harness.life import Life, LifeResult, run_life
from harness.life.life_run import life_digest
from harness.sweep import open_journal
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

# Without friction the mass does not move and the support slides below it. Therefore the speed is
# known exactly, and with the force also the wear power.
PAD = """\
[case]
title = "A pad on a spring"
source = "test"
fmu = "FrictionalShock"

[parameters]
mass = 1.0
gravity = 0.0
friction_coefficient = 0.0
normal_law = "penalty"
contact_stiffness = 9e5
normal_stiffness = 1e5
preload = 10.0
start_in_equilibrium = true
initial_velocity = {velocity!r}

[inputs.base_acceleration]
kind = "sine"
amplitude = 2.0
frequency = 5.0

[experiment]
stop_time = 2.0
step_size = 0.002
"""
LIFE = """
[life]
years = 40.0
relative_error = 0.02
law = { kind = "ARCHARD", coefficient = 1e-16 }
shape = { kind = "FLAT", wear_area = 1e-4 }
"""
# The same under a constant force of 10 N.
PRESCRIBED = (
    ('normal_law = "penalty"', 'normal_law = "prescribed"'),
    ("start_in_equilibrium = true\n", ""),
    ("normal_stiffness = 1e5\n", ""),
    ("gravity = 0.0", "gravity = 10.0"),
    ("preload = 10.0\n", ""),
)
ARCHARD = '{ kind = "ARCHARD", coefficient = 1e-16 }'
OMEGA = 10.0 * math.pi
MEAN_SPEED = 2.0 * 2.0 / (math.pi * OMEGA)
# The contact spring deforms. Of the preload, 9e5/(9e5 + 1e5) remains on it.
FORCE, SLOPE = 9.0, 0.9e5


def life_file(folder: Path, life: str = LIFE, *replacements: tuple[str, str]) -> Path:
    text = PAD.format(velocity=2.0 / OMEGA) + life
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new, 1)
    file = folder / "pad.toml"
    file.write_text(text, encoding="utf-8")
    return file


def exact_depth(years: float) -> float:
    decay = 1e-16 / 1e-4 * SLOPE * MEAN_SPEED
    return FORCE / SLOPE * -math.expm1(-decay * years * SECONDS_PER_YEAR)


def kept_life(life: Life, **options: Any) -> LifeResult:
    """Run a service life with its journal, as the command does."""
    with open_journal(life.journal, life_digest(life), work="life") as journal:
        result = run_life(life, journal=journal, **options)
    if result.is_complete:
        life.journal.unlink()
    return result
