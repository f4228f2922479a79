"""Structures are read from TOML with inline arrays, from .npz and from matrices, or rejected."""

from __future__ import annotations

import math
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.structures import Z, contact, document, point, toml
from wearmodel.structure import (
    StructureError,
    files_of,
    read_structure,
    timoshenko_beam,
    tube_section,
    write_structure,
)

GUIDE = contact("N1", "tip", gap=1e-4)
INLINE = toml(
    document(
        [0.0, 3.5],
        GUIDE,
        points=[point("tip", z=[1.0, 1.0 / 3.0])],
        base={"participation_z": [1.0, 0.5]},
        load=[{"name": "jet", "shape": [1.0, 1.0]}],
    )
)
WITH_NPZ = toml(
    {
        "modes": {"file": "modes.npz"},
        "point": [{"name": "tip"}],
        "load": [{"name": "jet"}],
        "contact": [GUIDE],
    }
)


def written(folder: Path, text: str, name: str = "structure.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def write_modes(folder: Path, **arrays: object) -> None:
    all_arrays = {
        "frequency": [0.0, 3.5],
        "participation_z": [1.0, 0.5],
        "tip.shape_z": [1.0, 1.0 / 3.0],
        "jet.shape": [1.0, 1.0],
        **arrays,
    }
    np.savez(folder / "modes.npz", **all_arrays)  # type: ignore[arg-type]


def test_arrays_of_gigabytes_are_refused_before_they_are_unpacked(tmp_path: Path) -> None:
    with (
        zipfile.ZipFile(tmp_path / "modes.npz", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file,
        file.open("frequency.npy", "w") as stream,
    ):
        for _ in range(300):
            stream.write(bytes(10**6))
    with pytest.raises(StructureError, match=r"its arrays have 0\.3 GB and must have ≤ 0\.268 GB"):
        read_structure(written(tmp_path, WITH_NPZ))


def test_arrays_in_an_npz_file_are_those_inline(tmp_path: Path) -> None:
    write_modes(tmp_path)
    inline = read_structure(written(tmp_path, INLINE, "inline.toml"))
    assert read_structure(written(tmp_path, WITH_NPZ)) == inline


def test_a_table_of_modes_is_what_stands_inline(tmp_path: Path) -> None:
    write_modes(tmp_path)
    with np.load(tmp_path / "modes.npz") as arrays:
        names = arrays.files
        rows = np.column_stack([arrays[name] for name in names]).tolist()
    table = ",".join(["mode", *names]) + "\n"
    table += "\n".join(
        ",".join([str(number), *map(repr, row)]) for number, row in enumerate(rows, start=1)
    )
    (tmp_path / "modes.csv").write_text(table + "\n", encoding="utf-8")
    text = WITH_NPZ.replace("modes.npz", "modes.csv")
    inline = read_structure(written(tmp_path, INLINE, "inline.toml"))
    assert read_structure(written(tmp_path, text)) == inline


def test_a_table_between_semicolons_or_tabs_may_have_decimal_commas(tmp_path: Path) -> None:
    write_modes(tmp_path)
    with np.load(tmp_path / "modes.npz") as arrays:
        columns = {name: arrays[name].tolist() for name in arrays.files}
    structures = []
    for mark, decimal in ((",", "."), (";", ","), ("\t", "."), ("\t", ",")):
        rows = zip(*columns.values(), strict=True)
        lines = [mark.join(repr(number).replace(".", decimal) for number in row) for row in rows]
        text = "\n".join([mark.join(columns), *lines]) + "\n"
        (tmp_path / "modes.csv").write_text(text, encoding="utf-8")
        file = written(tmp_path, WITH_NPZ.replace("modes.npz", "modes.csv"))
        structures.append(read_structure(file))
    assert structures == structures[:1] * 4


def test_a_table_of_modes_in_another_encoding_is_named(tmp_path: Path) -> None:
    (tmp_path / "modes.csv").write_bytes("fréquence\n1\n".encode("latin-1"))
    with pytest.raises(StructureError, match=r"modes\.csv: must be a text in UTF-8"):
        read_structure(written(tmp_path, WITH_NPZ.replace("modes.npz", "modes.csv")))


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("frequency,frequency\n1,2\n", "modes.csv: the column 'frequency' is given twice"),
        ("frequency,tip.shape_z\n1\n", "modes.csv: mode 1 has 1 values for 2 columns"),
        ("frequency\n1\ntwo\n", "modes.csv: mode 2: frequency = 'two' is not a number"),
        (
            "frequency,top.shape_z\n1,2\n",
            "'top.shape_z' is not a known column (no [[point]] is named 'top'); did you "
            "mean 'tip.shape_z'?",
        ),
        (
            "freq,tip_shape_z\n1,2\n",
            "'freq' is not a known column; did you mean 'frequency'?",
        ),
        ("frequency,tip.shape_z\n", "modes.csv contains no modes: add one line per mode"),
        ("1.5,0.2\n2.5,0.3\n", "modes.csv: its first line must name the columns"),
        ("", "modes.csv: its first line must name the columns"),
        ("mode,frequency\n1,1\n2,2\n2,2\n", "modes.csv: mode 2 is given twice"),
    ],
)
def test_what_is_wrong_in_a_table_of_modes_is_named(
    tmp_path: Path, table: str, problem: str
) -> None:
    (tmp_path / "modes.csv").write_text(table, encoding="utf-8")
    with pytest.raises(StructureError) as refused:
        read_structure(written(tmp_path, WITH_NPZ.replace("modes.npz", "modes.csv")))
    assert problem in str(refused.value)


def test_a_missing_table_of_modes_and_a_table_instead_of_a_structure_are_named(
    tmp_path: Path,
) -> None:
    file = written(tmp_path, '[modes]\nfile = "modes.csv"\n')
    with pytest.raises(StructureError, match=r"modes.file = 'modes.csv': the file does not exist"):
        read_structure(file)
    (tmp_path / "modes.csv").write_text("mode,frequency\n1,1\n", encoding="utf-8")
    with pytest.raises(StructureError, match=r'under \[modes\] of .*, as file = "modes.csv"'):
        read_structure(tmp_path / "modes.csv")


def test_a_missing_column_of_a_load_is_named(tmp_path: Path) -> None:
    (tmp_path / "modes.csv").write_text("frequency\n1\n", encoding="utf-8")
    text = '[modes]\nfile = "modes.csv"\n[[load]]\nname = "upper"\n'
    with pytest.raises(StructureError, match=r"modes\.csv: the column 'upper\.shape' is missing"):
        read_structure(written(tmp_path, text))


def test_a_column_of_an_unknown_load_names_the_section_that_is_missing(tmp_path: Path) -> None:
    (tmp_path / "modes.csv").write_text("frequency,jet.shape\n1,1\n", encoding="utf-8")
    named = r"'jet\.shape' is not a known column \(no \[\[load\]\] is named 'jet'\)"
    with pytest.raises(StructureError, match=named):
        read_structure(written(tmp_path, '[modes]\nfile = "modes.csv"\n'))


def test_a_structure_written_as_json_is_read_back_bit_by_bit(tmp_path: Path) -> None:
    structure = read_structure(written(tmp_path, INLINE))
    write_structure(structure, tmp_path / "structure.json")
    assert read_structure(tmp_path / "structure.json") == structure


def test_matrices_give_modes_shapes_participations_and_residual_flexibility(
    tmp_path: Path,
) -> None:
    section = tube_section(0.02, 0.001, young=2e11, density=8000.0)
    length, elements = 2.0, 40
    beam = timoshenko_beam(section, length, elements, pinned=(0.0, length))
    mass, stiffness = beam.write(tmp_path, "tube")
    middle = {f"dof_{axis}": beam.dof(1.0, axis) for axis in "yz"}
    text = toml(
        {
            "modes": {
                "mass": mass.name,
                "stiffness": stiffness.name,
                "count": 6,
                "damping_ratio": 0.01,
            },
            "base": {"dofs_z": beam.dofs("z")},
            "point": [{"name": "middle", **middle}],
            "load": [{"name": "push", "dof": middle["dof_z"]}],
            "contact": [
                contact("guide", "middle", "circle", gap=2e-4),
                contact("stop", "middle", residual_flexibility=0),
            ],
        }
    )
    structure = read_structure(written(tmp_path, text))
    modes = structure.modes
    slender = math.sqrt(section.bending_stiffness / (section.density * section.area))
    first = math.pi / 2.0 * slender / length**2
    # The tube is slender: shear and rotary inertia reduce the first frequency by 5e-4.
    assert modes.frequency[0] == pytest.approx(first, rel=1e-3)
    assert modes.generalised_mass == (1.0,) * 6
    assert modes.damping == pytest.approx(
        [0.02 * 2.0 * math.pi * frequency for frequency in modes.frequency], rel=1e-14
    )
    # The first and third sine modes have 8/π² and 8/9π² of the mass, shared by pairs of modes. The
    # matrices do not contain the mass at the supported ends, some 1/3 of an element at each.
    carried = sum(value**2 for value in structure.base.participation_z)
    mass = section.density * section.area * length
    assert carried == pytest.approx(mass * 8.0 / math.pi**2 * (1.0 + 1.0 / 9.0), rel=5e-3)
    # At the middle: L³/48EI minus the first and third modes, (2L³/π⁴EI)(1 + 1/81).
    guide, stop = structure.contacts
    compliance = length**3 / section.bending_stiffness
    left = compliance * (1.0 / 48.0 - 2.0 / math.pi**4 * (1.0 + 1.0 / 81.0))
    # The same for the shear deflection, L/4κGA.
    shear = length / (4.0 * section.shear_stiffness) * (1.0 - 8.0 / math.pi**2 * (1.0 + 1.0 / 9.0))
    assert guide.parameters.residual_flexibility == pytest.approx(left + shear, rel=0.02)
    assert stop.parameters.residual_flexibility == 0.0
    assert structure.loads[0].shape == structure.points[0].shape_z


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[modes\n", "structure.toml is not a TOML file: Expected"),
        ('[modes]\nfile = "none.npz"\n', "none.npz"),
        ('[modes]\nfile = "structure.toml"\n', "is not a .npz or .csv file"),
        ('[modes]\nfile = "a"\nmass = "b"\n', "modes has both file and matrices"),
        ('[modes]\nmass = "b"\n', "modes.stiffness is missing: matrices need mass, stiffness"),
        (
            '[modes]\nmass = "b"\nstiffness = "c"\ncount = 1\n',
            "modes.mass = 'b': the file does",
        ),
        ('[modes]\nmass = "b"\nstiffness = "c"\ncount = 1.5\n', "modes.count = 1.5 must be a whol"),
        (
            '[modes]\nmass = "structure.toml"\nstiffness = "c"\ncount = 1\n',
            "is not a Matrix Market file",
        ),
    ],
)
def test_a_file_that_breaks_a_rule_is_refused_with_its_name(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises((StructureError, OSError)) as refused:
        read_structure(written(tmp_path, text))
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"tip.shape_q": [1.0]}, "'tip.shape_q' is not a known column; did you mean 'tip.s"),
        ({"masses": [1.0]}, "'masses' is not a known column. Known are frequency, "),
        ({"frequency": [[0.0, 3.5]]}, "frequency must be a list of numbers"),
        ({"frequency": ["a", "b"]}, "frequency must be a list of numbers"),
    ],
)
def test_arrays_that_fit_nothing_are_refused(
    tmp_path: Path, arrays: dict[str, object], message: str
) -> None:
    write_modes(tmp_path, **arrays)
    with pytest.raises(StructureError) as refused:
        read_structure(written(tmp_path, WITH_NPZ))
    assert message in str(refused.value)


def chain(folder: Path, mass: float, stiffness: float, size: int, normal: list[float]) -> Path:
    """Write a structure of masses in a row with springs between neighbours."""
    rows = {"mass": [(row, row, mass) for row in range(1, size + 1)], "stiffness": []}
    for row in range(1, size + 1):
        rows["stiffness"].append((row, row, stiffness))
        if row > 1:
            rows["stiffness"].append((row, row - 1, -0.5 * stiffness))
    for name, entries in rows.items():
        text = [f"{row} {column} {value!r}" for row, column, value in entries]
        head = ["%%MatrixMarket matrix coordinate real symmetric", f"{size} {size} {len(text)}"]
        (folder / f"{name}.mtx").write_text("\n".join([*head, *text, ""]), encoding="utf-8")
    content = {
        "modes": {"mass": "mass.mtx", "stiffness": "stiffness.mtx", "count": 3},
        "point": [{"name": "middle", "dof_z": 3}],
        "contact": [contact("stop", "middle", normal=normal)],
    }
    return written(folder, toml(content))


# Dense and sparse matrices use different code.
@pytest.mark.parametrize("size", [6, 500])
@pytest.mark.parametrize(
    ("mass", "stiffness", "message"),
    [
        (1e-320, 1e4, "modes.mass = 'mass.mtx': its largest entry, 9.99989e-321, must"),
        (1.7e308, 1e4, "modes.mass = 'mass.mtx': its largest entry, 1.7e+308, must"),
        (1.0, 1e160, "modes.stiffness = 'stiffness.mtx': its largest entry, 1e+160, must"),
        (1.0, 1.7e308, "modes.stiffness = 'stiffness.mtx': its largest entry, 1.7e+308, must"),
        (1.0, 1e-320, "modes.stiffness = 'stiffness.mtx': its largest entry, 9.99989e-321, must"),
    ],
)
def test_matrices_that_overflow_are_refused_in_one_line(
    tmp_path: Path, mass: float, stiffness: float, size: int, message: str
) -> None:
    with pytest.raises(StructureError) as refused:
        read_structure(chain(tmp_path, mass, stiffness, size, Z))
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("size", [6, 500])
@pytest.mark.parametrize("scale", [1e-99, 1e99])
def test_matrices_within_the_limit_give_the_modes_of_a_chain(
    tmp_path: Path, size: int, scale: float
) -> None:
    structure = read_structure(chain(tmp_path, scale, scale, size, Z))
    exact = [
        math.sqrt(1.0 - math.cos(math.pi * mode / (size + 1))) / (2.0 * math.pi)
        for mode in (1, 2, 3)
    ]
    # In the long chain, 1 − cos loses 5 of the 16 digits of the largest eigenvalue.
    assert structure.modes.frequency == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize(
    "normal",
    [[-math.inf, 0, 1], [math.inf, math.inf, 0], [math.nan, 0, 1], [1.7e308] * 3, [0, 0, 0]],
    ids=str,
)
def test_a_direction_that_is_none_is_refused_in_one_line(
    tmp_path: Path, normal: list[float]
) -> None:
    with pytest.raises(StructureError, match=r"must be three finite numbers, not all 0$"):
        read_structure(chain(tmp_path, 1.0, 1e4, 6, normal))


def test_the_length_of_a_direction_does_not_matter(tmp_path: Path) -> None:
    flexibilities = [
        read_structure(chain(tmp_path, 1.0, 1e4, 6, normal)).contacts[0].parameters
        for normal in (Z, [0, 0, 1e200], [0, 0, 1e-90])
    ]
    assert flexibilities[0].residual_flexibility > 0.0
    assert flexibilities[1:] == flexibilities[:1] * 2


def test_the_files_of_a_structure_are_named(tmp_path: Path) -> None:
    assert files_of(written(tmp_path, WITH_NPZ)) == (
        tmp_path / "structure.toml",
        tmp_path / "modes.npz",
    )


@pytest.mark.parametrize("content", [b"\xa2PK", b"%%MatrixMarket matrix", b"modes = 3"])
def test_a_file_that_is_no_structure_names_no_others(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "structure.toml"
    file.write_bytes(content)
    assert files_of(file) == (file,)


@pytest.mark.parametrize(
    ("name", "factor"),
    [("frequency [Hz]", 1.0), ("frequency [rad/s]", 2.0 * math.pi), ("omega", 2.0 * math.pi)],
)
def test_a_column_of_frequencies_may_have_its_unit(tmp_path: Path, name: str, factor: float):
    table = f"{name},damping_ratio\n{factor * 1.5!r},0.01\n{factor * 4.0!r},0.01\n"
    (tmp_path / "modes.csv").write_text(table, encoding="utf-8")
    found = read_structure(written(tmp_path, '[modes]\nfile = "modes.csv"\n'))
    assert found.modes.frequency == pytest.approx([1.5, 4.0], rel=1e-15)


def test_a_ratio_in_table_and_file_is_given_twice(tmp_path: Path) -> None:
    (tmp_path / "modes.csv").write_text("frequency,damping_ratio\n1.5,0.1\n", encoding="utf-8")
    with pytest.raises(StructureError, match="is given twice, here and in the structure file"):
        read_structure(written(tmp_path, '[modes]\nfile = "modes.csv"\ndamping_ratio = 0.01\n'))
