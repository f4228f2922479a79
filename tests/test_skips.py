"""Without a compiler, tests that need the compiled kernel are skipped and counted."""

import subprocess
import sys
from pathlib import Path

from wearmodel.installation import install_command

BLOCKS = "tests/wearmodel/batch/test_block_runs.py"
WITHOUT_TOOLS = f"""
import sys
sys.modules.update(dict.fromkeys(["pythran", "ziglang"]))
import pytest
sys.exit(pytest.main(["-q", "-p", "no:xdist", "-m", "native", "{BLOCKS}"]))
"""


def test_without_the_tools_what_needs_them_is_skipped_and_counted():
    command = [sys.executable, "-c", WITHOUT_TOOLS]
    root = Path(__file__).parents[1]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    line = (
        "1 tests need the compiled kernel (extra `native`) and were skipped: "
        f"{install_command('native')}"
    )
    assert line in done.stdout.splitlines()
