"""Reading and writing the variables of an FMU instance, many by one call, at every step.

The arrays that cross to C are made once, before the first step.
"""

from __future__ import annotations

from ctypes import byref
from functools import partial

import numpy as np
from fmpy import fmi2
from fmpy.model_description import ModelVariable
from numpy.typing import NDArray

# The pair of FMI functions and the C type by which each type of variable is read and written.
_ACCESS = {
    "Real": ("Real", fmi2.fmi2Real),
    "Integer": ("Integer", fmi2.fmi2Integer),
    "Enumeration": ("Integer", fmi2.fmi2Integer),
    "Boolean": ("Boolean", fmi2.fmi2Boolean),
    "String": ("String", fmi2.fmi2String),
}


def set_start_value(
    slave: fmi2.FMU2Slave, variable: ModelVariable, value: float | int | str
) -> None:
    """Write one variable; its value is already that of its FMI type."""
    accessor, c_type = _ACCESS[variable.type]
    in_c = (c_type * 1)(value.encode() if isinstance(value, str) else value)
    setter = getattr(slave, f"fmi2Set{accessor}")
    setter(slave.component, _references([variable]), 1, in_c)


class Feed:
    """Writes the samples of the Real inputs at one communication point.

    Parameters
    ----------
    slave : fmi2.FMU2Slave
        An instance.
    variables : list of ModelVariable
        Inputs, k of them, at least one.
    samples : list of k ndarrays, shape (n,)
        Their values at the communication points, in the units of the variables.
    """

    def __init__(
        self,
        slave: fmi2.FMU2Slave,
        variables: list[ModelVariable],
        samples: list[NDArray[np.float64]],
    ) -> None:
        rows = np.column_stack(samples)
        # The FMU reads a row where it lies: `byref` adds an offset in bytes to the first number.
        self._first = fmi2.fmi2Real.from_buffer(rows)
        self._row_bytes = rows.strides[0]
        arguments = (slave.component, _references(variables), len(variables))
        self._set_real = partial(slave.fmi2SetReal, *arguments)

    def set(self, index: int) -> None:
        """Write the inputs of a communication point, counted from 0."""
        self._set_real(byref(self._first, index * self._row_bytes))


class DerivativeFeed:
    """Writes the derivatives of Real inputs at the start of one step.

    Parameters
    ----------
    slave : fmi2.FMU2Slave
        An instance that takes them.
    variables : list of ModelVariable
        Inputs, at least one.
    derivatives : list of ndarrays, shape (orders, n)
        For each input its derivatives of order 1 and up at the communication points, in its unit by
        s^order.
    """

    def __init__(
        self,
        slave: fmi2.FMU2Slave,
        variables: list[ModelVariable],
        derivatives: list[NDArray[np.float64]],
    ) -> None:
        self._slave = slave
        self._rows = np.ascontiguousarray(np.concatenate(derivatives).T)
        counts = [len(rows) for rows in derivatives]
        repeated = [
            variable
            for variable, count in zip(variables, counts, strict=True)
            for _ in range(count)
        ]
        orders = [order for count in counts for order in range(1, count + 1)]
        self._first = fmi2.fmi2Real.from_buffer(self._rows)
        self._row_bytes = self._rows.strides[0]
        self._arguments = (
            slave.component,
            _references(repeated),
            len(orders),
            (fmi2.fmi2Integer * len(orders))(*orders),
        )

    def set(self, index: int) -> None:
        """Write those of a communication point, counted from 0."""
        self._slave.fmi2SetRealInputDerivatives(
            *self._arguments, byref(self._first, index * self._row_bytes)
        )


class Reader:
    """Reads the variables that share one FMI getter into the rows of a history.

    Parameters
    ----------
    slave : fmi2.FMU2Slave
        An instance.
    accessor : {"Real", "Integer", "Boolean"}
        End of the getter's name.
    variables : list of ModelVariable
        Of its type.
    """

    def __init__(
        self, slave: fmi2.FMU2Slave, accessor: str, variables: list[ModelVariable]
    ) -> None:
        self._names = [variable.name for variable in variables]
        c_type = next(c_type for name, c_type in _ACCESS.values() if name == accessor)
        buffer = (c_type * len(variables))()
        self._arguments = (slave.component, _references(variables), len(variables), buffer)
        self._get = getattr(slave, f"fmi2Get{accessor}")
        self._view = np.ctypeslib.as_array(buffer)
        self._history = np.empty((0, len(variables)))

    def begin(self, rows: int) -> None:
        """Begin a new history; the one before is left to who took its columns."""
        self._history = np.empty((rows, len(self._names)))

    def read(self, index: int) -> None:
        """Read the present values into a row."""
        self._get(*self._arguments)
        self._history[index] = self._view

    def columns(self) -> list[tuple[str, NDArray[np.float64]]]:
        """Return the variables' names and histories, shape (rows,), all as floats."""
        return list(zip(self._names, self._history.T, strict=True))


def readers_of(slave: fmi2.FMU2Slave, variables: list[ModelVariable]) -> list[Reader]:
    """Return a reader for each getter that the variables need."""
    groups: dict[str, list[ModelVariable]] = {}
    for variable in variables:
        groups.setdefault(_ACCESS[variable.type][0], []).append(variable)
    return [Reader(slave, accessor, group) for accessor, group in groups.items()]


def _references(variables: list[ModelVariable]) -> object:
    """Return the value references as a C array."""
    return (fmi2.fmi2ValueReference * len(variables))(
        *(variable.valueReference for variable in variables)
    )
