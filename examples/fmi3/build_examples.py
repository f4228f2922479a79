"""Build two small FMUs of FMI 3.0 for testing importers: one with arrays, one with early return.

The script also writes a CSV file with the expected results of each FMU, from the closed form. It
runs the FMUs in FMPy and compares. They need no inputs or parameters.
"""

from __future__ import annotations

import argparse
import csv
import math
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import fmpy

from fmu_src.models import definition_of
from fmu_src.native.native_builder import write_native_fmu
from wearmodel.compiled.platform_libraries import PLATFORMS
from wearmodel.structure import read_structure

STRUCTURE = Path(__file__).with_name("two_contacts.toml")
CONTACTS = ("left_stop", "right_stop")
ARRAYS = (
    "contact_clearance",
    "contact_normal_force",
    "contact_peak_normal_force",
    "contact_shock_count",
    "contact_relative_displacement",
)
SCALARS = ("gap", "gap_velocity", "shock_count", "event_count")
# A mass that falls on a rigid plane, and the events at which a step ends early.
GRAVITY, RESTITUTION, HEIGHT = 10.0, 0.8, 1.0
BOUNCING = {
    "mass": 1.0,
    "gravity": GRAVITY,
    "normal_law": "rigid",
    "restitution": RESTITUTION,
    "initial_normal_displacement": HEIGHT,
    "return_at": "shocks",
}
# The model is exact to rounding, which grows at each impact and contact.
TOLERANCE = 1e-12


def main(words: Sequence[str] | None = None) -> None:
    """Build both FMUs and their files, run them, and print whether the results agree."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=Path(), help="output folder")
    parser.add_argument(
        "--platform", nargs="+", choices=list(PLATFORMS), default=[], help="default: this one"
    )
    arguments = parser.parse_args(words)
    folder = arguments.folder

    arrays = folder / "TwoContacts.fmu"
    model = definition_of("ModalShock", read_structure(STRUCTURE))
    write_native_fmu(model, arrays, arguments.platform, fmi=3)
    expected = two_contacts_rows([i * 0.05 for i in range(11)])
    write_rows(folder / "TwoContacts.csv", expected)
    result = fmpy.simulate_fmu(str(arrays), stop_time=0.5, output_interval=0.05, output=ARRAYS)
    compare("TwoContacts", expected, rows_of(result, ARRAYS))

    returns = folder / "BouncingMass.fmu"
    write_native_fmu("FrictionalShock", returns, arguments.platform, start_values=BOUNCING, fmi=3)
    expected = bouncing_rows(step=0.1, steps=25)
    write_rows(folder / "BouncingMass.csv", expected)
    result = fmpy.simulate_fmu(
        str(returns),
        stop_time=2.5,
        output_interval=0.1,
        output=SCALARS,
        use_event_mode=True,
        early_return_allowed=True,
    )
    compare("BouncingMass", expected, rows_of(result, SCALARS))


def two_contacts_rows(times: Sequence[float]) -> list[dict[str, float]]:
    """Each mass flies to its spring, is in contact for half a period, and flies back.

    Clearance g − v t, then −(v/ω) sin ω(t − g/v) with ω = √(K/m) for π/ω, then v (t − g/v − π/ω).
    """
    content = tomllib.loads(STRUCTURE.read_text(encoding="utf-8"))
    masses, speeds = content["modes"]["generalised_mass"], content["initial"]["velocity"]
    rows: list[dict[str, float]] = []
    for time in times:
        per_contact: list[dict[str, float]] = []
        for mass, velocity, contact in zip(masses, speeds, content["contact"], strict=True):
            speed, gap, stiffness = -velocity, contact["gap"], contact["contact_stiffness"]
            omega = math.sqrt(stiffness / mass)
            since, lasting = time - gap / speed, math.pi / omega
            largest = stiffness * speed / omega
            if since < 0.0:
                clearance, peak = gap - speed * time, 0.0
            elif since < lasting:
                clearance = -speed / omega * math.sin(omega * since)
                peak = largest if since > 0.5 * lasting else -stiffness * clearance
            else:
                clearance, peak = speed * (since - lasting), largest
            per_contact.append(
                {
                    "contact_clearance": clearance,
                    "contact_normal_force": max(0.0, -stiffness * clearance),
                    "contact_peak_normal_force": peak,
                    "contact_shock_count": float(since >= 0.0),
                    "along": clearance - gap,
                }
            )
        row = {"time": time}
        for name in ARRAYS[:-1]:
            for number, values in enumerate(per_contact, start=1):
                row[f"{name}[{number}]"] = values[name]
        for number, values in enumerate(per_contact, start=1):
            for axis, value in enumerate((0.0, 0.0, values["along"]), start=1):
                row[f"{ARRAYS[-1]}[{number},{axis}]"] = value
        rows.append(row)
    return rows


def bouncing_rows(*, step: float, steps: int) -> list[dict[str, float]]:
    """Parabolas between impacts. Each impact reduces the speed by the factor e.

    A row at each communication point, and two at each impact: before it and after it.
    """
    start, height, speed, bounces = 0.0, HEIGHT, 0.0, 0

    def row(time: float) -> dict[str, float]:
        since = time - start
        gap = height + speed * since - 0.5 * GRAVITY * since**2
        counts = {"shock_count": float(bounces), "event_count": float(bounces)}
        return {"time": time, "gap": gap, "gap_velocity": speed - GRAVITY * since, **counts}

    rows = [row(0.0)]
    landing = math.sqrt(2.0 * HEIGHT / GRAVITY)
    for index in range(1, steps + 1):
        while landing < index * step:
            rows.append({**row(landing), "gap": 0.0})
            start, height, speed = landing, 0.0, -RESTITUTION * rows[-1]["gap_velocity"]
            bounces += 1
            rows.append(row(landing))
            landing = start + 2.0 * speed / GRAVITY
        rows.append(row(index * step))
    return rows


def write_rows(path: Path, rows: Sequence[dict[str, float]]) -> None:
    """Write rows of numbers under their names, to 12 digits. Further digits are rounding."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(rows[0])
        writer.writerows([f"{value + 0.0:.12g}" for value in row.values()] for row in rows)


def rows_of(result: Any, names: Sequence[str]) -> list[list[float]]:
    """Return the rows of a result of FMPy, arrays element by element, the last index first."""
    columns = [result[name].reshape(len(result), -1) for name in ("time", *names)]
    return [
        [float(value) for column in columns for value in column[row]] for row in range(len(result))
    ]


def compare(
    name: str, expected: Sequence[dict[str, float]], rows: Sequence[Sequence[float]]
) -> None:
    """Print whether the results of an FMU agree with the expected results."""
    if len(rows) != len(expected):
        raise SystemExit(f"{name}.fmu: {len(rows)} rows, must be {len(expected)}")
    wrong = max(
        abs(got - want)
        for row, wanted in zip(rows, expected, strict=True)
        for got, want in zip(row, wanted.values(), strict=True)
    )
    if wrong > TOLERANCE:
        raise SystemExit(f"{name}.fmu: {wrong:.1e} from {name}.csv, must be ≤ {TOLERANCE:g}")
    print(f"{name}.fmu agrees with {name}.csv: {len(rows)} rows, within {TOLERANCE:g}")


if __name__ == "__main__":
    main()
