"""Run a job: `python -m tests.masters.one_job NAME < job.json`. The last line is JSON."""

from __future__ import annotations

import sys

from wearmodel.installation import install_command

from .job import Job, MasterError
from .roster import MASTERS


def main() -> int:
    """Run the job on standard input and return the exit code."""
    master = MASTERS[sys.argv[1]]
    job = Job.from_json(sys.stdin.read())
    try:
        played = master.load()(job)
    except ImportError as problem:
        print(f"{problem}: {install_command('masters')}", file=sys.stderr)
        return 1
    except MasterError as problem:
        print(problem, file=sys.stderr)
        return 1
    print(flush=True)
    print(played.to_json(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
