"""Keeps the Python state of the host's threads alive between FMI calls.

In a host that is not Python, pythonfmu makes a Python thread state at the start of every FMI call
and destroys it at the end, which costs several times what the slave does. One PyGILState_Ensure
that is never released keeps the state of its thread; later calls of that thread find it.

In a Python host the thread has a state already, and the call only counts up a counter in it.

A kept state outlives its thread (some 5 kB): to give it back at the thread's end would mean to
run Python there, perhaps after Python itself has ended. So only a few threads are served; further
ones work as well, and as slowly, as without.
"""

from __future__ import annotations

import _thread
import ctypes
import sys

_MOST_THREADS = 64


def _import_threading_elsewhere() -> None:
    """Import `threading` in a thread that ends at once.

    Python waits at its end for the thread that imported `threading` first, until that thread's
    state is destroyed: for ever, if it is one of those kept here.
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
    """Lives in the thread state itself: a new thread with an old number is not mistaken."""

    kept = False


thread_state = _ThreadState()
_served = 0


def keep_thread_state() -> None:
    """Keep the calling thread's Python state alive; cheap where it is kept already."""
    global _served
    if _served < _MOST_THREADS and not thread_state.kept:
        _served += 1
        thread_state.kept = True
        ctypes.pythonapi.PyGILState_Ensure()
