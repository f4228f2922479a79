"""Compare sliding blocks with pySLAMMER, for one record and several yield accelerations.

pySLAMMER (GPL, not part of this project) integrates from sample to sample. The results of wearfmu
are exact between samples, so the difference decreases with the sampling interval. Install both
programs into a separate environment: pip install pyslammer.
"""

import importlib.util

import numpy as np

from wearmodel import run_blocks
from wearmodel.units import STANDARD_GRAVITY

yields = [0.02, 0.05, 0.1, 0.2]  # g
times = np.arange(2001) * 0.01
record = 0.35 * np.sin(2.0 * np.pi * times) * np.sin(np.pi * times / 20.0)  # g

is_there = importlib.util.find_spec("pyslammer") is not None
print("yield [g]  peak [cm]" + ("  pySLAMMER [cm], 10 ms, 1 ms" if is_there else ""))
runs = run_blocks(yields, times, STANDARD_GRAVITY * record, one_way=True)
for row, yield_acceleration in enumerate(yields):
    line = f"{yield_acceleration:9.2f}  {100.0 * runs.peak[row, 0]:9.4f}"
    if is_there:
        from pyslammer import GroundMotion, RigidAnalysis

        for step in (0.01, 0.001):
            # The same straight lines, with more samples.
            grid = np.arange(round(20.0 / step) + 1) * step
            motion = GroundMotion(np.interp(grid, times, record), step)
            theirs = RigidAnalysis(yield_acceleration, motion)
            line += f"  {100.0 * float(np.max(theirs.sliding_disp)):9.4f}"
    print(line)
