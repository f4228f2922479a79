"""What the classical schemes march: the mass and its contact, what shakes it, its state, the run.

The declarations behind the units are those of `wearmodel.reference.schemes`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..records import bundle, copying, record


@record
class PenalisedContact:
    """Of the penalised contact and its friction law, all completed."""

    contact_stiffness: float  # K_N [N/m]
    contact_damping: float  # C_N [N.s/m]
    friction_coefficient_static: float  # μ_s
    friction_coefficient: float  # μ_d
    tangential_stiffness: float  # K_T [N/m]
    tangential_damping: float  # C_T [N.s/m]


@record
class Oscillator(PenalisedContact):
    """The mass, its spring and damper, its one direction of motion, and where it starts."""

    mass: float  # M [kg]
    stiffness: float  # K [N/m]
    damping: float  # C [N.s/m]
    tangential_component: float  # τ
    normal_component: float  # n
    initial_gap: float  # gap at x = 0 [m]
    initial_displacement: float  # x at t = 0 [m]
    initial_velocity: float  # v at t = 0 [m/s]


@record
class Shaking:
    """A(t) = amplitude sin(angular_frequency t), or a table's straight lines."""

    amplitude: float  # [m/s2]
    angular_frequency: float  # [rad/s]
    table_interval: float  # between two samples of the table [s]


@bundle
@dataclass
class ShakenOscillator:
    """What moves and what shakes it; an empty table stands for the sine."""

    oscillator: Oscillator
    shaking: Shaking
    table: list[float]  # samples of A from t = 0 on [m/s2]


@bundle
@dataclass
class Coefficients:
    """Those of a scheme with s evaluations a step, see `reference.schemes.tableau`."""

    nodes: list[float]  # c, shape (s,)
    velocity_weights: list[list[float]]  # a, shape (s, s + 1)
    displacement_weights: list[list[float]]  # b, shape (s, s + 1)
    end_weights: list[float]  # d, shape (s + 1,)
    previous_weights: list[float]  # p, shape (s,)
    error_weights: list[float]  # shape (s + 1,)


@record
class Run:
    """How a run is marched; a flag is 1 or 0."""

    duration: float  # end of the run [s]
    first_step: float  # [s]
    largest_step: float  # [s]
    archive_every: float  # steps between two samples
    is_fixed: float  # all steps are first_step and instants i·dt; else the last one is cut
    smallest_step: float  # step below which the run is given up [s]
    largest_redo_count: float  # times a step is redone before it is taken as it is
    redo_gain: float  # ratio by which redoing must lower the error to be tried again
    growth: float  # ratio of two successive steps where no error is estimated
    points_per_period: float  # N of ADAPT; 0: no apparent frequency
    tolerance: float  # tol of an embedded pair; 0: no error estimate
    scale: float  # ALPHA of an embedded pair [m and m/s]
    lead: float  # λ of the coefficients
    is_staggered: float  # whether v is half a step behind x
    exponent: float  # q of an embedded pair's step control


@record
class FrictionMemory:
    """What the friction law keeps between two evaluations."""

    sticking: float  # 1 where the last evaluation found stick
    anchor_force: float  # f*: friction where stick began, or the last slip force [N]
    anchor_displacement: float  # x*: tangential displacement there [m]
    previous_velocity: float  # v*: tangential velocity at the last evaluation [m/s]


@record
class MarchState(FrictionMemory):
    """What a scheme carries from step to step."""

    displacement: float  # x [m]
    velocity: float  # v that the scheme advances [m/s]; of the last half step in a leapfrog
    acceleration: float  # ẍ that the contact left the mass [m/s2]
    contact_velocity: float  # velocity that the contact was given, which is archived [m/s]
    normal_force: float  # F_N ≥ 0 [N]
    friction_force: float  # F_T on the mass, along the obstacle [N]
    previous_rate: float  # ẍ of the first evaluation of the last step [m/s2]
    steady_steps: float  # accepted steps since ADAPT's step last grew


@record
class Clock:
    """How far a run is."""

    time: float  # [s]
    step_size: float  # of the next step [s]
    steps: float  # taken
    unarchived: float  # of them, since the last sample


@bundle
@dataclass
class Marching:
    """A run on its way, and work space."""

    s: MarchState
    trial: MarchState  # after the step that is tried
    clock: Clock
    velocities: list[float]  # v_i of a step's evaluations, shape (s + 1,) [m/s]
    rates: list[float]  # k_i, shape (s + 1,) [m/s2]


copy_march_state = copying(MarchState)
