"""Numbers, tables and pictures of a run of a structure with contacts: orbits, forces, wear."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from harness.axes_across import axes_across, axis_name, readable_axis
from harness.case.notes import contact_wear_powers, rubs
from harness.case.settled_mean import TRANSIENT_SHARE
from harness.figures.labels import spoken
from harness.figures.palette import light
from harness.figures.panels import framed
from harness.fmu.changes import ParameterChange, marks
from harness.fmu.history import RunRecord
from harness.fmu.signals import Signal
from harness.optional_library import optional_module
from harness.report.document import Grid, KeyNumber, Picture
from harness.report.key_numbers import key_number
from harness.report.orbits import Orbit, orbit_figure
from harness.report.panel_table import CONTACT, fed_inputs, observed_points, wear_works
from harness.report.table_pictures import Columns, picture
from wearmodel import ContactMode
from wearmodel.arrays import Floats
from wearmodel.models.structure_buffers import contact_frame
from wearmodel.statistics.known_rate import KnownRate
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR
from wearmodel.structure import Contact, Structure, outward_normals


@dataclass(frozen=True)
class ModalRun:
    """A run of ModalShock.fmu, or of an FMU with the same variables."""

    history: RunRecord
    # The structure with the parameters of the contacts at the end of the run.
    structure: Structure
    inputs: Mapping[str, Signal]
    # Changes of the contacts' parameters.
    changes: Sequence[ParameterChange] = ()

    def of(self, contact: Contact, name: str) -> Floats:
        """Return the history of one output of a contact."""
        return self.history[f"{contact.name}.{name}"]

    def at_end(self, contact: Contact, name: str) -> float:
        """Return the last value of one output of a contact."""
        return float(self.of(contact, name)[-1])

    def vectors(self, contact: Contact, name: str) -> Floats:
        """Return the history of an output along x, y and z, shape (n, 3)."""
        return np.column_stack([self.of(contact, f"{name}_{axis}") for axis in "xyz"])

    def share(self, contact: Contact, *modes: ContactMode) -> float:
        """Return the share of communication points in these modes, except the initial point."""
        return float(np.mean(np.isin(self.of(contact, "contact_mode")[1:], modes)))

    def worn_gaps(self, contact: Contact) -> tuple[float, float] | None:
        """Return the gaps at the end [m] of the lower and the upper plane. A hole has the first.

        There is no result if wear does not open the gap.
        """
        if not contact.parameters.wear_feedback:
            return None
        lower, upper = (
            contact.parameters.gap + self.at_end(contact, f"wear_depth_{plane}")
            for plane in ("lower", "upper")
        )
        return lower, upper

    @property
    def most_worn(self) -> list[Contact]:
        """The contacts, sorted by their wear work and then by their largest force."""
        return sorted(
            self.structure.contacts,
            key=lambda contact: (
                -self.at_end(contact, "wear_work"),
                -self.at_end(contact, "peak_normal_force"),
            ),
        )

    def depth_a_year(self, contact: Contact) -> float | None:
        """Return the wear depth [m] after a year of such motion, unless the run is too short."""
        power = self.wear_powers.get(contact.name)
        if power is None:
            return None
        p = contact.parameters
        return float(p.archard_coefficient * power.mean / p.wear_area * SECONDS_PER_YEAR)

    @cached_property
    def wear_powers(self) -> dict[str, KnownRate]:
        """Mean wear power [W] with its interval of each contact. The name of the total is ""."""
        return contact_wear_powers(self.history, self.structure, self.inputs)


# Largest number of contacts with a picture. A page with dozens is too large for a browser.
MOST_CONTACTS = 9
# Largest number of samples of an orbit. With more samples the line would cover the clearance.
_ORBIT_SAMPLES = 3000


def modal_numbers(run: ModalRun) -> list[KeyNumber]:
    """Return the key numbers: size, shocks, forces, sliding and wear."""
    contacts = run.structure.contacts
    numbers = [
        KeyNumber("modes", str(run.structure.modes.count)),
        KeyNumber("contacts", str(len(contacts))),
    ]
    if not contacts:
        return numbers
    hardest = max(contacts, key=lambda contact: run.at_end(contact, "peak_normal_force"))
    shocks = sum(run.at_end(contact, "shock_count") for contact in contacts)
    numbers += [
        key_number("shocks", shocks, "1"),
        key_number(
            f"peak normal force ({hardest.name})", run.at_end(hardest, "peak_normal_force"), "N"
        ),
    ]
    if rubs(run.structure):
        worst = run.most_worn[0]
        numbers.append(key_number("wear work", float(run.history["wear_work"][-1]), "J"))
        if run.wear_powers:
            power = run.wear_powers[""]
            numbers.append(key_number("mean wear power", power.mean, "W"))
            if math.isfinite(power.half_width):
                numbers.append(key_number("mean wear power, ± (95 %)", power.half_width, "W"))
        depth, yearly = run.at_end(worst, "wear_depth"), run.depth_a_year(worst)
        numbers.append(key_number(f"largest wear depth ({worst.name})", depth, "m"))
        if yearly is not None:
            numbers.append(key_number(f"wear depth per year ({worst.name})", yearly, "m"))
    return numbers


def modal_grids(run: ModalRun) -> list[Grid]:
    """Return the tables of the contacts and of their wear."""
    contacts = run.structure.contacts
    if not contacts:
        return []
    grids = [
        Grid(
            "Contacts",
            (
                "contact", "obstacle", "gap [m]", "shocks", "closed [%]", "in slip [%]",
                "peak normal force [N]", "sliding distance [m]",
            ),
            [
                (
                    contact.name,
                    spoken(contact.obstacle.name),
                    f"{contact.parameters.gap:.4g}",
                    f"{run.at_end(contact, 'shock_count'):.0f}",
                    f"{100.0 * run.share(contact, ContactMode.STICK, ContactMode.SLIP):.3g}",
                    f"{100.0 * run.share(contact, ContactMode.SLIP):.3g}",
                    f"{run.at_end(contact, 'peak_normal_force'):.6g}",
                    f"{run.at_end(contact, 'sliding_distance'):.6g}",
                )
                for contact in contacts
            ],
        )
    ]  # fmt: skip
    if rubs(run.structure):
        grids.append(_wear_grid(run))
    return grids


def _wear_grid(run: ModalRun) -> Grid:
    total = float(run.history["wear_work"][-1])
    rows = []
    for contact in run.most_worn:
        power = run.wear_powers.get(contact.name)
        work = run.at_end(contact, "wear_work")
        yearly = run.depth_a_year(contact)
        rows.append(
            (
                contact.name,
                f"{work:.6g}",
                f"{100.0 * work / total:.3g}" if total > 0.0 else "0",
                *_power_cells(power),
                f"{run.at_end(contact, 'worn_volume'):.4g}",
                f"{run.at_end(contact, 'wear_depth'):.4g}",
                "—" if yearly is None else f"{1e3 * yearly:.3g}",
            )
        )
    rows.append(
        ("all contacts", f"{total:.6g}", "", *_power_cells(run.wear_powers.get("")), "", "", "")
    )
    columns = (
        "contact", "wear work [J]", "share [%]", "mean wear power [W]", "± (95 % interval) [W]",
        "worn volume [m³]", "wear depth [m]", "depth per year [mm]",
    )  # fmt: skip
    return Grid("Wear, in descending order", columns, rows)


def _power_cells(power: KnownRate | None) -> tuple[str, str]:
    if power is None:
        return "—", "—"
    if math.isinf(power.half_width):
        return f"{power.mean:.5g}", "not known *"
    relative = f" ({100.0 * power.relative_half_width:.2g} %)" if power.mean != 0.0 else ""
    mark = " *" if power.reason else ""
    return f"{power.mean:.5g}", f"{power.half_width:.2g}{relative}{mark}"


def modal_pictures(run: ModalRun) -> list[Picture]:
    """Return the orbits, the wear of all contacts, each contact, the points and the inputs."""
    pictures = []
    most_worn = run.most_worn[:MOST_CONTACTS]
    shown = [contact for contact in run.structure.contacts if contact in most_worn]
    if shown:
        pictures.append(_orbits(run, shown))
    outputs = Columns({"time": run.history.times, **run.history.values}, run.history.units)
    if shown and rubs(run.structure):
        if run.wear_powers:
            pictures.append(_wear_rates(run))
        row = wear_works([contact.name for contact in shown])
        pictures.append(picture(row, outputs, instants=marks(run.changes)))
    pictures += [_contact(run, contact) for contact in shown]
    if run.structure.observed:
        moving = [name for name, values in run.history.values.items() if np.ptp(values) > 0.0]
        row = observed_points(run.structure.observed, moving)
        pictures.append(picture(row, outputs, instants=marks(run.changes)))
    if run.inputs:
        fed = {name: signal.sample(run.history.times) for name, signal in run.inputs.items()}
        columns = Columns({"time": run.history.times, **fed})
        pictures.append(picture(fed_inputs(run.inputs), columns))
    return pictures


def _contact(run: ModalRun, contact: Contact) -> Picture:
    p, history, prefix = contact.parameters, run.history, f"{contact.name}."
    own = {
        output.removeprefix(prefix): output
        for output in history.values
        if output.startswith(prefix)
    }
    columns = {name: history[output] for name, output in own.items()}
    units = {name: history.units.get(output, "") for name, output in own.items()}
    has_friction = max(p.coefficients) > 0.0
    del columns["clearance" if has_friction else "wear_power"]
    if has_friction:
        columns["friction_force"] = np.linalg.norm(run.vectors(contact, "friction_force"), axis=1)
    own_changes = [
        change for change in run.changes if any(name.startswith(prefix) for name in change.values)
    ]
    # Otherwise the bound is not defined, or there are several bounds.
    if has_friction and p.viscous_friction == 0.0 and not own_changes:
        name = "bound" if len(set(p.coefficients)) == 1 else "largest_bound"
        columns[name] = max(p.coefficients) * columns["normal_force"]
    drawn = Columns({"time": history.times, **columns}, units)
    return picture(CONTACT, drawn, instants=marks(own_changes), contact=contact.name)


def _orbits(run: ModalRun, contacts: Sequence[Contact]) -> Picture:
    last = max(0, len(run.history.times) - _ORBIT_SAMPLES)
    words = (
        "Position of each contact's point in its obstacle, or relative to the second point, at the "
        "communication points. Outside the outline of the clearance it is in contact."
    )
    if len(contacts) < len(run.structure.contacts):
        words += (
            f" The {len(contacts)} most worn of {len(run.structure.contacts)} contacts are shown."
        )
    if last > 0:
        words += f" The last {run.history.times[-1] - run.history.times[last]:.4g} s are shown."
    return Picture(
        "Orbits in the clearances",
        words,
        orbit_figure([_orbit(run, contact, last) for contact in contacts]),
    )


def _orbit(run: ModalRun, contact: Contact, last: int) -> Orbit:
    place = run.vectors(contact, "relative_displacement")[last:] + np.array(contact.offset)
    closed = run.of(contact, "contact_mode")[last:] != ContactMode.FLIGHT
    gap, worn = contact.parameters.gap, run.worn_gaps(contact)
    if contact.obstacle.is_curved:
        across, up = (np.array(axis) for axis in axes_across(contact))
        corners = polygon_corners(contact) if contact.gaps else None
        if corners is not None:
            gap = float(np.max(np.hypot(*corners.T)))
        return Orbit(
            contact.name,
            place @ across,
            place @ up,
            closed,
            axis_name(across),
            axis_name(up),
            abs(gap),
            worn_radius=abs(worn[0]) if worn else None,
            corners=corners,
        )
    normal = np.array(contact.direction)
    _, *tangents = (readable_axis(np.array(axis)) for axis in contact_frame(contact))
    along = max(tangents, key=lambda axis: float(np.ptp(place @ axis)))
    planes = contact.obstacle.side_count
    return Orbit(
        contact.name,
        place @ along,
        place @ normal,
        closed,
        axis_name(along),
        f"normal, {axis_name(normal)}",
        levels=(-gap, gap)[:planes],
        worn_levels=(-worn[0], worn[1])[:planes] if worn else (),
    )


def polygon_corners(contact: Contact) -> Floats:
    """Return the corners (n, 2) [m] of a polygon along the two readable axes across it."""
    # A corner is on the lines n·x = gap of two sides.
    sides = np.array(outward_normals(contact.directions))
    lines = np.stack([sides, np.roll(sides, -1, axis=0)], axis=1)
    gaps = np.stack([contact.gaps, np.roll(contact.gaps, -1)], axis=1)
    places = np.linalg.solve(lines, gaps[..., None])[..., 0]
    places = places @ np.array(contact_frame(contact))[:2]
    return np.stack([places @ np.array(axis) for axis in axes_across(contact)], axis=1)


def _wear_rates(run: ModalRun) -> Picture:
    """Return the picture of the mean wear power of each contact with its error bar."""
    subplots = optional_module("plotly.subplots", "a plot")
    figure = subplots.make_subplots()
    contacts = run.most_worn[::-1]
    powers = [run.wear_powers[contact.name] for contact in contacts]
    figure.add_scatter(
        x=[power.mean for power in powers],
        y=[contact.name for contact in contacts],
        error_x={
            "array": [
                power.half_width if math.isfinite(power.half_width) else 0.0 for power in powers
            ],
            "color": light("wear"),
            "thickness": 2,
            "width": 7,
        },
        mode="markers",
        marker={"color": light("wear"), "size": 10},
        hovertemplate="%{y}: %{x:.6g} W",
        showlegend=False,
    )
    figure.update_xaxes(title_text="mean wear power [W]", rangemode="tozero")
    framed(figure, height=110 + 34 * len(contacts))
    figure.update_layout(
        margin={"l": 110, "r": 18, "t": 30, "b": 58},
        hovermode="closest",
        meta={"narrow": {"margin": {"l": 90, "r": 8}}},
    )
    seconds = (1.0 - TRANSIENT_SHARE) * (run.history.times[-1] - run.history.times[0])
    doubtful = [contact.name for contact in contacts if run.wear_powers[contact.name].reason]
    words = (
        f"Mean over the last {seconds:.4g} s, without the first tenth as transient. The error bar "
        "covers the mean of a longer run with 95 % probability. It includes sampling scatter "
        "only, without uncertain parameters."
    )
    if doubtful:
        words += (
            f" The run is too short for a reliable error bar of {', '.join(doubtful)}: see the "
            "warnings above."
        )
    return Picture("Wear power of each contact", words, figure)
