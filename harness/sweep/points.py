"""The points of a design: tuples of values in the order of the varied quantities."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from harness.schema import ParameterValue
from harness.sweep.sections import SAMPLED_KINDS, Design, Varied
from wearmodel.arrays import Floats

Point: TypeAlias = tuple[ParameterValue, ...]

# All points and their results are kept in memory until the results are written.
MOST_POINTS = 10_000_000


def design_points(design: Design, varied: Mapping[str, Varied]) -> list[Point]:
    """Return the points of a design for varied quantities by name.

    Raises ValueError if there are too many points, a grid or a list has a range without count, a
    drawn design has a range with count, or the columns of a list have different lengths.
    """
    if design.drawn:
        for name, quantity in varied.items():
            if quantity.count is not None:
                raise ValueError(
                    f"vary.{name}.count={quantity.count} is not allowed: a {design.kind} design "
                    "draws design.count points"
                )
        assert design.count is not None  # checked at construction
        blocks = len(varied) + 2 if design.kind == "sobol_indices" else 1
        _require_few(blocks * design.count)
        shares = _drawn_shares(design, design.count, len(varied))
        columns = [
            _at_shares(varied_quantity, share)
            for varied_quantity, share in zip(varied.values(), shares.T, strict=True)
        ]
        return list(zip(*columns, strict=True))
    counts = [
        len(varied_quantity.values) if varied_quantity.values else varied_quantity.count or 0
        for varied_quantity in varied.values()
    ]
    _require_few(math.prod(counts) if design.kind == "grid" else max(counts))
    columns = [_listed(name, quantity) for name, quantity in varied.items()]
    if design.kind == "grid":
        return list(product(*columns))
    lengths = {name: len(column) for name, column in zip(varied, columns, strict=True)}
    if len(set(lengths.values())) > 1:
        raise ValueError(
            f"a list requires the same number of values of each varied quantity, not {lengths}"
        )
    return list(zip(*columns, strict=True))


def _require_few(count: int) -> None:
    if count > MOST_POINTS:
        raise ValueError(f"the design has {count} points and must have at most {MOST_POINTS}")


def _drawn_shares(design: Design, count: int, dimensions: int) -> Floats:
    """Return points in the unit cube, shape (count, dimensions)."""
    from scipy.stats import qmc  # the import takes a second and is seldom needed

    generator: Any = np.random.default_rng(design.seed or 0)
    match design.kind:
        case "random":
            shares = generator.random((count, dimensions))
        case "sobol":
            # A power of 2 is drawn, for which the sequence is balanced, and then truncated.
            power = max(count - 1, 0).bit_length()
            shares = qmc.Sobol(dimensions, seed=generator).random_base2(power)[:count]
        case "sobol_indices":
            power = (count - 1).bit_length()
            both = qmc.Sobol(2 * dimensions, seed=generator).random_base2(power)
            first, second = both[:, :dimensions], both[:, dimensions:]
            mixed = np.repeat(first[None], dimensions, axis=0)
            for column in range(dimensions):
                mixed[column, :, column] = second[:, column]
            shares = np.concatenate([first, second, *mixed])
        case "halton":
            shares = qmc.Halton(dimensions, seed=generator).random(count)
        case _:
            shares = qmc.LatinHypercube(dimensions, seed=generator).random(count)
    return np.asarray(shares, dtype=np.float64)


def _listed(name: str, varied: Varied) -> list[ParameterValue]:
    """Return all values of a varied quantity in order."""
    if varied.distribution is not None:
        raise ValueError(
            f"vary.{name}.distribution = {varied.distribution!r} requires a design that draws its"
            f" points: {', '.join(SAMPLED_KINDS)}, sobol_indices"
        )
    if varied.values is not None:
        return list(varied.values)
    if varied.count is None:
        raise ValueError(f"vary.{name}.count is missing: start and stop require it")
    assert varied.start is not None  # checked at construction
    assert varied.stop is not None
    spaced = np.geomspace if varied.scale == "log" else np.linspace
    values: list[ParameterValue] = spaced(varied.start, varied.stop, varied.count).tolist()
    return values


def _at_shares(varied: Varied, shares: Floats) -> list[ParameterValue]:
    """Return values at shares in [0, 1) of the range of a quantity, or of its list."""
    if varied.values is not None:
        indices = (shares * len(varied.values)).astype(int)
        return [varied.values[index] for index in indices]
    if varied.distribution is not None:
        return _drawn(varied, shares)
    assert varied.start is not None  # checked at construction
    assert varied.stop is not None
    if varied.scale == "log":
        low, high = math.log(varied.start), math.log(varied.stop)
        values = np.exp(low + shares * (high - low))
    else:
        values = varied.start + shares * (varied.stop - varied.start)
    # The exponential of a logarithm may exceed the end by rounding.
    inside = np.clip(values, varied.start, varied.stop)
    listed: list[ParameterValue] = inside.tolist()
    return listed


def _drawn(varied: Varied, shares: Floats) -> list[ParameterValue]:
    """Return the quantiles of a distribution at these shares."""
    from scipy import stats  # the import takes a second

    kept: Any
    match varied.distribution:
        case "normal":
            kept = stats.norm(loc=varied.mean, scale=varied.standard_deviation)
        case "lognormal":
            assert varied.factor is not None  # checked at construction
            kept = stats.lognorm(s=math.log(varied.factor), scale=varied.median)
        case _:
            assert varied.start is not None  # checked at construction
            assert varied.stop is not None
            width = varied.stop - varied.start
            if varied.mode is None:
                kept = stats.uniform(loc=varied.start, scale=width)
            else:
                peak = (varied.mode - varied.start) / width
                kept = stats.triang(peak, loc=varied.start, scale=width)
    # A sequence may begin at 0, where the quantile of a normal distribution is infinite.
    rounding = 2.0**-53
    values: list[ParameterValue] = kept.ppf(np.clip(shares, rounding, 1.0 - rounding)).tolist()
    return values
