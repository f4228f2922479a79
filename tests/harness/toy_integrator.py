"""A slave for the tests of the harness. Its outputs can be computed by hand.

total = gain·Σ rate·step. This sum is the exact integral if the rate is constant over each step.
"""

from __future__ import annotations

import math
import signal
from xml.etree.ElementTree import Element, SubElement

from pythonfmu import Boolean, Fmi2Causality, Fmi2Slave, Fmi2Variability, Integer, Real, String
from pythonfmu.enums import Fmi2Status

NEVER = 1e9


class ToyIntegrator(Fmi2Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.rate = 0.0
        self.offset_rate = 0.0
        self.gain = 1.0
        self.repeat = 1
        self.shape = 1
        self.enabled = True
        self.note = ""
        self.discard_at = NEVER
        self.nan_at = NEVER
        self.raise_at = NEVER
        self.interrupt_at = NEVER
        self.total = 0.0
        self.seen_rate = 0.0
        self.clock_error = 0.0
        self.count = 0
        self.enabled_seen = False
        self.note_length = 0
        self.time = 0.0
        continuous = Fmi2Variability.continuous
        discrete = Fmi2Variability.discrete
        fixed = Fmi2Variability.fixed
        for name in ("rate", "offset_rate"):
            self.register_variable(
                Real(name, causality=Fmi2Causality.input, variability=continuous)
            )
        for name in ("gain", "discard_at", "nan_at", "raise_at", "interrupt_at"):
            self.register_variable(Real(name, causality=Fmi2Causality.parameter, variability=fixed))
        for name in ("repeat", "shape"):
            self.register_variable(
                Integer(name, causality=Fmi2Causality.parameter, variability=fixed)
            )
        self.register_variable(
            Boolean("enabled", causality=Fmi2Causality.parameter, variability=fixed)
        )
        self.register_variable(String("note", causality=Fmi2Causality.parameter, variability=fixed))
        for name in ("total", "seen_rate", "clock_error"):
            self.register_variable(
                Real(name, causality=Fmi2Causality.output, variability=continuous)
            )
        for name in ("count", "note_length"):
            self.register_variable(
                Integer(name, causality=Fmi2Causality.output, variability=discrete)
            )
        self.register_variable(
            Boolean("enabled_seen", causality=Fmi2Causality.output, variability=discrete)
        )

    def to_xml(self, model_options=None):
        """Declare `shape` as an enumeration, which pythonfmu does not support."""
        root = super().to_xml(model_options or {})
        types = Element("TypeDefinitions")
        enumeration = SubElement(SubElement(types, "SimpleType", name="Shape"), "Enumeration")
        for code, name in ((1, "round"), (2, "square")):
            SubElement(enumeration, "Item", name=name, value=str(code))
        root.insert(list(root).index(root.find("LogCategories")), types)
        variable = next(one for one in root.iter("ScalarVariable") if one.get("name") == "shape")
        variable.find("Integer").set("declaredType", "Shape")
        variable.find("Integer").tag = "Enumeration"
        return root

    def exit_initialization_mode(self):
        self.seen_rate = self.rate
        self.enabled_seen = self.enabled
        self.note_length = len(self.note)

    def do_step(self, current_time, step_size):
        if current_time >= self.raise_at:
            raise ValueError("raised on purpose")
        if current_time >= self.interrupt_at:
            signal.raise_signal(signal.SIGINT)
        if current_time >= self.discard_at:
            self.log(f"rate={self.rate} 1/s is 100 % too much", Fmi2Status.discard)
            return False
        self.clock_error = max(self.clock_error, abs(current_time - self.time))
        factor = self.gain * self.repeat * self.shape
        self.total += factor * (self.rate + self.offset_rate) * step_size
        self.seen_rate = math.nan if current_time >= self.nan_at else self.rate
        self.count += 1
        self.time = self.count * step_size
        return True
