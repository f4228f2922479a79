"""Write the table of modes of a tube, as a finite-element program exports it.

The tube is the tube of tube_matrices.py: clamped at one end, 2.4 m long, with water in and around
it. Each line contains a mode: the frequency, the shapes at the four supports, and the mean shapes
over the lower and the upper half for the force of the flow.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from console import parser, run

from wearmodel.structure import modal_basis, timoshenko_beam, tube_section

LENGTH, ELEMENTS = 2.4, 48
SUPPORTS = (0.6, 1.2, 1.8, 2.4)
HALVES = {"lower": (0.0, 1.2), "upper": (1.2, 2.4)}


def main() -> None:
    """Write the table."""
    arguments = parser(__doc__)
    arguments.add_argument("file", nargs="?", type=Path, default=Path("life_of_a_tube_modes.csv"))
    arguments.add_argument("--modes", type=int, default=24)
    options = arguments.parse_args()
    section = tube_section(0.0222, 0.00127, young=2e11, density=7800.0, added_mass=0.35)
    beam = timoshenko_beam(section, LENGTH, ELEMENTS, clamped=(0.0,))
    places = [beam.dof(place, axis) - 1 for place in SUPPORTS for axis in "yz"]
    modes = modal_basis(beam.mass, beam.stiffness, options.modes, settled_by=places)
    nodes = np.linspace(0.0, LENGTH, ELEMENTS + 1)[1:]
    columns = {"mode": np.arange(1, options.modes + 1), "frequency": modes.frequency}
    for number, place in enumerate(SUPPORTS, start=1):
        for axis in "yz":
            columns[f"P{number}.shape_{axis}"] = modes.shapes[beam.dof(place, axis) - 1]
    for half, (low, high) in HALVES.items():
        inside = nodes[(nodes > low) & (nodes <= high)].tolist()
        for axis in "yz":
            spread = [modes.shapes[beam.dof(node, axis) - 1] for node in inside]
            columns[f"{half}_{axis}.shape"] = np.mean(spread, axis=0)
    with options.file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(columns)
        for row in zip(*columns.values(), strict=True):
            writer.writerow([f"{value:.7g}" if abs(value) > 1e-9 else "0" for value in row])


if __name__ == "__main__":
    run(main)
