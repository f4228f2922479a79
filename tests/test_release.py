"""Citation, recipe, constraints and workflow agree with pyproject.toml."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CHECKERS = ("mypy", "ruff")
SYSTEMS = {"ubuntu", "windows", "macos"}
# Documents that could contain an address of this project.
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CITATION.cff", "pyproject.toml", "recipe", "docs")


def document(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def constraints() -> dict[str, Version]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found = [Requirement(line) for line in lines if line and not line.startswith("#")]
    pins = {requirement.name: [*requirement.specifier] for requirement in found}
    assert [name for name, pin in pins.items() if len(pin) != 1 or pin[0].operator != "=="] == []
    return {canonicalize_name(name): Version(pin[0].version) for name, pin in pins.items()}


def declared() -> list[Requirement]:
    """Return the requirements of the package and of its extras."""
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    return [Requirement(text) for group in groups for text in group]


def recipe_requirements(section: str) -> dict[str, SpecifierSet]:
    lines = document("recipe/recipe.yaml")["requirements"][section]
    found = (Requirement(line) for line in lines)
    return {canonicalize_name(requirement.name): requirement.specifier for requirement in found}


def test_the_version_is_the_same_in_citation_and_recipe():
    versions = {
        "CITATION.cff": document("CITATION.cff")["version"],
        "recipe/recipe.yaml": document("recipe/recipe.yaml")["context"]["version"],
    }
    assert versions == dict.fromkeys(versions, PROJECT["version"])


def test_the_recipe_requires_the_same_packages():
    needed = {
        canonicalize_name(requirement.name): requirement.specifier
        for requirement in map(Requirement, PROJECT["dependencies"])
    }
    needed["python"] = SpecifierSet(PROJECT["requires-python"])
    assert recipe_requirements("run") == needed


def test_the_recipe_builds_with_the_build_system_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    build = {Requirement(text).name for text in project["build-system"]["requires"]}
    host = recipe_requirements("host")
    assert set(host) == {*build, "pip", "python"}
    assert host["python"] == SpecifierSet(PROJECT["requires-python"])


def test_the_recipe_has_the_command_licence_and_summary_of_the_project():
    recipe = document("recipe/recipe.yaml")
    commands = [f"{name} = {function}" for name, function in PROJECT["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == commands
    assert recipe["about"]["license"] == PROJECT["license"]
    assert recipe["about"]["license_file"] == PROJECT["license-files"]
    assert recipe["about"]["summary"] == PROJECT["description"]


@pytest.mark.parametrize("name", CHECKERS)
def test_a_checker_is_pinned_to_the_version_of_the_constraints(name):
    (pin,) = (requirement for requirement in declared() if requirement.name == name)
    assert str(pin.specifier) == f"=={constraints()[name]}"


def test_the_constraints_contain_an_allowed_version_of_each_requirement():
    pins = constraints()
    outside = {
        str(requirement): str(pins.get(canonicalize_name(requirement.name), "missing"))
        for requirement in declared()
        if requirement.name != PROJECT["name"]
        and (
            canonicalize_name(requirement.name) not in pins
            or pins[canonicalize_name(requirement.name)] not in requirement.specifier
        )
    }
    assert outside == {}


def jobs() -> dict[str, Any]:
    return document(".github/workflows/tests.yml")["jobs"]


@pytest.mark.parametrize("job", ["tests", "installed"])
def test_the_workflow_tests_clone_and_wheel_on_three_systems(job):
    matrix = jobs()[job]["strategy"]["matrix"]
    assert {system.partition("-")[0] for system in matrix["os"]} == SYSTEMS
    allowed = SpecifierSet(PROJECT["requires-python"])
    assert [release for release in matrix["python"] if release not in allowed] == []


def test_the_workflow_installs_the_constraints_except_for_the_newest_versions():
    commands = {
        name: " ".join(step.get("run", "") for step in job["steps"]) for name, job in jobs().items()
    }
    assert "--constraint constraints.txt" in commands["tests"]
    assert "make newest" in commands["newest"]
    assert jobs()["newest"]["continue-on-error"] is True
    assert jobs()["installed"]["needs"] == "wheel"


def test_every_program_of_the_workflow_is_a_target_or_a_file():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    steps = [step.get("run", "") for job in jobs().values() for step in job["steps"]]
    targets = [found for step in steps for found in re.findall(r"\bmake ([\w-]+)", step)]
    assert targets
    assert [target for target in targets if f"\n{target}:" not in makefile] == []
    modules = [found for step in steps for found in re.findall(r"-m (tests[.\w]+)", step)]
    assert modules
    assert [each for each in modules if not (ROOT / f"{each.replace('.', '/')}.py").exists()] == []


def test_an_address_of_the_repository_is_the_one_of_the_project():
    """There is no address, identifier or badge yet. Later pyproject.toml is the only source."""
    address = PROJECT.get("urls", {}).get("Repository")
    assert document("CITATION.cff").get("repository-code") == address
    assert document("recipe/recipe.yaml")["about"].get("repository") == address
    assert {"doi", "identifiers"} & document("CITATION.cff").keys() == set()
    listed = subprocess.run(
        ["git", "ls-files", "--", *DOCUMENTS], cwd=ROOT, capture_output=True, text=True, check=True
    )
    own = re.compile(
        r"https?://\S*(?:/wearfmu\b|wearfmu\.)\S*|https?://\S*(?:shields\.io|badge)\S*"
    )
    found = {
        f"{name}: {link}"
        for name in listed.stdout.splitlines()
        if Path(name).suffix in (".md", ".rst", ".cff", ".toml", ".yaml")
        for link in own.findall((ROOT / name).read_text(encoding="utf-8"))
        if link != address
    }
    assert found == set()
