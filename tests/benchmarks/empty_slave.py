"""A slave without computation, with as many variables as FrictionalShock.fmu."""

from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real

INPUT_COUNT = 4
OUTPUT_COUNT = 23
PARAMETER_COUNT = 27


class EmptySlave(Fmi2Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        for i in range(INPUT_COUNT):
            setattr(self, f"input_{i}", 0.0)
            self.register_variable(Real(f"input_{i}", causality=Fmi2Causality.input))
        for i in range(OUTPUT_COUNT):
            setattr(self, f"output_{i}", 0.0)
            self.register_variable(Real(f"output_{i}", causality=Fmi2Causality.output))
        for i in range(PARAMETER_COUNT):
            setattr(self, f"parameter_{i}", 0.0)
            self.register_variable(
                Real(
                    f"parameter_{i}",
                    causality=Fmi2Causality.parameter,
                    variability=Fmi2Variability.fixed,
                )
            )

    def do_step(self, current_time, step_size):
        return True
