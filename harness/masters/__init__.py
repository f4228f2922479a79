"""Masters that run the shoe on this machine, each with one way in: `play(master, job)`.

A job says what to simulate, a master does it with a program that is not ours, in a process of its
own. `cases` holds the jobs whose results are known, `table` compares.
"""

from __future__ import annotations

from harness.masters.cases import CASES, MasterCase, Quantity
from harness.masters.job import Job, MasterError, Played
from harness.masters.roster import MASTERS, Master, play

__all__ = [
    "CASES",
    "MASTERS",
    "Job",
    "Master",
    "MasterCase",
    "MasterError",
    "Played",
    "Quantity",
    "play",
]
