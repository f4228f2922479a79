"""Runs of all peers in alternating rounds, with errors and medians of CPU times."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from .environments import NotInstalledError, interpreter_of, version_of
from .problems import PROBLEMS, Problem, write_data
from .roster import Peer
from .worker import FailedError, Worker

#: A run of at least this CPU time [s] is not repeated in later rounds.
LONG = 1.0

Row = dict[str, Any]


def compare(
    peers: Sequence[Peer], folder: Path, rounds: int, *, note: Callable[[str], None]
) -> tuple[list[Row], list[Row]]:
    """Run all peers on all problems.

    Returns
    -------
    peers : list of dict
        Name, form, version (or None), and the reason if the peer was not run.
    results : list of dict
        A row for each problem, peer and setting: error, CPU seconds and number of rounds,
        or the failure.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = write_data(folder)
    workers: dict[str, Worker] = {}
    listed: list[Row] = []
    for peer in peers:
        row: Row = {"peer": peer.name, "form": peer.form, "version": None, "reason": None}
        listed.append(row)
        note(f"{peer.name}: environment")
        try:
            workers[peer.name] = Worker(
                interpreter_of(peer, folder),
                peer.program,
                folder / "fmus",
                folder / f"{peer.name.replace(' ', '_')}.log",
            )
            row["version"] = version_of(peer)
        except NotInstalledError as problem:
            row["reason"] = str(problem)
    results: dict[tuple[str, str, int], Row] = {}
    # Ctrl-C ends the comparison with the rounds that are complete.
    with suppress(KeyboardInterrupt):
        for number in range(rounds):
            for problem in PROBLEMS:
                for peer, row in zip(peers, listed, strict=True):
                    if row["reason"] is not None:
                        continue
                    note(f"round {number + 1} of {rounds}: {problem.title}, {peer.name}")
                    try:
                        _run(workers[peer.name], peer, problem, files.get(problem.name), results)
                    except FailedError as failure:
                        row["reason"] = str(failure)
    for worker in workers.values():
        worker.close()
    for result in results.values():
        result["rounds"] = len(result["seconds"])
        if result["seconds"]:
            result["seconds"] = statistics.median(result["seconds"])
    return listed, list(results.values())


def _run(
    worker: Worker,
    peer: Peer,
    problem: Problem,
    data: Path | None,
    results: dict[tuple[str, str, int], Row],
) -> None:
    for number, setting in enumerate(peer.settings.get(problem.function, ())):
        key = (problem.name, peer.name, number)
        done = results.get(key)
        if done is not None and ("failure" in done or done["seconds"][0] > LONG):
            continue
        answer = worker.ask(
            problem=problem.function,
            setting={**setting, **problem.setting},
            data=None if data is None else str(data.absolute()),
        )
        if done is None:
            done = results[key] = {
                "problem": problem.name,
                "peer": peer.name,
                "setting": setting,
                "seconds": [],
            }
            if "failure" not in answer:
                done["error"] = problem.error(answer["values"])
        if "failure" in answer:
            done["failure"] = answer["failure"]
            continue
        done["seconds"].append(answer["seconds"])
