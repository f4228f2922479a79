"""Archard's coefficient from wear tests: median, scatter and factor of the next part.

The coefficients k = V/W of n tests are assumed to be lognormal. If ln k has the mean m and the
standard deviation s, the exact 95 % interval of the median e^m is e^(m ± t s/√n), and of s it is
s √((n − 1)/χ²). With a probability of 95 % the next coefficient is within the factor
e^(t s √(1 + 1/n)) of the median (Hahn and Meeker, Statistical Intervals, 1991, chapter 4).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import chi2, t

from harness.errors import RunError
from harness.fitting.fit_file import Fit
from harness.sweep import kernel_runs
from wearmodel.arrays import Floats
from wearmodel.statistics.wear_laws import MOST_FACTOR
from wearmodel.structure import questions_on

# A warning is printed if a coefficient differs from most of the others by a larger factor. Between
# laboratories, coefficients of a pair of materials differ by a factor of ten.
_OUTLYING = 100.0


@dataclass(frozen=True)
class WearCoefficient:
    """Archard's coefficient from tests. A single test gives only the median."""

    # Coefficients of the tests, and their median with its 95 % interval [m²/N].
    tests: tuple[float, ...]
    median: float
    low: float | None = None
    high: float | None = None
    # Standard deviation of ln k with its 95 % interval.
    scatter: float | None = None
    scatter_low: float | None = None
    scatter_high: float | None = None
    # The next coefficient is within this factor of the median with a probability of 95 %.
    factor: float | None = None

    @property
    def entry(self) -> str:
        """Value of `coefficient` in the section [life.law]."""
        if self.factor is None or self.factor <= 1.0:
            return f"{self.median:.6g}"
        text = f"{{ median = {self.median:.6g}, factor = {self.factor:.6g} }}"
        if self.factor <= MOST_FACTOR:
            return text
        return f"{text}  # [life.law] accepts at most {MOST_FACTOR:g}: add tests"


def coefficient_of_tests(tests: Sequence[float]) -> WearCoefficient:
    """Return the coefficient from the values of tests [m²/N], which must be positive."""
    logarithms, count = np.log(tests), len(tests)
    median = float(np.exp(np.mean(logarithms)))
    if count == 1:
        return WearCoefficient(tuple(tests), median)
    scatter = float(np.std(logarithms, ddof=1))
    width = float(t.ppf(0.975, count - 1)) * scatter
    ends = [scatter * math.sqrt((count - 1) / chi2.ppf(by, count - 1)) for by in (0.975, 0.025)]
    ratio = math.exp(width / math.sqrt(count))
    factor = math.exp(width * math.sqrt(1.0 + 1.0 / count))
    return WearCoefficient(
        tuple(tests), median, median / ratio, median * ratio, scatter, ends[0], ends[1], factor
    )


def outlying_tests(wear: WearCoefficient) -> Iterator[str]:
    """Yield warnings on tests that differ from most others, or on an implausible median."""
    agree = True
    for number, own in enumerate(wear.tests, start=1):
        ratios = np.log(own / np.delete(wear.tests, number - 1))
        if 2 * np.count_nonzero(np.abs(ratios) > math.log(_OUTLYING)) > ratios.size:
            agree = False
            yield (
                f"fit.worn[{number}]: its coefficient is {own:.3g} m2/N, "
                f"{math.exp(np.median(ratios)):.1g} times the median of the others: "
                "is the volume in m3, and the duration in s?"
            )
    for question in questions_on({"archard_coefficient": wear.median}) if agree else ():
        yield f"fit.worn: {question}. Are volumes in m3, and durations in s?"


def wear_coefficient(fit: Fit, point: Floats) -> WearCoefficient:
    """Return the coefficient of the tests. Wear work is measured, or computed at a point.

    Raises RunError if a run fails or does not wear.
    """
    tests = []
    for number, worn in enumerate(fit.section.worn, start=1):
        study = replace(fit.study, parameters={**fit.study.parameters, **worn.parameters})
        fitted = zip(fit.names, fit.run_point(point), strict=False)
        values = tuple(worn.parameters.get(name, value) for name, value in fitted)
        volume, work = worn.volume, worn.wear_work
        if volume is None:
            assert worn.depth is not None  # checked at construction
            area = study.parameters_at(values).get("wear_area", fit.variables["wear_area"].start)
            volume = worn.depth * float(area or 0.0)
        if work is None:
            assert worn.duration is not None  # checked at construction
            ((_, run),) = kernel_runs(study, [values])
            place = f"{fit.case.shown}: fit.worn[{number}]"
            if isinstance(run, str):
                raise RunError(f"{place}: {run}")
            work = float(np.ptp(run.values["wear_work"]) / np.ptp(run.times)) * worn.duration
            if not work > 0.0:
                raise RunError(f"{place}: wear work = {work:g} J must be > 0: give wear_work")
        tests.append(volume / work)
    return coefficient_of_tests(tests)
