"""Where points are computed: in this process, by others of this machine, or on a Dask cluster."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add `--scheduler ADDRESS` and `--workers N`."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--scheduler", metavar="ADDRESS", help="run on this Dask cluster")
    where.add_argument(
        "--workers",
        metavar="N",
        type=_positive,
        help="processes on this machine (default: as many as cores, none for work of seconds)",
    )


def chosen_workers(
    arguments: argparse.Namespace, *, is_fmu: bool
) -> tuple[Callable[[], AbstractContextManager[Any]], float | None]:
    """Return what gives a Dask client, and for how long to compute in this process first [s].

    The latter is None for not at all.

    Parameters
    ----------
    arguments : Namespace
        With `scheduler` and `workers`.
    is_fmu : bool
        Whether FMUs run, which may end their process.
    """
    import math
    from importlib.util import find_spec

    from harness.sweep import STARTING_SECONDS

    def connect() -> AbstractContextManager[Any]:
        from harness.sweep.distribution import cluster_client, local_client

        if arguments.scheduler is not None:
            return cluster_client(arguments.scheduler)
        return local_client(arguments.workers)

    if arguments.scheduler is not None:
        return connect, None
    if arguments.workers is not None:
        return connect, 0.0
    if not is_fmu and find_spec("distributed") is None:
        return connect, math.inf
    return connect, STARTING_SECONDS


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} must be a whole number ≥ 1")
    return number
