"""The command that installs an extra depends on how the package was installed."""

import json
import re
from pathlib import Path

import pytest

from wearmodel import installation
from wearmodel.installation import install_command


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        (None, "pip install 'wearfmu[report]'"),
        ({"url": "CLONE", "dir_info": {"editable": True}}, "pip install -e '.[report]'"),
        ({"url": "CLONE", "dir_info": {}}, "pip install '.[report]'"),
        (
            {"url": "file:///else%20where/wearfmu", "dir_info": {"editable": True}},
            "pip install -e '/else where/wearfmu[report]'",
        ),
        (
            {"url": "file:///tmp/wearfmu-1-py3-none-any.whl", "archive_info": {}},
            "pip install 'wearfmu[report] @ file:///tmp/wearfmu-1-py3-none-any.whl'",
        ),
        (
            {"url": "https://host/wearfmu.git", "vcs_info": {"vcs": "git", "commit_id": "0"}},
            "pip install 'wearfmu[report] @ git+https://host/wearfmu.git'",
        ),
    ],
    ids=["index", "editable clone", "folder", "clone elsewhere", "wheel", "repository"],
)
def test_the_command_names_what_is_installed(tmp_path, monkeypatch, origin, command):
    monkeypatch.chdir(tmp_path)
    text = json.dumps(origin).replace("CLONE", tmp_path.as_uri()) if origin else None

    class Distribution:
        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return text

    monkeypatch.setattr(installation, "distribution", lambda name: Distribution())
    assert install_command("report") == command


def test_the_command_names_this_installation(monkeypatch):
    clone = Path(__file__).parents[2]
    monkeypatch.chdir(clone)
    command = install_command("native")
    if Path(installation.__file__).is_relative_to(clone / "wearmodel"):
        assert command == "pip install -e '.[native]'"
    else:
        # A package installed from a file, which tests of a clone use.
        assert re.fullmatch(r"pip install 'wearfmu\[native\] @ file://\S+\.(whl|tar\.gz)'", command)
