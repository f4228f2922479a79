"""Interrupts: obeyed whatever a slave makes of them, and raised by other ending signals too."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

# Each ends a process at once unless it is handled; Windows has no SIGHUP.
_ENDING_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)
# By then what lost an interrupt has ended, s.
_AGAIN_AFTER = 0.02


@contextmanager
def obeyed_interrupts() -> Iterator[None]:
    """End with KeyboardInterrupt if the user interrupts, whatever becomes of it inside.

    One that is raised inside a slave in Python comes back as the slave's failure; one inside a
    callback is lost. Other signals that interrupt, as `ended_as_interrupted` makes them, are
    treated like Ctrl-C.
    """
    handled = _interrupting_signals()
    noted: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)
        signal.default_int_handler(number, frame)

    for number in handled:
        signal.signal(number, note)
    try:
        yield
    except Exception as problem:
        if noted:
            raise KeyboardInterrupt from problem
        raise
    finally:
        for number in handled:
            signal.signal(number, signal.default_int_handler)
    if noted:
        raise KeyboardInterrupt


@contextmanager
def ended_as_interrupted() -> Iterator[None]:
    """Let what ends this process by default interrupt it instead, so that it tidies up.

    So do `kill`, a batch system at its time limit, and a terminal that is closed. A signal that is
    handled or ignored already, as under `nohup`, stays so. An interrupt that comes while an object
    is being deleted, where Python loses exceptions, is raised again a moment later.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    changed = [
        number
        for number in _ENDING_SIGNALS
        if in_main_thread and signal.getsignal(number) is signal.SIG_DFL
    ]
    for number in changed:
        signal.signal(number, signal.default_int_handler)
    report = sys.unraisablehook
    timers: list[threading.Timer] = []

    def raise_again(lost: Any) -> None:
        if not (changed and lost.exc_type is KeyboardInterrupt):
            report(lost)
            return
        again = threading.Timer(_AGAIN_AFTER, _interrupt, changed[:1])
        again.daemon = True
        timers.append(again)
        again.start()

    sys.unraisablehook = raise_again
    try:
        yield
    finally:
        sys.unraisablehook = report
        # Behind this a signal would end the process at once.
        for timer in timers:
            timer.cancel()
        for number in changed:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def held_interrupts() -> Iterator[None]:
    """Let an interrupt wait until the end of this, where KeyboardInterrupt is raised.

    For moments in which a folder or a process is made that nobody would know of if it came between.
    A process that is started meanwhile gets none, unless it wants them, where signals can be held.
    """
    handled = _interrupting_signals()
    noted: list[int] = []
    for number in handled:
        signal.signal(number, lambda number, _: noted.append(number))
    can_hold = hasattr(signal, "pthread_sigmask")
    held = signal.pthread_sigmask(signal.SIG_BLOCK, handled) if can_hold else set()
    try:
        yield
    finally:
        if can_hold:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)
        for number in handled:
            signal.signal(number, signal.default_int_handler)
    if noted:
        raise KeyboardInterrupt


def _interrupting_signals() -> list[signal.Signals]:
    """Signals that raise KeyboardInterrupt here, in which nobody else has a hand."""
    # Only the main thread may, and a host that handles interrupts itself keeps doing so.
    in_main_thread = threading.current_thread() is threading.main_thread()
    return [
        number
        for number in (signal.SIGINT, *_ENDING_SIGNALS)
        if in_main_thread and signal.getsignal(number) is signal.default_int_handler
    ]


def _interrupt(number: signal.Signals) -> None:
    """Let the main thread handle a signal, also where it waits."""
    main_thread = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main_thread is not None:
        signal.pthread_kill(main_thread, number)
    else:
        _thread.interrupt_main(number)
