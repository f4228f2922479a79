"""Draws the pictures of README, docs and examples: `python docs/make_pictures.py [NAME…]`.

The pictures are stored in docs/pictures, because GitHub shows the pages too. A test computes the
curves again. The script needs matplotlib. The colours are the colours of the reports, with variants
for dark screens.
"""

from __future__ import annotations

import io
import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.figures.palette import dark_by_light, light
from wearmodel import (
    Drive,
    EventKinds,
    FrictionalShock,
    FrictionalShockParameters,
    NormalLaw,
    ShockSpring,
    ShockSpringParameters,
    run_blocks,
)
from wearmodel.kernel.shoe.parameters import InputTiming
from wearmodel.units import STANDARD_GRAVITY

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures"
EXAMPLES = ROOT / "examples"

_PAPER, _DARK_PAPER = "#ffffff", "#16191d"
_STYLE = {
    "axes.axisbelow": True,
    "axes.edgecolor": light("limit"),
    "axes.grid": True,
    "axes.labelcolor": light("text"),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.facecolor": _PAPER,
    "axes.facecolor": _PAPER,
    "font.family": "sans-serif",
    "font.size": 11,
    "grid.color": light("grid"),
    "legend.frameon": False,
    # Long enough to distinguish dashes behind a marker.
    "legend.handlelength": 3.2,
    "lines.linewidth": 1.8,
    "path.simplify": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "wearfmu",
    "text.color": light("text"),
    "xtick.color": light("limit"),
    "xtick.labelcolor": light("text"),
    "ytick.color": light("limit"),
    "ytick.labelcolor": light("text"),
}
# Names of curves that the test computes again start with this prefix.
CURVE = "curve-"

OMEGA = 2.0 * math.pi


def _panels(count: int, height: float) -> tuple[Figure, list[Axes]]:
    figure = Figure(figsize=(6.4, height), layout="constrained")
    return figure, list(figure.subplots(count, 1, sharex=True, squeeze=False)[:, 0])


def _curve(axes: Axes, x: Any, y: Any, name: str, colour: str, **options: Any) -> None:
    axes.plot(x, y, gid=f"{CURVE}{name}", color=light(colour), **options)


def _run(
    parameters: FrictionalShockParameters,
    shaking: Callable[[float], float],
    stop: float,
    step: float,
) -> dict[str, np.ndarray]:
    """Return the outputs of the model at its communication points, and these times, by name."""
    shoe = FrictionalShock(parameters, base_acceleration=shaking(0.0))
    later = step if parameters.input_timing is InputTiming.end else 0.0
    rows = [shoe.outputs()]
    times = np.arange(round(stop / step) + 1) * step
    for time in times[:-1]:
        shoe.step(step, base_acceleration=shaking(time + later))
        rows.append(shoe.outputs())
    found = {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}
    return {"time": times, **found}


def rubbing_shoe() -> Figure:
    """Velocities of support and mass in steady stick-slip and slip-slip."""
    figure, panels = _panels(2, 4.6)
    for axes, amplitude, regime in zip(
        panels, (1.5, 15.0), ("stick-slip", "slip-slip"), strict=True
    ):
        found = _run(
            FrictionalShockParameters(), lambda t, a=amplitude: a * math.sin(OMEGA * t), 12.0, 2e-3
        )
        settled = found["time"] >= 10.0
        time, relative = found["time"][settled] - 10.0, found["relative_velocity"][settled]
        # The support is at rest at the start. The steady mean is subtracted.
        support = -amplitude / OMEGA * np.cos(OMEGA * time)
        some = slice(None, None, 4)
        _curve(axes, time[some], support[some], f"support-{regime}", "support", label="support")
        _curve(axes, time[some], (support + relative)[some], f"mass-{regime}", "mass", label="mass")
        axes.set_ylabel("velocity, m/s")
        axes.set_title(f"{regime}: a₀ = {amplitude:g} m/s², μ g = 1 m/s²", fontsize=10, loc="left")
    panels[1].set_xlabel("time, s")
    panels[0].legend(loc="upper right", ncols=2, fontsize=9)
    panels[0].set_ylim(-0.29, 0.42)
    return figure


def own_shaking() -> Figure:
    """Response of a block with μ = 0.15 to the synthetic accelerogram."""
    table = np.loadtxt(
        ROOT / "harness/cases/synthetic_quake/acceleration.csv", delimiter=",", skiprows=1
    )
    parameters = FrictionalShockParameters(
        friction_coefficient=0.15, gravity=9.80665, input_timing=InputTiming.end
    )
    found = _run(parameters, lambda t: float(np.interp(t, table[:, 0], table[:, 1])), 20.0, 5e-3)
    figure, (shaking, slip, wear) = _panels(3, 5.2)
    _curve(shaking, table[::4, 0], table[::4, 1], "shaking", "support", linewidth=0.9)
    for limit in (-1.0, 1.0):
        shaking.axhline(limit * 0.15 * 9.80665, color=light("limit"), linestyle="--", linewidth=1)
    shaking.set_ylabel("support\nm/s²")
    some = slice(None, None, 4)
    displacement = 1e3 * found["relative_displacement"][some]
    _curve(slip, found["time"][some], displacement, "displacement", "mass")
    slip.set_ylabel("displacement\nmm")
    _curve(wear, found["time"][some], found["wear_work"][some], "wear", "wear")
    wear.set_ylabel("wear work\nJ")
    wear.set_xlabel("time, s")
    # Above the end of the line, where the record has decayed.
    shaking.annotate(
        "μ g", (20.0, 0.15 * 9.80665), (0.0, 3.0), textcoords="offset points",
        color=light("limit"), ha="right", va="bottom",
    )  # fmt: skip
    return figure


def own_case() -> Figure:
    """The case sdnd104_a1p5: stick-slip, and the window over which the wear is averaged."""
    found = _run(FrictionalShockParameters(), lambda t: 1.5 * math.sin(OMEGA * t), 12.0, 2e-3)
    figure, (velocity, wear) = _panels(2, 4.2)
    some = slice(None, None, 5)
    _curve(velocity, found["time"][some], found["slip_velocity"][some], "slip", "mass")
    velocity.set_ylabel("slip velocity\nm/s")
    _curve(wear, found["time"][some], found["wear_work"][some], "wear", "wear")
    wear.axvspan(4.0, 12.0, color=light("exact"), alpha=0.15, linewidth=0)
    wear.text(4.2, 0.1, "expected: mean rate 0.4090625 W", color=light("exact"))
    wear.set_ylabel("wear work\nJ")
    wear.set_xlabel("time, s")
    return figure


def fit() -> Figure:
    """The fit of examples/rig.toml: measured and computed displacement, and their difference."""
    from harness.fitting import fit as fitted

    result = fitted(ROOT / "examples" / "rig.toml")
    assert result.estimate is not None
    (channel,), (residuals,) = result.fit.channels, result.estimate.residuals
    figure, (displacement, difference) = _panels(2, 4.4)
    some = slice(None, None, 2)
    times, measured = channel.instants[some], 1e3 * channel.values[some]
    computed = measured + 1e3 * residuals[some]
    _curve(displacement, times, computed, "computed", "mass", label="computed")
    # Only few samples are shown as circles, because both curves coincide.
    points = {"linestyle": "", "marker": "o", "markersize": 4, "fillstyle": "none"}
    _curve(
        displacement, times[::8], measured[::8], "measured", "support", label="measured", **points
    )
    displacement.set_ylabel("displacement\nmm")
    displacement.set_ylim(top=230.0)
    displacement.legend(loc="upper right", ncols=2, fontsize=9)
    _curve(difference, times, 1e3 * residuals[some], "residuals", "wear")
    difference.set_ylabel("computed − measured\nmm")
    difference.set_xlabel("time, s")
    return figure


def sweep_map() -> Figure:
    """Wear power over amplitude and friction coefficient: the map of examples/sweep_map.toml."""
    from wearmodel.reference.closed_forms import RubbingShoe

    amplitudes = np.geomspace(0.5, 20.0, 60)
    coefficients = np.linspace(0.05, 0.15, 25)
    power = np.array(
        [
            [RubbingShoe(1.0, 10.0, mu, a, OMEGA).mean_wear_power(8.0, 12.0) for a in amplitudes]
            for mu in coefficients
        ]
    )
    figure, (axes,) = _panels(1, 4.0)
    levels = [0.1, 0.3, 1.0, 3.0, 10.0]
    lines = axes.contour(
        amplitudes, coefficients, power, levels, colors=light("wear"), linewidths=1.6
    )
    lines.set_gid(f"{CURVE}levels")
    axes.clabel(lines, fmt=lambda level: f"{level:g} W", fontsize=9, colors=light("text"))
    _curve(axes, coefficients * 10.0, coefficients, "onset", "limit", linestyle="--")
    axes.text(0.56, 0.1, "sticks", color=light("limit"))
    axes.set_xscale("log")
    axes.set_xlim(0.5, 20.0)
    axes.set_xticks([0.5, 1, 2, 5, 10, 20], ["0.5", "1", "2", "5", "10", "20"])
    axes.set_xlabel("amplitude of the base acceleration, m/s²")
    axes.set_ylabel("friction coefficient")
    return figure


def coupling() -> Figure:
    """Error over step size of the explicit and of the iterating master."""
    import fmpy

    from fmu_src.archive.builder import build_fmu

    example, reference = _example("coupled_support"), _example("monolithic_support")
    counts = (400, 800, 1600)
    figure, (axes,) = _panels(1, 3.8)
    with tempfile.TemporaryDirectory() as folder:
        shoe = Path(fmpy.extract(build_fmu("FrictionalShock", Path(folder)), folder))
        for mass, style in ((2.0, "-"), (0.8, "--")):
            system = replace(reference.System(), support_mass=mass)
            found: dict[str, list[float]] = {"explicit": [], "iterated": []}
            for steps in counts:
                truth = reference.monolithic(system, np.linspace(0.0, system.stop_time, steps + 1))
                explicit = example.run_explicit(shoe, system, steps)
                iterated, _ = example.run_iterated(shoe, system, steps)
                found["explicit"].append(example.errors(explicit, truth)[0])
                found["iterated"].append(example.errors(iterated, truth)[0])
            sizes = [1e3 * system.stop_time / steps for steps in counts]
            for master, colour in (("explicit", "mass"), ("iterated", "support")):
                label = f"{master}, support of {mass:g} kg"
                options = {"linestyle": style, "marker": "o", "label": label}
                _curve(axes, sizes, found[master], f"{master}-{mass:g}", colour, **options)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks([2.5, 5.0, 10.0], ["2.5", "5", "10"])
    axes.minorticks_off()
    axes.set_xlabel("communication step, ms")
    axes.set_ylabel("largest error of u, m")
    axes.legend(loc="center right", fontsize=9)
    return figure


def pendulum_bearing() -> Figure:
    """A mass that swings on a pendulum bearing, and the force loop of a double concave bearing."""
    figure = Figure(figsize=(7.2, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    friction, radius = 0.03, 1.0
    found = _run(
        FrictionalShockParameters(
            gravity=STANDARD_GRAVITY,
            friction_coefficient=friction,
            pendulum_radius=radius,
            initial_displacement=0.3,
        ),
        lambda _: 0.0,
        6.0,
        0.02,
    )
    _curve(left, found["time"], found["relative_displacement"], "swing", "mass")
    for side in (-1.0, 1.0):
        left.axhline(side * friction * radius, color=light("limit"), linestyle="--", linewidth=1.0)
    left.set_xlabel("time, s")
    left.set_ylabel("displacement, m")
    left.set_title("R = 1 m, μ = 0.03, dashed ±μR", fontsize=10, loc="left")
    _curve(right, *_example("double_concave").force_loop(), "loop", "mass")
    right.set_xlabel("displacement of the column, m")
    right.set_ylabel("force / weight")
    right.set_title("double concave bearing", fontsize=10, loc="left")
    return figure


def contact_of_a_mass() -> Figure:
    """Speed after a shock divided by the speed before it, over the steps per contact."""
    figure, (axes,) = _panels(1, 3.6)
    counts = (2, 3, 4, 5, 6, 8, 10, 14, 20, 30, 40)
    for mass, style in ((0.0, "--"), (1.0, "-")):
        for lag, (master, colour) in enumerate((("serial", "support"), ("parallel", "mass"))):
            label = f"{master}, effective_mass {mass:g} kg"
            ratios = [_speed_after_a_shock(mass, lag, steps) for steps in counts]
            # Equal curves behind each other stay visible.
            size = 9 - 4 * lag
            options = {"linestyle": style, "marker": "o", "label": label, "markersize": size}
            _curve(axes, counts, ratios, f"{master}-{mass:g}", colour, **options)
    axes.set_xscale("log")
    axes.set_xticks([2, 5, 10, 20, 40], ["2", "5", "10", "20", "40"])
    axes.minorticks_off()
    axes.set_ylim(0.8, 3.0)
    axes.set_xlabel("steps per π √(m/K)")
    axes.set_ylabel("speed after / before")
    axes.legend(loc="upper right", fontsize=9)
    return figure


def _speed_after_a_shock(mass: float, lag: int, steps: int) -> float:
    """Return the speed of 1 kg after a contact of 1 N/m at 1 m/s, with constant force per step."""
    spring = ShockSpring(
        ShockSpringParameters(
            drive=Drive.displacement,
            dist_1=0.0,
            friction_coefficient=0.0,
            effective_mass=mass,
            lag=lag,  # type: ignore[arg-type]
        )
    )
    step_size = np.pi / steps
    place, velocity, force = 2.5 * step_size, -1.0, 0.0
    for _ in range(8 * steps + 16):
        before = force
        spring.step(imposed_displacement_x=place, step_size=step_size)
        force = spring.outputs()["mean_force_x"]
        applied = before if lag else force
        place += step_size * (velocity + 0.5 * step_size * applied)
        velocity += step_size * applied
    return velocity


def stops_at_events() -> Figure:
    """Gap of the how-to's ball over time, at the ends of its steps and at its stops."""
    fall = FrictionalShockParameters(
        normal_law=NormalLaw.rigid,
        restitution=0.5,
        gravity=10.0,
        initial_gap=0.05,
        input_timing=InputTiming.end,
    )
    ball = FrictionalShock(fall)
    ends, stops = [(0.0, ball.outputs()["gap"])], []
    while ball.time < 0.26:
        end = ball.step_to_event(0.03 * len(ends) - ball.time, kinds=EventKinds.shocks)
        if end.event:
            stops.append((ball.time, ball.outputs()["gap"]))
            ball.pass_event()
        else:
            ends.append((ball.time, ball.outputs()["gap"]))
    whole = _run(fall, lambda t: 0.0, 0.27, 1e-3)
    figure, (axes,) = _panels(1, 3.0)
    _curve(axes, whole["time"], 1e3 * whole["gap"], "gap", "mass")
    dots = {"linestyle": "", "marker": "o"}
    for points, name, colour, label in (
        (ends, "ends", "support", "ends of steps"),
        (stops, "stops", "limit", "stops, right before a shock"),
    ):
        times, gaps = np.array(points).T
        _curve(axes, times, 1e3 * gaps, name, colour, label=label, **dots)
    axes.set_xlabel("time, s")
    axes.set_ylabel("gap, mm")
    axes.legend(fontsize=9)
    return figure


def two_bodies() -> Figure:
    """Displacements of the support and of the shoe that rubs on it."""
    reference = _example("monolithic_support")
    system = reference.System()
    time, support, shoe, _ = reference.monolithic(system, np.linspace(0.0, 4.0, 401)).T
    figure, (axes,) = _panels(1, 3.2)
    _curve(axes, time, support, "support", "support", label="support x")
    _curve(axes, time, shoe, "shoe", "mass", label="shoe relative to the support, u")
    axes.set_xlabel("time, s")
    axes.set_ylabel("displacement, m")
    axes.set_ylim(-0.3, 0.45)
    axes.legend(loc="upper center", ncols=2, fontsize=9)
    return figure


def shock_statistics() -> Figure:
    """The contact force of examples/shock_node.txt, and the maximum of each shock."""
    from wearmodel.statistics import ShockRecord, StatisticsSettings
    from wearmodel.statistics import shock_statistics as statistics_of

    text = (EXAMPLES / "shock_node.txt").read_text(encoding="utf-8")
    rows = [line.split()[1:] for line in text.splitlines() if line.startswith(" N1")]
    time, force, velocity, *_ = np.array(rows, dtype=float).T
    record = ShockRecord(time=time, normal_force=force, normal_velocity=velocity)
    settings = StatisticsSettings(window_start=0.0, window_end=0.5, rest_time=2e-3)
    impact = statistics_of([record], settings, impact=True, usure=False).impact
    assert impact is not None
    figure, (axes,) = _panels(1, 3.2)
    _curve(axes, time, force, "force", "support", linewidth=1.2)
    _curve(
        axes,
        [shock.instant for shock in impact.shocks],
        [shock.peak_force for shock in impact.shocks],
        "maxima",
        "mass",
        marker="o",
        linestyle="none",
        label="F_MAX of each shock",
    )
    axes.set_xlabel("time, s")
    axes.set_ylabel("normal force, N")
    axes.legend(loc="upper left", fontsize=9, handlelength=1.0)
    return figure


def blocks() -> Figure:
    """Displacement of sliding blocks over the yield acceleration, twelve records of sines."""
    times = np.arange(4001) * 0.005
    yields = np.geomspace(0.01, 0.3, 40)
    envelope = np.exp(-(((times - 7.0) / 3.5) ** 2))
    peaks = []
    for number in range(12):
        wave = sum(
            np.sin(OMEGA * (0.5 + 0.37 * k + 0.03 * number) * times + (k * k + 1) * (number + 1.3))
            / (1.0 + 0.3 * k)
            for k in range(9)
        )
        record = (0.12 + 0.025 * number) * STANDARD_GRAVITY * envelope * wave / 2.0
        runs = run_blocks(yields, times, record, slope=math.radians(20.0), one_way=True)
        peaks.append(100.0 * runs.peak.max(axis=1))
    figure, (axes,) = _panels(1, 3.6)
    for number, peak in enumerate(peaks):
        label = "each record" if number == 0 else None
        _curve(axes, yields, peak, f"record{number}", "limit", linewidth=0.7, label=label)
    low, median, high = np.quantile(np.array(peaks), (0.16, 0.5, 0.84), axis=0)
    axes.fill_between(yields, low, high, color=light("support"), alpha=0.2, label="16 to 84 %")
    _curve(axes, yields, median, "q0.5", "mass", label="median")
    axes.set(xscale="log", yscale="log", ylim=(0.1, None), xlabel="yield acceleration, g")
    axes.set(ylabel="peak displacement, cm")
    axes.legend()
    return figure


def wear_life() -> Figure:
    """Depth over service time of the pad of the how-to, whose spring force decreases with wear."""
    from wearmodel.statistics.cycle_jump import WearRates
    from wearmodel.statistics.cycle_jump import wear_life as life_of
    from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

    coefficient, area, sliding_speed = 1e-16, 1e-4, 0.005

    def wear_rates(depths: np.ndarray) -> WearRates:
        rates = coefficient / area * (10.0 - 1e5 * depths) * sliding_speed
        return WearRates(rates, 0.05 * rates)

    points = life_of(wear_rates, 40 * SECONDS_PER_YEAR, relative_error=0.02)
    years = np.array([point.time for point in points]) / SECONDS_PER_YEAR
    depth = 1e6 * np.array([point.depths[0] for point in points])
    bar = 1e6 * np.array([point.bars[0] for point in points])
    figure, (axes,) = _panels(1, 3.2)
    axes.fill_between(years, depth - bar, depth + bar, color=light("wear"), alpha=0.2, linewidth=0)
    _curve(axes, years, depth, "depth", "wear", marker="o", label="depth, with its interval")
    _curve(axes, [0.0, 40.0], [30.0, 30.0], "limit", "limit", linestyle="--", label="limit")
    axes.set_xlabel("service time, years")
    axes.set_ylabel("worn depth, µm")
    axes.legend(fontsize=9)
    return figure


def life_of_a_rod() -> Figure:
    """Depth and wear power of the rod of the how-to, from the states of its command."""
    from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR
    from wearmodel.statistics.worn_shapes import TubeOnFlatBar

    # The states are stored, because they take a minute. A campaign computes them again.
    all_states = np.genfromtxt(FOLDER / "life_of_a_rod.csv", delimiter=",", names=True)
    first_power, states = float(all_states["power"][0]), all_states[1:]
    years = states["time"] / SECONDS_PER_YEAR
    depth, bar = 1e6 * states["depth"], 1e6 * states["depth_bar"]
    power, power_bar = 1e3 * states["power"], 1e3 * states["power_bar"]
    shape = TubeOnFlatBar(0.005, 0.005)
    unchanged = np.geomspace(years[0], years[-1], 60)
    volumes = 9.3e-15 * first_power * SECONDS_PER_YEAR * unchanged
    figure, (upper, lower) = _panels(2, 5.0)
    upper.fill_between(years, depth - bar, depth + bar, color=light("wear"), alpha=0.2, linewidth=0)
    _curve(upper, years, depth, "depth", "wear", marker="o", markersize=3, label="depth")
    _curve(
        upper,
        unchanged,
        [1e6 * shape.depth(float(volume)) for volume in volumes],
        "unchanged",
        "mass",
        linestyle=":",
        label="at the initial wear power",
    )
    _curve(upper, years[[0, -1]], [70.0, 70.0], "limit", "limit", linestyle="--", label="limit")
    upper.set_ylim(0.0, 110.0)
    upper.set_ylabel("worn depth, µm")
    upper.legend(fontsize=9, loc="upper left")
    lower.fill_between(
        years, power - power_bar, power + power_bar, color=light("wear"), alpha=0.2, linewidth=0
    )
    _curve(lower, years, power, "power", "wear", marker="o", markersize=3)
    lower.set_xscale("log")
    lower.set_yscale("log")
    lower.set_ylim(bottom=1e-4 * power.max())
    lower.set_ylabel("wear power, mW")
    lower.set_xlabel("service time, years")
    return figure


def life_of_a_tube() -> Figure:
    """Depth of the four supports of the how-to's tube, from the states of its command."""
    from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

    # The states are stored, because they take minutes. A campaign computes them again.
    states = np.genfromtxt(
        FOLDER / "life_of_a_tube.csv", delimiter=",", names=True, dtype=None, encoding="utf-8"
    )
    figure, (axes,) = _panels(1, 3.6)
    colours = {"S4": "support", "S3": "mass", "S2": "wear", "S1": "exact"}
    for name, colour in colours.items():
        of_contact = states[states["contact"] == name]
        years = of_contact["time"] / SECONDS_PER_YEAR
        depth, bar = 1e6 * of_contact["depth"], 1e6 * of_contact["depth_bar"]
        axes.fill_between(
            years, depth - bar, depth + bar, color=light(colour), alpha=0.2, linewidth=0
        )
        _curve(axes, years, depth, name, colour, marker="o", markersize=3, label=name)
    axes.set_ylim(bottom=0.0)
    axes.set_xlabel("service time, years")
    axes.set_ylabel("depth of the deepest side, µm")
    axes.legend(fontsize=9, loc="upper left")
    return figure


def wear_reliability() -> Figure:
    """Probability that the shoe of the OpenTURNS example wears deeper than a limit."""
    from scipy.integrate import quad
    from scipy.stats import norm

    from wearmodel.reference.closed_forms import RubbingShoe
    from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

    scatter = math.hypot(math.log(2.5), math.log(1.1))

    def median(amplitude: float) -> float:
        power = RubbingShoe(1.0, 10.0, 0.1, amplitude, OMEGA).mean_wear_power(4.0, 6.0)
        return 1e3 * 1e-15 * power * 10.0 * SECONDS_PER_YEAR / 1e-2

    def deeper(limit: float) -> float:
        def density(amplitude: float) -> float:
            share = norm.cdf(math.log(median(amplitude) / limit) / scatter)
            return float(share * norm.pdf(amplitude, 15.0, 1.0))

        return float(quad(density, 9.0, 21.0)[0])

    limits = np.geomspace(0.1, 10.0, 25)
    figure, (axes,) = _panels(1, 3.2)
    _curve(axes, limits, [deeper(limit) for limit in limits.tolist()], "probability", "wear")
    _curve(axes, [2.0, 2.0], [1e-4, 1.0], "limit", "limit", linestyle="--", label="limit")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(5e-4, 1.0)
    axes.set_xlabel("depth after ten years, mm")
    axes.set_ylabel("probability to be deeper")
    axes.legend(fontsize=9)
    return figure


def classical_schemes() -> Figure:
    """Error over number of steps of the classical schemes and of the model at 15 m/s².

    `classical_schemes.csv` contains the rows of `scheme_errors(15.0)`, which take 15 s.
    """
    rows = np.genfromtxt(
        FOLDER / "classical_schemes.csv", delimiter=";", names=True, dtype=None, encoding="utf-8"
    )
    figure, (axes,) = _panels(1, 4.2)
    looks = {
        "EULER": ("mass", "o"),
        "ADAPT 2": ("wear", "s"),
        "DEVOGE": ("exact", "^"),
        "RUNGE_KUTTA 5(4)": ("limit", "v"),
        "FrictionalShock, rigid": ("support", "D"),
    }
    for scheme, (colour, marker) in looks.items():
        of_scheme = rows[rows["scheme"] == scheme]
        points = np.transpose([of_scheme["steps"], np.abs(of_scheme["relative_error"])])
        name = re.sub(r"\W+", "-", scheme.lower())
        _curve(axes, *np.transpose(points), name, colour, marker=marker, label=scheme)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("steps in 12 s")
    axes.set_ylabel("relative error of the mean wear power")
    axes.legend(fontsize=9)
    return figure


def notebook() -> Figure:
    """Slip under one base motion over the friction coefficient, as computed by the notebook."""
    table = np.loadtxt(
        ROOT / "harness/cases/synthetic_quake/acceleration.csv", delimiter=",", skiprows=1
    )
    coefficients = np.arange(0.05, 0.36, 0.05)
    peak, residual = [], []
    for coefficient in coefficients:
        parameters = FrictionalShockParameters(
            friction_coefficient=float(coefficient), gravity=9.80665, input_timing=InputTiming.end
        )
        found = _run(
            parameters, lambda t: float(np.interp(t, table[:, 0], table[:, 1])), 20.0, 5e-3
        )
        displacement = found["relative_displacement"]
        peak.append(1e3 * np.max(np.abs(displacement)))
        residual.append(1e3 * abs(displacement[-1]))
    figure, (axes,) = _panels(1, 3.2)
    _curve(axes, coefficients, peak, "peak", "mass", marker="o", label="peak")
    _curve(axes, coefficients, residual, "residual", "support", marker="s", label="|residual|")
    axes.set_xlabel("friction coefficient")
    axes.set_ylabel("displacement, mm")
    axes.legend(fontsize=9)
    return figure


def native_fmu() -> Figure:
    """Cost of a step with each FMU, from the table of the page."""
    page = (ROOT / "docs/how_to/native_fmu.md").read_text(encoding="utf-8")
    rows = {
        "C host": re.search(r"\| a step in a C host \| ([\d.]+) µs \| ([\d.]+) µs \|", page),
        "FMPy": re.search(r"\| a step through fmpy .*? \| ([\d.]+) µs \| ([\d.]+) µs \|", page),
    }
    figure, (axes,) = _panels(1, 2.2)
    for place, (host, match) in enumerate(rows.items()):
        assert match is not None, host
        for shift, value, colour, label in (
            (0.2, float(match[1]), "mass", "Python FMU"),
            (-0.2, float(match[2]), "support", "native FMU"),
        ):
            bars = axes.barh(
                place + shift, value, 0.36, color=light(colour), label=label if place == 0 else None
            )
            bars.patches[0].set_gid(f"{CURVE}{host}-{label}".replace(" ", "-"))
            axes.text(value + 0.06, place + shift, f"{value:g}", va="center", fontsize=9)
    axes.set_yticks([0, 1], list(rows))
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("a step, µs")
    axes.legend(loc="lower right", fontsize=9)
    return figure


def fmi3() -> Figure:
    """Gap of a bouncing body, steps of a master, and the times at which steps end early."""
    model = FrictionalShock(
        FrictionalShockParameters(
            normal_law="rigid", restitution=0.5, initial_gap=0.05, gravity=10.0
        )
    )
    step_size, substeps, duration = 0.035, 35, 0.28
    times, gaps, points, returns = [0.0], [0.05], [(0.0, 0.05)], []
    for step in range(round(duration / step_size)):
        for substep in range(substeps):
            goal = (step + (substep + 1) / substeps) * step_size
            while goal - model.time > 1e-12:
                end = model.step_to_event(goal - model.time)
                times.append(model.time)
                gaps.append(model.outputs()["gap"])
                if end.event:
                    returns.append((model.time, gaps[-1]))
                    model.pass_event()
        points.append((times[-1], gaps[-1]))
    figure, (axes,) = _panels(1, 2.6)
    _curve(axes, times, np.multiply(1e3, gaps), "gap", "mass", label="gap")
    for name, colour, marker, places, label in (
        ("points", "support", "o", points, "end of a step of 35 ms"),
        ("returns", "limit", "D", returns, "early return"),
    ):
        instants, heights = np.transpose(places)
        options = {"marker": marker, "linestyle": "none", "label": label}
        _curve(axes, instants, 1e3 * heights, name, colour, **options)
    axes.set_xlabel("time, s")
    axes.set_ylabel("gap, mm")
    axes.legend(fontsize=9)
    return figure


def tube_orbits() -> Figure:
    """Orbits of the tube of the how-to in its supports, during the initial transient."""
    from harness import load_case
    from wearmodel import run_structure
    from wearmodel.structure import read_structure

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        matrices = [sys.executable, str(EXAMPLES / "tube_matrices.py"), name]
        subprocess.run(matrices, check=True, capture_output=True)
        for file in EXAMPLES.glob("tube_*.toml"):
            shutil.copy(file, folder)
        tube = read_structure(folder / "tube_structure.toml")
        case = load_case(folder / "tube_in_supports.toml")
    # A tenth of the interval of the loads, which are linearly interpolated.
    step = 0.1 * case.experiment.step_size
    times = np.arange(round(0.25 / step) + 1) * step
    found = run_structure(
        tube,
        {load: signal.sample(times) for load, signal in case.inputs.items()},
        step_size=step,
        steps=len(times) - 1,
        outputs=[
            f"{contact.name}.relative_displacement_{axis}"
            for contact in tube.contacts
            for axis in "yz"
        ],
    ).history
    figure = Figure(figsize=(8.0, 3.0), layout="constrained")
    angle = np.linspace(0.0, OMEGA, 181)
    for contact, axes in zip(tube.contacts, figure.subplots(1, 3), strict=True):
        y, z = (
            1e6 * (found[f"{contact.name}.relative_displacement_{axis}"] + contact.offset[place])
            for place, axis in ((1, "y"), (2, "z"))
        )
        gap = 1e6 * contact.parameters.gap
        axes.plot(gap * np.cos(angle), gap * np.sin(angle), color=light("text"), linewidth=1.2)
        _curve(axes, y[::4], z[::4], f"orbit-{contact.name}", "mass", linewidth=0.8)
        axes.set_aspect("equal")
        axes.set_xlim(-290.0, 290.0)
        axes.set_ylim(-290.0, 290.0)
        axes.set_title(contact.name, fontsize=10)
        axes.set_xlabel("y, µm")
    figure.axes[0].set_ylabel("z, µm")
    return figure


def tube_wear_by_modes() -> Figure:
    """Wear power of each support over the number of modes, from the table of the how-to."""
    page = (ROOT / "docs/how_to/tube_in_supports.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \|" + r" ([\d.]+) ± ([\d.]+) \|" * 3, page, re.MULTILINE)
    table = np.array(rows, dtype=float)
    figure, (axes,) = _panels(1, 3.4)
    looks = (("S1", "support", "o"), ("S2", "mass", "s"), ("S3", "wear", "^"))
    for number, (name, colour, marker) in enumerate(looks):
        # The points are displaced, so that the error bars do not overlap.
        modes = table[:, 0] + 0.3 * (number - 1)
        mean, bar = table[:, 1 + 2 * number], table[:, 2 + 2 * number]
        axes.vlines(modes, mean - bar, mean + bar, color=light(colour), linewidth=1.2)
        _curve(axes, modes, mean, name, colour, marker=marker, label=name)
    axes.set_ylim(0.0)
    axes.set_xlabel("modes")
    axes.set_ylabel("mean wear power, mW")
    axes.legend(loc="lower right", fontsize=9)
    return figure


# Colour and marker of each program of `make peers`, by the first word of its name.
_PROGRAMS = {
    "ours, native FMU": ("mass", "o"),
    "ours, compiled run": ("mass", "s"),
    "ours, Python FMU": ("mass", "^"),
    "scipy": ("support", "v"),
    "heyoka": ("support", "D"),
    "RK4": ("exact", "o"),
    "Moreau–Jean": ("exact", "s"),
    "Siconos": ("wear", "o"),
    "OpenSeesPy": ("wear", "s"),
    "MuJoCo": ("wear", "^"),
    "pySLAMMER": ("limit", "D"),
}
# Smaller errors are rounding errors, which depend on the processor.
_ROUNDING = 1e-12


def _peers(*problems: tuple[str, str]) -> Figure:
    """Error over CPU time of each program and setting, with a panel for each problem."""
    result = json.loads((ROOT / "docs" / "peers.json").read_text(encoding="utf-8"))
    figure = Figure(figsize=(6.4, 2.4 * len(problems) + 1.0), layout="constrained")
    panels = list(figure.subplots(len(problems), 1, squeeze=False)[:, 0])
    for axes, (problem, title) in zip(panels, problems, strict=True):
        for number, (program, (colour, marker)) in enumerate(_PROGRAMS.items()):
            rows = [
                row
                for row in result["results"]
                if row["problem"] == problem
                and row["peer"].startswith(program)
                and "failure" not in row
            ]
            if not rows:
                continue
            places = sorted((1e3 * row["seconds"], max(row["error"], _ROUNDING)) for row in rows)
            _curve(
                axes,
                *zip(*places, strict=True),
                f"{problem}-{number}",
                colour,
                marker=marker,
                markersize=4.5,
                linestyle="none",
                label=program,
            )
        axes.set(xscale="log", yscale="log", ylabel="error", title=title, ylim=(3e-13, 3.0))
    panels[-1].set_xlabel("CPU time, ms")
    handles = {
        label: handle
        for axes in panels
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles, loc="outside lower center", ncols=3, fontsize=9)
    return figure


def peers_sdnd104() -> Figure:
    """Error over CPU time of all programs for SDND104."""
    return _peers(
        ("sdnd104_15", "SDND104, a0 = 15 m/s²"), ("sdnd104_1p5", "SDND104, a0 = 1.5 m/s²")
    )


def peers_ball() -> Figure:
    """Error over CPU time of all programs for the ball and the blocks."""
    return _peers(("ball", "bouncing ball"), ("blocks", "sliding block, one way"))


def peers_tube() -> Figure:
    """Error over CPU time of all programs for the tube."""
    return _peers(("tube_30", "tube, 30 modes"), ("tube_100", "tube, 100 modes"))


PICTURES: MappingProxyType[str, Callable[[], Figure]] = MappingProxyType(
    {
        drawn.__name__: drawn
        for drawn in (
            rubbing_shoe,
            own_shaking,
            own_case,
            fit,
            sweep_map,
            coupling,
            pendulum_bearing,
            contact_of_a_mass,
            stops_at_events,
            two_bodies,
            shock_statistics,
            blocks,
            wear_life,
            life_of_a_rod,
            life_of_a_tube,
            wear_reliability,
            classical_schemes,
            notebook,
            native_fmu,
            fmi3,
            tube_orbits,
            tube_wear_by_modes,
            peers_sdnd104,
            peers_ball,
            peers_tube,
        )
    }
)


def picture(name: str) -> str:
    """Return a picture as SVG, with colours for dark screens."""
    with mpl.rc_context(_STYLE):
        figure = PICTURES[name]()
        written = io.BytesIO()
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
    text = written.getvalue().decode("utf-8")
    colours = {**dark_by_light(), _PAPER: _DARK_PAPER}
    used = [colour for colour in colours if colour in text]
    for number, colour in enumerate(used):
        text = text.replace(colour, f"var(--c{number})")
    variables = "".join(f"--c{number}:{colour};" for number, colour in enumerate(used))
    dark = "".join(f"--c{number}:{colours[colour]};" for number, colour in enumerate(used))
    style = (
        f"<style>:root{{{variables}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}"
        'text{font-family:system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif!important}</style>'
    )
    return re.sub(r"(<svg [^>]*>)", rf"\1\n{style}", text, count=1)


def _example(name: str) -> Any:
    """Import an example as a module. Its folder is on the path, as for a script."""
    if str(EXAMPLES) not in sys.path:
        sys.path.insert(0, str(EXAMPLES))
    return __import__(name)


def main() -> None:
    """Draw the named pictures, or all pictures."""
    for name in sys.argv[1:] or PICTURES:
        (FOLDER / f"{name}.svg").write_text(picture(name), encoding="utf-8")
        print(f"docs/pictures/{name}.svg")


if __name__ == "__main__":
    main()
