"""Write the mass and stiffness matrices of a tube, as a finite-element program exports them.

The tube of a steam generator, 22.2 mm × 1.27 mm, is clamped at one end, 2.4 m long, with water in
and around it. It is a Timoshenko beam of 48 elements. The script writes tube_mass.mtx and
tube_stiffness.mtx, and prints the degrees of freedom for tube_structure.toml.
"""

from __future__ import annotations

from pathlib import Path

from console import parser, run

from wearmodel.structure import timoshenko_beam, tube_section

SUPPORTS = (0.8, 1.6, 2.4)
MIDSPAN = 1.2


def main() -> None:
    """Write the matrices, and print degrees of freedom."""
    arguments = parser(__doc__)
    arguments.add_argument("folder", nargs="?", type=Path, default=Path("build"))
    folder = arguments.parse_args().folder
    section = tube_section(0.0222, 0.00127, young=2e11, density=7800.0, added_mass=0.35)
    beam = timoshenko_beam(section, 2.4, 48, clamped=(0.0,))
    folder.mkdir(parents=True, exist_ok=True)
    beam.write(folder, "tube")
    print(f"{len(beam.free)} degrees of freedom")
    for place in (*SUPPORTS, MIDSPAN):
        print(f"at {place} m: y {beam.dof(place, 'y')}, z {beam.dof(place, 'z')}")


if __name__ == "__main__":
    run(main)
