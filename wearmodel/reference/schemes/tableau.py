"""Tables of coefficients of the classical schemes.

With the slopes k_j = ẍ of a step's evaluations, from k_0 at its start, and k_p of the previous
step, a step of length h computes for i = 1, 2, …

    v_i = v + h (p_i k_p + Σ_{j<i} a_ij k_j),   x_i = x + h Σ_{j≤i} b_ij v_j  (v_0 = v)
    k_i = ẍ(t + c_i h, x_i, v_i + λ h k_0)

and ends at x_s and v + h Σ_{j≤s} d_j k_j. The evaluation at the end is the first of the next step,
because the contact law depends on all evaluations.

Sources: SDND104 (V5.01.104), modelling A, and the time schemes of the transient operator.
P. Bogacki, L. F. Shampine, A 3(2) pair of Runge-Kutta formulas, Appl. Math. Lett. 2 (1989).
J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, J. Comput. Appl. Math. 6
(1980).
"""

from __future__ import annotations

from typing import NamedTuple

Row = tuple[float, ...]


class Tableau(NamedTuple):
    """The coefficients of a scheme with s evaluations a step. Missing weights are 0."""

    nodes: Row  #: c, shape (s,).
    velocity_weights: tuple[Row, ...]  #: a, s rows of up to s + 1 weights.
    displacement_weights: tuple[Row, ...]  #: b, s rows of up to s + 1 weights.
    end_weights: Row  #: d, up to s + 1 weights.
    previous_weights: Row = ()  #: p. k_p is the slope k_1 of the previous step.
    error_weights: Row = ()  #: d minus the weights of the lower order of an embedded pair.
    exponent: float = 0.0  #: q of the pair's step control: one more than its higher order.
    #: λ: by what share of a step the contact's velocity is ahead of a staggered v_i.
    lead: float = 0.0
    #: v is half a step behind x, and h of v_i half the step planned before and half the present.
    staggered: bool = False
    points_per_period: float = 0.0  #: N of ADAPT, or 0 without apparent frequency.
    growth: float = 1.0  #: Ratio of two successive steps if no error is estimated.


def _embedded_pair(
    nodes: Row, weights: tuple[Row, ...], error_weights: Row, exponent: float
) -> Tableau:
    """A pair whose last row is its solution of higher order."""
    return Tableau(nodes, weights, weights, weights[-1], (), error_weights, exponent)


#: Symplectic Euler, later named central difference: v₁ = v + h k_0, x₁ = x + h v₁. Order 1.
EULER = Tableau(
    nodes=(1.0,),
    velocity_weights=((1.0,),),
    displacement_weights=((0.0, 1.0),),
    end_weights=(1.0,),
)

#: EULER with a step that varies. Order 1.
ADAPT_1 = EULER._replace(staggered=True, points_per_period=50.0)

#: The leapfrog with v at the half step, before the velocity of the contact. Order 2.
ADAPT_2 = ADAPT_1._replace(lead=0.5)

DEVOGE = Tableau(
    nodes=(1 / 2, 1.0),
    velocity_weights=((1 / 3,), (0.0, 2 / 3)),
    displacement_weights=((0.0, 1 / 2), (0.0, 1 / 2, 1 / 2)),
    end_weights=(1 / 6, 4 / 6, 1 / 6),
    previous_weights=(-1 / 12, 1 / 12),
    growth=1.5,
)
"""Devogelaere and Fu, whose v_i are the finite differences of x over the half steps. Order 4.

x½ = x + h v/2 + h²/24 (4 k_0 − k_p),   x₁ = x + h v + h²/6 (k_0 + 2 k½).

The error control of the recorded runs is not modelled. The recorded wear power is reproduced to
5e-13 if this control had no effect (tolerance 1e-3 m, at 1.5 m/s2), and otherwise to 9e-6."""

#: RUNGE_KUTTA 3(2). Order 3.
BOGACKI_SHAMPINE_32 = _embedded_pair(
    nodes=(1 / 2, 3 / 4, 1.0),
    weights=((1 / 2,), (0.0, 3 / 4), (2 / 9, 1 / 3, 4 / 9)),
    error_weights=(2 / 9 - 7 / 24, 1 / 3 - 1 / 4, 4 / 9 - 1 / 3, -1 / 8),
    exponent=4.0,
)

#: RUNGE_KUTTA 5(4). Order 5.
DORMAND_PRINCE_54 = _embedded_pair(
    nodes=(1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0),
    weights=(
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
        (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
    ),
    error_weights=(
        35 / 384 - 5179 / 57600,
        0.0,
        500 / 1113 - 7571 / 16695,
        125 / 192 - 393 / 640,
        -2187 / 6784 + 92097 / 339200,
        11 / 84 - 187 / 2100,
        -1 / 40,
    ),
    exponent=6.0,
)
