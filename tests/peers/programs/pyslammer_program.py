"""Sliding blocks by pySLAMMER, which slide one way only."""

from __future__ import annotations

import numpy as np
from pyslammer import GroundMotion, RigidAnalysis
from serve import serve


def blocks(setting, data):
    # Linear between the samples, so that the motion stays the same.
    parts, samples = setting["parts of a sample"], len(data["record"])
    fine = np.arange((samples - 1) * parts + 1) / parts
    record = np.interp(fine, np.arange(samples), data["record"])
    step = (data["times"][1] - data["times"][0]) / parts
    # Its displacements are in metres for records in g.
    motion = GroundMotion(record, step)
    return lambda: [RigidAnalysis(y, motion).sliding_disp.max() for y in data["yields"]]


if __name__ == "__main__":
    serve({"blocks": blocks})
