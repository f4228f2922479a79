"""`wearfmu structure`: say what a structure file holds, and what in it looks wrong."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.subcommands.options import Subparsers, new_parser

if TYPE_CHECKING:
    from wearmodel.structure import Structure


def add_parser(subparsers: Subparsers) -> None:
    """Add the parser of `wearfmu structure`."""
    parser = new_parser(
        subparsers,
        "structure",
        help_line="say what a structure file holds, and what in it looks wrong",
        examples="example: wearfmu structure tube.toml",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="a structure file (TOML or JSON)")
    parser.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Print modes, points, contacts, the modal mass and warnings; return 0."""
    from harness.errors import UsageError
    from wearmodel.structure import StructureError, read_structure, warnings_of

    try:
        structure = read_structure(arguments.file)
    except StructureError as problem:
        raise UsageError(str(problem)) from None
    _print(structure)
    for warning in warnings_of(structure):
        print(f"\nwarning: {warning}")
    return 0


def _print(structure: Structure) -> None:
    from wearmodel.structure import contact_facts, modal_masses

    if structure.title:
        print(structure.title)
    modes = structure.modes
    _print_table(
        ("mode", "frequency", "damping", "mass", "share of the mass along x", "y", "z"),
        ("", "Hz", "%", "kg", "kg", "kg", "kg"),
        [
            (
                str(number),
                _shown(frequency),
                _shown(100.0 * damping / (2.0 * math.sqrt(stiffness * mass)))
                if stiffness > 0.0
                else "-",
                _shown(mass),
                *(
                    _shown(participation[number - 1] ** 2 / mass)
                    for participation in structure.base.participation
                ),
            )
            for number, (frequency, damping, stiffness, mass) in enumerate(
                zip(
                    modes.frequency,
                    modes.damping,
                    modes.stiffness,
                    modes.generalised_mass,
                    strict=True,
                ),
                start=1,
            )
        ],
    )
    masses = modal_masses(structure)
    print("total modal mass: " + ", ".join(f"{_shown(m)} kg along {a}" for a, m in masses.items()))
    if structure.points:
        _print_table(
            ("point", "largest shape along x", "y", "z", "observed"),
            (),
            [
                (
                    point.name,
                    *(_shown(max(map(abs, shape))) for shape in point.shape),
                    "yes" if point.name in structure.observed else "",
                )
                for point in structure.points
            ],
        )
    if structure.loads:
        print("\nloads: " + ", ".join(load.name for load in structure.loads))
    if structure.contacts:
        facts = [contact_facts(structure, contact) for contact in structure.contacts]
        _print_table(
            ("contact", "point", "obstacle", "gap", "stiffness", "mass", "frequency", "friction"),
            ("", "", "", "m", "N/m", "kg", "Hz", ""),
            [
                (
                    contact.name,
                    contact.point + (f" to {contact.second_point}" if contact.second_point else ""),
                    contact.obstacle.name,
                    _shown(contact.parameters.gap),
                    _shown(fact.normal_stiffness),
                    _shown(fact.normal_mass),
                    _shown(fact.frequency),
                    _shown(contact.parameters.friction_coefficient),
                )
                for contact, fact in zip(structure.contacts, facts, strict=True)
            ],
        )


def _shown(value: float) -> str:
    return f"{value:.5g}"


def _print_table(
    header: Sequence[str], units: Sequence[str], rows: Sequence[Sequence[str]]
) -> None:

    from harness.console import text_console, text_table

    table = text_table()
    named = ("point", "contact", "obstacle")
    for index, name in enumerate(header):
        unit = units[index] if units else ""
        title = f"{name} [{unit}]" if unit else name
        table.add_column(title, justify="left" if name in named else "right")
    for row in rows:
        table.add_row(*row)
    console = text_console()
    console.print()
    console.print(table)
