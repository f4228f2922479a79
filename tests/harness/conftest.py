"""The toy FMU, a case file that uses it, and a browser that opens pages from the disk."""

from __future__ import annotations

import errno
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from pythonfmu.builder import FmuBuilder

if TYPE_CHECKING:
    from selenium import webdriver

# A page of fifty pictures is drawn in a few seconds. A busy machine takes longer.
_LONGEST_DRAWING = 120.0

GOOD_CASE = """\
[case]
title = "Toy"
source = "by hand"
fmu = "{fmu}"

[parameters]
gain = 2.0

[inputs.rate]
kind = "constant"
value = 3.0

[experiment]
stop_time = 1.0
step_size = 0.125

[[expect]]
quantity = "value"
variable = "total"
time = 1.0
value = 6.0
rtol = 0.0
source = "2·3·1"
reason = "sums of eighths are exact"
"""


@pytest.fixture(scope="session")
def toy_fmu(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the FMU from toy_integrator.py."""
    script = Path(__file__).with_name("toy_integrator.py")
    return FmuBuilder.build_FMU(script, dest=tmp_path_factory.mktemp("toy"))


@pytest.fixture
def good_case(toy_fmu: Path) -> str:
    """Return the text of a case file that passes."""
    return GOOD_CASE.format(fmu=toy_fmu.as_posix())


class Browser:
    """Headless Chromium with one page and all its pictures."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver
        self._shown: tuple[Path, str, int] | None = None

    def show(self, page: Path, *, scheme: str = "light", width: int = 1200) -> None:
        """Load a page in a colour scheme and a width if necessary, and wait for all pictures."""
        if self._shown == (page, scheme, width):
            return
        screen = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.driver.get(page.resolve().as_uri())
        deadline = time.monotonic() + _LONGEST_DRAWING
        while self.run("return document.documentElement.dataset.drawn") != "all":
            assert time.monotonic() < deadline, self.complaints()
            time.sleep(0.1)
        self._shown = (page, scheme, width)

    def run(self, script: str) -> Any:
        """Run JavaScript and return its result."""
        return self.driver.execute_script(script)

    def overflow(self) -> list[str]:
        """Return the parts that are wider than the screen: the page, texts and parts of pictures.

        Elements that are hidden on purpose, such as the header of a table on a phone, are ignored.
        """
        found: list[str] = self.run(
            "const wide = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];"
            "const parts = document.querySelectorAll("
            " 'h1, h2, h3, p, li, dd, dt, caption, td, tbody th, summary, figcaption, .plot text');"
            "for (const part of parts) {"
            " const box = part.getBoundingClientRect();"
            " if (box.width > 2 && (box.right > innerWidth + 1 || box.left < -1))"
            "  wide.push(part.textContent); }"
            "return wide;"
        )
        return found

    def complaints(self) -> list[str]:
        """Return the messages on the console of the browser since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Start Chromium with an empty profile. Tests that use it are marked `hosts`."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        pytest.fail("needs Chromium: apt-get install -y chromium chromium-driver")
    options = Options()
    options.binary_location = chromium
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for argument in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--window-size=1200,1000",
        f"--user-data-dir={tmp_path_factory.mktemp('profile')}",
    ):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=Service(chromedriver))
    try:
        yield Browser(driver)
    finally:
        driver.quit()


@pytest.fixture
def closed_before_removal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse to remove a file that this process has open, as Windows does."""
    unlink = Path.unlink

    def removed(path: Path, missing_ok: bool = False) -> None:
        if str(path) in [file.path for file in psutil.Process().open_files()]:
            raise PermissionError(errno.EACCES, "the file is open", str(path))
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", removed)
