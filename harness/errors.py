"""Exceptions: invalid cases and records, unusable FMUs, failed runs.

The user can correct all errors except RunError. They end the command with exit code 2. RunError is
a result and counts as a failed case, exit code 1.
"""

from __future__ import annotations


class CaseError(ValueError):
    """A case file or its data file is invalid. The message is one line."""


class FmuError(ValueError):
    """An FMU is missing, cannot be built, or does not support co-simulation by FMI 2.0 or 3.0."""


class RecordError(ValueError):
    """A record file or an option for it is invalid. The message is one line."""


class UsageError(ValueError):
    """Options of the command line contradict each other. The message is one line."""


class MissingLibraryError(ImportError):
    """An optional library is not installed. The message contains the remedy."""


class RunError(RuntimeError):
    """The FMU rejected a call or returned a value that is not finite.

    `message` contains FMI function, status, time and message of the FMU. After fmi2Fatal `fatal` is
    true: the standard forbids further calls on the instance, including the call that frees it.
    """

    def __init__(self, message: str, *, fatal: bool = False) -> None:
        super().__init__(message)
        self.fatal = fatal


CORRECTABLE = (CaseError, FmuError, MissingLibraryError, RecordError, UsageError)
"""Errors that the user can correct."""
