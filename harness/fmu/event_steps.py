"""Communication steps that stop at events of the FMU, with the values before and after each event.

Only FMI 3.0 has such steps. The slave returns immediately before an event, handles it in event
mode, and continues with the rest of the step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from harness.errors import RunError
from harness.fmu.experiment import Experiment
from harness.fmu.history import EventRecord
from harness.fmu.interface import FmuInterface
from harness.fmu.signals import Signal
from harness.fmu.slave import Feed, Fmi3Slave, Reader

# Largest number of successive returns at the same time, which several events may cause.
_MOST_STAYS = 100


def require_event_stops(experiment: Experiment, interface: FmuInterface) -> None:
    """Raise ValueError if the run must stop at events and the FMU does not support it."""
    if not experiment.stop_at_events:
        return
    name, slave = interface.path.name, interface.description.coSimulation
    if interface.fmi == 2:
        raise ValueError(
            f"stop_at_events = true requires FMI 3.0, and {name} is an FMU of FMI 2.0: run a "
            "shipped model with --native --fmi 3"
        )
    if not (slave.hasEventMode and slave.mightReturnEarlyFromDoStep):
        raise ValueError(
            f"stop_at_events = true: {name} does not return at events (hasEventMode and "
            "mightReturnEarlyFromDoStep must be true)"
        )


class EventSteps:
    """Takes steps that may stop at events.

    - `slave`: an instance that stops at events
    - `readers`: variables to read before and after each event
    - `feeds`: inputs that are also set at events. Empty if inputs are linear to the end of a step.
    """

    def __init__(
        self,
        slave: Fmi3Slave,
        readers: Sequence[Reader],
        feeds: Sequence[Feed],
        inputs: Mapping[str, Signal],
    ) -> None:
        self._slave, self._readers, self._feeds, self._inputs = slave, readers, feeds, inputs
        self._rows: list[tuple[float, dict[str, float], dict[str, float]]] = []

    def step(self, time: float, step_size: float, end: float) -> None:
        """Take a step from `time` to `end` with all its events.

        Raises RunError if the FMU repeatedly returns early at the same time.
        """
        stays = 0
        while True:
            due = self._slave.announced_event
            until = min(end, max(due, time))
            # An uncut step has its exact size, because communication points are rounded.
            size = step_size if until == end else until - time
            stop = self._slave.step(time, size) if size > 0.0 else None
            reached = until if stop is None or not stop.is_early else stop.time
            if (stop is not None and stop.has_event) or reached >= due:
                before = self._present()
                self._slave.pass_event()
                self._rows.append((reached, before, self._present()))
            if reached >= end:
                return
            stays = stays + 1 if reached <= time else 0
            if stays > _MOST_STAYS:
                raise RunError(
                    f"fmi3DoStep at t={time:.12g} s: returned early {stays} times at the same time"
                )
            time, step_size = reached, end - reached
            for feed in self._feeds:
                values = [self._inputs[name].sample(np.array([time])) for name in feed.names]
                feed.set_values([float(value[0]) for value in values])

    def taken_record(self) -> EventRecord:
        """Return the events since the last call."""
        rows, self._rows = self._rows, []
        names = [name for reader in self._readers for name in reader.names]
        return EventRecord(
            np.array([time for time, _, _ in rows]),
            {name: np.array([before[name] for _, before, _ in rows]) for name in names},
            {name: np.array([after[name] for _, _, after in rows]) for name in names},
        )

    def _present(self) -> dict[str, float]:
        return {name: value for r in self._readers for name, value in r.present().items()}
