"""An interrupted campaign of fits resumes from its journal with the same draws."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from harness.fitting.estimation import Filter, _jacobian, _sandwich, filter_of
from tests.fits.cells import NOISES, RIGS, STEP, loaded
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
    # An interruption can also truncate the last line.
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


@pytest.mark.long
def test_the_rounding_error_of_one_stick_causes_most_of_the_scatter_of_a_decay_velocity():
    """The values on rounding in docs/fits.md, for estimates that are linear in the errors."""
    rig, drawn = RIGS["μ_d, μ_0, v_s"], NOISES["12 bits"].drawn
    fit = loaded(rig)
    values = fit.channels[0].values
    truth = np.array([fit.parameters[name].unit(rig.truth[name]) for name in fit.names])
    randoms = np.random.default_rng(7).spawn(2000)
    errors = np.array([drawn(values, random) - values for random in randoms])
    (slopes,) = _jacobian(fit.residuals, [Filter(np.empty(0), float(np.std(errors)))], truth)
    weights = np.linalg.solve(slopes @ slopes.T, slopes)
    changes = errors @ weights.T
    # The longest stick, with velocities below 0.02 m/s.
    edges = np.flatnonzero(np.diff(np.abs(np.gradient(values, STEP)) < 0.02, prepend=False))
    first, last = max(zip(edges[::2], edges[1::2], strict=False), key=lambda by: by[1] - by[0])
    assert last - first == 62
    one = errors[:, first:last] @ weights[2, first:last]
    assert np.var(one) / np.var(changes[:, 2]) == pytest.approx(0.61, abs=0.02)
    independent = np.std(errors) * np.sqrt(np.sum(weights**2, axis=1))
    assert np.std(changes[:, 2]) / independent[2] == pytest.approx(1.69, abs=0.05)
    covered = []
    for change, error in zip(changes, errors, strict=True):
        residuals = change @ slopes - error
        spread = np.diag(_sandwich([filter_of(residuals)], [residuals], [slopes]))
        covered.append(np.abs(change) < 1.96 * np.sqrt(spread))
    # Two standard errors of a share of 92 %.
    assert np.mean(covered, axis=0) == pytest.approx([0.93, 0.93, 0.92], abs=0.012)
