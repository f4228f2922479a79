"""The command line `wearfmu`.

Exit codes: 0 if all passed, 1 if a case failed, 2 for wrong usage, an invalid or missing file or an
FMU that cannot be loaded, 3 if the runs do not give the required result, 70 for an unexpected
error. Codes 2 and 70 print one line, below a traceback if the environment variable
`WEARFMU_TRACEBACK` is set.
"""

from __future__ import annotations

import argparse
import atexit
import gc
import io
import itertools
import logging
import os
import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from typing import Any, NoReturn

from harness.errors import CORRECTABLE, RunError
from harness.interrupts import ended_as_interrupted
from harness.provenance import of_command
from harness.subcommands import FAILED, add_subcommands
from wearmodel.written_files import FULL

UNUSABLE = 2
_MOST_SHOWN = 200
# Code EX_SOFTWARE of sysexits.h.
UNFORESEEN = 70
_LAST_STANDARD_STREAM = 2
# The wording of argparse.
_UNRECOGNISED = "unrecognized arguments"
_NONE_GIVEN = re.compile("one of the arguments (.*) is required")
_NO_NUMBER = re.compile(r"(argument \S+): invalid (?:float|int) value: '(.*)'")
_TRACEBACK = "WEARFMU_TRACEBACK"

_DESCRIPTION = "Compute friction, impacts and wear of a mass on a moving support."
_EXAMPLES = """\
examples:
  wearfmu validate               run all reference cases
  wearfmu run --input quake.csv  run your own base acceleration
  wearfmu blocks records --yield 0.05,0.1,0.2
  wearfmu COMMAND --help         list the options of a command

exit codes: 0 passed, 1 a case failed, 2 usage or environment, 3 not known,
70 an error of wearfmu itself (WEARFMU_TRACEBACK=1 shows its traceback)
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one sub-command and return its exit code.

    - `argv`: arguments without the name of the program. The default is the arguments of the
      process.

    Raises SystemExit after `--help` and `--version` (0), and for invalid arguments (2).
    """
    _open_standard_streams()
    # Otherwise Python searches all objects for cycles before it exits, even after Ctrl-C.
    atexit.register(gc.freeze)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A pipe on Windows accepts only Western characters. Other characters become "?".
        sys.stdout.reconfigure(errors="replace")
    parser = _Parser(
        prog="wearfmu",
        description=_DESCRIPTION,
        usage="wearfmu [-h] [--version] COMMAND ...",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"wearfmu {version('wearfmu')}")
    add_subcommands(parser)
    try:
        try:
            arguments = parser.parse_args(argv)
            words = sys.argv[1:] if argv is None else argv
            with ended_as_interrupted(), _printed_log(), of_command(words):
                exit_code: int = arguments.execute(arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe, for example `head`.
        _drop_output()
        return UNUSABLE
    except (*CORRECTABLE, OSError) as problem:
        return _failed(problem, _line(problem), UNUSABLE)
    except RunError as problem:
        return _failed(problem, f"run failed: {problem}", FAILED)
    except UnicodeEncodeError as problem:
        # Only names of files from old systems are not valid UTF-8.
        text = problem.object.encode("ascii", "backslashreplace").decode()
        return _failed(problem, f"{text[:_MOST_SHOWN]!r} must be text in UTF-8", UNUSABLE)
    except KeyboardInterrupt as problem:
        print(": ".join(["wearfmu: interrupted", *map(str, problem.args)]), file=sys.stderr)
        return UNUSABLE
    except MemoryError as problem:
        details = f": {_line(problem)}" if str(problem) else ""
        return _failed(problem, f"not enough memory{details}", UNUSABLE)
    except Exception as problem:
        name = type(problem).__name__
        return _failed(
            problem,
            f"unexpected {name}: {_line(problem)} ({_TRACEBACK}=1 prints the traceback)",
            UNFORESEEN,
        )
    return exit_code


_IN_A_CASE = "set parameters in the case file, or by `run --input FILE --set NAME=VALUE`"
# Remedies for options of other commands.
_ELSEWHERE = {
    "--record": "run a record by `run --input FILE`",
    "--normal-file": "a vertical component is used by `run --input FILE --normal-file FILE`",
    "--set": _IN_A_CASE,
    "--start": _IN_A_CASE,
}


class _Parser(argparse.ArgumentParser):
    """Parser that reports an error in one line, without the list of all options."""

    _words: Sequence[str] = ()

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Keep the words for `error`, and report unknown arguments in the parser of the command."""
        self._words = [*sys.argv[1:]] if args is None else [*args]
        namespace, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"{_UNRECOGNISED}: {' '.join(unknown)}")
        return namespace, unknown

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """Refuse an empty value, because an empty path is the current folder."""
        # The values of COMMAND include the arguments of the command, which its own parser checks.
        if not arg_string and action.choices is None:
            raise argparse.ArgumentError(action, "'' is empty: give a value")
        return super()._get_value(action, arg_string)

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with code 2. An unknown option is reported first.

        argparse reads the value of an unknown option as a file or a command and reports that.
        """
        subject, _, words = message.partition(": ")
        if subject == _UNRECOGNISED:
            unknown = words.split()[0]
        else:
            unknown = next((word for word in self._words if self._is_unknown(word)), "")
        option = unknown.partition("=")[0]
        commands = self._commands()
        is_command = subject == "argument COMMAND" and not self._words[0].startswith("-")
        if option.startswith("--") and not is_command:
            message = f"unknown option {option}{self._meant(option)}"
        elif subject == "argument CASE" and (stray := self._stray_value()):
            message = f"unexpected argument {stray!r}: write --set before each parameter"
        elif choices := _NONE_GIVEN.fullmatch(message):
            message = f"give {' or '.join(choices[1].split())}"
        elif subject == _UNRECOGNISED:
            message = f"unexpected argument {unknown!r}"
            if self.prog.endswith(" blocks") and unknown[:1].isdigit():
                message += ": separate yield accelerations by commas, as in --yield 0.1,0.2"
        elif number := _NO_NUMBER.fullmatch(message):
            from harness.messages import point_for_comma

            message = f"{number[1]}: {number[2]!r} must be a number{point_for_comma(number[2])}"
        elif subject == "argument COMMAND" and self._words:
            command = next(word for word in self._words if word not in self._option_string_actions)
            from harness.messages import nearest

            known = ", ".join(commands)
            remedy = nearest(command, commands) or f": must be one of {known}"
            message = f"unknown command {command!r}{remedy}"
        end = "" if message.endswith("?") else "."
        listed = f"{self.prog} --help lists all {'commands' if commands else 'options'}"
        self.exit(UNUSABLE, f"{self.prog}: error: {message}{end} {listed}\n")

    def _stray_value(self) -> str:
        """Return the first NAME=VALUE that does not follow an option, or ""."""
        pairs = itertools.pairwise(["", *self._words])
        return next((word for last, word in pairs if "=" in word and last[:1] not in "-"), "")

    def _is_unknown(self, word: str) -> bool:
        option = word.partition("=")[0]
        is_option = option.startswith("--") and option != "--"
        return is_option and option not in self._option_string_actions

    def _commands(self) -> dict[str, _Parser]:
        """Return the parsers of the commands by name, empty for the parser of a command."""
        return {
            name: parser
            for action in self._actions
            if isinstance(action.choices, dict)
            for name, parser in action.choices.items()
        }

    def _meant(self, option: str) -> str:
        """Return the remedy for an unknown option: the similar option, or its commands."""
        owners = [
            f"{self.prog} {name}"
            for name, parser in self._commands().items()
            if option in parser._option_string_actions
        ]
        if owners:
            return f" without a command: it must follow {' or '.join(map(repr, owners))}"
        from harness.messages import nearest_names

        if option in _ELSEWHERE:
            return f": {_ELSEWHERE[option]}"
        name = option.removeprefix("--")
        parameter = _parameter_for(name)
        if self.prog.endswith("blocks"):
            if parameter == "friction_coefficient":
                return ": give --yield. On a level plane it is the friction coefficient"
            parameter = ""
        for taker in ("--set", "--start"):
            if parameter and taker in self._option_string_actions:
                return f": set a parameter by {taker} {parameter}=VALUE"
        # Without dashes, because they make all options similar.
        known = [other.removeprefix("--") for other in self._option_string_actions]
        meant = "".join(f"; did you mean '--{other}'?" for other in nearest_names(name, known))
        return meant or (f": {_ELSEWHERE['--set']}" if parameter else "")


def _parameter_for(option: str) -> str:
    """Return the parameter that the name of an unknown option means, or ""."""
    from fmu_src.models import fmu_definition
    from harness.messages import nearest_names

    table = fmu_definition("FrictionalShock").slave.table
    known = [variable.name for variable in table if variable.causality == "parameter"]
    return next(iter(nearest_names(option.replace("-", "_"), known)), "")


def _open_standard_streams() -> None:
    """Open standard streams that the caller has closed, so that no file gets their number."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= _LAST_STANDARD_STREAM:
        pass
    os.close(number)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


@contextmanager
def _printed_log() -> Iterator[None]:
    """Print the log of the harness unchanged to the standard error."""
    log = logging.getLogger("harness")
    printer, level = logging.StreamHandler(), log.level
    log.addHandler(printer)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.setLevel(level)
        log.removeHandler(printer)


def _drop_output() -> None:
    """Discard the remaining output, so that the process ends without a further message."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _failed(problem: Exception, line: str, exit_code: int) -> int:
    """Print a problem in one line, below its traceback if the environment variable is set."""
    if os.environ.get(_TRACEBACK):
        traceback.print_exception(problem, file=sys.stderr)
    with suppress(OSError):
        print(f"wearfmu: {line}", file=sys.stderr)
    with suppress(OSError):
        sys.stdout.flush()
        return exit_code
    _drop_output()
    return exit_code


def _line(problem: Exception) -> str:
    """Return a problem in one line. Errors of the system begin with the file, like our errors."""
    if isinstance(problem, OSError) and problem.filename is not None:
        return f"{problem.filename}: {problem.strerror}"
    if isinstance(problem, OSError) and problem.errno in FULL:
        # All other files have a name.
        return f"standard output: {problem.strerror}"
    return " ".join(str(problem).split())
