"""The loop of a peer's process, with a request and its answer in a line of JSON each.

A request has a problem, a setting and, if the problem needs it, a file of data. The answer has the
computed values and the CPU seconds of a run, without set-up and compilation, or the reason of a
failure. A short run is repeated, and the median is used.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time

# A run is repeated up to this CPU time [s], and at most this number of times.
ENOUGH = 0.02
MOST = 15
# A run of at least this CPU time [s] is long.
LONG = 5.0

warm = set()


def clocked(action):
    """Call `action`, and return its result and the median of its CPU seconds.

    The first run of a setting loads libraries and tables. It counts only if it is long.
    """
    seconds = []
    if action not in warm:
        warm.add(action)
        started = time.process_time()
        result = action()
        first = time.process_time() - started
        if first > LONG:
            return result, first
    while True:
        started = time.process_time()
        result = action()
        seconds.append(time.process_time() - started)
        if sum(seconds) > ENOUGH or len(seconds) == MOST:
            return result, statistics.median(seconds)


def serve(problems):
    """Answer requests until the input ends.

    `problems` is a dictionary. Its values take the setting and the data, do the set-up, and return
    a function that runs the problem once and returns the values.
    """
    # Some programs print while they run. The answers are written to a separate channel.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    files = {}
    ready = {}
    for line in sys.stdin:
        request = json.loads(line)
        file = request.get("data")
        if file is not None and file not in files:
            with open(file, encoding="utf-8") as stream:
                files[file] = json.load(stream)
        key = json.dumps(request, sort_keys=True)
        try:
            if key not in ready:
                ready[key] = problems[request["problem"]](request["setting"], files.get(file))
            values, seconds = clocked(ready[key])
            answer = {"values": [float(value) for value in values], "seconds": seconds}
        except Exception as problem:
            answer = {"failure": f"{type(problem).__name__}: {problem}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
