"""The pictures of runs as data: panels, series and shading.

A series is identified by its variable: an output or input of the FMU, or a quantity computed from
a run. A series is drawn if the run has its variable, and a panel if it has a series. Titles and
captions are templates: `end[variable]` is the last value, `largest[variable]` the largest
magnitude, `run` the run itself. Other fields are passed with the run. The report draws all pictures
(`table_pictures`). The page that computes draws those with an `OnPage` (`harness.page.page_table`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Series:
    """A curve of a panel."""

    # Name of the drawn variable.
    variable: str
    # Name in `palette.COLOURS`. Default: by its position in the panel.
    colour: str = ""
    # Name in the legend. Default: the variable. A space excludes the series from the legend.
    name: str = ""
    # {"solid", "dash", "dot", "points", "marked", "band"}: As for `curves.Curve`.
    style: str = "solid"
    # Factor on the values: −1 changes the sign, 1e6 shows m as µm.
    factor: float = 1.0
    # If the values are constant, a horizontal line with this label is drawn instead.
    level: str = ""
    # Variable along x. Default: the panel's x.
    x: str = ""
    # Colour on the page if another panel in the same axes has `colour`.
    beside: str = ""


@dataclass(frozen=True)
class PanelRow:
    """A pair of axes."""

    series: Sequence[Series]
    # Title of the y axis. Default: the first variable in words.
    title: str = ""
    # Shown unit. Default: the unit of the first series that has a unit.
    unit: str | None = None
    # Variable along x, and its title, by default in words.
    x: str = "time"
    x_title: str = ""
    # Whether an axis is logarithmic.
    logarithmic: bool = False
    logarithmic_x: bool = False
    # Whether y changes at x = 0 only, between the adjacent samples.
    corners: bool = False
    # {"left", "right", ""}: Side of its axis on the page. The first panel at the right shares the
    # picture of the first panel at the left, and so on. Empty: the page does not show the panel.
    page: str = "left"
    # Whether the page omits a panel with zeros only.
    hidden_at_zero: bool = False


@dataclass(frozen=True)
class OnPage:
    """A picture on the page that computes."""

    # Position among the pictures of the page.
    place: int
    title: str
    caption: str
    # Counter whose increments are marked at the top. Empty: without marks.
    marks: str = ""


@dataclass(frozen=True)
class PictureRow:
    """A picture of one or more panels."""

    # Templates, see above.
    title: str
    caption: str
    # From top to bottom, or from left to right.
    panels: Sequence[PanelRow]
    # Whether stick, slip and flight are shaded in all panels.
    shaded: bool = False
    # Largest number of shaded spans. With more spans the picture is not shaded.
    most_shades: float = math.inf
    # Whether the panels are side by side, each with an x axis.
    beside: bool = False
    # Properties of the run that must be true.
    shows: tuple[str, ...] = ()
    # The picture on the page. Default: the page does not show it.
    page: OnPage | None = None


def _panel(*series: Series, **options: Any) -> PanelRow:
    """A panel of these series."""
    return PanelRow(series, **options)


MOTION = PictureRow(
    "Acceleration and velocity",
    "Support and mass in the fixed frame. Without springs, only friction accelerates the mass: its "
    "acceleration cannot exceed the friction limit μ F_N/m. {words}",
    (
        _panel(
            Series("base_acceleration", "support", "support"),
            Series("absolute_acceleration", "mass", "mass"),
            Series("friction_limit", "limit", "+μ F_N/m", "dot", level="+μg"),
            Series("friction_limit", "limit", "−μ F_N/m", "dot", -1.0, level="−μg"),
            title="acceleration",
        ),
        _panel(
            Series("support_velocity", "support", "support"),
            Series("mass_velocity", "mass", "mass"),
            title="velocity",
        ),
    ),
    shaded=True,
    shows=("slides",),
    page=OnPage(
        2,
        "Acceleration of support and mass",
        "In stick, mass and support have the same acceleration. In slip, only friction and springs "
        "accelerate the mass.",
    ),
)
FRICTION = PictureRow(
    "Friction force",
    "First panel: friction force on the mass over the displacement relative to the support. The "
    "area inside a loop is the work of friction. Second panel: over the slip velocity. Stick is "
    "the vertical line at 0.",
    (
        _panel(
            Series("friction_force", "mass", "relative_displacement"), x="relative_displacement"
        ),
        _panel(
            Series("friction_force", "mass", "slip_velocity"),
            x="slip_velocity",
            corners=True,
            page="",
        ),
    ),
    beside=True,
    shows=("slides",),
    page=OnPage(
        5,
        "Friction loop",
        "Friction force on the mass over its displacement. The area of the loop is heat.",
    ),
)
FRICTIONAL_SHOCK = (
    MOTION,
    PictureRow(
        "Displacement and sliding",
        "Displacement of the mass relative to the support, and its sliding distance in both "
        "directions together. Largest displacement {largest[relative_displacement]:.6g} m, "
        "residual displacement {end[relative_displacement]:.6g} m, sliding distance "
        "{end[sliding_distance]:.6g} m.",
        (
            _panel(
                Series("relative_displacement", "mass"),
                Series("residual_displacement", level="residual"),
                *(Series(stop, "limit", level=stop) for stop in ("stop_lower", "stop_upper")),
            ),
            _panel(Series("sliding_distance", "mass"), page=""),
            _panel(Series("stop_force", "mass"), page="right", hidden_at_zero=True),
        ),
        shaded=True,
        shows=("slides",),
        page=OnPage(
            1,
            "Displacement of the mass on the support",
            "Tangential displacement, mass minus support.",
        ),
    ),
    FRICTION,
    PictureRow(
        "Wear",
        "wear_power is F_N |slip velocity|, without μ as in Archard's law. wear_work is its "
        "integral, including impacts. worn_volume is archard_coefficient × wear_work. "
        "At the end: {end[wear_work]:.6g} J, {end[worn_volume]:.4g} m³.",
        (
            _panel(Series("wear_power", "wear")),
            _panel(Series("wear_work", "wear", beside="exact"), page="right"),
        ),
        shows=("slides",),
        page=OnPage(
            3,
            "Wear power and wear work",
            "Wear power is normal force times sliding speed. Wear work is its integral, including "
            "impacts.",
        ),
    ),
    PictureRow(
        "Friction over speed",
        "Coefficient of friction in slip, |friction force| / normal force, over the speed of the "
        "mass along the support: the law {run.friction_law}, and samples of the run.",
        (
            _panel(
                Series("law_coefficient", "limit", "law"),
                Series("slip_coefficient", "mass", "run", "points", x="slip_speed"),
                title="coefficient of friction",
                x="law_speed",
                x_title="speed |u̇|",
            ),
        ),
        beside=True,
        shows=("slides", "friction_varies"),
        page=OnPage(
            6,
            "Friction law",
            "Coefficient of friction in slip over the speed of the mass along the support, up to "
            "the largest speed of the run.",
        ),
    ),
    PictureRow(
        "Force loop of the bearing",
        "Tangential force on the support over the displacement: restoring force, friction, spring, "
        "damper and stops.",
        (
            _panel(
                Series("support_force_tangential", "support", "relative_displacement"),
                x="relative_displacement",
            ),
        ),
        beside=True,
        shows=("slides", "swings"),
    ),
    PictureRow(
        "Contact",
        "Shocks: {end[shock_count]:.0f}. Largest normal force {end[peak_normal_force]:.6g} N "
        "(located between samples, without impulses). Accumulated impulse of rigid impacts: "
        "{end[impact_impulse]:.6g} N·s.",
        (
            _panel(Series("gap", "support"), page="right", hidden_at_zero=True),
            _panel(Series("gap_velocity", "support"), page=""),
            _panel(Series("normal_force", "mass")),
        ),
        shaded=True,
        shows=("knocks",),
        page=OnPage(
            4,
            "Contact force, gap and shocks",
            "Lines at the top mark shocks, at which the contact closes after flight.",
            marks="shock_count",
        ),
    ),
    PictureRow(
        "Gap and worn depth",
        "Wear opens the gap during the run. One second of the run represents "
        "{run.parameters[wear_time_scale]:.6g} s of service. Wear depth at the end: "
        "{end[wear_depth_lower]:.4g} m at the lower plane, {end[wear_depth_upper]:.4g} m at the "
        "upper plane.",
        (
            _panel(Series("gap", "support")),
            _panel(Series("normal_force", "mass")),
            _panel(
                Series("wear_depth_lower", "wear", "lower"),
                Series("wear_depth_upper", "support", "upper"),
                title="wear depth of a plane",
            ),
        ),
        shaded=True,
        shows=("wears_its_gap",),
    ),
)
RECORD = PictureRow(
    "The record",
    "The input of the FMU, in m/s².",
    (
        _panel(Series("base_acceleration", "support")),
        _panel(Series("base_acceleration_normal", "support")),
    ),
)

DIS_CHOC = (
    PictureRow(
        "Path",
        "{path} Points are the communication points of the case. Lines come from a run at "
        "1/{finer} of its step.",
        [
            _panel(
                Series(force, "mass", f"{force}, path"),
                Series(
                    f"case {force}",
                    "support",
                    f"{force}, case",
                    "points",
                    x="case displacement_y",
                ),
                title=force,
                x="displacement_y",
                x_title="displacement_y",
            )
            for force in ("load_y", "force_y")
        ],
        beside=True,
    ),
    PictureRow(
        "Histories",
        "Displacements, forces of the shock spring (contact: force_x ≤ 0), and wear work.",
        (
            _panel(
                Series("displacement_x", "support"),
                Series("displacement_y", "mass"),
                Series("slip_y", "exact", style="dash"),
                title="displacement",
            ),
            _panel(
                Series("force_x", "support"),
                Series("force_y", "mass"),
                title="force",
            ),
            _panel(Series("wear_work", "wear")),
            _panel(Series("wear_depth", "wear")),
        ),
        shaded=True,
    ),
)

# Of one contact of a structure.
CONTACT = PictureRow(
    "Contact {contact}",
    "Shocks: {end[shock_count]:.0f}. Largest normal force {end[peak_normal_force]:.6g} N, located "
    "between the communication points at which the curves are drawn.",
    (
        _panel(Series("normal_force", "support")),
        _panel(
            Series("bound", "limit", "μ F_N", "dot"),
            Series("largest_bound", "limit", "max μ F_N", "dot"),
            Series("friction_force", "mass", "friction force"),
            title="friction force",
            unit="N",
        ),
        _panel(Series("wear_power", "wear")),
        _panel(Series("clearance", "mass")),
    ),
    shaded=True,
    most_shades=1000,
)
_LINES = ("solid", "dash", "dot")
_COLOURS = 5


def wear_works(contacts: Sequence[str]) -> PictureRow:
    """Return the wear work of some contacts of a structure."""
    series = [
        Series(f"{name}.wear_work", name=name, style=_LINES[number // _COLOURS % len(_LINES)])
        for number, name in enumerate(contacts)
    ]
    return PictureRow(
        "Wear work",
        "Integral of the wear power of each contact. A straight line means steady wear. All "
        "contacts together: {end[wear_work]:.6g} J at the end.",
        (PanelRow(series, "wear work"),),
    )


def observed_points(points: Sequence[str], moving: Collection[str]) -> PictureRow:
    """Return the displacements of those observed points of a structure that move."""
    panels = []
    for axis in "xyz":
        names = {point: f"{point}.displacement_{axis}" for point in points}
        series = [Series(name, name=point) for point, name in names.items() if name in moving]
        if series:
            panels.append(PanelRow(series, f"displacement {axis}"))
    return PictureRow("Observed points", "Displacement relative to the support.", panels)


def fed_inputs(names: Collection[str]) -> PictureRow:
    """Return the inputs of a structure's run."""
    panels = [
        _panel(Series(name), unit="m/s²" if name.startswith("base_acceleration") else "N")
        for name in names
    ]
    return PictureRow("Inputs", "Inputs of the FMU.", panels)


# Over service time in years.
LIFE = PictureRow(
    "Depth, volume and wear power{of}",
    "Points: computed states. Bands: 95 % intervals.",
    [
        _panel(
            Series(f"{name}_lower", "wear", " ", "dot", factor),
            Series(f"{name}_upper", "wear", "95 % interval", "band", factor),
            Series(name, "wear", style="marked", factor=factor),
            Series(f"{name}_limit", factor=factor, level="limit"),
            title=name,
            unit=unit,
            x="service time",
        )
        for name, unit, factor in (
            ("depth", "µm", 1e6),
            ("volume", "mm³", 1e9),
            ("power", "mW", 1e3),
        )
    ],
)

# Of all draws of uncertain parameters.
DRAWN_LIVES = PictureRow(
    "Depth{of} in all draws",
    "Median of {count} draws, and the band with 90 % of their depths. It does not include the "
    "error bar of each draw. {words}",
    [
        _panel(
            Series("depth_low", "limit", "5 %", "dot", 1e6),
            Series("depth_high", "limit", "95 %", "band", 1e6),
            Series("depth_median", "wear", "median", "marked", factor=1e6),
            Series("depth_limit", factor=1e6, level="limit"),
            title="depth",
            unit="µm",
            x="service time",
        ),
        _panel(
            Series("share_reached", "mass", "limit reached", factor=100.0, x="reached_after"),
            title="limit reached",
            unit="%",
            x="service time",
        ),
    ],
)

# Colours that are easy to distinguish, and so the number of curves in a panel.
_LIFE_COLOURS = ("support", "mass", "wear", "exact")


def depths_of_contacts(names: Sequence[str]) -> PictureRow:
    """Return the picture of the depths of all contacts over service time, four in a panel."""
    groups = [
        names[first : first + len(_LIFE_COLOURS)]
        for first in range(0, len(names), len(_LIFE_COLOURS))
    ]
    return PictureRow(
        "Depth of all contacts",
        "Points: computed states. Bands: 95 % intervals. {words}",
        [
            _panel(
                *(
                    series
                    for name, colour in zip(group, _LIFE_COLOURS, strict=False)
                    for series in (
                        Series(f"{name}.depth_lower", colour, " ", "dot", 1e6),
                        Series(f"{name}.depth_upper", colour, " ", "band", 1e6),
                        Series(f"{name}.depth", colour, name, "marked", factor=1e6),
                    )
                ),
                Series("depth_limit", factor=1e6, level="limit"),
                title="depth",
                unit="µm",
                x="service time",
            )
            for group in groups
        ],
    )


# Of SDND104's rubbing shoe and its closed form.
THETA = PictureRow(
    "Construction of θ",
    "In slip-slip the velocity of the mass is a polygon with slopes ±μg. Its slope changes where "
    "it meets the cosine of the support. These reversals tend to θ + nπ/ω with "
    "θ = arccos(πη/2)/ω = {end[theta]:.7g} s. There a line of slope μg leads from one reversal "
    "to the next, half a period later and with opposite sign (dashed). Below: distance of each "
    "reversal from its limit.",
    (
        _panel(
            Series("support_velocity", "support", "support"),
            Series("mass_velocity", "mass", "mass, by the FMU"),
            Series("vertex_velocity", "exact", "reversals, exact", "points", x="vertex_time"),
            Series("steady_velocity", "limit", "limit of the mass", "dash", x="steady_time"),
            title="velocity",
            unit="m/s",
        ),
        _panel(
            Series("distance", "exact", "reversals, exact", "points", x="reversal_time"),
            title="|reversal − (θ + nπ/ω)|",
            unit="s",
            logarithmic=True,
        ),
    ),
)
WEAR_POWER = PictureRow(
    "Mean wear power over η",
    "Slip-slip up to η* = 2/√(π² + 4) = {end[eta_star]:.5f}, stick-slip up to 1, without slip "
    "beyond. The vertical line marks the change of regime. The error is caused by the "
    "extrapolation of the input over a step. Runs without slip have no error.",
    (
        _panel(
            Series("window_power", "exact", "exact, mean of [4, 12] s"),
            Series("steady_power", "limit", "exact, in the limit", "dash"),
            Series("power", "mass", "through the FMU", "points", x="eta"),
            title="P / (m g a₀/ω)",
            x="exact_eta",
        ),
        _panel(
            Series("error", "mass", "through the FMU", "points"),
            title="relative error",
            x="eta",
            x_title="η = μg/a₀",
            logarithmic=True,
        ),
    ),
)

# Curves of the classical scheme, and of the FMU with each order of the input.
EULER_AMPLITUDES = (15.0, 1.5, 1.01)
INPUT_ORDERS = (0, 1, 2, 3)
_SCHEMES = {
    "time step": {
        f"EULER {amplitude:g}": f"EULER, a₀ = {amplitude:g} m/s²" for amplitude in EULER_AMPLITUDES
    },
    "communication step": {
        f"order {order}": f"FMU, input of order {order}" for order in INPUT_ORDERS
    },
}
CONVERGENCE = PictureRow(
    "Convergence with the step",
    "Error of the mean wear power of SDND104. First panel: the classical scheme EULER, compared "
    "with the limit of the documents' discrete law. The tangential stiffness limits its steps. It "
    "does not converge smoothly, because stick and slip change only at steps. Second panel: "
    "FrictionalShock.fmu at a₀ = {amplitude} m/s², with steps a hundred times as long, compared "
    "with the closed form. Between communication points the FMU is exact. Its error is caused by "
    "the extrapolation of the input (input_extrapolation_order).",
    [
        _panel(
            *(Series(error, name=name, style="marked") for error, name in runs.items()),
            title="|relative error| of the mean wear power",
            x=step,
            logarithmic=True,
            logarithmic_x=True,
        )
        for step, runs in _SCHEMES.items()
    ],
    beside=True,
)
