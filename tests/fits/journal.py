"""Draws of the campaign in blocks, kept in a file to resume an interrupted campaign.

Each line of the file is a block of a cell: the name of the rig, the kind of noise, the number of
the first draw, and the outcomes. A block depends only on these values. If the method or the cells
change, delete the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import astuple
from pathlib import Path

import numpy as np

from tests.fits.cover import Draw, draws_of

BLOCK = 10
"""Draws of a block. The time of a block is a few seconds."""

Cell = tuple[str, str]
Block = tuple[str, str, int]


def block_of(block: Block, *, seed: int = 1) -> list[Draw]:
    """Return the outcomes of a block. They do not depend on the length of the campaign."""
    rig, noise, first = block
    sequences = np.random.SeedSequence(seed).spawn(first + BLOCK)[first:]
    return list(draws_of(rig, noise, map(np.random.default_rng, sequences)))


def blocks_of(cells: Iterable[Cell], draws: int) -> list[Block]:
    """Return the blocks of all cells. The first blocks of all cells come before the second ones."""
    every = list(cells)
    return [(*cell, first) for first in range(0, draws, BLOCK) for cell in every]


def read_blocks(journal: Path | None) -> dict[Block, list[Draw]]:
    """Return the blocks of a journal. Remove an incomplete last line."""
    blocks: dict[Block, list[Draw]] = {}
    if journal is None or not journal.exists():
        return blocks
    text = journal.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        journal.write_text(whole, encoding="utf-8")
    for line in whole.splitlines():
        rig, noise, first, draws = json.loads(line)
        blocks[rig, noise, first] = [
            Draw(*(tuple(by) if isinstance(by, list) else by for by in outcome))
            for outcome in draws
        ]
    return blocks


def drawn_blocks(
    wanted: Iterable[Block],
    journal: Path | None,
    pool: Executor,
    run: Callable[[Block], list[Draw]] = block_of,
) -> Iterator[tuple[Block, list[Draw]]]:
    """Yield the wanted blocks. Missing blocks are computed and added to the journal."""
    known = read_blocks(journal)
    wanted = list(wanted)
    missing = [block for block in wanted if block not in known]
    yield from ((block, known[block]) for block in wanted if block in known)
    for block, draws in zip(missing, pool.map(run, missing), strict=True):
        if journal is not None:
            with journal.open("a", encoding="utf-8") as file:
                file.write(json.dumps([*block, [astuple(by) for by in draws]]) + "\n")
        yield block, draws
