"""What can go wrong: a case or a record that breaks a rule, an unusable FMU, a run that fails.

All but the last are errors that the user can correct; they end the command line with code 2. The
last is a result (the model did not do what the case requires) and counts as a failed case, exit
code 1.
"""

from __future__ import annotations


class CaseError(ValueError):
    """A case file, or a data file it names, breaks a rule; the message is one line."""


class FmuError(ValueError):
    """An FMU is missing, cannot be built or offers no co-simulation by FMI 2.0 or 3.0; one line."""


class RecordError(ValueError):
    """A record file, or a request for it, breaks a rule; the message is one line."""


class UsageError(ValueError):
    """What the command line asks for contradicts itself; the message is one line."""


class MissingLibraryError(ImportError):
    """A library that only some work needs is not installed; one line with the remedy."""


class RunError(RuntimeError):
    """The FMU refused a call, or gave a value that is not finite; one line.

    Parameters
    ----------
    message : str
        The FMI function, its status, the time and what the FMU logged.
    fatal : bool
        True after fmi2Fatal: the standard forbids any further call to the instance, even the
        one that frees it.
    """

    def __init__(self, message: str, *, fatal: bool = False) -> None:
        super().__init__(message)
        self.fatal = fatal
