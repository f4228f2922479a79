"""Sampled record of a shock node, and settings of its statistics.

Signs: ``normal_velocity`` is the rate of the distance to the obstacle. It is negative during
approach, and V_IMPACT of a shock is negative, as in the operator. ``gap_velocity`` of the FMU is
this quantity. If the velocity of a record points into the wall, change its sign first.

Source of the definitions: EDF POST_DYNA_MODA_T (U4.84.02) and R7.10.02, "Post-processing of modal
calculations with shock".
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wearmodel.arrays import Floats

from ..quantities import require_not_negative

FloatArray = Floats
BoolArray = NDArray[np.bool_]
IndexArray = NDArray[np.intp]
Reading = Literal["sampled", "interpolated"]

FLAGS = ("stick", "relation_active")
UNITS = {
    "time": "s",
    "normal_force": "N",
    "normal_velocity": "m/s",
    "tangential_force_1": "N",
    "tangential_force_2": "N",
    "tangential_velocity_1": "m/s",
    "tangential_velocity_2": "m/s",
    "position_x": "m",
    "position_y": "m",
    "position_z": "m",
    "relation_displacement": "m",
}
QUANTITIES = (*UNITS, *FLAGS)

# Times written as i·dt have a rounding error of about 1e-16·t. Steps that differ by less than this
# fraction are equal, and a sample within this fraction of the window's end is in the window.
STEP_TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class ShockRecord:
    """Samples of a shock node. Columns have the length of ``time``, and missing columns are None.

    Raises
    ------
    ValueError
        Columns have other lengths or dimensions, a value is not finite, a flag is not 0 or 1, or
        time does not increase. The message names quantity and sample.
    """

    time: FloatArray  #: Times [s], strictly increasing, with constant or irregular steps.
    #: Force of the obstacle [N]. The statistics use its magnitude.
    normal_force: FloatArray | None = None
    #: Rate of the distance to the obstacle [m/s], negative when approaching.
    normal_velocity: FloatArray | None = None
    #: Friction force along the first tangential axis [N].
    tangential_force_1: FloatArray | None = None
    tangential_force_2: FloatArray | None = None  #: Along the second axis [N].
    #: Sliding velocity along the first tangential axis [m/s].
    tangential_velocity_1: FloatArray | None = None
    tangential_velocity_2: FloatArray | None = None  #: Along the second axis [m/s].
    #: Position relative to the origin of the obstacle [m], in the axes of the columns. (The page of
    #: the operator specifies global axes, but the program uses local axes.)
    position_x: FloatArray | None = None
    position_y: FloatArray | None = None  #: As position_x [m].
    position_z: FloatArray | None = None  #: As position_x [m].
    #: Displacement of a force-displacement relation [m].
    relation_displacement: FloatArray | None = None
    stick: BoolArray | None = None  #: True where the contact sticks.
    #: True where the force-displacement relation is active.
    relation_active: BoolArray | None = None

    def __post_init__(self) -> None:
        for quantity in QUANTITIES:
            values = getattr(self, quantity)
            if values is not None:
                object.__setattr__(self, quantity, _checked_column(quantity, values))
        sample_count = self.time.size
        for quantity in self.quantities:
            length = self.column(quantity).size
            if length != sample_count:
                raise ValueError(
                    f"{quantity} has {length} samples, time has {sample_count}: they must agree"
                )
        steps = np.diff(self.time)
        if steps.size and steps.min() <= 0.0:
            sample = int(np.argmax(steps <= 0.0)) + 1
            raise ValueError(
                f"time={self.time[sample]!s} s at sample {sample} must be > the instant before it,"
                f" {self.time[sample - 1]!s} s"
            )

    def __len__(self) -> int:
        return int(self.time.size)

    @property
    def quantities(self) -> tuple[str, ...]:
        """Names of the columns that are present, ``time`` included."""
        return tuple(f.name for f in fields(self) if getattr(self, f.name) is not None)

    def has(self, quantity: str) -> bool:
        """Return whether the column is present."""
        return getattr(self, quantity) is not None

    def column(self, quantity: str) -> FloatArray:
        """Return a column that must be present.

        ValueError if the record does not have this column.
        """
        values: FloatArray | None = getattr(self, quantity)
        if values is None:
            raise ValueError(
                f"{quantity} is missing from the record, which has {', '.join(self.quantities)}"
            )
        return values

    def part(self, begin: int, end: int) -> ShockRecord:
        """Return samples ``begin`` to ``end`` (excluded) as views, without further checks."""
        part = object.__new__(ShockRecord)
        for field in fields(self):
            values = getattr(self, field.name)
            object.__setattr__(part, field.name, None if values is None else values[begin:end])
        return part


def joined_records(parts: list[ShockRecord]) -> ShockRecord:
    """Append successive records with the same columns.

    ValueError if the columns differ, or time decreases from one record to the next.
    """
    if len(parts) == 1:
        return parts[0]
    for part in parts[1:]:
        if part.quantities != parts[0].quantities:
            raise ValueError(
                f"parts of one record must have the same columns: {parts[0].quantities} and"
                f" {part.quantities}"
            )
    columns = {q: np.concatenate([p.column(q) for p in parts]) for q in parts[0].quantities}
    return ShockRecord(**columns)


def _checked_column(quantity: str, values: ArrayLike) -> FloatArray | BoolArray:
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{quantity} has {array.ndim} dimensions and must have 1")
    if quantity in FLAGS:
        if array.dtype == np.bool_:
            return array
        wrong = ~np.isin(array, (0, 1))
        if wrong.any():
            sample = int(np.argmax(wrong))
            raise ValueError(f"{quantity}={array[sample]!s} at sample {sample} must be 0 or 1")
        return array.astype(np.bool_)
    numbers = np.ascontiguousarray(array, dtype=np.float64)
    finite = np.isfinite(numbers)
    if not finite.all():
        sample = int(np.argmin(finite))
        raise ValueError(
            f"{quantity}={numbers[sample]!s} {UNITS[quantity]} at sample {sample} must be finite"
        )
    return numbers


@dataclass(frozen=True)
class StatisticsSettings:
    """Window and thresholds of the statistics, with the operator's defaults.

    Raises
    ------
    ValueError
        A value is out of range, or INST_INIT ≥ INST_FIN (an empty window has no mean).
    """

    window_start: float = -1.0  #: INST_INIT [s], clipped to the record.
    #: INST_FIN [s], clipped to the record. The operator's default of 999 s cuts longer records. The
    #: results contain the actual window.
    window_end: float = 999.0
    #: SEUIL_FORCE [N] ≥ 0. The contact is closed if |normal force| exceeds this value.
    force_threshold: float = 0.0
    #: DUREE_REPOS [s] ≥ 0. Contact runs with a shorter separation belong to one shock.
    rest_time: float = 0.0
    block_count: int = 1  #: NB_BLOC ≥ 1.
    class_count: int = 10  #: NB_CLASSE ≥ 1.
    #: "sampled" uses the definitions of the operator on the samples, to reproduce its numbers.
    #: "interpolated" locates crossings and maxima between samples, and every mean is a time
    #: integral.
    reading: Reading = "interpolated"

    def __post_init__(self) -> None:
        if not self.window_start < self.window_end:
            raise ValueError(
                f"window_start={self.window_start} s must be < window_end={self.window_end} s"
            )
        for quantity, unit in (("force_threshold", "N"), ("rest_time", "s")):
            require_not_negative(quantity, getattr(self, quantity), unit)
        for quantity in ("block_count", "class_count"):
            value = getattr(self, quantity)
            if value != int(value) or value < 1:
                raise ValueError(f"{quantity}={value} must be a whole number ≥ 1")
        if self.reading not in ("sampled", "interpolated"):
            raise ValueError(f"reading={self.reading!r} must be 'sampled' or 'interpolated'")

    @property
    def interpolated(self) -> bool:
        """True for the "interpolated" reading."""
        return self.reading == "interpolated"
