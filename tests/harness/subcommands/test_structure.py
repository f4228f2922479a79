"""`wearfmu structure` prints the content of a structure file and rejects invalid files."""

import pytest

from harness.command_line import main
from tests.structures import contact, document, point, toml

TEXT = toml(
    {
        "structure": {"title": "a rod in its guide"},
        **document(
            [0.0, 15.915494309189533],
            contact("N14", "tip", "two_planes", gap=1.25e-4),
            points=[point("tip", z=[1.0, -1.0])],
            modes={"damping_ratio": 0.02, "generalised_mass": [2.0, 0.5]},
            base={"participation_z": [2.0, 0.1]},
            load=[{"name": "jet", "shape": [1.0, 0.0]}],
        ),
    }
)


def test_it_prints_modes_mass_points_contacts_and_warnings(tmp_path, capsys):
    file = tmp_path / "rod.toml"
    file.write_text(TEXT, encoding="utf-8")
    assert main(["structure", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "a rod in its guide" in shown
    rows = [line.split() for line in shown.splitlines()]
    # Σ L²/m = 2 + 0.02.
    assert ["2", "15.915", "2", "0.5", "-", "-", "0.02"] in rows
    assert "total modal mass: 2.02 kg along z, participation along x and y not given" in shown
    # m_c = 1/(1/2 + 1/0.5).
    assert ["N14", "tip", "two_planes", "0.000125", "1e+06", "0.4", "251.65", "0"] in rows
    assert "N14: friction_coefficient = 0, so the contact does not wear" in shown
    assert "loads: jet" in shown
    assert "warning: contact N14: its frequency of 251.6 Hz is above the highest mode's" in shown


def test_a_file_that_breaks_a_rule_ends_with_one_line_and_2(tmp_path, capsys):
    file = tmp_path / "rod.toml"
    file.write_text(TEXT.replace('"tip"\nobst', '"top"\nobst'), encoding="utf-8")
    assert main(["structure", str(file)]) == 2
    complaint = capsys.readouterr().err
    assert complaint == (
        f"wearfmu: {file}: contact N14: point = 'top' is not a point. Points: tip\n"
    )


def test_parameters_with_which_each_run_fails_are_a_warning(tmp_path, capsys):
    file = tmp_path / "rod.toml"
    guide = contact("N14", "tip", "polygon", gap=1e-4, sides=6, wear_feedback=True)
    text = toml(document([2.0], guide, points=[point("tip", z=[1.0])]))
    file.write_text(text, encoding="utf-8")
    assert main(["structure", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "warning: a run fails unless it sets other parameters: N14: wear_feedback=true" in shown


def test_long_names_do_not_cut_the_numbers_in_a_pipe(tmp_path, capsys):
    file = tmp_path / "rod.toml"
    long_names = TEXT.replace("N14", "antivibration_bar_14").replace('"tip"', '"middle_of_span_3"')
    file.write_text(long_names, encoding="utf-8")
    assert main(["structure", str(file)]) == 0
    shown = capsys.readouterr().out
    numbers = ["0.000125", "1e+06", "0.4", "251.65", "0"]
    assert [line.split()[-5:] for line in shown.splitlines()].count(numbers) == 1


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("", "total modal mass: participation not given"),
        (
            "participation_x = [2.0, 0.1]\nparticipation_y = [1.0, 0.0]",
            "total modal mass: 2.02 kg along x, 0.5 kg along y, participation along z not given",
        ),
        (
            "participation_x = [2.0, 0.1]\nparticipation_y = [0, 0]",
            "total modal mass: 2.02 kg along x, 0 kg along y, participation along z not given",
        ),
        (
            "participation_x = [0, 0]\nparticipation_y = [0, 0]\nparticipation_z = [0, 0]",
            "total modal mass: 0 kg along x, 0 kg along y, 0 kg along z",
        ),
    ],
    ids=["none", "two axes", "a zero", "zeros"],
)
def test_a_participation_that_is_not_given_is_not_a_mass_of_0(tmp_path, capsys, given, shown):
    file = tmp_path / "rod.toml"
    file.write_text(TEXT.replace("participation_z = [2.0, 0.1]", given), encoding="utf-8")
    assert main(["structure", str(file)]) == 0
    assert shown in capsys.readouterr().out.splitlines()


def test_a_shape_that_overflows_is_refused_in_one_line(tmp_path, capsys):
    file = tmp_path / "rod.toml"
    file.write_text(TEXT.replace("[1.0, -1.0]", "[1.0, -1e308]"), encoding="utf-8")
    assert main(["structure", str(file)]) == 2
    assert capsys.readouterr().err == (
        f"wearfmu: {file}: point tip: shape_z[2] = -1e+308 must be at most 1e+50 in size\n"
    )


def test_a_soft_friction_spring_is_reported_with_the_stiffness_that_it_needs(tmp_path, capsys):
    file = tmp_path / "raft.toml"
    floor = contact("floor", "tip", tangential_stiffness=1e5, friction_coefficient=0.1)
    text = toml(document([2.0], floor, points=[point("tip", x=[1.0], z=[1.0])]))
    file.write_text(text, encoding="utf-8")
    assert main(["structure", str(file)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    # ω √(m_c/K_T)/e with 4π rad/s and 1 kg is 1.46 %. 0.1 % needs (4π/(0.001 e))² N/m.
    assert "floor: tangential_stiffness = 1e+05 N/m changes slip velocities by about 1 %" in shown
    assert "2.1e+07 N/m changes them by 0.1 %" in shown
