"""Compare with measurements: `python -m tests.measurements FOLDER`.

FOLDER contains the files of `data/dataset-2/characterization datasets` of the data set that is
named in `damper.py`. With `--repeat FOLDER`, the files of `data/dataset-3/characterization tests`
give the scatter of the measurements, from the same tests on the same damper.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

from .damper import FITTED, NORMAL_FORCE, TESTS, computed_force, deviation, fitted, read_test


def main(words: list[str]) -> int:
    """Fit one test, predict the others, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.measurements", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeat", type=Path)
    arguments = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        result = fitted(read_test(arguments.folder / f"{FITTED}.json"), Path(folder))
    friction, stiffness = (
        result.parameters[name] for name in ("friction_coefficient", "tangential_stiffness")
    )
    force, low, high = (NORMAL_FORCE * mu for mu in (friction.value, friction.low, friction.high))
    print(
        f"fitted to {FITTED}: friction force {force:.4g} N (95 % interval {low:.4g} to {high:.4g})"
        f", stiffness {stiffness.value:.3g} N/m ({stiffness.low:.3g} to {stiffness.high:.3g})"
    )
    for text in (*result.warnings, *result.not_known):
        print("note:", text)
    print(
        "\n| test | energy, computed / measured − 1 | interval of the fit | force, rms | repeat |"
    )
    print("|---|---|---|---|---|")
    for name in TESTS:
        measured = read_test(arguments.folder / f"{name}.json")
        at = deviation(measured, computed_force(measured, force, stiffness.value))
        band = [
            deviation(measured, computed_force(measured, bound, k)).energy
            for bound in (low, high)
            for k in (stiffness.low, stiffness.high)
        ]
        repeat = ""
        if arguments.repeat is not None:
            again = read_test(arguments.repeat / f"{name}.json")
            count = min(len(again.force), len(measured.force))
            repeat = f"{100 * (again.energy / measured.energy - 1):+.1f} %"
            scatter = np.linalg.norm(again.force[:count] - measured.force[:count])
            repeat += f", {100 * scatter / np.linalg.norm(measured.force):.0f} %"
        print(
            f"| {name} | {100 * at.energy:+.1f} % | {100 * min(band):+.1f} to "
            f"{100 * max(band):+.1f} % | {100 * at.force:.0f} % | {repeat} |"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
