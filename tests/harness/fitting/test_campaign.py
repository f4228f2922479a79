"""The campaign of fits can be interrupted: it resumes from its journal with the same draws."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tests.fits.cover import Draw, draws_of
from tests.fits.journal import BLOCK, Block, block_of, blocks_of, drawn_blocks, read_blocks

WANTED = blocks_of([("a", "white"), ("b", "white")], 2 * BLOCK)


def outcomes(block: Block) -> list[Draw]:
    return [Draw((True, False), (1.0, block[2] + 0.5), False), Draw(None, None, True)]


def test_an_interrupted_campaign_computes_only_what_its_journal_lacks(tmp_path: Path):
    journal, computed = tmp_path / "fits.journal", []

    def run(block: Block) -> list[Draw]:
        computed.append(block)
        if len(computed) == 3:
            raise KeyboardInterrupt
        return outcomes(block)

    with ThreadPoolExecutor(1) as pool, pytest.raises(KeyboardInterrupt):
        list(drawn_blocks(WANTED, journal, pool, run))
    assert list(read_blocks(journal)) == WANTED[:2]
    # An interruption can also cut off the last line.
    with journal.open("a", encoding="utf-8") as file:
        file.write('["b", "white", 10, [[[tr')
    assert list(read_blocks(journal)) == WANTED[:2]
    computed = [WANTED[0]] * 3
    with ThreadPoolExecutor(1) as pool:
        drawn = dict(drawn_blocks(WANTED, journal, pool, run))
    assert computed[3:] == WANTED[2:]
    assert drawn == {block: outcomes(block) for block in WANTED}
    assert read_blocks(journal) == drawn


def test_a_draw_does_not_depend_on_the_length_of_the_campaign():
    cell = ("μ_d", "white, half the record")
    randoms = np.random.default_rng(1).spawn(1000)[BLOCK : BLOCK + 2]
    assert block_of((*cell, BLOCK))[:2] == list(draws_of(*cell, randoms))
