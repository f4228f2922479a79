"""Interrupts that a slave cannot suppress. Other ending signals are handled in the same way."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

# Each signal ends a process at once unless it is handled. Windows does not have SIGHUP.
_ENDING_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)
# Time [s] after which the code that lost an interrupt has ended.
_AGAIN_AFTER = 0.02


@contextmanager
def obeyed_interrupts() -> Iterator[None]:
    """End with KeyboardInterrupt if the user interrupts, even if it is lost inside.

    An interrupt inside a slave in Python is reported as a failure of the slave, and an interrupt
    inside a callback is lost. The signals of `ended_as_interrupted` are treated like Ctrl-C.
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
    """Let signals that end this process interrupt it instead, so that it removes its files.

    Such signals come from `kill`, from a batch system at its time limit, and from a terminal that
    is closed. Signals that are already handled or ignored, for example under `nohup`, are not
    changed. Python loses an exception that is raised while an object is deleted. Such an interrupt
    is raised again after a short time.
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
        # After this, a signal ends the process at once.
        for timer in timers:
            timer.cancel()
        for number in changed:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def held_interrupts() -> Iterator[None]:
    """Delay an interrupt until the end of this context, which then raises KeyboardInterrupt.

    It protects the creation of a folder or a process, which would otherwise never be removed. If
    signals can be blocked, a process started meanwhile does not receive them unless it asks to.
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
    """Return the signals that raise KeyboardInterrupt here and that other code does not handle."""
    # Only the main thread may set handlers. The handlers of a host are not changed.
    in_main_thread = threading.current_thread() is threading.main_thread()
    return [
        number
        for number in (signal.SIGINT, *_ENDING_SIGNALS)
        if in_main_thread and signal.getsignal(number) is signal.default_int_handler
    ]


def _interrupt(number: signal.Signals) -> None:
    """Let the main thread handle a signal, even while it waits."""
    main_thread = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main_thread is not None:
        signal.pthread_kill(main_thread, number)
    else:
        _thread.interrupt_main(number)
