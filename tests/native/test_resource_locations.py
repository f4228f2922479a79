"""The path named by a master's fmuResourceLocation, on Windows and other systems."""

import subprocess
from pathlib import Path

import pytest

from fmu_src.native.model_library import LAYER_FOLDER

PROGRAM = """\
#include "resources.hpp"
int main(int, char **arguments) {
    Bytes path;
    Text problem;
    const bool drives = arguments[1][0] == 'w';
    if (!path_of_uri(arguments[2], drives, path, problem)) {
        std::fputs(problem.data(), stderr);
        return 1;
    }
    path.push_back(0);
    std::fputs(path.data(), stdout);
}
"""

ELSEWHERE = {
    "file:///tmp/a/resources": "/tmp/a/resources",
    "file:/tmp/a/resources": "/tmp/a/resources",
    "file://localhost/tmp/a": "/tmp/a",
    "file://LOCALHOST/tmp/a": "/tmp/a",
    "FILE:///tmp/a": "/tmp/a",
    "file:///%74%6d%70/%61": "/tmp/a",
    "file:///tmp/a%20b/%C3%A9%23%25%2f": "/tmp/a b/é#%/",
    "file:///tmp/a b/é#+?x": "/tmp/a b/é#+?x",
    "file:///C:/a": "/C:/a",
    "file:////tmp/a": "//tmp/a",
    "/tmp/100%": "/tmp/100%",
    "relative/resources": "relative/resources",
}
WINDOWS = {
    "file:///C:/a%20b/resources": "C:\\a b\\resources",
    "file:/C:/a": "C:\\a",
    "file:C:/a": "C:\\a",
    "file://C:/a": "C:\\a",
    "file:///C|/a": "C:\\a",
    "file://localhost/c:/a": "c:\\a",
    "file:///C:\\a": "C:\\a",
    "file://server/share/a": "\\\\server\\share\\a",
    "file:///C:/%E6%97%A5": "C:\\日",
    "C:\\a\\resources": "C:\\a\\resources",
    "C:/a": "C:/a",
}
REFUSED = {
    ("elsewhere", "http://host/a"): "other schemes are not supported",
    ("windows", "https://host/a"): "other schemes are not supported",
    ("elsewhere", "file://server/share"): "another machine",
    ("elsewhere", "file:a/b"): "begin at the root",
    ("windows", "file:a/b"): "begin at the root",
    ("elsewhere", "file:"): "begin at the root",
    ("elsewhere", "file:///a%"): "two hexadecimal digits",
    ("elsewhere", "file:///a%2"): "two hexadecimal digits",
    ("windows", "file:///C:/a%G0"): "two hexadecimal digits",
    ("windows", "file:///C:/a%00"): "%00",
    ("elsewhere", "file:///a%00/b"): "%00",
    ("elsewhere", ""): "must be the URI",
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile a program that prints the path of a location or the reason for refusal."""
    folder = tmp_path_factory.mktemp("locations")
    (folder / "program.cpp").write_text(PROGRAM, encoding="utf-8")
    command = [
        "g++",
        "-std=c++17",
        f"-I{LAYER_FOLDER}",
        f"-I{folder}",
        "-fsanitize=address,undefined",
    ]
    command += [str(folder / "program.cpp"), "-o", str(folder / "program")]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "program"


@pytest.mark.parametrize(
    ("system", "location", "path"),
    [
        *(("elsewhere", location, path) for location, path in ELSEWHERE.items()),
        *(("windows", location, path) for location, path in WINDOWS.items()),
    ],
)
def test_a_location_names_a_path(program, system, location, path):
    done = subprocess.run([program, system, location], capture_output=True, text=True, check=True)
    assert done.stdout == path


@pytest.mark.parametrize(
    ("system", "location", "reason"), [(*asked, reason) for asked, reason in REFUSED.items()]
)
def test_a_location_that_names_none_is_refused_with_the_reason(program, system, location, reason):
    done = subprocess.run([program, system, location], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert reason in done.stderr
    assert done.stderr.startswith(f"fmuResourceLocation='{location}' must be the URI")
