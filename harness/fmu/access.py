"""Reading and writing the variables of an FMU instance, all variables of a type by one call.

The arrays passed to C are created once, before the first step.
"""

from __future__ import annotations

from ctypes import byref

import numpy as np
from fmpy.model_description import ModelVariable
from numpy.typing import NDArray

from harness.fmu.slave import Accessor, Fmi2Slave, Slave


class Feed:
    """Writes the samples of inputs of one type at one communication point.

    `samples` contains, for each input, its values at all communication points in its own unit.
    """

    def __init__(
        self,
        slave: Slave,
        accessor: Accessor,
        variables: list[ModelVariable],
        samples: list[NDArray[np.float64]],
    ) -> None:
        self.names = [variable.name for variable in variables]
        self._c_type = accessor.c_type
        self._rows = np.column_stack(samples).astype(accessor.c_type, copy=False)
        # The FMU reads a row in place: `byref` adds an offset in bytes to the first number.
        self._first = accessor.c_type.from_buffer(self._rows)
        self._row_bytes = self._rows.strides[0]
        self._write = slave.setter(accessor, variables)

    def set(self, index: int) -> None:
        """Write the inputs of a communication point, counted from 0."""
        self._write(byref(self._first, index * self._row_bytes))

    def set_values(self, values: list[float]) -> None:
        """Write a value for each variable."""
        self._write((self._c_type * len(values))(*values))


class DerivativeFeed:
    """Writes the derivatives of Real inputs at the start of a step, in FMI 2.0 only.

    `derivatives` contains, for each input, an array of shape (orders, n): its derivatives from
    order 1 at the communication points, in its unit by s^order.
    """

    def __init__(
        self,
        slave: Fmi2Slave,
        variables: list[ModelVariable],
        derivatives: list[NDArray[np.float64]],
    ) -> None:
        self._rows = np.ascontiguousarray(np.concatenate(derivatives).T)
        counts = [len(rows) for rows in derivatives]
        repeated = [
            variable
            for variable, count in zip(variables, counts, strict=True)
            for _ in range(count)
        ]
        orders = [order for count in counts for order in range(1, count + 1)]
        self._first = slave.accessor(variables[0]).c_type.from_buffer(self._rows)
        self._row_bytes = self._rows.strides[0]
        self._write = slave.derivative_setter(repeated, orders)

    def set(self, index: int) -> None:
        """Write the derivatives of a communication point, counted from 0."""
        self._write(byref(self._first, index * self._row_bytes))


class Reader:
    """Reads the variables of one type into the rows of a history."""

    def __init__(self, slave: Slave, accessor: Accessor, variables: list[ModelVariable]) -> None:
        self.names = [variable.name for variable in variables]
        buffer = (accessor.c_type * len(variables))()
        self._get = slave.getter(accessor, variables, buffer)
        self._view = np.ctypeslib.as_array(buffer)
        self._history = np.empty((0, len(variables)))

    def begin(self, rows: int) -> None:
        """Begin a new history. Columns of the previous history remain valid."""
        self._history = np.empty((rows, len(self.names)))

    def read(self, index: int) -> None:
        """Read the present values into a row."""
        self._get()
        self._history[index] = self._view

    def columns(self) -> list[tuple[str, NDArray[np.float64]]]:
        """Return the variables' names and histories, shape (rows,), all as floats."""
        return list(zip(self.names, self._history.T, strict=True))

    def present(self) -> dict[str, float]:
        """Return the present values by name."""
        self._get()
        return dict(zip(self.names, self._view.astype(np.float64).tolist(), strict=True))


def feeds_of(
    slave: Slave, variables: list[ModelVariable], samples: list[NDArray[np.float64]]
) -> list[Feed]:
    """Return a feed for each type that the inputs have."""
    of = dict(zip((variable.name for variable in variables), samples, strict=True))
    return [
        Feed(slave, accessor, group, [of[variable.name] for variable in group])
        for accessor, group in _by_accessor(slave, variables).items()
    ]


def readers_of(slave: Slave, variables: list[ModelVariable]) -> list[Reader]:
    """Return a reader for each type that the variables have."""
    return [
        Reader(slave, accessor, group) for accessor, group in _by_accessor(slave, variables).items()
    ]


def _by_accessor(
    slave: Slave, variables: list[ModelVariable]
) -> dict[Accessor, list[ModelVariable]]:
    groups: dict[Accessor, list[ModelVariable]] = {}
    for variable in variables:
        groups.setdefault(slave.accessor(variable), []).append(variable)
    return groups
