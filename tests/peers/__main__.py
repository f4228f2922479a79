"""Compare with other programs: `python -m tests.peers`, which `make peers` calls.

It installs each program in an environment of its own below build/peers, runs all problems in
alternating rounds, and writes docs/peers.json and the generated part of docs/benchmarks.md.
Programs that cannot be installed or run are listed with the reason.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from pathlib import Path

from harness.fmu.files import BUILD_FOLDER
from harness.provenance import platform_facts

from .comparison import compare
from .report import section, with_section
from .roster import PEERS
from .worker import ROOT

RESULT = ROOT / "docs" / "peers.json"
PAGE = ROOT / "docs" / "benchmarks.md"


def main(words: list[str]) -> int:
    """Compare, print the tables and write the files."""
    parser = argparse.ArgumentParser(prog="python -m tests.peers", description=__doc__)
    parser.add_argument("peers", metavar="PEER", nargs="*", help="print the tables of these only")
    parser.add_argument("--rounds", type=int, default=5, help="default: 5")
    parser.add_argument("--page-only", action="store_true", help="write the page from peers.json")
    arguments = parser.parse_args(words)
    if arguments.page_only:
        result = json.loads(RESULT.read_text(encoding="utf-8"))
    else:
        chosen = [peer for peer in PEERS if not arguments.peers or peer.name in arguments.peers]
        peers, results = compare(
            chosen,
            Path(BUILD_FOLDER).absolute() / "peers",
            arguments.rounds,
            note=lambda text: print(text, file=sys.stderr, flush=True),
        )
        facts = platform_facts()
        result = {
            "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
            "platform": f"{facts['processor']}, {facts['system']}, Python {facts['python']}",
            "rounds": max(row["rounds"] for row in results),
            "peers": peers,
            "results": results,
        }
        print(section(result))
        if arguments.peers:
            return 0
        RESULT.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(with_section(PAGE.read_text(encoding="utf-8"), result), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
