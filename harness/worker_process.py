"""A worker process of a pool: begun with the function that it computes, ended with its parent.

It imports the standard library alone: a process that has just started watches its parent before it
loads that function.
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

    Parameters
    ----------
    parent : Connection
        End of a pipe whose other end only the parent has: if that is closed, this process ends at
        once, whatever it does.
    folder : str
        For temporary files, which a process that is ended does not remove.
    function : bytes
        Pickled. `call` calls it.
    """
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    # Ctrl-C is for the parent, which has held it back from a process that was starting.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
    # The parent's output is for results, and its log for what is true of all processes.
    with suppress(OSError):
        os.dup2(2, 1)
    logging.disable(logging.WARNING)
    tempfile.tempdir = folder
    _functions.append(pickle.loads(function))


def call(*arguments: Any) -> Any:
    """Return what the function of this process gives."""
    return _functions[0](*arguments)


def _end_with(parent: Connection) -> None:
    with suppress(EOFError, OSError):
        parent.recv_bytes()
    os._exit(1)
