"""FrictionalShock.fmu: the variable table and the two calls to the model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from wearmodel.kernel.parameters import (
    RULES,
    ContactMode,
    FrictionalShockParameters,
    InputTiming,
)
from wearmodel.models.frictional_shock import (
    FAILURE_REASONS,
    START_FAILURES,
    STATE_RULES,
    STEP_FAILURE,
)
from wearmodel.models.frictional_shock import FrictionalShock as FrictionalShockModel

from ..bundled.definition import (
    SDND104,
    Experiment,
    FmuDefinition,
    InputDerivatives,
    NativeForm,
    Page,
)
from ..bundled.slave import SafeSlave
from ..bundled.variables import count_output, mode_output, parameters_of, real_input, real_output


class FrictionalShock(SafeSlave):
    """A mass on a shaken support that rubs, sticks, slips and knocks."""

    title = (
        "Frictional shock with wear: a mass on a shaken support rubs, sticks, slips and knocks; "
        "forces, slip velocity, wear power and the wear that accumulates"
    )
    # Outputs in the order of FrictionalShockModel.output_values.
    table = (
        real_input(
            "base_acceleration", "m/s2", "Tangential acceleration of the support", nominal=10.0
        ),
        real_input(
            "base_acceleration_normal", "m/s2", "Normal acceleration of the support", nominal=10.0
        ),
        real_input("tangential_load", "N", "Tangential load on the mass"),
        real_input("normal_load", "N", "Load on the mass towards the lower plane", nominal=10.0),
        real_output(
            "normal_force",
            "N",
            "Contact force F_N; impulses not counted",
            minimum=0.0,
            nominal=10.0,
        ),
        real_output("friction_force", "N", "Friction force F_T on the mass"),
        real_output("slip_velocity", "m/s", "Sliding rate of the contact; 0 in stick and flight"),
        real_output(
            "relative_velocity",
            "m/s",
            "Tangential velocity, mass minus support",
            derivative_of="relative_displacement",
        ),
        real_output(
            "wear_power", "W", "Archard's wear power F_N |slip velocity|", minimum=0.0, nominal=10.0
        ),
        real_output("friction_power", "W", "Heat of friction μ_d F_N |slip velocity|", minimum=0.0),
        real_output(
            "wear_work",
            "J",
            "Integral of the wear power, impacts included",
            minimum=0.0,
            nominal=100.0,
        ),
        real_output(
            "friction_work", "J", "Energy dissipated by friction", minimum=0.0, nominal=10.0
        ),
        real_output(
            "worn_volume", "m3", "archard_coefficient × wear_work", minimum=0.0, nominal=1e-11
        ),
        real_output("wear_depth", "m", "worn_volume / wear_area", minimum=0.0, nominal=1e-07),
        real_output("sliding_distance", "m", "Integral of |slip velocity|", minimum=0.0),
        real_output("relative_displacement", "m", "Tangential displacement, mass minus support"),
        real_output("gap", "m", "Smaller of the gaps to the planes; 0 with a prescribed force"),
        real_output("gap_velocity", "m/s", "Rate of the gap", derivative_of="gap"),
        mode_output("contact_mode", "Flight, stick or slip", ContactMode),
        # What counts, for all pairs of laws, is said here alone.
        count_output(
            "shock_count",
            "Contacts that close after flight, or on arrival at the start; a contact that the run "
            "starts in is none, and a prescribed force makes none",
        ),
        count_output(
            "slip_count",
            "Entries into slip that last; a reversal is one, slip that the run starts in is none",
        ),
        real_output(
            "peak_normal_force", "N", "Largest normal force so far", minimum=0.0, nominal=10.0
        ),
        real_output("impact_impulse", "N.s", "Sum of the impacts' normal impulses", minimum=0.0),
        real_output("support_force_tangential", "N", "Tangential force on the support"),
        real_output(
            "support_force_normal",
            "N",
            "Normal force on the support, positive along w",
            nominal=10.0,
        ),
        real_output("absolute_acceleration", "m/s2", "Tangential acceleration of the mass"),
        real_output(
            "contact_damping_work",
            "J",
            "Heat of contact_damping and tangential_damping, and the energy of the friction "
            "spring's stretch that an opening contact forgets",
            minimum=0.0,
        ),
        *parameters_of(FrictionalShockParameters),
    )

    def create_model(
        self, parameters: dict[str, Any], start_time: float, inputs: Sequence[float]
    ) -> FrictionalShockModel:
        """The model at its start."""
        return FrictionalShockModel(
            FrictionalShockParameters(**parameters),
            start_time=start_time,
            base_acceleration=inputs[0],
            base_acceleration_normal=inputs[1],
            tangential_load=inputs[2],
            normal_load=inputs[3],
        )

    def advance(
        self, model: FrictionalShockModel, time: float, step_size: float, inputs: Sequence[float]
    ) -> None:
        """One step; the model's clock follows the master's, so that rounding never adds up."""
        acceleration, normal_acceleration, load, normal_load = inputs
        model.step(step_size, acceleration, normal_acceleration, load, normal_load)
        model.time = time + step_size


def _shaking(time: float) -> float:
    return 15.0 * math.sin(2.0 * math.pi * time)


# The motion along the normal knows nothing of the other one.
_NORMAL_INPUTS = ("base_acceleration_normal", "normal_load")
_NORMAL_OUTPUTS = (
    "normal_force",
    "gap",
    "gap_velocity",
    "shock_count",
    "peak_normal_force",
    "impact_impulse",
    "support_force_normal",
)

FMU = FmuDefinition(
    slave=FrictionalShock,
    parameters=FrictionalShockParameters,
    page=Page(
        models=(
            "models.frictional_shock",
            "kernel.normal",
            "kernel.tangential",
            "kernel.transitions",
            "kernel.oscillator",
            "kernel.extrapolation",
        ),
        rules=(
            "With input_timing start the input set before a step is the value at the step's start; "
            "over the step it is extrapolated by the polynomial through the last "
            "input_extrapolation_order + 1 values (-1: the order is chosen from the errors of past "
            "predictions), or by fewer where short steps precede a long one. With input_timing end "
            "it is the value at the step's end, reached on a straight line.",
            "The parameters' defaults are those of SDND104: fed with 15 sin(2πt) m/s2 the mean of "
            "wear_power over [4, 12] s is 15.2671 W.",
            "For a support that is a body of its own, support_force_tangential and "
            "support_force_normal act on it and its acceleration is the input. In rigid stick the "
            "force contains the acceleration at once: repeat the step from a saved state until "
            "both agree.",
        ),
        limits=(
            "Wear changes neither the gap nor the stiffness; hours to years follow by scaling with "
            "the mean wear power.",
            "One tangential direction; one mass; constant coefficients of Coulomb friction.",
            "A rigid contact whose bounces add up to less than 1e-9 s and 1e-12 of the height of "
            "fall comes to rest; more than 10 000 events in one step are an error.",
        ),
        references=(
            SDND104,
            "Archard, Contact and rubbing of flat surfaces, J. Appl. Phys. 24 (1953)",
        ),
        sketch="frictional_shock.svg",
    ),
    experiment=Experiment(
        description="SDND104 at 15 m/s2: a mass that rubs on a shaken support, two periods",
        stop_time=2.0,
        step_size=1e-3,
        output_stride=10,
        inputs={"base_acceleration": _shaking},
        outputs=(
            "normal_force",
            "friction_force",
            "slip_velocity",
            "relative_displacement",
            "wear_power",
            "wear_work",
            "contact_mode",
            "slip_count",
        ),
        note="Set the stimulus of each instant before the step that starts there. The input is\n"
        "extrapolated over a step, so another step size gives slightly other numbers.",
    ),
    native=NativeForm(
        start="communication.start",
        step="communication.step",
        outputs="communication.outputs",
        complete="setup.complete_parameters",
        failures={
            **START_FAILURES,
            **{
                code: STEP_FAILURE.replace("{reason}", reason)
                for code, reason in FAILURE_REASONS.items()
            },
        },
        broken_rule="rules.broken_rule",
        rules=RULES,
        broken_state="saved_state.broken_state",
        state_rules=STATE_RULES,
        input_derivatives=InputDerivatives(
            step="input_derivatives.step_with_derivatives",
            refused_where=("input_timing", InputTiming.end),
            reason="with input_timing end an input is joined to the one before by a straight line "
            "and has no other derivatives",
        ),
        accumulated=(
            "wear_work",
            "friction_work",
            "sliding_distance",
            "impulse",
            "damping_work",
        ),
        discrete=("order",),
        partial_dependencies={output: _NORMAL_INPUTS for output in _NORMAL_OUTPUTS},
    ),
)
