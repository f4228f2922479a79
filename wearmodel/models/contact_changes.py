"""Contact parameters of a structure that change during a run, by names such as `NAME.gap`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import chain
from typing import Any

from ..kernel import limits
from ..kernel.contact.state_objects import ContactState
from ..kernel.structure.parameter_change import change_structure_parameters
from ..kernel.structure.steps import broken_structure_state
from ..quantities import changes_between, require_finite, with_changes
from ..structure.description import Contact, Structure
from .event_steps import EventStops, copied, numbers_in, snapshot_numbers
from .frictional_shock import CHANGE_RULES as SHOCK_CHANGE_RULES
from .frictional_shock import STATE_RULES as SHOCK_STATE_RULES
from .modal_quantities import by_side
from .structure_buffers import StructureBuffers, laws_of

# Code of a change of parameters → reason to reject it.
CHANGE_RULES = {
    code: SHOCK_CHANGE_RULES[code] for code in (limits.CHANGE_OVERFLOWS, limits.CHANGE_RUNS_AWAY)
}
# Code of `broken_structure_state` → its message. {0} and {1} are the two values.
STATE_RULES = {
    **{
        code: "the snapshot belongs to a model of another structure"
        for code in (limits.NO_SUCH_MODE, limits.SAMPLES_OF_OTHERS)
    },
    **{code: SHOCK_STATE_RULES[code] for code in (limits.NO_SUCH_ZEROS, limits.SAMPLES_NOT_PAST)},
}


def changes_of(first: Structure, present: Structure) -> dict[str, float]:
    """Values by name of the contact parameters in which `present` differs from `first`."""
    return {
        f"{contact.name}.{name}": value
        for before, contact in zip(first.contacts, present.contacts)
        for name, value in changes_between(before.parameters, contact.parameters).items()
    }


def with_contact_changes(structure: Structure, changes: Mapping[str, float]) -> Structure:
    """Return the structure with other values of tunable contact parameters.

    TypeError or ValueError if a name is not a tunable parameter of a contact, or a value is out
    of its range.
    """
    by_contact: dict[str, dict[str, float]] = {contact.name: {} for contact in structure.contacts}
    for name, value in changes.items():
        owner, _, quantity = name.rpartition(".")
        if owner not in by_contact:
            raise TypeError(
                f"{name!r} is no parameter of a contact of this structure; there are the contacts: "
                f"{', '.join(by_contact)}"
            )
        by_contact[owner][quantity] = value
    # Copies do not run the constructors. The caller checks the rules between values.
    changed = copy(structure)
    contacts = [_changed(contact, by_contact[contact.name]) for contact in structure.contacts]
    object.__setattr__(changed, "contacts", tuple(contacts))
    return changed


def _changed(contact: Contact, changes: Mapping[str, float]) -> Contact:
    if not changes:
        return contact
    changed = copy(contact)
    try:
        parameters = with_changes(contact.parameters, changes)
    except ValueError as error:
        raise ValueError(f"{contact.name}.{error}") from None
    object.__setattr__(changed, "parameters", parameters)
    return changed


class TunableStructure(StructureBuffers):
    """A structure whose contacts can change in a run, and whose state can be saved."""

    def __init__(self, structure: Structure, *options: Any) -> None:
        super().__init__(structure, *options)
        self._first_structure = structure
        self._stops = EventStops(0.0)
        # Units of the inputs by name, and names of the outputs.
        self._units: dict[str, str] = {}
        self._names: list[str] = []

    @property
    def time(self) -> float:
        """Present time [s]."""
        return self._state.now.time

    @time.setter
    def time(self, value: float) -> None:
        self._state.now.time = value

    def outputs(self) -> dict[str, float]:
        """Return the outputs at the present time by name, in SI units."""
        return dict(zip(self._names, self.output_values()))

    def by_side(self, name: str) -> dict[str, tuple[float, ...]]:
        """Return `wear_work` [J] or `wear_depth` [m] of each side of each polygon, by contact.

        The work of a force at a corner is divided between its two sides in the same ratio as the
        force. The sides have equal shares of ``wear_area``, and their mean depth is ``wear_depth``.
        """
        return by_side(self.outputs(), name)

    def _input_values(self, inputs: dict[str, float]) -> list[float]:
        for name, value in inputs.items():
            if name not in self._units:
                raise ValueError(
                    f"{name!r} is not an input of this structure: {', '.join(self._units)}"
                )
            require_finite(name, value, self._units[name])
        return [float(inputs.get(name, 0.0)) for name in self._units]

    def step(self, step_size: float, **inputs: float) -> str | None:
        """Advance by `step_size` [s] with inputs by name. The default of an input is 0.

        Returns
        -------
        str or None
            A warning, once for each reason: a `ModalShock` warns of an input that changes too fast
            for the steps, if the output ``input_prediction_error`` remains above 0.1.

        Raises
        ------
        ValueError
            The step is not positive and finite, or an input is unknown or not finite. The state
            is kept.
        StepError
            The step could not be completed. The state is kept.
        """
        return self.step_values(step_size, self._input_values(inputs))

    def step_values(self, step_size: float, values: Sequence[float]) -> str | None:
        """Advance as `step`, with the inputs as a sequence."""
        raise NotImplementedError

    def output_values(self) -> tuple[float, ...]:
        """Return the outputs at the present time."""
        raise NotImplementedError

    def change_parameters(self, changes: Mapping[str, float]) -> None:
        """Change one or several contact parameters at the present time. The change is one event.

        The motion of the structure and the anchors do not change. Contacts, stick and slip follow
        the new values at once: see `kernel.contact.parameter_change`. The output
        ``parameter_change_work`` contains the additional energy of the contact springs.

        Parameters
        ----------
        changes
            New values by names such as ``NAME.gap``, in the units of `ContactParameters`:
            friction coefficients, ``gap``, stiffnesses and dampings.

        Raises
        ------
        ValueError, TypeError
            A parameter is unknown or fixed, a value is out of range or contradicts another value,
            or a valid state does not exist. Parameters and state are kept.
        """
        structure = self._changed(self.structure, changes)
        if changes_of(self.structure, structure):
            self._follow(structure)

    def _follow(self, structure: Structure) -> None:
        old_laws, kept = self._body.laws, copied(self._state)
        self._body.laws = laws_of(structure, self._p, old_laws)
        try:
            code, first, second = change_structure_parameters(
                old_laws, self._body, self._state, self._work
            )
        except ArithmeticError:
            code, first, second = limits.CHANGE_OVERFLOWS, 0.0, 0.0
        if code != limits.OK:
            self._body.laws = old_laws
            self._state = kept
            raise ValueError(CHANGE_RULES[code].format(first, second))
        self.structure = structure

    def check_changes(self, changes: Mapping[str, float]) -> None:
        """Check the range of each new value and raise as `change_parameters`."""
        with_contact_changes(self.structure, changes)

    @property
    def changes(self) -> dict[str, float]:
        """Values by name of the parameters changed since the start of the run."""
        return changes_of(self._first_structure, self.structure)

    def snapshot(self) -> dict[str, Any]:
        """Return the state for `restore` as lists and numbers (JSON-serialisable)."""
        snapshot = {"state": self._saved_parts(), "changes": self.changes}
        if stops := self._stops.snapshot():
            snapshot["events"] = stops
        return snapshot

    def restore(self, snapshot: dict[str, Any]) -> None:
        """Restore a snapshot of a model of the same structure, bit by bit.

        Parameters changed before the snapshot are restored too.

        Raises
        ------
        ValueError
            The snapshot does not have the format of `snapshot`, or contains a value that is not
            finite. The state is kept.
        """
        kept = self._saved_parts()
        with snapshot_numbers() as numbers:
            parts = {name: [float(value) for value in snapshot["state"][name]] for name in kept}
            fits = all(len(parts[name]) == len(kept[name]) for name in kept)
            numbers += chain(*parts.values())
            structure, laws = self.structure, self._body.laws
            if snapshot["changes"] != self.changes:
                structure = with_contact_changes(self._first_structure, snapshot["changes"])
                laws = laws_of(structure, self._p, laws)
            events = snapshot.get("events", ())
            kinds = [ContactState] * len(structure.contacts)
            stops = EventStops.restored(events, 0.0, kinds)
            numbers += events
        if not fits:
            raise ValueError(STATE_RULES[limits.SAMPLES_OF_OTHERS])
        self._take(parts)
        state = self._state
        rule, first, second = broken_structure_state(
            state.contacts, state.side_works, state.samples, state.now
        )
        if rule != limits.OK:
            self._take(kept)
            raise ValueError(STATE_RULES[rule].format(first, second))
        self.structure, self._body.laws = structure, laws
        self._stops = stops if events else EventStops(self.time)

    def _saved(self) -> Iterator[tuple[Any, str]]:
        """Yield each bundle with the name of a saved part."""
        yield from ((self._state, name) for name in vars(self._state))

    def _saved_parts(self) -> dict[str, list[float]]:
        return {name: list(numbers_in(getattr(owner, name))) for owner, name in self._saved()}

    def _take(self, parts: Mapping[str, Iterable[float]]) -> None:
        for owner, name in self._saved():
            setattr(owner, name, copied(getattr(owner, name), iter(parts[name])))

    def _changed(self, structure: Structure, changes: Mapping[str, float]) -> Structure:
        """Return the structure with changes. Raise ValueError if a change or a rule is broken."""
        changed = with_contact_changes(structure, changes)
        laws_of(changed, self._p, self._body.laws)
        return changed
