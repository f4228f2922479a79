"""What one FMU is: its slave, its parameters, and all that is said of it.

Each module of `fmu_src.models` ends with a definition, `FMU`. The archive, its documentation and
reference results, the native build, the tables of the docs and the harness read it there, so that a
model is one file. It is bundled because that file is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .slave import SafeSlave

# A source that more than one model names.
SDND104 = (
    "EDF, code_aster validation document SDND104 (V5.01.104), wear power of a mass rubbing on a "
    "shaken support, section 2"
)
# Why inputs have no derivatives with input_timing end.
NO_DERIVATIVES_AT_END = (
    "with input_timing end an input is joined to the one before by a straight line and has no "
    "other derivatives"
)


@dataclass(frozen=True)
class Page:
    """What the documentation says beyond the table: which docstrings, and how the FMU is used.

    `models` are the modules of wearmodel whose docstrings hold the equations; `sketch` is the file
    in `fmu_src/archive` that draws the model.
    """

    models: tuple[str, ...]
    rules: tuple[str, ...]
    limits: tuple[str, ...]
    references: tuple[str, ...]
    sketch: str | None = None


@dataclass(frozen=True)
class Experiment:
    """An experiment with the defaults of all parameters, for the reference results.

    Times are in s; every `output_stride`-th step is a row of the results. `inputs` are functions of
    time by the name of the input.
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
    """How a native model takes its inputs' derivatives.

    `step` is the entry point of a step under them, see `NativeForm`. They are refused for `reason`
    where the first of `refused_where`, a parameter, has the second as its value.
    """

    step: str
    refused_where: tuple[str, float]
    reason: str


@dataclass(frozen=True)
class RecordedPoints:
    """Points of a record that a native model reads from a text or a file.

    Parameters
    ----------
    kind
        Enumeration that says where they come from, if from anywhere.
    text, file
        String parameter that holds the points or the path, and the value of `kind` that takes it.
    value_column
        Integer parameter: column of the values in the file.
    header
        First line of a file, which is a strict table of two columns.
    own_file
        What the parameter `file` says where the file lies in the FMU: "resources/" and its name.
    """

    kind: str
    text: tuple[str, int]
    file: tuple[str, int]
    value_column: str
    header: str
    own_file: str


@dataclass(frozen=True)
class OutputArray:
    """Outputs of one quantity as an array, which FMI 3.0 has beside the scalars.

    `elements` are the names of these outputs, row by row; `dimensions` say how many there are along
    each axis.
    """

    name: str
    description: str
    elements: tuple[str, ...]
    dimensions: tuple[int, ...]


@dataclass(frozen=True)
class TextArray:
    """A constant array of texts, such as the names of what the rows of other arrays stand for."""

    name: str
    description: str
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Terminal:
    """Variables that are connected together (FMI 3.0, section 2.4.9.2).

    `members` gives names of variables by the name that each has in the terminal; `kind` says what
    is connected there, in a word of our own.
    """

    name: str
    kind: str
    description: str
    members: Mapping[str, str]


@dataclass(frozen=True)
class NativeForm:
    """How the model runs without Python: functions of `wearmodel.kernel` and what they answer.

    A function is written ``room.module.function``. What it takes is told by the names and
    annotations of its arguments: `p` (the parameters), `sample` (time and inputs), `step_size` (s),
    `derivatives` (of the inputs), `times` and `values` (recorded points), and state objects. Those
    that `start` takes are the saved state, or those of them that are named in `saved`; an argument
    of the same name is the same object in all functions. All others are work space. In a model of a
    structure there are lists of state objects and rows of numbers too, and tables. A bundle stands
    for its fields.

    Parameters
    ----------
    start, step
        Return 0 or the code of what failed.
    step_to_event, pass_event
        As `step`, but ending right before an event that its argument `watch` waits for, see
        `kernel.events`; and, right after such a step and with the same work space, the event
        itself: returns 0 or the code of what failed. None for a model that has no events.
    settle
        Applies all events of the present instant, right after the start; None where there are none.
    take_event_inputs
        Takes the inputs that a host gives at an event, in `sample`, of which some are not those
        `entered`; `is_requested` is 1 where the model has reported the event. Both return 0 or the
        code of what failed.
    outputs
        Returns the outputs in the order of the table, as a tuple, or writes them into `outputs`.
    complete
        Fills in the parameters' object what follows from the declared parameters; None where
        nothing does.
    failures
        Text by code, also of codes below 0, by which a step that is done warns; its fields are
        `step_size`, `time`, inputs, fields of the saved objects, and `source` of the recorded
        points.
    broken_rule
        Returns the number of the rule between parameters that is broken, 0 for none, and the two
        values that its text shows; None where there is no rule.
    rules
        Text by number, with the fields 0 and 1.
    broken_state
        Returns what is wrong with a saved state that comes from outside, as `broken_rule`.
    state_rules
        Text by number, with the fields 0 and 1.
    change_parameters
        Carries the state from the completed parameters ``old_p`` to those in ``p`` (or whatever the
        object of the declared parameters is called) and answers as `broken_rule` why it cannot be;
        None for a model without tunable parameters.
    change_rules
        Text by number, with the fields 0 and 1.
    broken_standing_rule
        As `broken_rule`, of the rules that new values in a run must keep; None where these are all.
    input_derivatives
        None for a model that takes none.
    coefficient
        Returns the coefficient of friction at a velocity [m/s], for who asks for it beside a run;
        None for a model that has none.
    points
        None for a model that reads none.
    accumulated
        Fields of the saved objects that only add up.
    acting_back
        Name of the switch, of the model or of each contact, with which they act on the motion.
    discrete
        Fields of the saved objects that are numbers of a choice: outputs are smooth only as long as
        these stay, and the outputs that are not real.
    partial_dependencies
        By output, the inputs that it follows; one that is not there follows them all.
    rows
        Gives by the names of arguments the content with which their memory begins, as nested lists
        with state objects lowered to rows: tables, and all whose size follows from no state object.
    dimensions
        What the sizes of these follow from beside the number of inputs, by name. A model with some
        has variables by them too; one without has the same variables in each instance.
    sizes
        By argument its lengths along all axes, each a sum of terms, a number or a dimension with or
        without a factor, as in "3 contacts + 1"; "inputs" is a dimension of all.
    optional_dimension
        Names of a dimension and of the one that it equals where it is not 0.
    saved
        Names of the arguments of `start` that are the saved state, where not all are.
    places
        By name of a declared parameter that is no field of `p`, the argument that it belongs to and
        the index in its numbers.
    arrays, names
        What FMI 3.0 has beside the scalar variables: outputs as arrays, and what their rows are.
    terminals
        Variables that FMI 3.0 connects together.
    has_lanes
        Whether the step has loops that wide registers speed up: on x86 the library then holds it a
        second time for AVX2 and chooses at run time. The bits are the same.
    """

    start: str
    step: str
    outputs: str
    failures: Mapping[int, str]
    broken_state: str
    state_rules: Mapping[int, str]
    complete: str | None = None
    step_to_event: str | None = None
    pass_event: str | None = None
    settle: str | None = None
    take_event_inputs: str | None = None
    broken_rule: str | None = None
    rules: Mapping[int, str] = field(default_factory=dict)
    change_parameters: str | None = None
    change_rules: Mapping[int, str] = field(default_factory=dict)
    broken_standing_rule: str | None = None
    input_derivatives: InputDerivatives | None = None
    coefficient: str | None = None
    points: RecordedPoints | None = None
    accumulated: tuple[str, ...] = ()
    acting_back: str = ""
    discrete: tuple[str, ...] = ()
    partial_dependencies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rows: Callable[[], Mapping[str, Any]] = dict
    dimensions: Mapping[str, int] = field(default_factory=dict)
    sizes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    optional_dimension: tuple[str, ...] = ()
    saved: tuple[str, ...] = ()
    places: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    arrays: tuple[OutputArray, ...] = ()
    names: tuple[TextArray, ...] = ()
    terminals: tuple[Terminal, ...] = ()
    has_lanes: bool = False

    def entry_points(self) -> dict[str, str]:
        """What the native FMU calls, by what for."""
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
    """An FMU; `parameters` is the dataclass of the model's parameters.

    `native` is None for a model that runs in Python only. `input_timing`, "start" or "end", says at
    which end of a step an input has its value, where no parameter of this name does. `resources`
    are texts by file name that lie in the FMU's resources, from which the slave's class method
    `load_resources` makes it what it is; such an FMU is one of a user's own and holds no reference
    results.
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
        """The FMU's name, which is that of the slave's class."""
        return self.slave.__name__

    @property
    def module(self) -> str:
        """Name of the module of `fmu_src.models` that defines the FMU."""
        return self.slave.__module__.rpartition(".")[2]
