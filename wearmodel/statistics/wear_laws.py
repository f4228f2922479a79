"""Wear laws: worn volume from wear power.

The laws are Archard's law with a constant coefficient, EDF_MZ with running-in, and KWU_EPRI, which
weights sliding and impacts. Wear does not change the gap or the stiffness here, so the power of a
record applies to any service time: see service_wear_work. `worn_shapes` converts volume to depth.

Source: Archard, "Contact and rubbing of flat surfaces", J. Appl. Phys. 24 (1953); EDF POST_USURE
operator (R7.04.10), laws ARCHARD, EDF_MZ and KWU_EPRI.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wearmodel.arrays import Floats

from ..quantities import require_not_negative, require_positive

# A year of 365.25 days.
SECONDS_PER_YEAR = 31_557_600.0
# Largest factor of the scatter of a wear coefficient. A larger one makes depths meaningless.
MOST_FACTOR = 1000.0

_KWU_CLASSES = 5
_KWU_LEAST_FORCE = 5.0  # N


def worn_volume(archard_coefficient: float, wear_work: float) -> float:
    """Worn volume by Archard's law, V = k W with W = ∫F_N |v_t| dt.

    Parameters
    ----------
    archard_coefficient : float
        k ≥ 0 [m³/J = 1/Pa]. Typical steam-generator tube and support pairs: 1e-16 to 2e-13. The
        coefficient of a pair, and therefore the volume, scatters by a factor of several.
    wear_work : float
        W ≥ 0 [J].

    Returns
    -------
    float
        Volume [m³].

    Raises
    ------
    ValueError
        An argument is negative or not finite.
    """
    require_not_negative("archard_coefficient", archard_coefficient, "m2/N")
    require_not_negative("wear_work", wear_work, "J")
    return archard_coefficient * wear_work


@dataclass(frozen=True)
class EdfMz:
    """EDF's wear law with running-in, EDF_MZ.

    v0 = A P^b ≥ S;  V(t) = S t + (v0 − S)/n (1 − e^{−n t}).

    The rate decreases from v0 to S with the time constant 1/n.

    Raises
    ------
    ValueError
        A parameter is out of range.
    """

    coefficient: float = 1e-13  #: A > 0 [m³/s for P in W].
    exponent: float = 1.2  #: b > 0.
    decay_rate: float = 2.44e-8  #: n > 0 [1/s].
    final_rate: float = 1.14e-16  #: S ≥ 0 [m³/s].

    def __post_init__(self) -> None:
        require_positive("coefficient", self.coefficient, "m3/s")
        require_positive("exponent", self.exponent)
        require_positive("decay_rate", self.decay_rate, "1/s")
        require_not_negative("final_rate", self.final_rate, "m3/s")

    def wear_rate(self, wear_power: float, duration: float) -> float:
        """Volume rate after a time, S + (A P^b − S) e^{−n t} [m³/s].

        Parameters
        ----------
        wear_power : float
            P > 0 [W] at that time.
        duration : float
            t ≥ 0 [s].

        Raises
        ------
        ValueError
            An argument is out of range, or the power is so small that S exceeds v0.
        """
        require_not_negative("duration", duration, "s")
        running_in = math.exp(-self.decay_rate * duration)
        return self.final_rate + (self._initial_rate(wear_power) - self.final_rate) * running_in

    def worn_volume(self, wear_power: float, duration: float) -> float:
        """Volume worn at a constant power [m³].

        Parameters
        ----------
        wear_power : float
            P > 0 [W].
        duration : float
            t ≥ 0 [s].

        Raises
        ------
        ValueError
            An argument is out of range, the power is so small that S exceeds v0, or the volume
            overflows.
        """
        require_not_negative("duration", duration, "s")
        initial_rate = self._initial_rate(wear_power)
        running_in = -math.expm1(-self.decay_rate * duration) / self.decay_rate
        volume = self.final_rate * duration + (initial_rate - self.final_rate) * running_in
        if not math.isfinite(volume):
            raise ValueError(
                f"wear_power={wear_power} W over duration={duration} s gives a volume that "
                f"overflows"
            )
        return volume

    def _initial_rate(self, wear_power: float) -> float:
        require_positive("wear_power", wear_power, "W")
        try:
            initial_rate = self.coefficient * math.pow(wear_power, self.exponent)
        except OverflowError:
            initial_rate = math.inf
        if initial_rate < self.final_rate:
            raise ValueError(
                f"wear_power={wear_power} W gives the initial rate {initial_rate} m3/s, which must"
                f" be ≥ final_rate={self.final_rate} m3/s"
            )
        return initial_rate


@dataclass(frozen=True)
class KwuEpri:
    """Wear law KWU_EPRI: V = k w P t with a weight w of sliding relative to impacts.

    The samples of a record are counted in 5 × 5 equal classes of sliding speed (i) and normal force
    (j), both from 0 to the largest value, as frequencies p_ij that add up to 1, with the class
    centres v_i and F_j:

        Φ = Σ_j p_1j K_imp K (F_j/C)³
        Ψ = Σ_(i≥2, j) p_ij K_gl F_j v_i² + p_11 K_gl F_1 v_1²
        w = Ψ²/(Ψ + Φ)

    The slowest class represents impacts, and all others represent sliding. The class with the
    smallest force and speed counts for both. The law requires Φ ≥ Ψ and a largest force of at least
    5 N. The published text does not define the class limits and the dimensions of K_imp and K_gl.
    This implementation uses the limits above and plain numbers for SI units.

    Raises
    ------
    ValueError
        A parameter is out of range.
    """

    coefficient: float  #: k > 0 [m²/N].
    impact_factor: float = 1.0  #: K_imp > 0.
    sliding_factor: float = 1.0  #: K_gl > 0.
    force_factor: float = 5.0  #: K > 0.
    force_scale: float = 10.0  #: C > 0 [N].

    def __post_init__(self) -> None:
        require_positive("coefficient", self.coefficient, "m2/N")
        require_positive("impact_factor", self.impact_factor)
        require_positive("sliding_factor", self.sliding_factor)
        require_positive("force_factor", self.force_factor)
        require_positive("force_scale", self.force_scale, "N")

    def sliding_weight(self, normal_force: ArrayLike, sliding_speed: ArrayLike) -> float:
        """Weight w of a record's wear power.

        Parameters
        ----------
        normal_force, sliding_speed : array (n,)
            |F_N| [N] and |V| [m/s] at equally spaced times.

        Raises
        ------
        ValueError
            Arrays have different lengths, values are negative or not finite, the largest force is
            below 5 N, the contact never slides, or Φ < Ψ.
        """
        impacts, sliding = self._shares(normal_force, sliding_speed)
        return _weight(float(np.mean(impacts)), float(np.mean(sliding)))

    def weighed_work(
        self, normal_force: ArrayLike, sliding_speed: ArrayLike, wear_work: ArrayLike
    ) -> Floats:
        """Weighted wear work of a record, with the mean rate w P.

        Each step adds its part of w P and, to first order, of the scatter of Φ and Ψ in w P.
        Therefore the mean rate of parts of the record has the scatter of w P, and
        `known_rate.known_rate` gives w P with its interval. The class limits refer to the whole
        record.

        Parameters
        ----------
        normal_force, sliding_speed : array (n,)
            |F_N| [N] and |V| [m/s] at the ends of n equally long steps.
        wear_work : array (n + 1,)
            Wear work [J] at the start and at the end of each step.

        Returns
        -------
        array (n + 1,)
            Weighted wear work, starting at 0 [J].

        Raises
        ------
        ValueError
            As for `sliding_weight`, or the wear work has another length or is not finite.
        """
        impacts, sliding = self._shares(normal_force, sliding_speed)
        works = np.diff(np.asarray(wear_work, dtype=np.float64))
        if works.shape != impacts.shape or not np.isfinite(works).all():
            raise ValueError(
                f"wear_work has the shape {np.shape(wear_work)}: it must contain"
                f" {impacts.size + 1} finite numbers, one more than normal_force"
            )
        phi, psi = float(np.mean(impacts)), float(np.mean(sliding))
        weight = _weight(phi, psi)
        by_psi = weight * (psi + 2.0 * phi) / (psi * (psi + phi))
        by_phi = -weight / (psi + phi)
        scatter = by_psi * (sliding - psi) + by_phi * (impacts - phi)
        steps = weight * works + np.mean(works) * scatter
        return np.concatenate(([0.0], np.cumsum(steps)))

    def _shares(self, normal_force: ArrayLike, sliding_speed: ArrayLike) -> tuple[Floats, Floats]:
        """Contributions of each sample to Φ and Ψ, which are the means of the contributions."""
        force = np.asarray(normal_force, dtype=np.float64)
        speed = np.asarray(sliding_speed, dtype=np.float64)
        if force.ndim != 1 or force.shape != speed.shape or force.size == 0:
            raise ValueError(
                f"normal_force has the shape {force.shape} and sliding_speed {speed.shape}: they "
                f"must be two rows of equal length"
            )
        for name, values, unit in (
            ("normal_force", force, "N"),
            ("sliding_speed", speed, "m/s"),
        ):
            if not (np.isfinite(values).all() and values.min() >= 0.0):
                worst = float(values[~(values >= 0.0) | ~np.isfinite(values)][0])
                raise ValueError(f"{name}={worst} {unit} must be ≥ 0 and finite")
        strongest, fastest = float(force.max()), float(speed.max())
        if strongest < _KWU_LEAST_FORCE:
            raise ValueError(
                f"normal_force={strongest} N at most: KWU_EPRI needs a largest force of at least"
                f" {_KWU_LEAST_FORCE:g} N"
            )
        if fastest == 0.0:
            raise ValueError("sliding_speed=0 m/s throughout: KWU_EPRI needs sliding")
        speed_class, v = _classes(speed, fastest)
        force_class, f = _classes(force, strongest)
        is_slow = speed_class == 0
        impacts = np.where(
            is_slow, self.impact_factor * self.force_factor * (f / self.force_scale) ** 3, 0.0
        )
        rubs = ~is_slow | (force_class == 0)
        sliding = np.where(rubs, self.sliding_factor * f * v * v, 0.0)
        if impacts.mean() < sliding.mean():
            raise ValueError(
                f"the share of impacts Φ={float(impacts.mean())} must be ≥ the share of sliding"
                f" Ψ={float(sliding.mean())} for KWU_EPRI"
            )
        return impacts, sliding

    def worn_volume(self, sliding_weight: float, wear_power: float, duration: float) -> float:
        """Volume worn at a constant power [m³], k w P t.

        Parameters
        ----------
        sliding_weight : float
            w ≥ 0, from `sliding_weight`.
        wear_power : float
            P ≥ 0 [W].
        duration : float
            t ≥ 0 [s].

        Raises
        ------
        ValueError
            An argument is negative or not finite.
        """
        require_not_negative("sliding_weight", sliding_weight)
        require_not_negative("wear_power", wear_power, "W")
        require_not_negative("duration", duration, "s")
        return self.coefficient * sliding_weight * wear_power * duration


def _classes(values: Floats, largest: float) -> tuple[NDArray[np.int64], Floats]:
    """Class of each value, from 0, and the centre of the class in the unit of the values."""
    classes = np.minimum((_KWU_CLASSES * (values / largest)).astype(np.int64), _KWU_CLASSES - 1)
    return classes, (classes + 0.5) * (largest / _KWU_CLASSES)


def _weight(impacts: float, sliding: float) -> float:
    """w = Ψ²/(Ψ + Φ)."""
    return sliding * sliding / (sliding + impacts)


def service_wear_work(mean_wear_power: float, service_years: float) -> float:
    """Wear work of years of service, from the mean wear power of a record of seconds.

    This is an extrapolation: W = P t assumes that the vibration of the record continues, that the
    record is long enough for its mean, and that wear does not change gap, stiffness and
    coefficient. If the vibration occurs for a fraction of the time, reduce ``service_years``.

    Parameters
    ----------
    mean_wear_power : float
        P ≥ 0 [W], for example PUIS_USURE of a record.
    service_years : float
        Years of 365.25 days, ≥ 0.

    Returns
    -------
    float
        Wear work [J].

    Raises
    ------
    ValueError
        An argument is negative or not finite.
    """
    require_not_negative("mean_wear_power", mean_wear_power, "W")
    require_not_negative("service_years", service_years, "a")
    return mean_wear_power * service_years * SECONDS_PER_YEAR
