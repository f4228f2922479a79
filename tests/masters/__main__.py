"""Print the table of masters: `python -m tests.masters`.

It runs the FMUs in all installed masters and compares the results with closed forms. The table
contains errors and microseconds per step. `make masters` writes the tables in docs/masters.
libcosim and ecos need the extra `masters`, and the C host needs gcc.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from harness.fmu.files import BUILD_FOLDER, native_fmu, own_fmu
from harness.output_files import write_text
from harness.subcommands.options import add_fmi, add_fmu_folder, add_native, require_native_for_fmi
from harness.subcommands.progress import shown_progress
from wearmodel.installation import require_tools

from .masters_table import fill, markdown
from .roster import MASTERS, masters_of


def main(words: list[str]) -> int:
    """Print the table. Return 0 if all cases passed in all installed masters, otherwise 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.masters", description=__doc__)
    parser.add_argument(
        "masters", metavar="MASTER", nargs="*", help=f"default: all, {', '.join(MASTERS)}"
    )
    add_fmu_folder(parser, default="build")
    add_native(parser)
    add_fmi(parser)
    parser.add_argument(
        "--markdown", metavar="FILE", type=Path, help="also write the table to a file"
    )
    arguments = parser.parse_args(words)
    folder = arguments.out or BUILD_FOLDER
    require_native_for_fmi(arguments)
    known = masters_of(arguments.fmi)
    if strangers := set(arguments.masters) - set(known):
        parser.error(f"{', '.join(sorted(strangers))}: must be among {', '.join(known)}")
    if arguments.native:
        try:
            require_tools()
        except RuntimeError as problem:
            print(f"not installed: {problem}")
            return 0
    make = partial(native_fmu, fmi=arguments.fmi) if arguments.native else own_fmu
    # In the table of native FMUs of FMI 2.0, only the shoe is native.
    motion = (make if arguments.fmi == 3 else own_fmu)("BaseMotion", folder)
    shoe = make("FrictionalShock", folder)
    with shown_progress() as progress:
        rows = fill(
            folder,
            masters=arguments.masters or known,
            motion_fmu=motion,
            shoe_fmu=shoe,
            progress=lambda done, total: progress("masters", done / total),
        )
    text = markdown(rows)
    print(text, end="")
    if arguments.markdown is not None:
        which = " with the native FMU" if arguments.native else ""
        if arguments.fmi == 3:
            which = " with the native FMUs of FMI 3.0"
        write_text(arguments.markdown, f"# Masters and cases{which}\n\n{text}")
    return int(any(cell.failure for cells in rows.values() for cell in cells))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
