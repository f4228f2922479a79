"""The points of a design: one tuple of values for each, in the order of the varied quantities."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from harness.schema import ParameterValue
from harness.sweep.sections import SAMPLED_KINDS, Design, Varied

Point: TypeAlias = tuple[ParameterValue, ...]

# All points and their results are held in memory once, when the final file is written.
MOST_POINTS = 10_000_000


def design_points(design: Design, varied: Mapping[str, Varied]) -> list[Point]:
    """Return the points of a design.

    Parameters
    ----------
    design : Design
        Which points.
    varied : mapping of str to Varied
        The varied quantities by name, at least one.

    Raises
    ------
    ValueError
        If there are too many points, a grid or a list has a range without count, a design that is
        drawn has a range with one, or the columns of a list differ in length.
    """
    if design.drawn:
        for name, quantity in varied.items():
            if quantity.count is not None:
                raise ValueError(
                    f"vary.{name}.count={quantity.count} must not be given: a {design.kind} design "
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
            f"a list takes as many values of each varied quantity; there are {lengths}"
        )
    return list(zip(*columns, strict=True))


def _require_few(count: int) -> None:
    if count > MOST_POINTS:
        raise ValueError(f"the design has {count} points and must have at most {MOST_POINTS}")


def _drawn_shares(design: Design, count: int, dimensions: int) -> NDArray[np.float64]:
    """Points in the unit cube, shape (count, dimensions)."""
    from scipy.stats import qmc  # takes a second, which few designs and no worker need

    generator: Any = np.random.default_rng(design.seed or 0)
    match design.kind:
        case "random":
            shares = generator.random((count, dimensions))
        case "sobol":
            # Drawn as whole powers of 2, where the sequence is balanced, and cut after that.
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
    """All values of a varied quantity, in order."""
    if varied.distribution is not None:
        raise ValueError(
            f"vary.{name}.distribution = {varied.distribution!r}: needs a design that draws its"
            f" points: {', '.join(SAMPLED_KINDS)}, sobol_indices"
        )
    if varied.values is not None:
        return list(varied.values)
    if varied.count is None:
        raise ValueError(f"vary.{name}.count is missing: start and stop need it here")
    assert varied.start is not None  # checked at construction
    assert varied.stop is not None
    spaced = np.geomspace if varied.scale == "log" else np.linspace
    values: list[ParameterValue] = spaced(varied.start, varied.stop, varied.count).tolist()
    return values


def _at_shares(varied: Varied, shares: NDArray[np.float64]) -> list[ParameterValue]:
    """Values at shares in [0, 1) of a quantity's range, or of its list."""
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
    # An exponential of a logarithm may miss the end by a rounding.
    inside = np.clip(values, varied.start, varied.stop)
    listed: list[ParameterValue] = inside.tolist()
    return listed


def _drawn(varied: Varied, shares: NDArray[np.float64]) -> list[ParameterValue]:
    """Values of a distribution below which these shares of it lie."""
    from scipy import stats  # takes a second, see above

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
    # A sequence may begin at 0, where a normal distribution has no value.
    rounding = 2.0**-53
    values: list[ParameterValue] = kept.ppf(np.clip(shares, rounding, 1.0 - rounding)).tolist()
    return values
