"""How long the runs of a life last: as long as their wear needs, and no run is much too long."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from harness.life import load_life
from harness.life.wear_power import WearOfService
from harness.sweep import open_journal

from .pads import ARCHARD, LIFE, life_file

SINE = 'kind = "sine"\namplitude = 2.0\nfrequency = 5.0'
NOISE = """kind = "noise"
rms = 0.9
low = 5.0
high = 20.0
sample_interval = 0.002
seed = 1"""


def test_rare_wear_takes_long_runs_and_wear_that_has_become_frequent_short_ones(
    tmp_path: Path,
) -> None:
    file = life_file(
        tmp_path,
        LIFE.replace("relative_error = 0.02", "relative_error = 0.4"),
        (SINE, NOISE),
        ("friction_coefficient = 0.0", "friction_coefficient = 0.2"),
        ("contact_stiffness = 9e5", "contact_stiffness = 1e7\ncontact_damping = 1e3"),
        ("stop_time = 2.0", "stop_time = 20.0"),
    )
    text = file.read_text(encoding="utf-8")
    velocity = next(line for line in text.splitlines() if line.startswith("initial_velocity"))
    file.write_text(text.replace(f"{velocity}\n", ""), encoding="utf-8")
    assert ARCHARD in text
    life = load_life(file)
    # As new, and where half of the spring's force is worn away.
    depths = (0.0, 5e-5, 5e-5, 5e-5, 5e-5, 0.0)
    spans, shares = [], []
    with open_journal(life.journal, "test", work="life") as journal:
        service = WearOfService(life, journal)
        for number, depth in enumerate(depths):
            service(np.array([1e-4 * depth, 0.0]))
            ((known,),) = service._read(journal.rows[number])
            spans.append(known.span)
            shares.append(known.share_needed)
            assert known.is_enough
            assert known.share_needed <= 1.0
    # Twenty seconds show too few events of the new one's wear.
    assert spans[0] >= 160.0
    # The first run of the worn one lasts as long, so that both err alike; the next ones begin as
    # long as two to four times what it needs, or as the case, and are extended as usual.
    assert spans[1] == spans[0]
    for before, share, after in zip(spans[1:5], shares[1:5], spans[2:5], strict=False):
        planned = before
        while 0.5 * planned >= max(2.0 * share * before, 20.0):
            planned *= 0.5
        assert after in (planned, 2.0 * planned, 4.0 * planned)
    assert max(spans[2:5]) < spans[0]
    # What is rare is extended again.
    assert spans[5] > spans[4]
