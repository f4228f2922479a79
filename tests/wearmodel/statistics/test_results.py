"""Results of the statistics are immutable."""

import dataclasses
import importlib
import inspect
import pkgutil

from wearmodel import statistics

# A state of the calculation, which is updated block by block.
STATES = {"BlockSums"}


def test_only_states_of_a_calculation_can_be_changed():
    changeable = set()
    for module in pkgutil.iter_modules(statistics.__path__, "wearmodel.statistics."):
        for name, kind in vars(importlib.import_module(module.name)).items():
            if inspect.isclass(kind) and dataclasses.is_dataclass(kind):
                changeable |= set() if kind.__dataclass_params__.frozen else {name}
    assert changeable == STATES
