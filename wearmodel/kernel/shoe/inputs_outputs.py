"""Inputs and outputs of the frictional shock: names, units, meaning.

Parameters are declared in `parameters`, and `measures` computes the outputs.
"""

from __future__ import annotations

from ...quantities import Input, Output
from .parameters import ContactMode

INPUTS: tuple[Input, ...] = (
    Input(
        "base_acceleration",
        "m/s2",
        "Tangential acceleration of the support",
        nominal=10.0,
        symbol="A_t",
        aliases=("a", "acceleration"),
    ),
    Input(
        "base_acceleration_normal",
        "m/s2",
        "Normal acceleration of the support",
        nominal=10.0,
        symbol="A_n",
    ),
    Input("tangential_load", "N", "Tangential load on the mass", symbol="P_t"),
    Input(
        "normal_load", "N", "Load on the mass towards the lower plane", nominal=10.0, symbol="P_n"
    ),
)

# Also an output of structures.
PREDICTION_ERROR = Output(
    "input_prediction_error",
    "1",
    "Relative prediction error of the inputs over a step: rms of (received − predicted) / rms of "
    "the input, over the last 64 steps. The largest of all inputs. -1 in the first 7 steps. 0 for "
    "constant inputs and with input_timing end",
)

# Also an output of the other models with tunable parameters.
PARAMETER_CHANGE_WORK = Output(
    "parameter_change_work",
    "J",
    "Energy added to the springs by changes of parameters during the run, negative if removed",
)

# In the order of `measures.measure`.
OUTPUTS: tuple[Output, ...] = (
    Output(
        "normal_force",
        "N",
        "Contact force F_N, without impulses",
        minimum=0.0,
        nominal=10.0,
        symbol="F_N",
        aliases=("N",),
    ),
    Output("friction_force", "N", "Friction force F_T on the mass", symbol="F_T"),
    Output("slip_velocity", "m/s", "Sliding velocity of the contact, 0 in stick and flight"),
    Output(
        "relative_velocity",
        "m/s",
        "Tangential velocity, mass minus support",
        derivative_of="relative_displacement",
        symbol="u̇",
        aliases=("v",),
    ),
    Output(
        "wear_power", "W", "Archard's wear power F_N |slip velocity|", minimum=0.0, nominal=10.0
    ),
    Output("friction_power", "W", "Heat of friction μ F_N |slip velocity|", minimum=0.0),
    Output(
        "wear_work",
        "J",
        "Integral of the wear power, impacts included",
        minimum=0.0,
        nominal=100.0,
        aliases=("W",),
    ),
    Output("friction_work", "J", "Energy dissipated by friction", minimum=0.0, nominal=10.0),
    Output(
        "worn_volume",
        "m3",
        "wear_time_scale × archard_coefficient × wear_work",
        minimum=0.0,
        nominal=1e-11,
        aliases=("V",),
    ),
    Output("wear_depth", "m", "worn_volume / wear_area", minimum=0.0, nominal=1e-07),
    Output("sliding_distance", "m", "Integral of |slip velocity|", minimum=0.0),
    Output("relative_displacement", "m", "Tangential displacement, mass minus support", symbol="u"),
    Output("gap", "m", "Smaller gap to the planes, 0 with a prescribed force"),
    Output("gap_velocity", "m/s", "Rate of change of the gap", derivative_of="gap"),
    Output("contact_mode", "1", "Flight, stick or slip", kind=ContactMode),
    # Only these descriptions define which events are counted, for all pairs of laws.
    Output(
        "shock_count",
        "1",
        "Number of times that the contact closes, after flight or with an approach velocity at "
        "the start. A contact that is closed at the start is not counted. Always 0 with a "
        "prescribed force",
        kind=int,
        minimum=0,
    ),
    Output(
        "slip_count",
        "1",
        "Number of times that slip begins, including reversals, excluding slip at the start",
        kind=int,
        minimum=0,
    ),
    Output("peak_normal_force", "N", "Largest normal force so far", minimum=0.0, nominal=10.0),
    Output("impact_impulse", "N.s", "Sum of the impacts' normal impulses", minimum=0.0),
    Output("support_force_tangential", "N", "Tangential force on the support"),
    Output(
        "support_force_normal",
        "N",
        "Normal force on the support, positive away from the lower plane",
        nominal=10.0,
    ),
    Output("absolute_acceleration", "m/s2", "Tangential acceleration of the mass"),
    Output(
        "contact_damping_work",
        "J",
        "Energy dissipated by contact_damping and tangential_damping, and energy of the friction "
        "spring that is lost when the contact opens",
        minimum=0.0,
    ),
    Output("wear_depth_lower", "m", "Part of wear_depth at the lower plane", nominal=1e-07),
    Output("wear_depth_upper", "m", "Part of wear_depth at the upper plane", nominal=1e-07),
    Output("stop_force", "N", "Force of the stops on the mass, without impulses", symbol="F_S"),
    Output("stop_impulse", "N.s", "Sum of the impulses of impacts at rigid stops", minimum=0.0),
    Output(
        "stop_count",
        "1",
        "Number of times that the mass reaches a stop, excluding contact at the start",
        kind=int,
        minimum=0,
    ),
    Output("stop_work", "J", "Energy dissipated by the stops", minimum=0.0),
    Output(
        "pendulum_work",
        "J",
        "Work of the mass against the restoring force F_N u/R of pendulum_radius. At a constant "
        "normal force, the change of F_N u²/(2 R)",
    ),
    PARAMETER_CHANGE_WORK,
    PREDICTION_ERROR,
)
