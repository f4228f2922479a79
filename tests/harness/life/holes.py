"""Life files of a block in a round hole about x that slides along x or rubs on all sides."""

from __future__ import annotations

from pathlib import Path

RADIUS, WIDTH, GAP = 0.0111, 0.02, 2e-4
COEFFICIENT = 1e-14
# Free along x, y and z. The friction is so small that the inputs determine speed and position.
BLOCK = """\
[modes]
frequency = [0.0, 0.0, 0.0]
modal_damping = [0.0, 20.0, 20.0]
[base]
participation_x = [1.0, 0.0, 0.0]
participation_y = [0.0, 1.0, 0.0]
participation_z = [0.0, 0.0, 1.0]
gravity_z = {gravity!r}
[[point]]
name = "tube"
shape_x = [1.0, 0.0, 0.0]
shape_y = [0.0, 1.0, 0.0]
shape_z = [0.0, 0.0, 1.0]
[[contact]]
name = "S1"
point = "tube"
obstacle = "circle"
axis = [1, 0, 0]
gap = {gap!r}
contact_stiffness = 1e6
contact_damping = 500.0
tangential_stiffness = 1e6
friction_coefficient = 1e-6
[initial]
displacement = [0.0, 0.0, {start!r}]
velocity = [{velocity!r}, 0.0, 0.0]
"""
CASE = """\
[case]
title = "A tube in a hole"
source = "test"
fmu = "ModalShock"
structure = "hole.toml"

[parameters]
input_timing = "end"

[inputs]
{inputs}
[experiment]
stop_time = {stop!r}
step_size = 0.002

[life]
years = {years!r}
relative_error = {error!r}
law = {{ kind = "ARCHARD", coefficient = {coefficient!r} }}
shape = {{ kind = "SIDES", tube_radius = {radius!r}, width = {width!r}{shape} }}
{more}
"""
SLIDING = """\
base_acceleration_x = { kind = "sine", amplitude = 2.0, frequency = 5.0 }
"""
NOISE = """\
base_acceleration_y = {{ kind = "noise", rms = {rms!r}, low = 2.0, high = 40.0, sample_interval = 2e-3, seed = {seed} }}
base_acceleration_z = {{ kind = "noise", rms = {rms!r}, low = 2.0, high = 40.0, sample_interval = 2e-3, seed = {other} }}
"""  # noqa: E501


def pushed(
    folder: Path, *, years: float, shape: str = "", more: str = "", gap: float = GAP
) -> Path:
    """Write a service life of the block, pressed to −z by its weight while it slides along x."""
    velocity = 2.0 / (10.0 * 3.141592653589793)
    block = BLOCK.format(gravity=-10.0, gap=gap, start=-gap, velocity=velocity)
    return _written(folder, block, SLIDING, years, 2.0, 0.05, shape, more)


def shaken(
    folder: Path,
    *,
    years: float,
    seed: int = 1,
    error: float = 0.5,
    stop: float = 10.0,
    shape: str = "",
    more: str = "",
) -> Path:
    """Write a service life of the block under equal noise along y and z."""
    block = BLOCK.format(gravity=0.0, gap=GAP, start=0.0, velocity=0.0)
    inputs = NOISE.format(rms=10.0, seed=2 * seed, other=2 * seed + 1)
    return _written(folder, block, inputs, years, stop, error, shape, more)


def _written(
    folder: Path,
    block: str,
    inputs: str,
    years: float,
    stop: float,
    error: float,
    shape: str,
    more: str,
) -> Path:
    (folder / "hole.toml").write_text(block, encoding="utf-8")
    file = folder / "life.toml"
    text = CASE.format(
        inputs=inputs, stop=stop, years=years, error=error, coefficient=COEFFICIENT,
        radius=RADIUS, width=WIDTH, shape=shape, more=more,
    )  # fmt: skip
    file.write_text(text, encoding="utf-8")
    return file
