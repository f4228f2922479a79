"""Ball.fmu: a mass that moves under a force, which it holds over each step. For pythonfmu."""

from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real


class Ball(Fmi2Slave):
    """m dv/dt = force − m g"""

    def __init__(self, **arguments):
        super().__init__(**arguments)
        self.mass, self.gravity, self.position, self.velocity, self.force = (
            1.0,
            0.0,
            0.01,
            -1.0,
            0.0,
        )
        for name in ("mass", "gravity"):
            self.register_variable(
                Real(name, causality=Fmi2Causality.parameter, variability=Fmi2Variability.tunable)
            )
        self.register_variable(Real("force", causality=Fmi2Causality.input))
        for name in ("position", "velocity"):
            self.register_variable(Real(name, causality=Fmi2Causality.output))

    def do_step(self, current_time, step_size):
        """The exact motion under a constant force."""
        acceleration = self.force / self.mass - self.gravity
        self.position += step_size * (self.velocity + 0.5 * step_size * acceleration)
        self.velocity += step_size * acceleration
        return True
