"""Where a run stands, for a later call that goes on from there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class RunState:
    """How far a run has come; the functions that run from it fill it.

    A run that goes on from a state gives the numbers of one that was never interrupted, bit by bit.
    The parameters, the step and the inputs up to there must be the same; that is not checked.

    Attributes
    ----------
    steps
        How many steps it has taken; 0 where it has not begun, or has failed.
    contents
        What the model keeps of it: state and work space.
    """

    steps: int = 0
    contents: list[Any] = field(default_factory=list)

    def steps_before(self, steps: int) -> int:
        """Return how many of a run's steps have been taken.

        Raises
        ------
        ValueError
            If none is left.
        """
        if self.steps >= steps:
            raise ValueError(f"the run has taken {self.steps} steps; {steps} must be more")
        return self.steps

    def reach(self, steps: int, contents: list[Any]) -> None:
        """Keep what a run has come to after `steps` steps from its start; nothing if it failed."""
        self.steps, self.contents = (steps if contents else 0), contents
