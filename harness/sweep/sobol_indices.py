"""What a sweep over uncertain quantities says: quantiles, and which input causes the variance.

Sobol indices are the shares of a result's variance: of first order what goes when one quantity is
known, total what stays when all others are known. Their intervals are percentiles of resampled
points, 95 %.

Source: A. Saltelli et al., Comput. Phys. Commun. 181 (2010) 259; `scipy.stats.sobol_indices`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Column

from harness.console import text_table
from harness.output_files import write_json
from harness.sweep.batch import Row
from harness.sweep.points import Point
from harness.sweep.sections import Design, Varied
from harness.sweep.sweep_file import Sweep


class Sampled(Protocol):
    """What a design has computed of uncertain quantities: a sweep, or draws of a life."""

    @property
    def design(self) -> Design:
        """How the points were chosen."""

    @property
    def varied(self) -> Mapping[str, Varied]:
        """The varied quantities by name."""

    @property
    def points(self) -> Sequence[Point]:
        """All of them."""

    @property
    def results(self) -> Collection[str]:
        """Names of what was computed, in the order of a row's values."""


SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
_RESAMPLES = 400

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Index:
    """Sobol indices of one varied quantity, each with the ends of its interval.

    Parameters
    ----------
    first, total : float
        Shares of the variance.
    first_interval, total_interval : tuple of float
        From, to.
    """

    first: float
    first_interval: tuple[float, float]
    total: float
    total_interval: tuple[float, float]


@dataclass(frozen=True)
class Spread:
    """How a result scatters.

    Parameters
    ----------
    count : int
        Points that it is taken from; failed ones are left out.
    mean, standard_deviation : float
        In the result's unit.
    quantiles : tuple of float
        At `SHARES`.
    indices : dict of str to Index
        By varied quantity; empty for other designs, where a point failed, and without a scatter.
    """

    count: int
    mean: float
    standard_deviation: float
    quantiles: tuple[float, ...]
    indices: dict[str, Index]


def is_uncertain(sweep: Sweep) -> bool:
    """Whether the points are a sample of uncertain quantities."""
    named = any(
        varied_quantity.distribution is not None for varied_quantity in sweep.varied.values()
    )
    return named or sweep.design.kind == "sobol_indices"


def spreads(sweep: Sampled, rows: Mapping[int, Row]) -> dict[str, Spread]:
    """Return how each result scatters; none for a result that fewer than two points have."""
    by_name = {}
    for place, name in enumerate(sweep.results):
        column = [rows[number].values[place] for number in range(len(sweep.points))]
        values = np.array(column, dtype=np.float64)
        blocks = _blocks(sweep)
        sample = independent_sample(sweep, values)
        if len(sample) < 2:
            continue
        indices = {}
        if blocks > 1 and np.isfinite(values).all() and np.ptp(values) > 0.0:
            found_indices = sobol(values.reshape(blocks, -1))
            indices = dict(zip(sweep.varied, found_indices, strict=True))
        by_name[name] = Spread(
            len(sample),
            float(np.mean(sample)),
            float(np.std(sample, ddof=1)),
            tuple(np.quantile(sample, SHARES).tolist()),
            indices,
        )
    return by_name


def independent_sample(sweep: Sampled, values: Floats) -> Floats:
    """Return the values of a result at points that are a sample of the varied quantities.

    Of the points for indices those are the first two blocks alone; points without a value are left
    out.
    """
    blocks = _blocks(sweep)
    sample = values if blocks == 1 else values[: 2 * len(values) // blocks]
    return np.asarray(sample[np.isfinite(sample)], dtype=np.float64)


def _blocks(sweep: Sampled) -> int:
    return len(sweep.varied) + 2 if sweep.design.kind == "sobol_indices" else 1


def sobol(blocks: Floats) -> list[Index]:
    """Return the Sobol indices of each quantity.

    Parameters
    ----------
    blocks : array (d + 2, n)
        Results at A, at B, and at A with one column of B after the other; n a power of 2.
    """
    from scipy.stats import bootstrap, sobol_indices  # takes a second

    count = blocks.shape[1]
    # The last quantity twice: scipy fails on a single one.
    mixed = np.vstack((blocks[2:], blocks[-1:]))[:, None]

    def of(chosen: NDArray[Any]) -> Floats:
        a, b = blocks[:2, None, chosen]
        values = {"f_A": a, "f_B": b, "f_AB": mixed[:, :, chosen]}
        indices = sobol_indices(func=values, n=count)
        return np.array([indices.first_order.ravel(), indices.total_order.ravel()])[:, :-1]

    first, total = of(np.arange(count))
    # Not the result's own `bootstrap`: it has no seed, and no interval where an index is exactly 0.
    kind = {"method": "percentile", "n_resamples": _RESAMPLES, "vectorized": False}
    again = bootstrap((np.arange(count),), of, **kind, random_state=np.random.default_rng(0))
    low, high = again.confidence_interval
    return [
        Index(
            float(first[i]),
            (float(low[0, i]), float(high[0, i])),
            float(total[i]),
            (float(low[1, i]), float(high[1, i])),
        )
        for i in range(len(first))
    ]


def print_spreads(spreads_by_name: Mapping[str, Spread], console: Console) -> None:
    """Print quantiles, and indices where there are any."""
    heads = ["mean", *(f"{100.0 * share:g} %" for share in SHARES)]
    table = text_table("result", *(Column(head, justify="right") for head in heads))
    for name, spread in spreads_by_name.items():
        table.add_row(name, *(f"{number:.4g}" for number in (spread.mean, *spread.quantiles)))
    console.print(table)
    print_indices(spreads_by_name, console)


def print_indices(spreads_by_name: Mapping[str, Spread], console: Console) -> None:
    """Print the indices, where there are any."""
    if not any(spread.indices for spread in spreads_by_name.values()):
        return
    table = text_table("result", "share of", Column("alone"), Column("with others"))
    for name, spread in spreads_by_name.items():
        for varied, index in spread.indices.items():
            table.add_row(
                name,
                varied,
                _with_interval(index.first, index.first_interval),
                _with_interval(index.total, index.total_interval),
            )
    console.print(table)


def _with_interval(value: float, interval: tuple[float, float]) -> str:
    return f"{value:.3f} ({interval[0]:.3f} … {interval[1]:.3f})"


def write_spreads(spreads_by_name: Mapping[str, Spread], path: Path) -> None:
    """Write the numbers as JSON: `shares` of the quantiles, and `results` with each `Spread`.

    Raises OSError if the file cannot be written.
    """
    results = {name: asdict(spread) for name, spread in spreads_by_name.items()}
    write_json(path, {"shares": list(SHARES), "results": results})
