"""Tables with the operator's column names: as text, CSV and JSON.

PROBA of the operator is a fraction, but its document calls it a density. The table has both:
DENSITE is PROBA divided by the class width. Undefined cells are None.
"""

from __future__ import annotations

import csv
import io
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from .phases import Phase
from .shocks import Impact
from .streaming import ShockStatistics
from .usure import Usure

Cell = float | int | str | None

LABELS: Mapping[str, tuple[str, str]] = {
    "DEPL_X": ("displacement along x", "m"),
    "DEPL_Y": ("displacement along y", "m"),
    "DEPL_Z": ("displacement along z", "m"),
    "DEPL_RADIAL": ("radial displacement", "m"),
    "DEPL_ANGULAIRE": ("angle", "°"),
    "FORCE_NORMALE": ("normal force", "N"),
    "FORCE_TANG_1": ("friction force, first direction", "N"),
    "FORCE_TANG_2": ("friction force, second direction", "N"),
    "STAT_CHOC": ("shocks and contact", ""),
    "PUIS_USURE": ("mean wear power", "W"),
    "IMPACT": ("single shocks", ""),
    "GLOBAL": ("largest forces of all shocks", ""),
    "PROBA": ("fraction of the shocks", ""),
    "MOYEN": ("mean", ""),
    "ECART_TYPE": ("standard deviation", ""),
    "RMS": ("root mean square", ""),
    "MAXI": ("largest", ""),
    "MINI": ("smallest", ""),
    "MOYEN_T_TOTAL": ("mean over the whole time", ""),
    "MOYEN_T_CHOC": ("mean over the time in contact", ""),
    "RMS_T_TOTAL": ("root mean square over the whole time", ""),
    "RMS_T_CHOC": ("root mean square over the time in contact", ""),
    "NB_CHOC_S": ("shocks per second", "1/s"),
    "NB_REBON_CHOC": ("rebounds per shock", ""),
    "T_CHOC_MOYEN": ("mean duration of a shock", "s"),
    "T_CHOC_MAXI": ("longest shock", "s"),
    "T_CHOC_MINI": ("shortest shock", "s"),
    "T_REBON_MOYEN": ("mean duration of a rebound", "s"),
    "%_T_CHOC": ("time in contact", "%"),
    "CHOC": ("shock", ""),
    "INSTANT": ("instant of the largest force", "s"),
    "F_MAX": ("largest force", "N"),
    "IMPULSION": ("impulse", "N.s"),
    "T_CHOC": ("duration", "s"),
    "V_IMPACT": ("impact velocity", "m/s"),
    "NB_IMPACT": ("rebounds", ""),
    "F_MAX_ABS": ("largest force of all", "N"),
    "F_MAX_MOY": ("mean of the shocks' largest forces", "N"),
    "F_MAX_ETYPE": ("standard deviation of the shocks' largest forces", "N"),
    "CLASSE": ("class", ""),
    "DEBUT": ("largest force from", "N"),
    "FIN": ("to", "N"),
    "DENSITE": ("fraction over the width of the class", "1/N"),
}
"""Meaning and unit of the operator's names in USURE and IMPACT, of columns and of CALCUL.

If a column does not have a unit, the unit of its row applies.
"""


@dataclass(frozen=True)
class Table:
    """A table whose rows fill different columns, like the tables of the operator."""

    title: str  #: USURE, IMPACT or RELA_EFFO_DEPL.
    #: Filled cells only, in the order of their columns, in SI units.
    rows: tuple[dict[str, Cell], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of all columns, in order of appearance."""
        return tuple(dict.fromkeys(itertools.chain.from_iterable(self.rows)))

    def text(self) -> str:
        """Format the rows with six digits. Rows of equal columns share a header."""
        lines = [self.title]
        for columns, rows in itertools.groupby(self.rows, key=tuple):
            cells = [list(columns), *([_printed(c) for c in row.values()] for row in rows)]
            widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
            lines += [
                " ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
                for row in cells
            ]
        return "\n".join(lines) + "\n"

    def csv(self) -> str:
        """Write all columns with all digits. Missing cells are empty."""
        stream = io.StringIO()
        writer = csv.DictWriter(stream, self.columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return stream.getvalue()

    def value(self, column: str, *, calculation: str | None = None, row: int = 1) -> Cell:
        """Look up a cell.

        Parameters
        ----------
        column : str
            The operator's column name.
        calculation : str, optional
            Only rows with this CALCUL.
        row : int
            Number of the row among the rows that have the cell, from 1.

        Raises
        ------
        ValueError
            If the cell does not exist. The message lists the existing columns or rows.
        """
        cells = [
            cells[column]
            for cells in self.rows
            if column in cells and calculation in (None, cells.get("CALCUL"))
        ]
        if not cells:
            raise ValueError(
                f"{self.title} has no {'.'.join(filter(None, (calculation, column)))}. Its columns"
                f" are {', '.join(self.columns)}"
            )
        if not 1 <= row <= len(cells):
            raise ValueError(f"row={row} of {self.title} {column} must be in 1 … {len(cells)}")
        return cells[row - 1]


def usure_table(usure: Usure, node: str = "") -> Table:
    """Lay out option USURE.

    Parameters
    ----------
    usure : Usure
        The result.
    node : str
        Fills NOEUD. Without it the table does not have this column.
    """
    rows = [
        _row({"CALCUL": name}, "MOYEN ECART_TYPE RMS MAXI MINI", moments)
        for name, moments in usure.positions.items()
    ]
    columns = "MOYEN_T_TOTAL MOYEN_T_CHOC RMS_T_TOTAL RMS_T_CHOC MAXI MINI"
    rows += [_row({"CALCUL": name}, columns, moments) for name, moments in usure.forces.items()]
    columns = "NB_CHOC_S NB_REBON_CHOC T_CHOC_MOYEN T_CHOC_MAXI T_CHOC_MINI T_REBON_MOYEN %_T_CHOC"
    rows.append(_row({"CALCUL": "STAT_CHOC"}, columns, usure.shock_times))
    rows.append({"CALCUL": "PUIS_USURE", "PUIS_USURE": usure.wear_power})
    return _table("USURE", rows, {"NOEUD": node} if node else {})


def impact_table(impact: Impact, node: str = "") -> Table:
    """Lay out option IMPACT: shocks (one row CHOC = 0 without shocks), GLOBAL and PROBA.

    For the parameters see `usure_table`, with the result of option IMPACT.
    """
    columns = "CHOC INSTANT F_MAX IMPULSION T_CHOC V_IMPACT NB_IMPACT"
    rows = [_row({"CALCUL": "IMPACT"}, columns, shock) for shock in impact.shocks]
    rows = rows or [{"CALCUL": "IMPACT", "CHOC": 0}]
    rows.append(
        {
            "CALCUL": "GLOBAL",
            "F_MAX_ABS": impact.largest_force,
            "F_MAX_MOY": impact.mean_peak_force,
            "F_MAX_ETYPE": impact.peak_force_deviation,
        }
    )
    rows += [
        _row({"CALCUL": "PROBA"}, "CLASSE DEBUT FIN PROBA DENSITE", of_class)
        for of_class in impact.histogram
    ]
    return _table("IMPACT", rows, {"NOEUD": node} if node else {})


def relation_table(
    phases: Sequence[Phase], *, relation: str = "NON_LIN", node: str = "", component: str = ""
) -> Table:
    """Lay out RELA_EFFO_DEPL with the columns of the table in the document.

    The document does not specify a table without phases. Here it has one row PHASE = 0, like the
    row CHOC = 0 of option IMPACT without shocks.

    Parameters
    ----------
    phases : sequence of Phase
        The result.
    relation, node, component : str
        Fill RELATION, NOEUD and CMP.
    """
    first: dict[str, Cell] = {"RELATION": relation, "NOEUD": node, "CMP": component}
    rows = [_row(first, "PHASE INST_INIT INST_FIN MAXI INST_MAXI", phase) for phase in phases]
    return _table("RELA_EFFO_DEPL", rows or [{**first, "PHASE": 0}], {})


def statistics_tables(statistics: ShockStatistics, node: str = "") -> dict[str, Table]:
    """Lay out all available results under the keys ``usure``, ``impact`` and ``rela``.

    Parameters
    ----------
    statistics : ShockStatistics
        The results.
    node : str
        Fills NOEUD.
    """
    tables: dict[str, Table] = {}
    if statistics.usure is not None:
        tables["usure"] = usure_table(statistics.usure, node)
    if statistics.impact is not None:
        tables["impact"] = impact_table(statistics.impact, node)
    if statistics.phases is not None:
        tables["rela"] = relation_table(statistics.phases, node=node)
    return tables


def statistic(tables: Mapping[str, Table], name: str, row: int = 1) -> Cell:
    """Look up a statistic by its name in case files.

    Parameters
    ----------
    tables : mapping
        Result of statistics_tables.
    name : str
        ``table.COLUMN`` or ``table.CALCUL.COLUMN``: "impact.F_MAX", "usure.DEPL_X.RMS".
    row : int
        Number of the row among the rows that have the cell, from 1.

    Raises
    ------
    ValueError
        If the name has another form, or the table, column or row does not exist.
    """
    key, *path = name.split(".")
    if key not in tables or not 1 <= len(path) <= 2:
        raise ValueError(
            f"statistic name={name!r} must be TABLE.COLUMN or TABLE.CALCUL.COLUMN with TABLE in"
            f" {', '.join(tables)}"
        )
    calculation = path[0] if len(path) == 2 else None
    return tables[key].value(path[-1], calculation=calculation, row=row)


def _row(first: dict[str, Cell], columns: str, result: Any) -> dict[str, Cell]:
    """Return the first cells and the fields of a result, by column name."""
    return {**first, **dict(zip(columns.split(), astuple(result), strict=True))}


def _table(title: str, rows: list[dict[str, Cell]], first: dict[str, Cell]) -> Table:
    return Table(
        title,
        tuple({**first, **{name: _known(cell) for name, cell in row.items()}} for row in rows),
    )


def _known(cell: Cell) -> Cell:
    return None if isinstance(cell, float) and math.isnan(cell) else cell


def _printed(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{cell:.5E}" if isinstance(cell, float) else str(cell)
