"""A classical scheme on the penalised shoe, in this process or in one where nothing is compiled.

Run as a program it reads one JSON object a line (scheme, amplitude, options, duration) and answers
with one; with ``WEARFMU_INTERPRETED=1`` in its environment that is the interpreted form.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from wearmodel.reference.schemes import mean_wear_power, sdnd104_excitation, sdnd104_shoe
from wearmodel.reference.schemes.scheme_comparison import SCHEMES, WINDOW_END, WINDOW_START


def run(
    scheme: str, amplitude: float, options: dict[str, Any], duration: float
) -> tuple[float, float]:
    """Return the mean wear power [W] on [4, 12] s, 0 for shorter runs, and the seconds it took."""
    shoe = sdnd104_shoe()
    excitation = sdnd104_excitation(amplitude, tabulated=False)
    started = time.process_time()
    record = SCHEMES[scheme](shoe, excitation, duration=duration, **options)
    power = 0.0
    if duration >= WINDOW_END:
        power = mean_wear_power(record, start=WINDOW_START, end=WINDOW_END)
    return power, time.process_time() - started


def main() -> None:
    for line in sys.stdin:
        power, seconds = run(**json.loads(line))
        print(json.dumps({"power": power, "seconds": seconds}), flush=True)


if __name__ == "__main__":
    main()
