"""The table of the how-to on shock statistics contains the run named in its title."""

import math
from pathlib import Path

import numpy as np

from wearmodel import FrictionalShock, FrictionalShockParameters, NormalLaw, TangentialLaw

TABLE = Path(__file__).parents[2] / "examples" / "shock_node.txt"
OUTPUTS = ("normal_force", "gap_velocity", "friction_force", "slip_velocity", "gap")
STEP, STEPS = 1e-3, 500


def motion() -> list[list[float]]:
    """Run a mass of 2 kg on springs of 2e4 N/m, 0.05 mm from a plane, under base motion."""
    shoe = FrictionalShock(
        FrictionalShockParameters(
            mass=2.0,
            gravity=0.0,
            friction_coefficient=0.2,
            normal_law=NormalLaw.penalty,
            tangential_law=TangentialLaw.penalty,
            stiffness=2e4,
            damping=20.0,
            normal_stiffness=2e4,
            normal_damping=20.0,
            initial_gap=5e-5,
            contact_stiffness=1e6,
            contact_damping=50.0,
            tangential_stiffness=5e5,
            tangential_damping=50.0,
            # The table was made with this order.
            input_extrapolation_order=2,
        )
    )
    rows = []
    for step in range(STEPS + 1):
        time = step * STEP
        outputs = shoe.outputs()
        rows.append([time, *(outputs[name] for name in OUTPUTS)])
        shoe.step(
            STEP,
            base_acceleration=6.0 * math.sin(2.0 * math.pi * 11.0 * time),
            base_acceleration_normal=8.0 * math.sin(2.0 * math.pi * 13.0 * time),
        )
    return rows


def as_table(rows: list[list[float]]) -> str:
    """Return the rows in the format of IMPR_TABLE."""
    names = ("NOEUD", "INST", "FN", "VN", "FT1", "VT1", "DN")
    kinds = ("K8", *("R" for _ in names[1:]))
    lines = ["#DEBUT_TABLE", "#TITRE MASS BESIDE A PLANE, SHAKEN BOTH WAYS"]
    lines += ["".join(f" {word:<12}" for word in words).rstrip() for words in (names, kinds)]
    lines += [f" {'N1':<12}" + "".join(f" {value:12.5E}" for value in row) for row in rows]
    return "\n".join([*lines, "#FIN_TABLE", ""])


def test_the_table_holds_the_motion_that_the_how_to_tells_of():
    def numbers(text: str) -> np.ndarray:
        rows = [line.split()[1:] for line in text.splitlines() if line.startswith(" N1")]
        return np.array(rows, dtype=float)

    written, computed = numbers(TABLE.read_text(encoding="utf-8")), numbers(as_table(motion()))
    assert written.shape == (STEPS + 1, 6)
    # Six digits are printed. The rounding of the platform may change the last digit.
    scale = np.max(np.abs(computed), axis=0)
    assert np.all(np.abs(written - computed) <= 2e-5 * scale)


if __name__ == "__main__":
    TABLE.write_text(as_table(motion()), encoding="utf-8")
