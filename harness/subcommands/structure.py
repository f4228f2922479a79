"""`wearfmu structure`: check a structure file and print a summary."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from wearmodel.structure import Structure


# Smaller shares of the mass are rounding errors.
_ROUNDING = 1e-15
# Smaller effects of a friction spring are not printed.
_NEARLY_RIGID = 1e-2


HELP = "check a structure file and print a summary"
EXAMPLES = "example: wearfmu structure tube.toml"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `wearfmu structure`."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a structure file (TOML or JSON)")


def execute(arguments: argparse.Namespace) -> int:
    """Print modes, points, contacts, modal mass and warnings, and return 0."""
    from harness.console import text_console
    from harness.errors import UsageError
    from harness.fmu.files import structure_of_file
    from wearmodel import ModalShock
    from wearmodel.structure import StructureError, modal_masses, warnings_of

    try:
        structure = structure_of_file(arguments.file)
    except StructureError as problem:
        raise UsageError(str(problem)) from None
    console = text_console()
    if structure.title:
        console.print(f"{structure.title}\n", soft_wrap=True)
    frequencies, modal = structure.modes.frequency, set(structure.modes.generalised_mass)
    console.print(
        f"frequencies in Hz: {min(frequencies):.5g} … {max(frequencies):.5g}"
        f"{'; shapes are mass-normalised (modal mass 1 kg)' if modal == {1.0} else ''}\n",
        soft_wrap=True,
    )
    masses = modal_masses(structure)
    # Upper limit of the rounding error of a zero participation.
    least = _ROUNDING * max(masses.values())
    console.print(_modes(structure, least))
    console.print(f"total modal mass: {_modal_mass(structure, masses, least)}", soft_wrap=True)
    if structure.points:
        console.print()
        console.print(_points(structure))
    if structure.loads:
        names = ", ".join(load.name for load in structure.loads)
        console.print(f"\nloads: {names}", soft_wrap=True)
    if structure.contacts:
        console.print()
        console.print(_contacts(structure))
        for line in _friction_notes(structure):
            console.print(line, soft_wrap=True)
    warnings = warnings_of(structure)
    try:
        ModalShock(structure)
    except (ValueError, ArithmeticError) as problem:
        warnings.append(f"a run fails unless it sets other parameters: {problem}")
    for warning in warnings:
        console.print(f"\nwarning: {warning}", soft_wrap=True, style="yellow")
    return 0


def _modal_mass(structure: Structure, masses: Mapping[str, float], least: float) -> str:
    given = structure.base.given_axes
    if not given:
        return "participation not given"
    shown = [f"{_share(masses[axis], least)} kg along {axis}" for axis in given]
    unknown = [axis for axis in masses if axis not in given]
    if unknown:
        shown.append(f"participation along {' and '.join(unknown)} not given")
    return ", ".join(shown)


def _modes(structure: Structure, least: float) -> Table:
    heads = ("mode\n", "frequency\nHz", "damping\n%", "mass\nkg", "share of the mass\nkg along x")
    table = _table((), (*heads, "\ny", "\nz"))
    modes = structure.modes
    for mode, (frequency, damping, stiffness, mass) in enumerate(
        zip(modes.frequency, modes.damping, modes.stiffness, modes.generalised_mass, strict=True)
    ):
        critical = 2.0 * math.sqrt(stiffness * mass)
        table.add_row(
            str(mode + 1),
            _shown(frequency),
            _shown(100.0 * damping / critical) if critical > 0.0 else "-",
            _shown(mass),
            *(
                _share(along[mode] ** 2 / mass, least) if axis in structure.base.given_axes else "-"
                for axis, along in zip("xyz", structure.participation, strict=True)
            ),
        )
    return table


def _share(share: float, least: float) -> str:
    return _shown(share if share > least else 0.0)


def _points(structure: Structure) -> Table:
    table = _table(("point",), ("largest shape along x", "y", "z", "observed"))
    for point in structure.points:
        largest = (_shown(max(map(abs, shape))) for shape in point.shape)
        table.add_row(point.name, *largest, "yes" if point.name in structure.observed else "")
    return table


def _contacts(structure: Structure) -> Table:
    from wearmodel.structure import contact_facts

    table = _table(
        ("contact\n", "point\n", "obstacle\n"),
        ("gap\nm", "stiffness\nN/m", "mass\nkg", "frequency\nHz", "friction\n"),
    )
    for contact in structure.contacts:
        facts = contact_facts(structure, contact)
        numbers = (
            contact.parameters.gap,
            facts.normal_stiffness,
            facts.normal_mass,
            facts.frequency,
            contact.parameters.friction_coefficient or max(contact.parameters.coefficients),
        )
        point = contact.point + (f" to {contact.second_point}" if contact.second_point else "")
        table.add_row(contact.name, point, contact.obstacle.name, *map(_shown, numbers))
    return table


def _friction_notes(structure: Structure) -> Iterator[str]:
    """Yield contacts without friction, or whose friction spring changes it by more than 1 %."""
    from wearmodel.structure import RIGID, contact_facts

    for contact in structure.contacts:
        if max(contact.parameters.coefficients) == 0.0:
            yield f"{contact.name}: friction_coefficient = 0, so the contact does not wear"
        stiffness = contact.parameters.tangential_stiffness
        needed = contact_facts(structure, contact).rigid_stiffness
        if stiffness > 0.0 and needed > 0.0:
            error = RIGID * math.sqrt(needed / stiffness)
            if error > _NEARLY_RIGID:
                yield (
                    f"{contact.name}: tangential_stiffness = {stiffness:.3g} N/m changes slip "
                    f"velocities by about {100.0 * error:.0f} % compared with rigid friction. "
                    f"{needed:.2g} N/m changes them by {100.0 * RIGID:g} %"
                )


def _table(names: Sequence[str], numbers: Sequence[str]) -> Table:
    """Return an empty table with columns of names, then of numbers."""
    from rich.table import Column

    from harness import console

    right = console.number_columns(*numbers, no_wrap=True)
    return console.text_table(*(Column(head, overflow="fold") for head in names), *right)


def _shown(value: float) -> str:
    return f"{value:.5g}"
