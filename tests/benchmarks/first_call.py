"""Time of a first call in a fresh process: with nothing on disk, and with the compiled code there.

Run as a program it makes the call whose name it is given and prints the seconds that it took,
loading included.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path


def map_power() -> None:
    from wearmodel.harmonic_maps import harmonic_wear_powers

    harmonic_wear_powers(
        mass=1.0,
        gravity=10.0,
        friction_coefficient=0.1,
        amplitude=15.0,
        angular_frequency=6.0,
        window=(4.0, 12.0),
    )


def run_record() -> None:
    from wearmodel import FrictionalShockParameters
    from wearmodel.record_runs import run_records

    run_records(FrictionalShockParameters(), 0.01, base_acceleration=[0.0, 3.0, 0.0])


CALLS = {"map_power": map_power, "run_record": run_record}


def first_call_seconds(name: str, cache: Path) -> tuple[float, float]:
    """Seconds of the first call in a process that compiles, and in one that finds it in `cache`."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    cold, warm = (
        float(
            subprocess.run(
                [sys.executable, __file__, name],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
        for _ in range(2)
    )
    return cold, warm


if __name__ == "__main__":
    started = time.process_time()
    CALLS[sys.argv[1]]()
    print(time.process_time() - started)
