"""Reads the record of a contact from a table with a time column, or from the outputs of an FMU.

Columns of a file, or outputs, are assigned to the quantities of a shock record: the columns of
`wearmodel.statistics.ShockRecord`, and `contact_mode`, from which the flags of stick and of an
active relation are computed. `harness.records.table` describes the files. Values are read in
chunks, so that a long file needs little memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from harness.errors import RecordError
from harness.messages import nearest
from harness.records.table import Block, Table, open_table
from wearmodel import ContactMode
from wearmodel.arrays import Floats
from wearmodel.statistics import QUANTITIES, UNITS, ShockRecord
from wearmodel.units import Dimension, unit_of_text

# Output of the FMUs, with the numbers of `ContactMode`.
CONTACT_MODE = "contact_mode"
KNOWN_QUANTITIES = (*QUANTITIES, CONTACT_MODE)
DIMENSIONS: dict[str, Dimension] = {
    quantity: unit.dimension
    for quantity, text in UNITS.items()
    if (unit := unit_of_text(text)) is not None
}
"""Dimension of each quantity that has a unit."""
# Further names that are recognised.
_OTHER_NAMES = {
    "time": ("Time", "t"),
    "normal_velocity": ("gap_velocity",),
    "tangential_force_1": ("friction_force",),
    "tangential_velocity_1": ("slip_velocity",),
}
# Names of a shock node in code_aster's tables, whose first local axis is the normal.
_CODE_ASTER_TIME = "INST"
_CODE_ASTER_NAMES = {
    "time": _CODE_ASTER_TIME,
    "normal_force": "FN",
    "normal_velocity": "VN",
    "tangential_force_1": "FT1",
    "tangential_force_2": "FT2",
    "tangential_velocity_1": "VT1",
    "tangential_velocity_2": "VT2",
    "position_x": "DN",
    "position_y": "DT1",
    "position_z": "DT2",
}
# "normal_force [N]", "Time (s)"
_UNIT_IN_NAME = re.compile(r"\s*[\[(][^\[\]]*[\])]$")


def require_quantities(names: Iterable[str]) -> None:
    """Raise ValueError for a name that is not a quantity of a record."""
    for name in names:
        if name not in KNOWN_QUANTITIES:
            raise ValueError(
                f"{name!r} is not a quantity of a record, which are "
                f"{', '.join(KNOWN_QUANTITIES)}{nearest(name, KNOWN_QUANTITIES)}"
            )


def matched_columns(names: Iterable[str], wanted: Mapping[str, str]) -> dict[str, str]:
    """Return the column of each quantity.

    `wanted` contains columns by quantity, such as {"normal_force": "Fn"}. Other quantities are
    found by their name or the name of the FMU's output, in upper or lower case, with an optional
    unit in brackets. If there is a column INST, code_aster's names FN, VN, DN, FT1, VT1 and so on
    are found too.

    Raises ValueError if a quantity is unknown, a wanted column is missing or occurs twice, or the
    time is missing.
    """
    columns = list(names)
    require_quantities(wanted)
    matched: dict[str, str] = {}
    for quantity in KNOWN_QUANTITIES:
        accepted = (
            (wanted[quantity],)
            if quantity in wanted
            else (quantity, *_OTHER_NAMES.get(quantity, ()))
        )
        matching = [name for name in accepted if name in columns]
        if not matching and quantity not in wanted:
            matching = _alike(quantity, accepted, columns)
        if not matching and quantity not in wanted and _CODE_ASTER_TIME in columns:
            matching = [name for name in columns if name == _CODE_ASTER_NAMES.get(quantity)]
        if matching:
            matched[quantity] = matching[0]
        elif quantity in wanted or quantity == "time":
            remedy = "" if quantity in wanted else f"; select it by --columns {quantity}=COLUMN"
            raise ValueError(
                f"{quantity} must be in column {' or '.join(accepted)}. The columns are "
                f"{', '.join(columns)}{nearest(accepted[0], columns)}{remedy}"
            )
    for quantity, name in matched.items():
        if columns.count(name) > 1:
            raise ValueError(f"column {name} for {quantity} must occur once")
    return matched


def _alike(quantity: str, accepted: Iterable[str], columns: list[str]) -> list[str]:
    """Return the columns of a quantity, ignoring case and a unit in brackets."""
    meant = [name.casefold() for name in accepted]
    alike = [name for name in columns if _UNIT_IN_NAME.sub("", name).casefold() in meant]
    if len(alike) > 1:
        raise ValueError(
            f"{quantity} may be in column {' or '.join(alike)}: select it by "
            f"--columns {quantity}=COLUMN"
        )
    return alike


def shock_record(columns: Mapping[str, str], samples: Mapping[str, Floats]) -> ShockRecord:
    """Return the record of samples by column name, with the columns of `matched_columns`.

    Raises ValueError if a value is not finite, a flag is not 0 or 1, or time does not increase.
    """
    quantities: dict[str, Any] = {quantity: samples[name] for quantity, name in columns.items()}
    mode = quantities.pop(CONTACT_MODE, None)
    if mode is not None:
        quantities.setdefault("stick", mode == ContactMode.STICK)
        # If contact_mode is the flag of a relation, the relation is active in contact.
        if columns.get("relation_active") == columns[CONTACT_MODE]:
            quantities["relation_active"] = mode != ContactMode.FLIGHT
    return ShockRecord(**quantities)


@dataclass(frozen=True)
class RecordFile:
    """A file with the columns `names` and the column read for each quantity of a record.

    `factors` convert quantities from the unit of the header to SI units.
    """

    table: Table
    names: tuple[str, ...]
    columns: dict[str, str]
    factors: dict[str, float]

    @property
    def path(self) -> Path:
        """The file."""
        return self.table.path

    def require(self, quantity: str) -> None:
        """Raise RecordError with all columns unless the quantity was found."""
        if quantity not in self.columns:
            raise RecordError(
                f"{self.path}: column {quantity} is missing. The columns are "
                f"{', '.join(self.names)}{nearest(quantity, self.names)}; "
                f"select it by --columns {quantity}=COLUMN"
            )

    def chunks(self, *, progress: Callable[[float], None] | None = None) -> Iterator[ShockRecord]:
        """Read the samples in successive parts, in SI units.

        Raises RecordError with file and line for text instead of a number, a value that is not
        finite, a flag other than 0 and 1, or times that do not increase.
        """
        numbers = [self.names.index(name) + 1 for name in self.columns.values()]
        try:
            for block in self.table.blocks(numbers, progress=progress):
                try:
                    record = self._record(block)
                except ValueError as problem:
                    place, reason = self._located(block, problem)
                    raise ValueError(f"{self.path}, {place}: {reason}") from problem
                yield record
        except ValueError as problem:
            raise RecordError(str(problem)) from problem

    def time_chunks(self) -> Iterator[ShockRecord]:
        """Read the time column only, for `wearmodel.statistics.window_sample_count`."""
        return replace(self, columns={"time": self.columns["time"]}).chunks()

    def _record(self, block: Block) -> ShockRecord:
        samples = {}
        for (quantity, name), values in zip(self.columns.items(), block.columns, strict=True):
            factor = self.factors.get(quantity, 1.0)
            samples[name] = np.ascontiguousarray(values if factor == 1.0 else factor * values)
        return shock_record(self.columns, samples)

    def _located(self, block: Block, problem: ValueError) -> tuple[str, ValueError | str]:
        """Return the first invalid line and its problem, or the chunk and its problem."""
        for row in range(block.columns.shape[1]):
            alone = Block(block.columns[:, row : row + 1], row)
            try:
                self._record(alone)
            except ValueError as cause:
                line = self.table.line_of(block.first_row + row)
                return f"line {line}", str(cause).replace(" at sample 0", "")
        # Each line is valid, so the times decrease, for example at the beginning of the next node.
        reason = f"{problem}: the table must contain a single node with increasing times"
        return f"samples from line {self.table.line_of(block.first_row)} on", reason


def open_record(path: str | Path, columns: Mapping[str, str] | None = None) -> RecordFile:
    """Match the header of a file with the quantities of a record, see `matched_columns`.

    Raises RecordError if the file is invalid, columns do not have names or are not found, or a unit
    is unknown or has another dimension.
    """
    path = Path(path)
    try:
        table = open_table(path)
    except ValueError as problem:
        raise RecordError(str(problem)) from None
    header = table.header
    names = header.names()
    if not names:
        raise RecordError(
            f"{path}: a row of {header.column_count} column names is required above the numbers"
        )
    try:
        matched = matched_columns(names, columns or {})
    except ValueError as problem:
        raise RecordError(f"{path}: {problem}") from None
    factors = {}
    for quantity, name in matched.items():
        if quantity in DIMENSIONS:
            try:
                unit = header.unit(names.index(name) + 1, DIMENSIONS[quantity])
            except ValueError as problem:
                raise RecordError(f"{problem} (column of {quantity})") from None
            factors[quantity] = unit[0].factor if unit else 1.0
    return RecordFile(table, names, matched, factors)
