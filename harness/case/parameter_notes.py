"""Notes on parameters that run, but rarely mean what they say.

Defaults make FrictionalShock.fmu reproduce SDND104 and the shock record wherever it is opened; a
few of them suit no other contact, and what is set for one law does nothing under another. A note is
one line. It never changes a run or an exit code, and it is not given where the user set the value
in question.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields

from harness.fmu.interface import FmuInterface
from wearmodel import FrictionalShockParameters, NormalLaw, Obstacle, TangentialLaw
from wearmodel.kernel.parameters import InputTiming

# Parameters that act only under some values of another one, by that one.
ACTING = {
    "normal_law": {
        "contact_stiffness": (NormalLaw.penalty,),
        "contact_damping": (NormalLaw.penalty,),
        "restitution": (NormalLaw.rigid,),
        "obstacle": (NormalLaw.penalty, NormalLaw.rigid),
        "normal_stiffness": (NormalLaw.penalty, NormalLaw.rigid),
        "normal_damping": (NormalLaw.penalty, NormalLaw.rigid),
        "initial_normal_displacement": (NormalLaw.penalty, NormalLaw.rigid),
        "initial_normal_velocity": (NormalLaw.penalty, NormalLaw.rigid),
    },
    "tangential_law": {
        "tangential_stiffness": (TangentialLaw.penalty,),
        "tangential_damping": (TangentialLaw.penalty,),
    },
    "obstacle": {"plane_half_spacing": (Obstacle.two_planes,)},
    "input_timing": {"input_extrapolation_order": (InputTiming.start,)},
}
# Each says how the mass begins; one is enough to show that the user thought of it.
_STARTS = (
    "start_in_equilibrium",
    "initial_gap",
    "initial_normal_displacement",
    "initial_normal_velocity",
)
_DEFAULTS = FrictionalShockParameters()
_PARAMETERS = {one.name: float(getattr(_DEFAULTS, one.name)) for one in fields(_DEFAULTS)}


def all_parameters(
    interface: FmuInterface, given: Mapping[str, bool | int | float | str]
) -> dict[str, float]:
    """Return all parameters that are numbers as a run has them, enumerations by their code.

    Parameters
    ----------
    interface : FmuInterface
        Its start values hold for what is not given.
    given : mapping
        What is set, enumerations by name or number.
    """
    values = {}
    for name, variable in interface.variables.items():
        if variable.causality != "parameter" or variable.type == "String":
            continue
        if name in given:
            value = interface.parameter(name, given[name])[1]
        else:
            value = {"true": 1, "false": 0}.get(variable.start, variable.start)
        values[name] = float(value)
    return values


def parameter_notes(
    interface: FmuInterface, given: Mapping[str, bool | int | float | str]
) -> tuple[str, ...]:
    """Return the notes on a run; see `notes_on`.

    Parameters
    ----------
    interface : FmuInterface
        The FMU that runs; its start values are the defaults.
    given : mapping
        What the user set, by name.
    """
    model = interface.description.modelName
    return notes_on(model, all_parameters(interface, given), given)


def notes_on(model: str, values: Mapping[str, float], given: Collection[str]) -> tuple[str, ...]:
    """Return the notes on a run; none for a model of which there is nothing to note.

    Parameters
    ----------
    model : str
        Name of the FMU.
    values : mapping of str to float
        Its parameters, enumerations by their code; the others have the model's defaults.
    given : collection of str
        Names of those that the user set.
    """
    notes = _NOTES.get(model)
    return () if notes is None else notes(values, given)


def _shock_notes(values: Mapping[str, float], given: Collection[str]) -> tuple[str, ...]:
    """Return the notes on a run of FrictionalShock."""
    values = {**_PARAMETERS, **values}
    defaults = {
        name for name in _PARAMETERS if name not in given and values[name] == _PARAMETERS[name]
    }
    notes = []
    if values["normal_law"] == NormalLaw.penalty:
        if "contact_stiffness" in defaults:
            stiffness = values["contact_stiffness"]
            notes.append(
                f"contact_stiffness is the default {stiffness:g} N/m, a spring that gives way by "
                f"{1.0 / stiffness:g} m a newton; set that of your contact"
            )
        pressing_force = values["mass"] * values["gravity"] + values["preload"]
        if defaults.issuperset(_STARTS) and pressing_force > 0.0:
            notes.append(
                "the mass starts at zero contact force and drops into the contact spring, up to "
                f"twice its weight and preload, {2.0 * pressing_force:g} N; "
                "start_in_equilibrium=true starts it at rest"
            )
    if (
        values["normal_law"] != NormalLaw.prescribed
        and values["obstacle"] == Obstacle.two_planes
        and "plane_half_spacing" in defaults
    ):
        notes.append(
            f"plane_half_spacing is the default {values['plane_half_spacing']:g} m; "
            "set that of your planes"
        )
    return (*notes, *_without_effect(values, given))


def gravity_note(
    interface: FmuInterface, given: Mapping[str, bool | int | float | str], record_gravity: float
) -> tuple[str, ...]:
    """Return a note where a record in g meets the default gravity, which is another.

    Parameters
    ----------
    interface, given
        As for `parameter_notes`.
    record_gravity : float
        The record's g, m/s2.
    """
    value = all_parameters(interface, given)["gravity"]
    if "gravity" in given or value == record_gravity:
        return ()
    return (gravity_difference(value, record_gravity),)


def gravity_difference(default: float, record_gravity: float) -> str:
    """Return what to say where the default gravity is not the record's g, both in m/s2."""
    return (
        f"gravity is the default {default:g} m/s2, and the record's g is {record_gravity:g} m/s2; "
        f"set gravity={record_gravity:g} to use one and the same"
    )


def _without_effect(values: Mapping[str, float], given: Collection[str]) -> list[str]:
    """Return a note for each parameter that is set to another value than the default, in vain."""
    notes = []
    for chooser, dependents in ACTING.items():
        chosen = type(getattr(_DEFAULTS, chooser))(int(values[chooser]))
        for name, laws in dependents.items():
            in_vain = name in given and chosen not in laws
            if in_vain and values[name] != _PARAMETERS[name]:
                needed = " or ".join(law.name for law in laws)
                notes.append(
                    f"{name} does nothing with {chooser}={chosen.name}; it needs {chooser}={needed}"
                )
    return notes


# By model: what of its parameters misleads is known from use, here and not where they are declared.
_NOTES: dict[str, Callable[[Mapping[str, float], Collection[str]], tuple[str, ...]]] = {
    "FrictionalShock": _shock_notes,
}
