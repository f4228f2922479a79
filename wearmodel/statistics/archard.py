"""From wear power to worn volume and depth.

Models Archard's law with a constant coefficient, EDF's law EDF_MZ with its running-in, and the
depth of two simple shapes.  Wear changes neither the gap nor the stiffness, so the power of a
record is taken as it is for any service time: see service_wear_work for what that means.

Source: Archard, "Contact and rubbing of flat surfaces", J. Appl. Phys. 24 (1953); EDF POST_USURE
operator, laws ARCHARD and EDF_MZ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..quantities import require_not_negative, require_positive

# 365.25 days.
SECONDS_PER_YEAR = 31_557_600.0


def worn_volume(archard_coefficient: float, wear_work: float) -> float:
    """Worn volume by Archard's law, V = k W with W = ∫F_N |v_t| dt.

    Parameters
    ----------
    archard_coefficient : float
        k ≥ 0 [m³/J = 1/Pa].  Typical steam-generator tube and support pairs: 1e-16 to 2e-13; the
        coefficient of one pair scatters by a factor of several, and the volume with it.
    wear_work : float
        W ≥ 0 [J].

    Returns
    -------
    float
        Volume [m³].

    Raises
    ------
    ValueError
        For a negative or not finite argument.
    """
    require_not_negative("archard_coefficient", archard_coefficient, "m2/N")
    require_not_negative("wear_work", wear_work, "J")
    return archard_coefficient * wear_work


def flat_pad_depth(volume: float, wear_area: float) -> float:
    """Depth of a flat pad worn evenly, V/S.

    Parameters
    ----------
    volume : float
        V ≥ 0 [m³].
    wear_area : float
        S > 0 [m²].

    Raises
    ------
    ValueError
        For arguments outside these ranges.
    """
    require_not_negative("volume", volume, "m3")
    require_positive("wear_area", wear_area, "m2")
    return volume / wear_area


def tube_depth(volume: float, tube_share: float, tube_radius: float, width: float) -> float:
    """Depth of a tube worn against a flat bar.

    depth = (V_t/V) (1/(2R))^{1/3} (3V/(4L))^{2/3}, V_t/V the tube's share of the volume V.

    Parameters
    ----------
    volume : float
        V ≥ 0, tube and bar together [m³].
    tube_share : float
        V_t/V in [0, 1].
    tube_radius : float
        Outer radius R > 0 [m].
    width : float
        Width of the contact along the tube L > 0 [m].

    Raises
    ------
    ValueError
        For arguments outside these ranges.
    """
    require_not_negative("volume", volume, "m3")
    require_positive("tube_radius", tube_radius, "m")
    require_positive("width", width, "m")
    if not 0.0 <= tube_share <= 1.0:
        raise ValueError(f"tube_share={tube_share} must be in [0, 1]")
    return (
        tube_share
        * math.cbrt(1.0 / (2.0 * tube_radius))
        * math.cbrt(3.0 * volume / (4.0 * width)) ** 2
    )


@dataclass(frozen=True)
class EdfMz:
    """EDF's wear law with running-in, EDF_MZ.

    v0 = A P^b ≥ S;  V(t) = S t + (v0 − S)/n (1 − e^{−n t}).

    The rate falls from v0 to S with the time constant 1/n.

    Parameters
    ----------
    coefficient : float
        A > 0 [m³/s for P in W].
    exponent : float
        b > 0.
    decay_rate : float
        n > 0 [1/s].
    final_rate : float
        S ≥ 0 [m³/s].

    Raises
    ------
    ValueError
        For parameters outside these ranges.
    """

    coefficient: float = 1e-13
    exponent: float = 1.2
    decay_rate: float = 2.44e-8
    final_rate: float = 1.14e-16

    def __post_init__(self) -> None:
        require_positive("coefficient", self.coefficient, "m3/s")
        require_positive("exponent", self.exponent)
        require_positive("decay_rate", self.decay_rate, "1/s")
        require_not_negative("final_rate", self.final_rate, "m3/s")

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
            For arguments outside these ranges, a power so small that S exceeds v0, or a volume that
            overflows.
        """
        require_positive("wear_power", wear_power, "W")
        require_not_negative("duration", duration, "s")
        try:
            initial_rate = self.coefficient * math.pow(wear_power, self.exponent)
        except OverflowError:
            initial_rate = math.inf
        if initial_rate < self.final_rate:
            raise ValueError(
                f"wear_power={wear_power} W gives the initial rate {initial_rate} m3/s, which must"
                f" be ≥ final_rate={self.final_rate} m3/s"
            )
        running_in = -math.expm1(-self.decay_rate * duration) / self.decay_rate
        volume = self.final_rate * duration + (initial_rate - self.final_rate) * running_in
        if not math.isfinite(volume):
            raise ValueError(
                f"wear_power={wear_power} W over duration={duration} s wears a volume that"
                " overflows, which must be finite"
            )
        return volume


def service_wear_work(mean_wear_power: float, service_years: float) -> float:
    """Wear work of years of service, from the mean wear power of a record of seconds.

    This is an extrapolation, not a computation: W = P t supposes that the record's motion lasts for
    all the time, that the record is long enough for its mean to be that of the motion, and that
    wear changes neither gap nor stiffness nor coefficient.  Give the fraction of the time in which
    the motion occurs by shortening ``service_years``.

    Parameters
    ----------
    mean_wear_power : float
        P ≥ 0 [W], PUIS_USURE of a record.
    service_years : float
        Years of 365.25 days, ≥ 0.

    Returns
    -------
    float
        Wear work [J].

    Raises
    ------
    ValueError
        For a negative or not finite argument.
    """
    require_not_negative("mean_wear_power", mean_wear_power, "W")
    require_not_negative("service_years", service_years, "a")
    return mean_wear_power * service_years * SECONDS_PER_YEAR
