"""Pictures of a frictional shock: motion, friction, wear, contact."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from harness.report.curves import Curve
from harness.report.document import Picture
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
            Panel("acceleration [m/s²]", tuple(accelerations), levels=levels),
            Panel("velocity [m/s]", velocities),
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
    figure = side_by_side_figure(
        [
            _force_panel(
                "relative_displacement",
                history["relative_displacement"][shown],
                force,
                "displacement of the mass on the support [m]",
            ),
            _force_panel(
                "slip_velocity",
                np.insert(velocity, twice, 0.0),
                np.insert(force, twice, jumps),
                "slip velocity [m/s]",
            ),
        ]
    )
    return Picture(
        "Friction force",
        "Left: over the displacement relative to the support; the area inside a loop is the work "
        "of friction. Right: over the slip velocity; stick is the vertical line at 0.",
        figure,
    )


def _force_panel(
    name: str, x: NDArray[np.float64], force: NDArray[np.float64], x_title: str
) -> Panel:
    curve = Curve(name, x.astype(np.float32), force.astype(np.float32), "mass")
    return Panel("friction force on the mass [N]", (curve,), x_title)


def wear_picture(run: ShakenRun) -> Picture:
    """Return wear power and wear work over time."""
    history = run.history
    figure = stacked_figure(
        [
            Panel(
                "wear power [W]",
                (run.curve("wear_power", history["wear_power"], "wear"),),
            ),
            Panel(
                "wear work [J]",
                (run.curve("wear_work", history["wear_work"], "wear"),),
            ),
        ]
    )
    return Picture(
        "Wear",
        "wear_power = F_N |slip velocity|, in Archard's sense without μ; wear_work is its "
        "integral, impacts included, and worn_volume is archard_coefficient times it. "
        f"At the end: {history['wear_work'][-1]:.6g} J, {history['worn_volume'][-1]:.4g} m³.",
        figure,
    )


def contact_picture(run: ShakenRun) -> Picture:
    """Return gap, its rate and the normal force over time."""
    history = run.history

    def panel(variable: str, title: str, colour: str) -> Panel:
        return Panel(title, (run.curve(variable, history[variable], colour),))

    figure = stacked_figure(
        [
            panel("gap", "gap [m]", "support"),
            panel("gap_velocity", "gap velocity [m/s]", "support"),
            panel("normal_force", "normal force [N]", "mass"),
        ],
        bands=run.mode_intervals(),
    )
    return Picture(
        "Contact",
        f"{history['shock_count'][-1]:.0f} shocks; largest normal force "
        f"{history['peak_normal_force'][-1]:.6g} N (located between samples, impulses not "
        f"counted), accumulated impulse of rigid impacts {history['impact_impulse'][-1]:.6g} N·s.",
        figure,
        shaded=True,
    )


def run_pictures(run: ShakenRun) -> list[Picture]:
    """Return the pictures that any run of the frictional shock has something to show in."""
    pictures = []
    if run.slides:
        pictures += [motion_picture(run), friction_picture(run), wear_picture(run)]
    if run.knocks:
        pictures.append(contact_picture(run))
    return pictures
