"""Inputs and outputs of a structure on its modes: names, units, meaning.

Examples are `NAME.normal_force` of a contact, `POINT.displacement_x` of an observed point, and the
input `load.NAME`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..kernel.shoe.inputs_outputs import OUTPUTS as SHOCK_OUTPUTS
from ..kernel.shoe.inputs_outputs import PARAMETER_CHANGE_WORK, PREDICTION_ERROR
from ..kernel.shoe.parameters import ContactMode
from ..quantities import Input, Output
from ..structure.description import AXES, Structure

# The order is the order of `ModalShock.output_values`.
CONTACT_OUTPUTS: tuple[Output, ...] = (
    Output("normal_force", "N", "Contact force F_N", minimum=0.0, nominal=10.0),
    *(
        Output(f"friction_force_{axis}", "N", f"Friction force on the structure along {axis}")
        for axis in AXES
    ),
    # The name `gap` is not possible, because the parameter `gap` is the gap at rest.
    Output(
        "clearance",
        "m",
        "Present gap, negative if pressed. The smaller one of two planes",
        nominal=1e-4,
    ),
    Output(
        "slip_velocity",
        "m/s",
        "Sliding velocity of the contact, 0 in stick and flight",
        minimum=0.0,
    ),
    Output("contact_mode", "1", "Flight, stick or slip", kind=ContactMode),
    Output("wear_power", "W", "Archard's wear power F_N slip_velocity", minimum=0.0),
    Output("wear_work", "J", "Integral of the wear power", minimum=0.0),
    Output(
        "worn_volume",
        "m3",
        "wear_time_scale × archard_coefficient × wear_work",
        minimum=0.0,
        nominal=1e-13,
    ),
    Output("wear_depth", "m", "worn_volume / wear_area", minimum=0.0, nominal=1e-9),
    Output("sliding_distance", "m", "Integral of slip_velocity", minimum=0.0),
    Output(
        "shock_count",
        "1",
        "Number of times that the contact closes, after flight or with an approach velocity at "
        "the start. A contact that is closed at the start is not counted",
        kind=int,
        minimum=0,
    ),
    Output("peak_normal_force", "N", "Largest normal force so far", minimum=0.0, nominal=10.0),
    *(
        Output(
            f"relative_displacement_{axis}",
            "m",
            f"Displacement of the point along {axis}, minus the second point's",
            nominal=1e-4,
        )
        for axis in AXES
    ),
    Output(
        "wear_depth_lower",
        "m",
        "Part of wear_depth at the lower plane, or the whole wear_depth about an axis",
        minimum=0.0,
        nominal=1e-9,
    ),
    Output(
        "wear_depth_upper",
        "m",
        "Part of wear_depth at the upper one of two planes",
        minimum=0.0,
        nominal=1e-9,
    ),
    *(
        output
        for output in SHOCK_OUTPUTS
        if output.name
        in (
            "slip_count",
            "friction_power",
            "friction_work",
            "contact_damping_work",
            "pendulum_work",
        )
    ),
)
POINT_OUTPUTS: tuple[Output, ...] = (
    *(Output(f"displacement_{axis}", "m", f"Displacement along {axis}") for axis in AXES),
    *(
        Output(
            f"velocity_{axis}",
            "m/s",
            f"Velocity along {axis}",
            derivative_of=f"displacement_{axis}",
        )
        for axis in AXES
    ),
)
TOTAL_OUTPUTS: tuple[Output, ...] = (
    Output("wear_work", "J", "Wear work of all contacts", minimum=0.0),
    Output("wear_power", "W", "Wear power of all contacts", minimum=0.0),
    Output("kinetic_energy", "J", "Kinetic energy of the modes", minimum=0.0),
    Output("elastic_energy", "J", "Elastic energy of the modes", minimum=0.0),
    PARAMETER_CHANGE_WORK,
    PREDICTION_ERROR,
)
# Outputs for each side of a polygon. The FMU adds the number of the side in brackets.
SIDE_OUTPUTS: tuple[Output, ...] = (
    Output("wear_work_by_side", "J", "Part of wear_work at", minimum=0.0),
    Output(
        "wear_depth_by_side",
        "m",
        "Worn volume divided by an equal share of wear_area at",
        minimum=0.0,
        nominal=1e-9,
    ),
)


def structure_inputs(structure: Structure) -> tuple[Input, ...]:
    """Return the accelerations of the support and one input per load."""
    return (
        *(
            Input(
                f"base_acceleration_{axis}",
                "m/s2",
                f"Acceleration of the support along {axis}",
                nominal=10.0,
            )
            for axis in AXES
        ),
        *(Input(f"load.{load.name}", "N", f"Load {load.name}") for load in structure.loads),
    )


def structure_outputs(structure: Structure) -> tuple[Output, ...]:
    """Return outputs of each contact and each observed point, totals, and outputs of each side."""
    return (
        *(
            of_owner(contact.name, output)
            for contact in structure.contacts
            for output in CONTACT_OUTPUTS
        ),
        *(of_owner(point, output) for point in structure.observed for output in POINT_OUTPUTS),
        *TOTAL_OUTPUTS,
        *side_outputs(structure),
    )


def side_outputs(structure: Structure) -> tuple[Output, ...]:
    """Return the outputs of each side of each polygon."""
    return tuple(
        of_owner(contact.name, output, f"[{side}]", f" side {side}")
        for contact in structure.contacts
        for output in SIDE_OUTPUTS
        for side in range(1, len(contact.gaps) + 1)
    )


def by_side(outputs: Mapping[str, float], name: str) -> dict[str, tuple[float, ...]]:
    """Return outputs NAME_by_side of all polygons, by the name of the contact."""
    values: dict[str, list[float]] = {}
    for output, value in outputs.items():
        contact, is_side, _ = output.partition(f".{name}_by_side[")
        if is_side:
            values.setdefault(contact, []).append(value)
    return {contact: tuple(of_contact) for contact, of_contact in values.items()}


def of_owner(owner: str, output: Output, index: str = "", part: str = "") -> Output:
    """Return an output of a contact, point or body with its name in the FMU."""
    derivative = output.derivative_of
    return replace(
        output,
        name=f"{owner}.{output.name}{index}",
        description=f"{owner}: {output.description}{part}",
        derivative_of=None if derivative is None else f"{owner}.{derivative}",
    )
