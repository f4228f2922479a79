"""A worker process of a pool, which receives its function at the start and ends with its parent.

The module imports only the standard library, so that a new process watches its parent before it
loads the function.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

_functions: list[Callable[..., Any]] = []


def begin(parent: Connection, folder: str, function: bytes) -> None:
    """Prepare this process, as the initializer of a pool.

    - `parent`: end of a pipe. When the parent closes the other end, this process ends at once.
    - `folder`: folder for temporary files, which the parent removes
    - `function`: pickled function for `call`
    """
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    # The parent handles Ctrl-C. It has blocked the signal while this process started.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
    # Only the parent prints results and notes.
    with suppress(OSError):
        os.dup2(2, 1)
    logging.disable(logging.WARNING)
    tempfile.tempdir = folder
    _functions.append(pickle.loads(function))


def call(*arguments: Any) -> Any:
    """Call the function of this process."""
    return _functions[0](*arguments)


def _end_with(parent: Connection) -> None:
    with suppress(EOFError, OSError):
        parent.recv_bytes()
    os._exit(1)
