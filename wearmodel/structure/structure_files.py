"""Read a structure file with inline arrays, a table of modes, an .npz file, or matrices.

Modes from matrices are mass-normalised (`modal_analysis`), so participation factors are in kg^½. If
residual_flexibility of a contact is missing, it is computed for the omitted modes: along the normal
of planes, and in a circle as the larger of the two principal values across the axis.
"""

from __future__ import annotations

import csv
import json
import math
import os
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy  # its packages are imported at their first use

from wearmodel.arrays import Floats

from ..read_files import MOST_BYTES, open_regular, read_text
from ..symbols import nearest_names
from ..written_files import write_text
from .description import AXES, Structure, StructureError
from .document import contacts_of, document_of, structure_of

if TYPE_CHECKING:
    from .modal_analysis import ModalBasis

# Factors that convert these columns to Hz.
_FREQUENCIES = {
    "frequency [Hz]": 1.0,
    **dict.fromkeys(("frequency [rad/s]", "omega", "omega [rad/s]"), 0.5 / math.pi),
}
_MODE_ARRAYS = ("frequency", "damping_ratio", "modal_damping", "generalised_mass")
_SHAPES = tuple(f"shape_{axis}" for axis in AXES)
_DOFS = tuple(f"dof_{axis}" for axis in AXES)
# Largest magnitude of matrix entries. Products and quotients of two entries do not overflow.
_LARGEST = 1e100
# Largest size of a matrix file, about twenty million entries.
_MOST_MATRIX_BYTES = 2**30
_PARTICIPATIONS = tuple(f"participation_{axis}" for axis in AXES)


def read_structure(path: Path | str) -> Structure:
    """Read and check a structure file.

    It is a .toml file, see the documentation, or a .json file from `write_structure`. Paths in it
    are relative to its folder. StructureError if the structure is invalid. The message contains
    file, place, value and rule in one line. OSError if a file cannot be read.
    """
    return _read(path, structure_of)


def read_contacts(path: Path | str) -> Structure:
    """Read and check a file of contacts between bodies. For errors see `read_structure`."""
    return _read(path, contacts_of)


def _read(path: Path | str, described: Callable[[Any], Structure]) -> Structure:
    file = Path(path)
    kind, parsed = ("JSON", json.loads) if file.suffix == ".json" else ("TOML", tomllib.loads)
    try:
        document = parsed(read_text(file))
    except UnicodeDecodeError:
        raise StructureError(f"{path}: must be a text in UTF-8") from None
    except (json.JSONDecodeError, tomllib.TOMLDecodeError) as problem:
        if file.suffix.lower() == ".csv":
            remedy = f'name it under [modes] of a structure file, as file = "{file.name}"'
            raise StructureError(f"{path} is a table, not a structure file: {remedy}") from None
        raise StructureError(f"{path} is not a {kind} file: {problem}") from None
    except ValueError as problem:
        raise StructureError(f"{path}: {problem}") from None
    try:
        return described(_with_arrays(document, file.parent))
    except ValueError as problem:
        raise StructureError(f"{path}: {' '.join(str(problem).split())}") from None


def write_structure(structure: Structure, path: Path | str) -> None:
    """Write a structure as JSON. `read_structure` restores the same bits."""
    text = json.dumps(document_of(structure), ensure_ascii=False, indent=1)
    write_text(Path(path), text + "\n")


def read_friction_table(path: Path) -> list[list[float]]:
    """Rows of a friction table from a CSV file with the columns ``speed`` [m/s], ``coefficient``.

    Raises
    ------
    StructureError
        The file is not such a table.
    OSError
        The file cannot be read.
    """
    columns = _columns_of_csv(path, "knot")
    if sorted(columns) != ["coefficient", "speed"]:
        raise StructureError(f"{path}: its first line must be speed,coefficient")
    return [list(row) for row in zip(columns["speed"], columns["coefficient"], strict=True)]


def files_of(path: Path | str) -> tuple[Path, ...]:
    """Return the structure file and the files that it names, if it is a readable TOML file."""
    file = Path(path)
    document: dict[str, Any] = {}
    if file.suffix != ".json":
        # `read_structure` reports the error in the file.
        with suppress(ValueError):
            document = tomllib.loads(read_text(file))
    modes, contacts = document.get("modes"), document.get("contact")
    named = []
    if isinstance(modes, dict):
        named += [modes[key] for key in ("file", "mass", "stiffness") if key in modes]
    if isinstance(contacts, list):
        named += [one.get("friction_table") for one in contacts if isinstance(one, dict)]
    return (file, *(file.parent / name for name in named if isinstance(name, str)))


def _with_arrays(document: Any, folder: Path) -> Any:
    """Return the document with all arrays inline."""
    for contact in document.get("contact", ()) if isinstance(document, dict) else ():
        if isinstance(contact, dict) and isinstance(contact.get("friction_table"), str):
            contact["friction_table"] = read_friction_table(folder / contact["friction_table"])
    modes = document.get("modes") if isinstance(document, dict) else None
    if not isinstance(modes, dict):
        return document
    from_matrices = "mass" in modes or "stiffness" in modes
    if "file" in modes and from_matrices:
        raise StructureError("modes has both file and matrices: give one of them")
    if "file" in modes:
        return _with_modes_file(document, folder)
    if from_matrices:
        return _with_matrices(document, folder)
    return document


def _with_modes_file(document: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the document with the arrays of a file: modes, participations, NAME.shape_x, …."""
    modes = dict(document["modes"])
    path = _file(folder, "modes.file", modes.pop("file"))
    lists = _columns_of_csv(path) if path.suffix.lower() == ".csv" else _lists_of_npz(path)
    base = dict(document.get("base", {}))
    points = [dict(entry) for entry in document.get("point", [])]
    loads = [dict(entry) for entry in document.get("load", [])]
    targets: dict[str, tuple[dict[str, Any], str]] = {}
    targets.update((key, (modes, key)) for key in _MODE_ARRAYS)
    targets.update((key, (base, key)) for key in _PARTICIPATIONS)
    for point in points:
        targets.update((f"{point.get('name')}.{key}", (point, key)) for key in _SHAPES)
    targets.update((f"{load.get('name')}.shape", (load, "shape")) for load in loads)
    for name, values in lists.items():
        if name in _FREQUENCIES:
            factor, name = _FREQUENCIES[name], "frequency"
            values = [factor * value for value in values]
        if name not in targets:
            near = " or ".join(map(repr, nearest_names(name, list(targets), ())))
            owner, _, key = name.rpartition(".")
            missing = f" (no [[point]] is named {owner!r})" if key in _SHAPES else ""
            missing = f" (no [[load]] is named {owner!r})" if key == "shape" else missing
            raise StructureError(
                f"{path}: {name!r} is not a known column{missing}"
                + (f"; did you mean {near}?" if near else f". Known are {', '.join(targets)}")
            )
        table, key = targets[name]
        if key in table:
            raise StructureError(
                f"{path}: {name} is given twice, here and in the structure file: remove one of them"
            )
        table[key] = values
    for load in loads:
        if "shape" not in load:
            raise StructureError(f"{path}: the column '{load.get('name')}.shape' is missing")
    return {**document, "modes": modes, "base": base, "point": points, "load": loads}


def _lists_of_npz(path: Path) -> dict[str, list[float]]:
    try:
        with open_regular(path) as stream, np.load(stream, allow_pickle=False) as archive:
            size = sum(member.file_size for member in archive.zip.infolist())
            names = archive.files if size <= MOST_BYTES else []
            arrays = {name: archive[name] for name in names}
    except (ValueError, zipfile.BadZipFile, EOFError, AttributeError):
        raise StructureError(
            f"modes.file = {os.fspath(path)!r} is not a .npz or .csv file"
        ) from None
    if size > MOST_BYTES:
        raise StructureError(
            f"{path}: its arrays have {size / 1e9:.3g} GB and must have ≤ {MOST_BYTES / 1e9:.3g} GB"
        )
    for name, array in arrays.items():
        if array.ndim > 1 or array.dtype.kind not in "fiu":
            raise StructureError(f"{path}: {name} must be a list of numbers")
    return {name: array.astype(float).tolist() for name, array in arrays.items()}


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return False
    return True


def _columns_of_csv(path: Path, row_name: str = "mode") -> dict[str, list[float]]:
    """Return columns of a table by the names in its first line. A line is a mode or a knot.

    Columns are separated by semicolons, tabs or commas. Numbers may have a decimal comma if the
    separator is another character.
    """
    try:
        text = read_text(path).splitlines()
    except UnicodeDecodeError:
        raise StructureError(f"{path}: must be a text in UTF-8") from None
    mark = next((mark for mark in ";\t" if text and mark in text[0]), ",")
    lines = csv.reader(text, delimiter=mark, skipinitialspace=True)
    names, *rows = [row for row in lines if any(cell.strip() for cell in row)] or [[""]]
    names = [name.strip() for name in names]
    if not any(names) or any(map(_is_number, names)):
        raise StructureError(
            f"{path}: its first line must name the columns, such as "
            f"{'speed, coefficient' if row_name == 'knot' else 'frequency, P1.shape_y'}. It "
            f"begins with {names[0]!r}"
        )
    for name in names:
        if names.count(name) > 1:
            raise StructureError(f"{path}: the column {name!r} is given twice")
    if not rows:
        raise StructureError(
            f"{path} contains no {row_name}s: add one line per {row_name} below the header"
        )
    columns: dict[str, list[float]] = {name: [] for name in names}
    for number, row in enumerate(rows, start=1):
        if len(row) != len(names):
            raise StructureError(
                f"{path}: {row_name} {number} has {len(row)} values for {len(names)} columns"
            )
        for name, cell in zip(names, row, strict=True):
            try:
                columns[name].append(float(cell if mark == "," else cell.replace(",", ".")))
            except ValueError:
                raise StructureError(
                    f"{path}: {row_name} {number}: {name} = {cell!r} is not a number"
                ) from None
    # The column `mode` is only checked, because programs write modes in their order.
    labels = columns.pop("mode", [])
    for label in labels:
        if labels.count(label) > 1:
            raise StructureError(f"{path}: mode {label:g} is given twice")
    return columns


def _with_matrices(document: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the document with computed modes, shapes, participations and flexibilities."""
    modes = dict(document["modes"])
    for key in ("mass", "stiffness", "count"):
        if key not in modes:
            raise StructureError(f"modes.{key} is missing: matrices need mass, stiffness and count")
    count = modes.pop("count")
    if isinstance(count, bool) or not isinstance(count, int):
        raise StructureError(f"modes.count = {count!r} must be a whole number")
    for key in ("frequency", "generalised_mass"):
        if key in modes:
            raise StructureError(f"modes.{key} follows from the matrices and must not be given")
    mass = _matrix("modes.mass", modes.pop("mass"), folder)
    stiffness = _matrix("modes.stiffness", modes.pop("stiffness"), folder)
    named = _named_dofs(document, mass.shape[0])
    # The import takes a third of a second, and only matrices need it.
    from .modal_analysis import modal_basis

    with _numbers_that_fit():
        basis = modal_basis(mass, stiffness, count, settled_by=named)
    modes["frequency"] = basis.frequency.tolist()
    for key in ("damping_ratio", "modal_damping"):
        if isinstance(modes.get(key), (int, float)):
            # Rigid modes have no damping ratio.
            modes[key] = [modes[key]] * count
    base = dict(document.get("base", {}))
    size = basis.shapes.shape[0]
    for axis in AXES:
        dofs = base.pop(f"dofs_{axis}", None)
        if dofs is not None:
            places = [_dof(f"base.dofs_{axis}", dof, size) for dof in _list(dofs, axis)]
            participation = basis.participation(np.array(places, dtype=np.intp))
            base[f"participation_{axis}"] = participation.tolist()
    vectors: dict[str, Floats] = {}
    points = []
    for point in document.get("point", []):
        point = dict(point)
        name = point.get("name")
        vector = np.zeros((size, 3))
        for column, (dof_key, shape_key) in enumerate(zip(_DOFS, _SHAPES, strict=True)):
            if dof_key in point:
                place = _dof(f"point {name}: {dof_key}", point.pop(dof_key), size)
                vector[place, column] = 1.0
                point[shape_key] = basis.shapes[place].tolist()
        vectors[str(name)] = vector
        points.append(point)
    loads = []
    for load in document.get("load", []):
        load = dict(load)
        if "dof" in load:
            place = _dof(f"load {load.get('name')}: dof", load.pop("dof"), size)
            load["shape"] = basis.shapes[place].tolist()
        loads.append(load)
    whole = {**document, "modes": modes, "base": base, "point": points, "load": loads}
    contacts = [dict(contact) for contact in document.get("contact", [])]
    with _numbers_that_fit():
        _add_residual_flexibility(contacts, vectors, basis)
    return {**whole, "contact": contacts}


@contextmanager
def _numbers_that_fit() -> Iterator[None]:
    """Raise StructureError if quantities computed from matrices overflow."""
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            yield
    except (FloatingPointError, RuntimeError) as problem:
        raise StructureError(
            "modes.mass and modes.stiffness: modes and flexibilities cannot be computed from "
            f"these numbers ({' '.join(str(problem).split())})"
        ) from None


def _add_residual_flexibility(
    contacts: list[dict[str, Any]], vectors: dict[str, Floats], basis: ModalBasis
) -> None:
    for contact in contacts:
        if "residual_flexibility" in contact or contact.get("point") not in vectors:
            continue
        vector = vectors[contact["point"]]
        if contact.get("second_point") in vectors:
            vector = vector - vectors[contact["second_point"]]
        direction = np.array(contact.get("normal", contact.get("axis", ())), dtype=float)
        length = math.hypot(*direction.ravel())
        if direction.shape != (3,) or not 0.0 < length < math.inf:
            continue  # the check of the structure rejects it with a reason
        direction /= length
        if "axis" in contact:
            across = np.linalg.svd(direction[None, :])[2][1:]
            flexibility = basis.residual_flexibility(vector @ across.T)
            residual = float(np.linalg.eigvalsh(flexibility)[-1])
        else:
            residual = float(basis.residual_flexibility((vector @ direction)[:, None])[0, 0])
        # If all modes are kept, the result is a rounding error.
        contact["residual_flexibility"] = max(0.0, residual)


def _named_dofs(document: dict[str, Any], size: int) -> list[int]:
    """Return the degrees of freedom (from 0) of the points and the loads, in their order."""
    named = [
        (f"point {point.get('name')}: {key}", point[key])
        for point in document.get("point", [])
        for key in _DOFS
        if key in point
    ]
    named += [
        (f"load {load.get('name')}: dof", load["dof"])
        for load in document.get("load", [])
        if "dof" in load
    ]
    return [_dof(name, dof, size) for name, dof in named]


def _matrix(name: str, value: Any, folder: Path) -> Any:
    path = _file(folder, name, value)
    open_regular(path, _MOST_MATRIX_BYTES).close()
    try:
        matrix = scipy.io.mmread(path)
    except (ValueError, TypeError, OverflowError) as problem:
        raise StructureError(
            f"{name} = {value!r} is not a Matrix Market file ({problem})"
        ) from None
    largest = float(abs(matrix).max())
    # The other rules of the matrix reject a value that is not finite.
    if largest and math.isfinite(largest) and not 1.0 / _LARGEST <= largest <= _LARGEST:
        raise StructureError(
            f"{name} = {value!r}: its largest entry, {largest:.6g}, must have a magnitude in "
            f"[{1.0 / _LARGEST:g}, {_LARGEST:g}]: otherwise results overflow"
        )
    return matrix


def _file(folder: Path, name: str, value: Any) -> Path:
    if not isinstance(value, str):
        raise StructureError(f"{name} = {value!r} must be the name of a file")
    if not (folder / value).exists():
        raise StructureError(f"{name} = {value!r}: the file does not exist in {folder}")
    return folder / value


def _list(value: Any, axis: str) -> list[Any]:
    if not isinstance(value, list):
        raise StructureError(f"base.dofs_{axis} = {value!r} must be a list of numbers from 1")
    return value


def _dof(name: str, value: Any, size: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= size:
        raise StructureError(f"{name} = {value!r} must be a whole number from 1 to {size}")
    return value - 1
