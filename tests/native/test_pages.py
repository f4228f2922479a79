"""The scripts on the pages about native FMUs print the documented results.

The tables list the existing variables.
"""

import re
import subprocess
import sys
from pathlib import Path

import fmpy
import pytest

HOW_TO = Path(__file__).parents[2] / "docs" / "how_to"
PAGES = {name: HOW_TO / f"{name}.md" for name in ("native_fmu", "fmi3")}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_the_script_of_a_page_prints_what_it_says(native_fmu, fmi3_fmus, tmp_path, page):
    text = page.read_text(encoding="utf-8")
    (script,) = re.findall(r"^```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    (printed,) = re.findall(r"^```text\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    folder = tmp_path / "build" / "native"
    (folder / "fmi3").mkdir(parents=True)
    (folder / "FrictionalShock.fmu").symlink_to(native_fmu)
    (folder / "fmi3" / "FrictionalShock.fmu").symlink_to(fmi3_fmus("FrictionalShock"))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60.0,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == printed


def test_the_page_lists_the_arrays_that_there_are(unpacked3):
    description = fmpy.read_model_description(str(unpacked3("ModalShock")))
    arrays = {one.name for one in description.modelVariables if one.dimensions}
    reference = HOW_TO.with_name("fmu_reference.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"^\| array .*?\n\n", reference, flags=re.MULTILINE | re.DOTALL)
    listed = {
        name
        for row in table.strip().splitlines()
        for name in re.findall(r"`(\w+)`", row.split("|")[1])
    }
    assert listed | {"contact_names"} == arrays
