"""A symbol, or the word of another program, is answered with the name of the parameter."""

import pytest

from fmu_src.models import fmu_definition
from harness.command_line import main
from harness.messages import nearest

PARAMETERS = [
    one.name
    for one in fmu_definition("FrictionalShock").slave.table
    if one.causality == "parameter"
]
VARIABLES = [one.name for one in fmu_definition("FrictionalShock").slave.table]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        # Symbols from physics.md and textbooks, and as typed on keyboards.
        ("mu", "friction_coefficient"),
        ("μ", "friction_coefficient"),
        ("µ", "friction_coefficient"),  # the micro sign of keyboards
        ("mu_d", "friction_coefficient"),
        ("mud", "friction_coefficient"),
        ("MU", "friction_coefficient"),
        ("mu_s", "friction_coefficient_static"),
        ("g", "gravity"),
        ("m", "mass"),
        ("k", "stiffness"),
        ("c", "damping"),
        ("e", "restitution"),
        ("ε", "restitution"),
        ("K_N", "contact_stiffness"),
        ("KN", "contact_stiffness"),
        ("k_n", "normal_stiffness"),
        ("kn", "normal_stiffness"),
        ("C_N", "contact_damping"),
        ("K_T", "tangential_stiffness"),
        ("kt", "tangential_stiffness"),
        ("C_T", "tangential_damping"),
        # Names of code_aster.
        ("RIGI_NOR", "contact_stiffness"),
        ("rigi_tan", "tangential_stiffness"),
        ("AMOR_NOR", "contact_damping"),
        ("COULOMB", "friction_coefficient"),
        # Parts of a name.
        ("friction", "friction_coefficient"),
        ("grav", "gravity"),
    ],
)
def test_a_symbol_is_answered_with_the_parameter_that_it_stands_for(typed, meant):
    assert nearest(typed, PARAMETERS).startswith(f"; did you mean '{meant}'")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("F_N", "normal_force"),
        ("FN", "normal_force"),
        ("F_T", "friction_force"),
        ("u", "relative_displacement"),
        ("u̇", "relative_velocity"),
        ("udot", "relative_velocity"),
        ("a", "base_acceleration"),
        ("A_t", "base_acceleration"),
        ("W", "wear_work"),
    ],
)
def test_a_symbol_is_answered_with_the_variable_that_it_stands_for(typed, meant):
    assert nearest(typed, VARIABLES) == f"; did you mean '{meant}'?"


def test_a_symbol_means_nothing_where_there_is_no_such_variable():
    assert nearest("mu", ["gain", "rate"]) == ""


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            "mu=0.15",
            "'mu' is not a parameter of FrictionalShock.fmu; did you mean 'friction_coefficient'? "
            "`wearfmu variables FrictionalShock` lists all",
        ),
        (
            "colour=3",
            "'colour' is not a parameter of FrictionalShock.fmu; "
            "`wearfmu variables FrictionalShock` lists all",
        ),
        (
            "record=q.csv",
            "'record' is not a parameter of FrictionalShock.fmu; "
            "`wearfmu variables FrictionalShock` lists all",
        ),
        (
            "base_acceleration=3",
            "'base_acceleration' is an input of FrictionalShock.fmu and not a parameter; "
            "`wearfmu variables FrictionalShock` lists all",
        ),
        (
            "a=3",
            "'a' is not a parameter of FrictionalShock.fmu; did you mean the input "
            "'base_acceleration'? `wearfmu variables FrictionalShock` lists all",
        ),
    ],
)
def test_an_unknown_parameter_is_answered_with_where_all_are_listed(tmp_path, capsys, given, said):
    record = tmp_path / "quake.csv"
    record.write_text("time,acceleration\n0,0\n1,1\n", encoding="utf-8")
    assert main(["run", "--input", str(record), "--set", given]) == 2
    assert capsys.readouterr().err == f"wearfmu: --set {said}\n"
