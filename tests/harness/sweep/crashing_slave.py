"""A slave that ends its process or rejects its step, depending on its parameter."""

from __future__ import annotations

import os

from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real

DEADLY, REFUSED = 13.0, 7.0


class CrashingSlave(Fmi2Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.level = 0.0
        self.result = 0.0
        self.register_variable(
            Real("level", causality=Fmi2Causality.parameter, variability=Fmi2Variability.fixed)
        )
        self.register_variable(
            Real("result", causality=Fmi2Causality.output, variability=Fmi2Variability.continuous)
        )

    def do_step(self, current_time, step_size):
        if self.level == DEADLY:
            os.abort()
        self.result = 2.0 * self.level
        return self.level != REFUSED
