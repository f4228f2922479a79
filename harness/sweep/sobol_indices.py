"""Results of a sweep over uncertain quantities: quantiles and Sobol indices.

Sobol indices are shares of the variance of a result. The first-order index is the share that
vanishes if a quantity is known. The total index is the share that remains if all others are known.
Their 95 % intervals are percentiles over resampled points.

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

from harness.console import number_columns, text_table
from harness.output_files import write_json
from harness.sweep.batch import Row
from harness.sweep.points import Point
from harness.sweep.sections import Design, Varied
from harness.sweep.sweep_file import Sweep
from wearmodel.arrays import Floats


class Sampled(Protocol):
    """Computed points of uncertain quantities: a sweep, or draws of a service life."""

    @property
    def design(self) -> Design:
        """The design of the points."""

    @property
    def varied(self) -> Mapping[str, Varied]:
        """The varied quantities by name."""

    @property
    def points(self) -> Sequence[Point]:
        """All points."""

    @property
    def results(self) -> Collection[str]:
        """Names of the results, in the order of the values of a row."""


SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
_RESAMPLES = 400


@dataclass(frozen=True)
class Index:
    """First-order and total Sobol index of a varied quantity, with the ends of its interval."""

    first: float
    first_interval: tuple[float, float]
    total: float
    total_interval: tuple[float, float]


@dataclass(frozen=True)
class Spread:
    """Scatter of a result."""

    # Number of points, without failed points.
    count: int
    # Mean and standard deviation, in the unit of the result.
    mean: float
    standard_deviation: float
    # Quantiles at `SHARES`.
    quantiles: tuple[float, ...]
    # Indices by varied quantity, empty for other designs, failed points or a constant result.
    indices: dict[str, Index]


def is_uncertain(sweep: Sweep) -> bool:
    """Whether the points are a sample of uncertain quantities."""
    named = any(
        varied_quantity.distribution is not None for varied_quantity in sweep.varied.values()
    )
    return named or sweep.design.kind == "sobol_indices"


def spreads(sweep: Sampled, rows: Mapping[int, Row]) -> dict[str, Spread]:
    """Return the scatter of each result with at least two points."""
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
    """Return the values of a result at independent points, without failed points.

    The independent points of a design for Sobol indices are its first two blocks.
    """
    blocks = _blocks(sweep)
    sample = values if blocks == 1 else values[: 2 * len(values) // blocks]
    return np.asarray(sample[np.isfinite(sample)], dtype=np.float64)


def _blocks(sweep: Sampled) -> int:
    return len(sweep.varied) + 2 if sweep.design.kind == "sobol_indices" else 1


def sobol(blocks: Floats) -> list[Index]:
    """Return the Sobol indices of d quantities.

    `blocks` of shape (d + 2, n), where n is a power of 2, contains the results at A, at B, and at A
    with one column replaced by the column of B.
    """
    from scipy.stats import bootstrap, sobol_indices  # the import takes a second

    count = blocks.shape[1]
    # The last quantity is repeated, because scipy fails for a single quantity.
    mixed = np.vstack((blocks[2:], blocks[-1:]))[:, None]

    def of(chosen: NDArray[Any]) -> Floats:
        a, b = blocks[:2, None, chosen]
        values = {"f_A": a, "f_B": b, "f_AB": mixed[:, :, chosen]}
        indices = sobol_indices(func=values, n=count)
        return np.array([indices.first_order.ravel(), indices.total_order.ravel()])[:, :-1]

    first, total = of(np.arange(count))
    # The method `bootstrap` of the result has no seed, and no interval if an index is exactly 0.
    kind = {"method": "percentile", "n_resamples": _RESAMPLES, "vectorized": False}
    again = bootstrap((np.arange(count),), of, **kind, random_state=np.random.default_rng(0))
    low, high = again.confidence_interval
    rows = np.array([first, low[0], high[0], total, low[1], high[1]]).T.tolist()
    return [Index(row[0], (row[1], row[2]), row[3], (row[4], row[5])) for row in rows]


def print_spreads(spreads_by_name: Mapping[str, Spread], console: Console) -> None:
    """Print quantiles, and indices if there are any."""
    heads = number_columns("mean", *(f"{100.0 * share:g} %" for share in SHARES))
    rows = [
        (name, *(f"{number:.4g}" for number in (spread.mean, *spread.quantiles)))
        for name, spread in spreads_by_name.items()
    ]
    console.print(text_table("result", *heads, rows=rows))
    print_indices(spreads_by_name, console)


def print_indices(spreads_by_name: Mapping[str, Spread], console: Console) -> None:
    """Print the indices, if there are any."""
    if not any(spread.indices for spread in spreads_by_name.values()):
        return
    rows = [
        (
            name,
            varied,
            _with_interval(index.first, index.first_interval),
            _with_interval(index.total, index.total_interval),
        )
        for name, spread in spreads_by_name.items()
        for varied, index in spread.indices.items()
    ]
    console.print(text_table("result", "share of", "alone", "with others", rows=rows))


def _with_interval(value: float, interval: tuple[float, float]) -> str:
    return f"{value:.3f} ({interval[0]:.3f} … {interval[1]:.3f})"


def write_spreads(spreads_by_name: Mapping[str, Spread], path: Path) -> None:
    """Write the numbers as JSON: `shares` of the quantiles, and `results` with each `Spread`."""
    results = {name: asdict(spread) for name, spread in spreads_by_name.items()}
    write_json(path, {"shares": list(SHARES), "results": results})
