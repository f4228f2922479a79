"""Definition of one FMU: its slave, its parameters, its documentation and its native form.

Each module of `fmu_src.models` ends with a definition, `FMU`. It contains all data for the archive,
the documentation, the reference results, the native build, the tables of the docs and the harness,
so that a model is one file. This module is in each FMU, because that file imports it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .slave import SafeSlave

# Reference of several models.
SDND104 = (
    "EDF, code_aster validation document SDND104 (V5.01.104), wear power of a mass rubbing on a "
    "shaken support, section 2"
)
# Reason why inputs do not have derivatives with input_timing end.
NO_DERIVATIVES_AT_END = (
    "input_timing is end: inputs are linearly interpolated from their previous value and have no "
    "other derivatives"
)


@dataclass(frozen=True)
class Page:
    """Texts of the documentation in addition to the table of variables.

    `models` are modules of wearmodel whose docstrings contain the equations. `sketch` is the file
    in `fmu_src/archive` with a drawing of the model.
    """

    models: tuple[str, ...]
    rules: tuple[str, ...]
    limits: tuple[str, ...]
    references: tuple[str, ...]
    sketch: str | None = None


@dataclass(frozen=True)
class Experiment:
    """An experiment with the default of each parameter, for the reference results.

    Times are in s. Every `output_stride`-th step is a row of the results. `inputs` are functions of
    time, by the name of the input.
    """

    description: str
    stop_time: float
    step_size: float
    output_stride: int
    inputs: Mapping[str, Callable[[float], float]]
    outputs: tuple[str, ...]
    note: str


@dataclass(frozen=True)
class InputDerivatives:
    """Use of the derivatives of inputs by a native model.

    `step` is the entry point of a step with derivatives, see `NativeForm`. `refused_where` is a
    parameter and its value with which derivatives are rejected, for `reason`.
    """

    step: str
    refused_where: tuple[str, float]
    reason: str


@dataclass(frozen=True)
class RecordedPoints:
    """Points of a record that a native model reads from a text or a file."""

    kind: str  #: Enumeration that selects the source of the points, if there are any.
    #: String parameter with the points or the path, the value of `kind` that selects it, and the
    #: rule for other values, which is shown after the text.
    text: tuple[str, int, str]
    file: tuple[str, int, str]
    value_column: str  #: Integer parameter: column of the values in the file.
    header: str  #: First line of a file, which is a strict table of two columns.
    #: Value of `file` that selects the file inside the FMU: "resources/" and its name.
    own_file: str


@dataclass(frozen=True)
class OutputArray:
    """Outputs of one quantity as an array, which FMI 3.0 has in addition to the scalars.

    `elements` are the names of these outputs, row by row. `dimensions` are their numbers along each
    axis.
    """

    name: str
    description: str
    elements: tuple[str, ...]
    dimensions: tuple[int, ...]


@dataclass(frozen=True)
class TextArray:
    """A constant array of texts, such as the names of the rows of other arrays."""

    name: str
    description: str
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Terminal:
    """Variables that are connected together (FMI 3.0, section 2.4.9.2).

    `members` are names of variables, by their names in the terminal. `kind` is a word of this
    project for the connected quantity.
    """

    name: str
    kind: str
    description: str
    members: Mapping[str, str]


@dataclass(frozen=True)
class NativeForm:
    """The model without Python: functions of `wearmodel.kernel`, their results and their memory.

    A function is written ``room.module.function``. Its arguments are found by their names and
    annotations: `p` (the parameters), `sample` (time and inputs), `step_size` (s), `derivatives`
    (of the inputs), `times` and `values` (recorded points), and state objects. The arguments of
    `start` are the saved state, or only those listed in `saved`. Arguments with the same name are
    the same object in all functions. Other arguments are work space. In a model of a structure,
    arguments can also be lists of state objects, rows of numbers and tables. A bundle is replaced
    by its fields.
    """

    #: Return 0 or the code of a failure.
    start: str
    step: str
    #: Returns the outputs in the order of the table as a tuple, or writes them into `outputs`.
    outputs: str
    #: Text by code. Codes below 0 are warnings of a completed step. Fields are `step_size`, `time`,
    #: inputs, fields of the saved objects, and `source` of the recorded points.
    failures: Mapping[int, str]
    broken_state: str  #: As `broken_rule`, for a saved state that comes from outside.
    state_rules: Mapping[int, str]  #: Text by number, with the fields 0 and 1.
    #: Computes the derived quantities in the object of the parameters. Optional.
    complete: str | None = None
    #: `step_to_event` is a step that ends immediately before an event selected by its argument
    #: `watch`, see `kernel.events`. `pass_event` applies this event, immediately after such a step
    #: and in the same work space. It returns 0 or the code of a failure. Both are for models with
    #: events only.
    step_to_event: str | None = None
    pass_event: str | None = None
    #: Applies all events of the present instant, immediately after the start. Optional.
    settle: str | None = None
    #: Applies inputs that a host gives at an event. `sample` contains the new inputs and `entered`
    #: the previous ones. `is_requested` is 1 if the model has reported the event. Returns 0 or the
    #: code of a failure.
    take_event_inputs: str | None = None
    #: Returns the number of the broken rule between parameters, 0 without one, and the two values
    #: of its text. For models with rules only.
    broken_rule: str | None = None
    #: Text by number, with the fields 0 and 1.
    rules: Mapping[int, str] = field(default_factory=dict)
    #: Transfers the state from the completed parameters ``old_p`` to the parameters ``p`` (or the
    #: object of the declared parameters). Returns the reason to reject them, as `broken_rule`. For
    #: models with tunable parameters only.
    change_parameters: str | None = None
    #: Text by number, with the fields 0 and 1.
    change_rules: Mapping[int, str] = field(default_factory=dict)
    #: As `broken_rule`, for the rules that also apply to changes during a run. Default: all rules.
    broken_standing_rule: str | None = None
    input_derivatives: InputDerivatives | None = None  #: For models that accept them.
    #: Returns the coefficient of friction at a velocity [m/s], for use outside a run. Optional.
    coefficient: str | None = None
    points: RecordedPoints | None = None  #: For models that read points.
    accumulated: tuple[str, ...] = ()  #: Fields of the saved objects that are sums over time.
    #: Name of the switch, of the model or each contact, with which these sums affect the motion.
    acting_back: str = ""
    #: Fields of the saved objects that are choices of the kernel. Outputs are smooth functions of
    #: the inputs while these fields and the outputs that are not real are constant.
    discrete: tuple[str, ...] = ()
    #: Returns the initial content of arguments by their names, as nested lists in which state
    #: objects are rows: tables, and all arguments whose size does not follow from a state object.
    rows: Callable[[], Mapping[str, Any]] = dict
    #: Sizes of the instance in addition to the number of its inputs, by name. A model with
    #: dimensions has variables that depend on them. A model without dimensions has the same
    #: variables in each instance.
    dimensions: Mapping[str, int] = field(default_factory=dict)
    #: Lengths of an argument along its axes, without the number of fields of state objects. Each is
    #: a sum of terms, and a term is a number or a dimension with an optional factor, as in
    #: "3 contacts + 1". All models have the dimension "inputs".
    sizes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: Names of two dimensions. The first dimension is 0 or equal to the second.
    optional_dimension: tuple[str, ...] = ()
    #: Names of the arguments of `start` that are the saved state. Default: all.
    saved: tuple[str, ...] = ()
    #: By the name of a declared parameter that is not a field of `p`: its argument, and its index
    #: in the numbers of the argument.
    places: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    #: Variables of FMI 3.0 in addition to the scalars: outputs as arrays, and names of their rows.
    arrays: tuple[OutputArray, ...] = ()
    names: tuple[TextArray, ...] = ()
    terminals: tuple[Terminal, ...] = ()  #: Variables that FMI 3.0 connects together.
    #: Whether the step has loops that are faster with wide registers. If so, a library for x86
    #: contains the step a second time for AVX2 and selects one at run time. Results have equal
    #: bits.
    has_lanes: bool = False

    def entry_points(self) -> dict[str, str]:
        """Names of the functions that the native FMU calls, by their purpose."""
        calls = (
            "outputs", "complete", "broken_rule", "start", "step", "step_to_event", "pass_event",
            "broken_state", "coefficient", "change_parameters", "broken_standing_rule",
            "settle", "take_event_inputs",
        )  # fmt: skip
        points = {name: getattr(self, name) for name in calls if getattr(self, name) is not None}
        if self.broken_rule is not None:
            points.setdefault("broken_standing_rule", self.broken_rule)
        if self.input_derivatives is not None:
            points["step_with_derivatives"] = self.input_derivatives.step
        return points


@dataclass(frozen=True)
class FmuDefinition:
    """An FMU. `parameters` is the dataclass of the model's parameters.

    `native` is None for a model that runs in Python only. `input_timing`, "start" or "end", is the
    end of a step at which an input has its value, for models without a parameter of this name.
    `resources` are texts by file name in the FMU's resources. The slave's class method
    `load_resources` reads them. Such an FMU contains a user's own structure or record, and no
    reference results.
    """

    slave: type[SafeSlave]
    parameters: Any
    page: Page
    experiment: Experiment
    native: NativeForm | None = None
    input_timing: str | None = None
    resources: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The FMU's name, which is the name of the slave's class."""
        return self.slave.__name__

    @property
    def module(self) -> str:
        """Name of the module of `fmu_src.models` that defines the FMU."""
        return self.slave.__module__.rpartition(".")[2]

    @property
    def takes_derivatives(self) -> bool:
        """Whether the kernel takes derivatives of inputs."""
        return self.native is not None and self.native.input_derivatives is not None
