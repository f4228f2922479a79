"""Which column of a file, or which output of an FMU, is which quantity of a shock record.

Quantities are the columns of `wearmodel.statistics.ShockRecord`, and `contact_mode`: from it the
stick flag follows, and the flag of a relation that is active in contact.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.messages import nearest
from wearmodel import ContactMode
from wearmodel.statistics import QUANTITIES, UNITS, ShockRecord
from wearmodel.units import Dimension, unit_of_text

# Of the slaves; its numbers are those of `ContactMode`.
CONTACT_MODE = "contact_mode"
KNOWN_QUANTITIES = (*QUANTITIES, CONTACT_MODE)
DIMENSIONS: dict[str, Dimension] = {
    quantity: unit.dimension
    for quantity, text in UNITS.items()
    if (unit := unit_of_text(text)) is not None
}
"""Dimension of each quantity that has a unit."""
# Names taken without being asked for, beside a quantity's own name.
_OTHER_NAMES = {
    "time": ("Time", "t"),
    "normal_velocity": ("gap_velocity",),
    "tangential_force_1": ("friction_force",),
    "tangential_velocity_1": ("slip_velocity",),
}
# Of a shock node in code_aster's tables, which have the time in INST; the first local axis is the
# normal one.
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
    """Raise ValueError for a name that is no quantity of a record."""
    for name in names:
        if name not in KNOWN_QUANTITIES:
            raise ValueError(
                f"{name!r} is not a quantity of a record, which are "
                f"{', '.join(KNOWN_QUANTITIES)}{nearest(name, KNOWN_QUANTITIES)}"
            )


def matched_columns(names: Iterable[str], wanted: Mapping[str, str]) -> dict[str, str]:
    """Return the column taken for each quantity.

    Parameters
    ----------
    names : iterable of str
        The columns that there are.
    wanted : mapping of str to str
        Column of each quantity that goes by another name: {"normal_force": "Fn"}. Without an
        entry, the column with the quantity's name is taken, or with the FMU's name for it; small
        and capital letters are the same then, and a unit in brackets may follow. Where there is a
        column INST, code_aster's names are taken too: FN, VN, DN, FT1, VT1 and so on.

    Raises
    ------
    ValueError
        For an unknown quantity, a wanted column that is missing or occurs twice, or no time.
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
            remedy = "" if quantity in wanted else f"; name it by --columns {quantity}=COLUMN"
            raise ValueError(
                f"{quantity} must be in column {' or '.join(accepted)}; the columns are "
                f"{', '.join(columns)}{nearest(accepted[0], columns)}{remedy}"
            )
    for quantity, name in matched.items():
        if columns.count(name) > 1:
            raise ValueError(f"column {name} for {quantity} must occur once")
    return matched


def _alike(quantity: str, accepted: Iterable[str], columns: list[str]) -> list[str]:
    """Return the columns that a quantity's names mean but for capitals and a unit in brackets."""
    meant = [name.casefold() for name in accepted]
    alike = [name for name in columns if _UNIT_IN_NAME.sub("", name).casefold() in meant]
    if len(alike) > 1:
        raise ValueError(
            f"{quantity} may be in column {' or '.join(alike)}; choose by "
            f"--columns {quantity}=COLUMN"
        )
    return alike


def shock_record(
    columns: Mapping[str, str], samples: Mapping[str, NDArray[np.float64]]
) -> ShockRecord:
    """Make a record of sampled columns.

    Parameters
    ----------
    columns : mapping of str to str
        As `matched_columns` returns it.
    samples : mapping of str to ndarray, shape (n,)
        By column name.

    Raises
    ------
    ValueError
        If a value is not finite, a flag neither 0 nor 1, or time does not increase.
    """
    quantities: dict[str, Any] = {quantity: samples[name] for quantity, name in columns.items()}
    mode = quantities.pop(CONTACT_MODE, None)
    if mode is not None:
        quantities.setdefault("stick", mode == ContactMode.STICK)
        # contact_mode given as a relation's flag: contact is what is active.
        if columns.get("relation_active") == columns[CONTACT_MODE]:
            quantities["relation_active"] = mode != ContactMode.FLIGHT
    return ShockRecord(**quantities)
