"""The page of all shipped cases, in headless Chromium."""

from pathlib import Path
from typing import Any

import pytest

from harness.command_line import main


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the page with `wearfmu page`."""
    file = tmp_path_factory.mktemp("page") / "page.html"
    assert main(["page", "--out", str(file)]) == 0
    return file


@pytest.fixture(scope="module")
def page(page_file: Path, browser: Any) -> Any:
    """Open the page. `run` calls the functions for the console of the browser."""
    browser.show(page_file)
    return browser
