"""Pictures of a frictional shock: motion, displacement, friction, wear, contact."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from harness.report.curves import Curve
from harness.report.document import Picture
from harness.report.labels import spoken
from harness.report.panels import Panel, side_by_side_figure, stacked_figure
from harness.report.shaken_run import ShakenRun


def motion_picture(
    run: ShakenRun,
    *,
    until: float | None = None,
    instants: Mapping[str, float] | None = None,
    caption: str = "",
) -> Picture:
    """Return acceleration and velocity of support and mass, as SDND104 draws them.

    Parameters
    ----------
    run : ShakenRun
        With tangential motion.
    until : float, optional
        Last instant shown, s.
    instants : mapping of str to float, optional
        Instants to mark, by label.
    caption : str
        Added to the caption.
    """
    shown = slice(None)
    if until is not None:
        shown = slice(int(np.searchsorted(run.history.times, until, side="right")))
    times = run.history.times[shown]
    limit = run.friction_limit[shown]
    accelerations = [
        run.curve("support", run.base_acceleration[shown], "support"),
        run.curve("mass", run.history["absolute_acceleration"][shown], "mass"),
    ]
    levels = {}
    if np.ptp(limit) == 0.0:
        levels = {"+μg": float(limit[0]), "−μg": -float(limit[0])}
    else:
        accelerations += [
            run.curve("+μ F_N/m", limit, "limit", style="dot"),
            run.curve("−μ F_N/m", -limit, "limit", style="dot"),
        ]
    velocities = (
        run.curve("support", run.support_velocity[shown], "support"),
        run.curve("mass", run.mass_velocity[shown], "mass"),
    )
    bands = {
        name: [(start, min(stop, times[-1])) for start, stop in spans if start < times[-1]]
        for name, spans in run.mode_intervals().items()
    }
    figure = stacked_figure(
        [
            Panel(
                "acceleration",
                tuple(accelerations),
                unit=run.unit("absolute_acceleration"),
                levels=levels,
            ),
            Panel("velocity", velocities, unit=run.unit("relative_velocity")),
        ],
        bands=bands,
        instants=instants,
    )
    words = (
        "Support and mass in the fixed frame. Friction alone carries the mass along where no "
        "spring does: its acceleration cannot exceed what friction can give. " + caption
    )
    return Picture("Acceleration and velocity", words.strip(), figure, shaded=True)


def friction_picture(run: ShakenRun, *, until: float | None = None) -> Picture:
    """Return the friction force over the displacement and over the slip velocity.

    Parameters
    ----------
    run : ShakenRun
        With tangential motion.
    until : float, optional
        Last instant shown, s.
    """
    history = run.history
    last = len(history.times)
    if until is not None:
        last = int(np.searchsorted(history.times, until, side="right"))
    shown = slice(0, last, max(1, last // (2 * run.most_samples)))
    force, velocity = history["friction_force"][shown], history["slip_velocity"][shown]
    # Onset, arrest and reversal lie between two samples: there the force changes at velocity 0.
    turns = np.flatnonzero((velocity[:-1] * velocity[1:] <= 0.0) & (velocity[:-1] != velocity[1:]))
    twice = np.repeat(turns + 1, 2)
    jumps = np.column_stack([force[turns], force[turns + 1]]).ravel()

    def panel(name: str, x: NDArray[np.float64], y: NDArray[np.float64]) -> Panel:
        curve = Curve(name, x.astype(np.float32), y.astype(np.float32), "mass")
        return Panel(
            spoken("friction_force"),
            (curve,),
            spoken(name),
            unit=run.unit("friction_force"),
            x_unit=run.unit(name),
        )

    figure = side_by_side_figure(
        [
            panel("relative_displacement", history["relative_displacement"][shown], force),
            panel("slip_velocity", np.insert(velocity, twice, 0.0), np.insert(force, twice, jumps)),
        ]
    )
    return Picture(
        "Friction force",
        "First the friction force on the mass over the displacement relative to the support: the "
        "area inside a loop is the work of friction. Then over the slip velocity: stick is the "
        "vertical line at 0.",
        figure,
    )


def displacement_picture(run: ShakenRun) -> Picture:
    """Return displacement relative to the support and accumulated sliding over time."""
    history = run.history
    residual = float(history["relative_displacement"][-1])
    figure = stacked_figure(
        [
            run.panel("relative_displacement", "mass", levels={"residual": residual}),
            run.panel("sliding_distance", "mass"),
        ],
        bands=run.mode_intervals(),
    )
    return Picture(
        "Displacement and sliding",
        "Displacement of the mass relative to the support, and the distance that it has slid in "
        f"both directions together. Largest displacement {run.largest('relative_displacement'):.6g}"
        f" m, residual displacement {residual:.6g} m, sliding distance "
        f"{history['sliding_distance'][-1]:.6g} m.",
        figure,
        shaded=True,
    )


def wear_picture(run: ShakenRun) -> Picture:
    """Return wear power and wear work over time."""
    history = run.history
    figure = stacked_figure([run.panel("wear_power", "wear"), run.panel("wear_work", "wear")])
    return Picture(
        "Wear",
        "wear_power = F_N |slip velocity|, in Archard's sense without μ; wear_work is its "
        "integral, including impacts, and worn_volume is archard_coefficient × wear_work. "
        f"At the end: {history['wear_work'][-1]:.6g} J, {history['worn_volume'][-1]:.4g} m³.",
        figure,
    )


def contact_picture(run: ShakenRun) -> Picture:
    """Return gap, its rate and the normal force over time."""
    history = run.history
    figure = stacked_figure(
        [
            run.panel("gap", "support"),
            run.panel("gap_velocity", "support"),
            run.panel("normal_force", "mass"),
        ],
        bands=run.mode_intervals(),
    )
    return Picture(
        "Contact",
        f"Shocks: {history['shock_count'][-1]:.0f}. Largest normal force "
        f"{history['peak_normal_force'][-1]:.6g} N (located between samples, without impulses); "
        f"accumulated impulse of rigid impacts {history['impact_impulse'][-1]:.6g} N·s.",
        figure,
        shaded=True,
    )


def coefficient_picture(run: ShakenRun) -> Picture:
    """Return the coefficient of friction over the speed: the law, and the run's samples in slip."""
    history = run.history
    slips = np.flatnonzero((history["slip_velocity"] != 0.0) & (history["normal_force"] > 0.0))
    slips = slips[:: max(1, len(slips) // run.most_samples)]
    speeds = np.abs(history["relative_velocity"][slips])
    seen = np.abs(history["friction_force"][slips]) / history["normal_force"][slips]
    grid = np.linspace(0.0, float(speeds.max(initial=run.parameters["friction_decay_velocity"])))
    curves = (
        Curve("law", grid, run.friction_coefficient(grid), "limit"),
        Curve("run", speeds, seen, "mass", style="points"),
    )
    figure = side_by_side_figure(
        [Panel("coefficient of friction", curves, "speed |u̇|", x_unit="m/s")]
    )
    return Picture(
        "Friction over speed",
        "Coefficient of friction in slip, |friction force| / normal force, over the mass's speed "
        "along the support: the law μ_d + (μ_0 − μ_d) exp(−v/v_s) + η v, and the run's samples.",
        figure,
    )


def worn_gap_picture(run: ShakenRun) -> Picture:
    """Return the gap and the depths that wear has taken off both planes over time."""
    history = run.history
    planes = tuple(
        run.curve(plane, history[f"wear_depth_{plane}"], colour)
        for plane, colour in (("lower", "wear"), ("upper", "support"))
    )
    figure = stacked_figure(
        [
            run.panel("gap", "support"),
            run.panel("normal_force", "mass"),
            Panel("depth worn off a plane", planes, unit=run.unit("wear_depth_lower")),
        ],
        bands=run.mode_intervals(),
    )
    lower, upper = (float(history[f"wear_depth_{plane}"][-1]) for plane in ("lower", "upper"))
    return Picture(
        "Gap and worn depth",
        "Wear opens the gap while it goes on; one second of the run stands for "
        f"{run.parameters['wear_time_scale']:.6g} s of service. Worn off at the end: "
        f"{lower:.4g} m at the lower plane, {upper:.4g} m at the upper one.",
        figure,
        shaded=True,
    )


# What is drawn of a run, in this order: each picture and which runs have something to show in it.
# The picture of a law of its own, such as friction over velocity or a gap that wears, is a row
# here, for the runs that have its parameters or outputs.
_PICTURES: tuple[tuple[Callable[[ShakenRun], bool], Callable[[ShakenRun], Picture]], ...] = (
    (lambda run: run.slides, motion_picture),
    (lambda run: run.slides, displacement_picture),
    (lambda run: run.slides, friction_picture),
    (lambda run: run.slides, wear_picture),
    (lambda run: run.slides and run.friction_varies, coefficient_picture),
    (lambda run: run.knocks, contact_picture),
    (lambda run: run.wears_its_gap, worn_gap_picture),
)


def run_pictures(run: ShakenRun, *, drawn: Collection[str] = ()) -> list[Picture]:
    """Return the pictures that a run of the frictional shock has something to show in.

    Parameters
    ----------
    run : ShakenRun
        Any.
    drawn : collection of str
        Titles of pictures that are there already, in a form of their own.
    """
    pictures = [draw(run) for shows, draw in _PICTURES if shows(run)]
    return [picture for picture in pictures if picture.title not in drawn]
