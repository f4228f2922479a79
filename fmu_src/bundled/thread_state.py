"""Keeps the Python state of the host's threads alive between FMI calls.

In a host that is not Python, pythonfmu creates a Python thread state at the start of every FMI call
and destroys it at the end, which takes several times as long as the slave. A call of
PyGILState_Ensure without release keeps the state of its thread for later calls.

In a Python host the thread has a state already, and the call only increments a counter in it.

A kept state outlives its thread and takes about 5 kB. Releasing it at the end of the thread would
run Python there, perhaps after Python itself has ended. Therefore only a limited number of threads
is served. Further threads work as slowly as without this module.
"""

from __future__ import annotations

import _thread
import ctypes
import sys

_MOST_THREADS = 64


def _import_threading_elsewhere() -> None:
    """Import `threading` in a thread that ends at once.

    At its end, Python waits until the state of the thread that imported `threading` first is
    destroyed. A state that is kept here would make it wait without end.
    """
    if "threading" in sys.modules:
        return
    imported = _thread.allocate_lock()
    imported.acquire()

    def load() -> None:
        try:
            __import__("threading")
        finally:
            imported.release()

    _thread.start_new_thread(load, ())
    imported.acquire()


_import_threading_elsewhere()


class _ThreadState(_thread._local):
    """Part of the thread state itself, which is new even if a new thread reuses a number."""

    kept = False


thread_state = _ThreadState()
_served = 0


def keep_thread_state() -> None:
    """Keep the Python state of the calling thread alive. Further calls take little time."""
    global _served
    if _served < _MOST_THREADS and not thread_state.kept:
        _served += 1
        thread_state.kept = True
        ctypes.pythonapi.PyGILState_Ensure()
