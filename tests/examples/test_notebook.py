"""The notebook runs unchanged and reproduces its output."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOK = EXAMPLES / "slip_of_a_block.ipynb"

# A separate process is used, because libraries of the kernel warn about each other.
EXECUTE = """
import sys
import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=300, resources={"metadata": {"path": sys.argv[2]}}).execute()
nbformat.write(notebook, sys.argv[3])
"""


def printed(path: Path) -> list[str]:
    """Return the printed and displayed text of the cells, without pictures."""
    texts = []
    for cell in nbformat.read(path, as_version=4).cells:
        for output in cell.get("outputs", []):
            if output.output_type == "stream" and output.name == "stdout":
                texts.append(output.text)
            elif "image/png" not in output.get("data", {}) and "data" in output:
                texts.append(output.data["text/plain"])
    return texts


def pictures(path: Path) -> int:
    """Return the number of pictures of the cells."""
    cells = nbformat.read(path, as_version=4).cells
    return sum("image/png" in o.get("data", {}) for c in cells for o in c.get("outputs", []))


@pytest.mark.long
def test_the_notebook_gives_the_numbers_and_pictures_that_it_is_shipped_with(tmp_path):
    (tmp_path / "harness").symlink_to(EXAMPLES.parent / "harness")
    folder = tmp_path / "examples"
    folder.mkdir()
    executed = tmp_path / "executed.ipynb"
    subprocess.run(
        [sys.executable, "-c", EXECUTE, str(NOTEBOOK), str(folder), str(executed)], check=True
    )
    assert len(printed(NOTEBOOK)) == 3
    assert printed(executed) == printed(NOTEBOOK)
    assert pictures(executed) == pictures(NOTEBOOK) == 2
