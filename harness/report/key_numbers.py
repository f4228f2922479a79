"""The key numbers of a run of the frictional shock."""

from __future__ import annotations

import math

import numpy as np

from harness.figures.labels import SUPERSCRIPTS, shown_unit, spoken
from harness.report.document import KeyNumber
from harness.report.shaken_run import ShakenRun

_PREFIXES = ((1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
# Units with a prefix. With other units the number contains a power of ten.
_PREFIXED = ("m", "J", "W", "N")


def key_numbers(run: ShakenRun) -> list[KeyNumber]:
    """Return mass, friction, base acceleration, sliding, shocks and wear."""
    parameters = run.parameters

    def at_end(name: str, label: str = "") -> KeyNumber:
        unit = run.history.units.get(name, "1")
        return key_number(label or spoken(name), float(run.history[name][-1]), unit)

    def peak(name: str) -> KeyNumber:
        return key_number(
            f"peak {spoken(name)}", run.largest(name), run.history.units.get(name, "1")
        )

    friction = f"{parameters['friction_coefficient']:.4g}"
    if parameters["friction_coefficient_static"] > parameters["friction_coefficient"]:
        friction += f", static {parameters['friction_coefficient_static']:.4g}"
    peak_acceleration = float(np.max(np.abs(run.base_acceleration)))
    return [
        key_number("mass", parameters["mass"], "kg"),
        KeyNumber("friction coefficient", friction),
        key_number("peak base acceleration", peak_acceleration, "m/s2"),
        peak("relative_displacement"),
        at_end("relative_displacement", "residual displacement"),
        at_end("sliding_distance"),
        key_number("time in slip", 100.0 * run.slip_share, "%"),
        at_end("shock_count", "shocks"),
        at_end("peak_normal_force"),
        at_end("wear_work"),
        at_end("worn_volume"),
        at_end("wear_depth"),
    ]


def key_number(label: str, value: float, unit: str) -> KeyNumber:
    """Return a number with four digits and a suitable prefix of its unit.

    Parameters
    ----------
    label : str
        Its name.
    value : float
        Value in `unit`.
    unit : str
        Unit in FMI's notation.
    """
    if unit == "m3":
        # Worn volumes are small, and a prefix of a cubic metre is misread easily.
        return KeyNumber(label, _written(1e9 * value), "mm³")
    if unit not in _PREFIXED or value == 0.0:
        return KeyNumber(label, _written(value), shown_unit(unit))
    # Of the shown number: 0.99999 N is 1 N, and not 1000 mN.
    rounded = abs(float(f"{value:.4g}"))
    factor, prefix = next(
        ((factor, prefix) for factor, prefix in _PREFIXES if rounded >= factor), _PREFIXES[-1]
    )
    return KeyNumber(label, _written(value / factor), f"{prefix}{unit}")


def _written(value: float) -> str:
    """Four digits, and a power of ten if necessary."""
    if value != 0.0 and not 1e-3 <= abs(value) < 1e6 and math.isfinite(value):
        digits, _, exponent = f"{value:.3e}".partition("e")
        power = str(int(exponent)).translate(SUPERSCRIPTS)
        return f"{float(digits):g}·10{power}".replace("-", "−")
    return f"{value:.4g}".replace("-", "−")
