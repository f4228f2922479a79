"""State of a run, for a later call that continues it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class RunState:
    """State of a run. The functions that receive it update it.

    A run continued from a state has the same bits as a run without interruption. The parameters and
    the step must be the same. This is not checked.
    """

    steps: int = 0  #: Number of steps taken. It is 0 before the run and after a failure.
    #: State and work space of the model.
    contents: list[Any] = field(default_factory=list)
    final: Mapping[str, float] = field(default_factory=dict)  #: All outputs of a structure.
    start_time: float = 0.0  #: Time at which the run of a structure began [s].

    def reach(self, steps: int, contents: list[Any]) -> None:
        """Store the state after `steps` steps from the start, or clear it if the run failed."""
        self.steps, self.contents = (steps if contents else 0), contents
        self.final = {}
