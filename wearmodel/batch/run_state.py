"""State of a run, for a later call that continues it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class RunState:
    """State of a run. The functions that receive it update it.

    A run continued from a state has the same bits as a run without interruption. The parameters,
    the step and the inputs up to the state must be the same. This is not checked.
    """

    steps: int = 0  #: Number of steps taken. It is 0 before the run and after a failure.
    #: State and work space of the model.
    contents: list[Any] = field(default_factory=list)
    final: Mapping[str, float] = field(default_factory=dict)  #: All outputs of a structure there.

    def steps_before(self, steps: int) -> int:
        """Return the number of steps of a run that have been taken.

        ValueError if no steps remain.
        """
        if self.steps >= steps:
            raise ValueError(
                f"{steps} steps must be more than the {self.steps} steps that the run has taken"
            )
        return self.steps

    def reach(self, steps: int, contents: list[Any]) -> None:
        """Store the state after `steps` steps from the start, or clear it if the run failed."""
        self.steps, self.contents = (steps if contents else 0), contents
        self.final = {}
