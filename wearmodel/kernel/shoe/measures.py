"""Outputs, computed from a state and the forcings at its instant."""

from __future__ import annotations

from ..contact.friction import friction_slope, holding_bound, sliding_friction
from ..limits import FLIGHT, PENALISED_FRICTION, PENALTY, PRESCRIBED, SLIP, STICK
from .normal import gap_to, nearest_plane, penalty_force
from .parameters import Parameters
from .state_objects import Present, State


def contact_force(p: Parameters, s: State, normal_forcing: float) -> float:
    """F_N [N] ≥ 0 in contact."""
    plane = s.contact
    law = p.normal_law
    force = -plane * normal_forcing
    if law == PENALTY:
        gap = gap_to(p, s, plane, s.normal_displacement)
        force = penalty_force(p, gap, plane * s.normal_velocity)
    elif law != PRESCRIBED:
        force += plane * p.normal_stiffness * s.normal_displacement
    return force if force > 0.0 else 0.0


def restoring_force(p: Parameters, s: State, force: float, tangential_forcing: float) -> float:
    """k u − f_t + F_N u/R [N], positive against +u. The last term exists for a pendulum only."""
    restoring = p.stiffness * s.displacement - tangential_forcing
    if p.curvature != 0.0:
        restoring += p.curvature * force * s.displacement
    return restoring


def holding_friction(p: Parameters, s: State, force: float, tangential_forcing: float) -> float:
    """F_T [N] on the mass in stick under the normal force `force` [N]."""
    if p.tangential_law == PENALISED_FRICTION:
        return -p.tangential_stiffness * s.stretch - p.tangential_damping * s.velocity
    holding = restoring_force(p, s, force, tangential_forcing)
    if p.stop_stiffness > 0.0:
        holding -= stop_force(p, s, 0.0)
    return holding


def stop_force(p: Parameters, s: State, acting: float) -> float:
    """Force [N] of the stops on the mass, where a rigid stop balances the force `acting` on it."""
    side = s.stop
    push = side * acting
    if p.stop_stiffness > 0.0:
        depth = s.displacement - (p.stop_upper if side > 0.0 else p.stop_lower)
        push = side * (p.stop_stiffness * depth + p.stop_damping * s.velocity)
    return -side * push if push > 0.0 else 0.0


def _stretch_rate(p: Parameters, s: State, now: Present, coefficient: float, force: float) -> float:
    """ė [m/s] in penalised slip without damper, from the rates of the contact force and of μ."""
    sliding = s.sliding
    signed_friction = sliding * coefficient
    stiffness = p.tangential_stiffness
    plane = s.contact
    rate = -plane * now.normal_forcing_rate
    if p.normal_law == PENALTY:
        gap_acceleration = (
            plane
            * (
                now.normal_forcing
                - p.normal_damping * s.normal_velocity
                - p.normal_stiffness * s.normal_displacement
                + plane * force
            )
            / p.mass
        )
        rate = penalty_force(p, plane * s.normal_velocity, gap_acceleration)
    stretch_rate = signed_friction * rate / stiffness
    if p.constant_friction < 0.0:
        velocity = s.velocity
        acceleration = now.tangential_forcing - p.damping * velocity - p.stiffness * s.displacement
        signed = -signed_friction * force
        if s.stop != 0.0:
            restoring = restoring_force(p, s, force, now.tangential_forcing)
            signed += stop_force(p, s, signed - restoring)
        signed -= p.curvature * force * s.displacement
        acceleration = (acceleration + signed) / p.mass
        # Rate of the speed |u̇|.
        if velocity < 0.0 or (velocity == 0.0 and acceleration < 0.0):
            acceleration = -acceleration
        change = friction_slope(p, velocity, acceleration) * acceleration
        stretch_rate += sliding * change * force / stiffness
    if p.opening_per_work != 0.0:
        # Wear also reduces F_N, at the rate K_N β F_N s (u̇ − ė).
        share = coefficient * p.contact_stiffness * p.opening_per_work * force / stiffness
        stretch_rate = (stretch_rate - share * s.velocity) / (1.0 - share)
    return stretch_rate


def measure(
    p: Parameters, s: State, now: Present, input_prediction_error: float
) -> tuple[float, ...]:
    """Outputs of a state and of the forcings at its instant.

    They are in the order of `inputs_outputs.OUTPUTS`, with the given prediction error at the end.
    It is one function because it returns 32 outputs, which share forces and velocities.
    """
    plane = s.contact
    velocity = s.velocity
    force = 0.0
    friction = 0.0
    slip_velocity = 0.0
    wear_power = 0.0
    friction_power = 0.0
    mode = FLIGHT
    if plane != 0.0:
        force = contact_force(p, s, now.normal_forcing)
        sliding = s.sliding
        if sliding == 0.0:
            mode = STICK
            friction = holding_friction(p, s, force, now.tangential_forcing)
            pressed = s.stop * p.stop_holds
            if pressed * friction < 0.0:
                # Friction is used first, and the stop takes the remainder.
                friction = -pressed * min(abs(friction), holding_bound(p, force))
        else:
            mode = SLIP
            coefficient = p.constant_friction
            if coefficient < 0.0:
                coefficient = sliding_friction(p, velocity)
            friction = -sliding * coefficient * force
            slip_velocity = velocity
            if p.tangential_law == PENALISED_FRICTION and p.tangential_damping > 0.0:
                pull = -friction - p.tangential_stiffness * s.stretch
                slip_velocity -= pull / p.tangential_damping
            elif p.tangential_law == PENALISED_FRICTION:
                slip_velocity -= _stretch_rate(p, s, now, coefficient, force)
            wear_power = force * abs(slip_velocity)
            friction_power = coefficient * wear_power
    wear_work = s.wear_work
    volume = p.volume_per_work * wear_work
    depth_upper = p.volume_per_work * s.wear_work_upper / p.wear_area
    depth = volume / p.wear_area
    displacement = s.displacement
    spring = p.stiffness * displacement + p.damping * velocity
    stopping = 0.0
    if p.curvature != 0.0:
        spring += p.curvature * force * displacement
    if s.stop != 0.0:
        acting = friction - restoring_force(p, s, force, now.tangential_forcing)
        stopping = stop_force(p, s, acting)
        spring -= stopping

    gap = 0.0
    gap_velocity = 0.0
    support_force_normal = -plane * force
    if p.normal_law != PRESCRIBED:
        place = s.normal_displacement
        nearest = plane
        if plane == 0.0:
            nearest = nearest_plane(p, s, place)
        gap = gap_to(p, s, nearest, place)
        # Wear opens the gap in slip only. The plane in contact is then the nearest.
        gap_velocity = nearest * s.normal_velocity + p.opening_per_work * wear_power
        support_force_normal += p.normal_stiffness * place + p.normal_damping * s.normal_velocity
    return (
        force,
        friction,
        slip_velocity,
        velocity,
        wear_power,
        friction_power,
        wear_work,
        s.friction_work,
        volume,
        depth,
        s.sliding_distance,
        displacement,
        gap,
        gap_velocity,
        mode,
        s.shock_count,
        s.slip_count,
        s.peak_force,
        s.impulse,
        spring - friction,
        support_force_normal,
        (now.tangential_load - spring + friction) / p.mass,
        s.damping_work,
        depth - depth_upper,
        depth_upper,
        stopping,
        s.stop_impulse,
        s.stop_count,
        s.stop_work,
        s.pendulum_work,
        s.parameter_change_work,
        input_prediction_error,
    )
