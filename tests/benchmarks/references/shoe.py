"""Parameters of SDND104 for all methods of the comparison, and the reference values.

m = 1 kg, μ = 0.1, g = 10 m/s², A(t) = a0 sin 2πt, and the mass sticks at t = 0. The result is the
mean of F_N |v_slip| over [4, 12] s. Source: SDND104 (V5.01.104), section 1.
"""

from __future__ import annotations

import math

from wearmodel.reference.closed_forms import RubbingShoe
from wearmodel.reference.schemes import DISCRETE_LAW_LIMITS

MASS = 1.0
GRAVITY = 10.0
FRICTION_COEFFICIENT = 0.1
ANGULAR_FREQUENCY = 2.0 * math.pi
NORMAL_FORCE = MASS * GRAVITY
PERIODS = 12
"""Number of periods of 1 s. The window begins with the fifth period."""
WINDOW_START = 4.0
WINDOW_END = 12.0

AMPLITUDES = (15.0, 1.5, 1.01)
"""a0 [m/s2]: slip-slip, stick-slip, stick-slip with short slips."""

RIGID = {
    amplitude: RubbingShoe(
        MASS, GRAVITY, FRICTION_COEFFICIENT, amplitude, ANGULAR_FREQUENCY
    ).mean_wear_power(WINDOW_START, WINDOW_END)
    for amplitude in AMPLITUDES
}
"""Mean wear power [W] of the rigid law, in closed form."""

SPRING_SLIDER = {15.0: 15.266881093215956, 1.5: 0.40906921585100555, 1.01: 2.2629992975127904e-4}
"""Mean wear power [W] with K_T = 9e6 N/m, critical C_T, k = 3e-5 N/m and the law of the kernel.

Closed-form arcs in 34-digit arithmetic, as in the cases sdnd104_penalised_*."""

VELOCITY_DIRECTION = {amplitude: DISCRETE_LAW_LIMITS[amplitude] for amplitude in AMPLITUDES}
"""Mean wear power [W] for dt → 0 with the discrete law of the documents, used by the schemes."""

WEAK_SPRING = 3e-5
"""k of the penalised model [N/m]."""
TANGENTIAL_STIFFNESS = 9e6
"""K_T of the penalised model [N/m]."""
