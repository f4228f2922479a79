"""Sliding blocks with pySLAMMER, which slide in one direction only."""

from __future__ import annotations

import numpy as np
from pyslammer import GroundMotion, RigidAnalysis
from serve import serve


def blocks(setting, data):
    # Linear interpolation between the samples does not change the base motion.
    parts, samples = setting["parts of a sample"], len(data["record"])
    fine = np.arange((samples - 1) * parts + 1) / parts
    record = np.interp(fine, np.arange(samples), data["record"])
    step = (data["times"][1] - data["times"][0]) / parts
    # For records in g, the displacements are in metres.
    motion = GroundMotion(record, step)
    return lambda: [RigidAnalysis(y, motion).sliding_disp.max() for y in data["yields"]]


if __name__ == "__main__":
    serve({"blocks": blocks})
