"""Assignment of columns of a file, or outputs of an FMU, to the quantities of a shock record.

Quantities are the columns of `wearmodel.statistics.ShockRecord`, and `contact_mode`, from which the
flags of stick and of an active relation are computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from harness.messages import nearest
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
    """Return the columns of a quantity, ignoring capitals and a unit in brackets."""
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
