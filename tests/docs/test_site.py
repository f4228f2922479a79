"""The documentation as a site opens from the disk and needs no network."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from .documents import ROOT

pytestmark = pytest.mark.hosts


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as `make docs` does. A broken link or a missing name is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going"]
    subprocess.run([*command, ROOT / "docs", folder], check=True)
    return folder


def pages(site: Path) -> dict[str, str]:
    """Return the text of the pages by their path in the site."""
    return {
        path.relative_to(site).as_posix(): path.read_text(encoding="utf-8")
        for path in site.rglob("*.html")
    }


def test_every_page_loads_only_files_of_the_site(site):
    for name, text in pages(site).items():
        loaded = re.findall(r'<(?:script|img)[^>]* src="([^"]+)"', text)
        loaded += re.findall(r'<link[^>]* rel="(?:stylesheet|icon)"[^>]* href="([^"]+)"', text)
        for address in (one for one in loaded if not one.startswith("data:")):
            place = (site / name).parent / address.split("?")[0]
            assert place.exists(), f"{name} loads {address}"


def test_every_link_inside_the_site_names_a_file(site):
    # A server shows the index of a folder. A browser that opens files lists the folder.
    for name, text in pages(site).items():
        for link in re.findall(r'<a [^>]*href="([^"#?]+)', text):
            if not re.match(r"[a-z]+:", link):
                assert ((site / name).parent / link).is_file(), f"{name} links to {link}"


def test_every_anchor_of_a_link_inside_the_site_exists(site):
    texts = pages(site)
    ids = {(site / name).resolve(): re.findall(r'\bid="([^"]+)"', texts[name]) for name in texts}
    for name, text in texts.items():
        for file, anchor in re.findall(r'<a [^>]*href="((?![a-z]+:)[^"#?]*)#([^"]+)"', text):
            target = ((site / name).parent / file).resolve() if file else (site / name).resolve()
            assert anchor in ids[target], f"{name} links to {file}#{anchor}"


def test_every_picture_of_the_site_has_a_text(site):
    for name, text in pages(site).items():
        for picture in re.findall(r"<img [^>]*>", text):
            # Without an alternative text, Sphinx writes the path of the picture.
            words = re.search(r'alt="([^"]+)"', picture)
            assert words, f"{name}: {picture[:200]}"
            assert not words[1].endswith(".svg"), f"{name}: {picture[:200]}"


def test_the_model_is_on_the_front_to_try(site):
    front = (site / "index.html").read_text(encoding="utf-8")
    assert '<iframe class="try" src="try.html"' in front
    assert 'id="module"' in (site / "try.html").read_text(encoding="utf-8")


def test_the_search_works_without_a_server(site):
    # The index is a script. Browsers refuse to load data from the disk.
    assert (site / "searchindex.js").read_text(encoding="utf-8").startswith("Search.setIndex(")
    assert 'src="searchindex.js"' in (site / "search.html").read_text(encoding="utf-8")


def test_formulas_are_part_of_the_page(site):
    physics = (site / "physics.html").read_text(encoding="utf-8")
    assert physics.count("<math") > 20
    assert "MathJax" not in physics


def test_the_api_has_the_functions_of_the_doors(site):
    api = "".join(text for name, text in pages(site).items() if name.startswith("api/"))
    for name in (
        "FrictionalShock.step",
        "run_records",
        "shock_statistics",
        "load_fmu",
        "run_sweep",
    ):
        assert re.search(rf'id="(?:wearmodel|harness)[\w.]*\.{re.escape(name)}"', api), name
