"""Pass one path to every option that takes a file, each in a limited process of its own.

    python read_every_file.py PATH FOLDER

Prints a JSON list for each option: name, exit code (negative if a signal ended the process),
standard output, standard error. Files that name the path are written to FOLDER.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from pathlib import Path

# Limit of processor time. A process that only waits is ended after MOST_WAITED.
MOST_SECONDS = 5
MOST_WAITED = 60
MOST_BYTES = 500_000_000
# Name → arguments, where {} is the path. A name consists of the command and the option.
OPTIONS = {
    "run case": ["run", "{}"],
    "run --input": ["run", "--input", "{}"],
    "run --normal-file": ["run", "--input", "sound.csv", "--normal-file", "{}"],
    "validate cases": ["validate", "{}"],
    "life case": ["life", "{}"],
    "fit case": ["fit", "{}"],
    "sweep sweep": ["sweep", "{}"],
    "page --record": ["page", "--record", "{}"],
    "page --case": ["page", "--case", "{}"],
    "blocks records": ["blocks", "{}", "--yield", "0.1"],
    "motion record": ["motion", "{}", "--out", "motion.csv"],
    "post record": ["post", "{}"],
    "structure file": ["structure", "{}"],
    "build --structure": ["build", "ModalShock", "--structure", "{}"],
    "build --contacts": ["build", "DisChoc", "--contacts", "{}"],
    "build --motion": ["build", "BaseMotion", "--motion", "{}"],
    "ssp --structure": ["ssp", "a.ssp", "--structure", "{}"],
    "variables fmu": ["variables", "{}"],
    "doctor fmu": ["doctor", "{}"],
}
_CASE = '[case]\ntitle = "T"\nfmu = "{fmu}"\n{more}[experiment]\nstop_time = 1.0\nstep_size = 0.5\n'
_TUBE = '[modes]\ndamping_ratio = 0.01\n{modes}\n[[point]]\nname = "P"\ndof_y = 1\n'
_SWEEP = (
    '[sweep]\ntitle = "T"\ncase = "{case}"\noutput = "out.csv"\nengine = "kernel"\nquantities = '
    '[{{ name = "w", quantity = "value", variable = "wear_work", time = 1.0 }}]\n'
    '[design]\nkind = "list"\n[vary.x]\nof = "{of}"\nvalues = {values}\n'
)
_INPUT = '[inputs.base_acceleration]\nkind = "csv"\nvalue_column = "a"\nfile = "{file}"\n'


def named_in_files(path: str) -> dict[str, list[str]]:
    """Return commands whose files name the path, by a link if the suffix matters."""
    for suffix in ("csv", "npz", "mtx", "fmu"):
        os.symlink(path, f"link.{suffix}")
    shoe = "FrictionalShock"
    sound = _CASE.format(fmu=shoe, more=_INPUT.format(file="sound.csv"))
    files = {
        "sound.csv": "time,a\n0,1\n1,2\n",
        "sound.toml": sound,
        "fmu.toml": _CASE.format(fmu="link.fmu", more=""),
        "structure.toml": _CASE.format(fmu="ModalShock", more=f'structure = "{path}"\n'),
        "input.toml": _CASE.format(fmu=shoe, more=_INPUT.format(file="link.csv")),
        "csv.toml": _TUBE.format(modes='file = "link.csv"'),
        "npz.toml": _TUBE.format(modes='file = "link.npz"'),
        "mtx.toml": _TUBE.format(modes='mass = "link.mtx"\nstiffness = "link.mtx"\ncount = 1'),
        "sweep.toml": _SWEEP.format(case=path, of="parameters.gravity", values=[1.0]),
        "vary.toml": _SWEEP.format(
            case="sound.toml", of="inputs.base_acceleration.file", values=["link.csv"]
        ),
    }
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")
    commands = {"sweep": "sweep", "vary": "sweep", "csv": "structure", "npz": "structure"}
    commands |= {"mtx": "structure", "fmu": "run", "structure": "run", "input": "run"}
    return {f"in {stem}.toml": [command, f"{stem}.toml"] for stem, command in commands.items()}


def outcome(arguments: list[str]) -> tuple[int, str, str]:
    """Run a command in a fork of this process. Return its exit code and its output."""
    child = os.fork()
    if not child:
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + MOST_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(MOST_WAITED)
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
        code = 99
        try:
            code = main(arguments)
        except SystemExit as ended:
            code = int(str(ended.code))
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    _, status = os.waitpid(child, 0)
    out, err = (Path(name).read_text(encoding="utf-8") for name in ("out", "err"))
    return os.waitstatus_to_exitcode(status), out, err


if __name__ == "__main__":
    # The commands import these packages. They are imported once before the fork.
    import fmpy  # noqa: F401
    import numpy  # noqa: F401
    import scipy.io  # noqa: F401

    import harness.blocks
    import harness.life
    import harness.page
    import harness.shaking
    import harness.sweep  # noqa: F401
    from harness.command_line import main

    path, folder = sys.argv[1:]
    os.chdir(folder)
    given = {name: [word.format(path) for word in words] for name, words in OPTIONS.items()}
    for name, arguments in {**given, **named_in_files(path)}.items():
        print(json.dumps([name, *outcome(arguments)]), flush=True)
