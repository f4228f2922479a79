"""Parameters of a model that can change during a run: their initial and their present values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..kernel.limits import NO_RULE
from ..quantities import changes_between, with_changes


class TunableModel:
    """A model whose `parameters` are a dataclass of quantities, some of which are tunable."""

    parameters: Any
    _first_parameters: Any
    # Function that returns the first broken rule with two values for its text, and these texts.
    _broken_rule: Callable[[Any], tuple[int, float, float]]
    _rules: Mapping[int, str]

    @property
    def changes(self) -> dict[str, float]:
        """Values by name of the parameters that have changed since the start of the run."""
        return changes_between(self._first_parameters, self.parameters)

    def check_changes(self, changes: Mapping[str, float]) -> None:
        """Check the range of each new value and raise as `change_parameters`."""
        with_changes(self.parameters, changes)

    def _changed(self, parameters: Any, changes: Mapping[str, float]) -> Any:
        """Return parameters with changes. Raise ValueError if a change or a rule is broken."""
        changed = with_changes(parameters, changes)
        rule, first, second = self._broken_rule(changed)
        if rule != NO_RULE:
            raise ValueError(self._rules[rule].format(first, second))
        return changed
