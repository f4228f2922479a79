"""The page on the coverage of fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scipy.stats import binom

from tests.fits.cover import Cover

HEADING = "## Parameters that a measurement leaves open"


def row(rig: str, noise: str, outcome: Cover) -> str:
    """Return a row of the table of coverage."""
    known = max(outcome.draws - outcome.unknown, 1)
    covered = ", ".join(f"{100.0 * by / known:.1f} %" for by in outcome.covered)
    widths = ", ".join(f"{by:.2f}" for by in outcome.width)
    alarms = 100.0 * outcome.alarms / outcome.draws
    return f"| {rig} | {noise} | {covered} | {widths} | {alarms:.1f} % | {outcome.unknown} |"


def markdown(
    rows: Sequence[str], draws: int, named: Mapping[str, bool], noticed: int, wrong: int
) -> str:
    """Return the page."""
    low, high = 100.0 * binom.ppf((0.025, 0.975), draws, 0.95) / draws
    lines = [
        "# Intervals of fits",
        "",
        f"{draws} fits for each row. Each fit has other noise on the computed displacement or gap "
        "of a case with known parameters. The table shows how often the 95 % intervals contain "
        "the known values. [From a test rig to a prediction](how_to/fit.md#method) describes the "
        "method, [the physics](physics.md) defines the symbols, and `python -m tests.fits` "
        "computes the tables.",
        "",
        "- **noise**: white noise or noise of an autoregressive process (AR), both with 1 % of the "
        "standard deviation of the measured quantity, or values rounded to 12 bits.",
        "- **coverage**: share of the intervals that contain the known value, by parameter. With "
        f"{draws} fits, {low:.1f} to {high:.1f} % are expected if the true coverage is 95 %.",
        "- **width**: median width of the intervals divided by their width if the noise process "
        "were known. Rounding errors are assumed to be independent there.",
        "- **false alarms**: share of the fits with a warning that the model does not fit, "
        "although it does.",
        "- **not known**: number of fits in which a parameter was not determined.",
        "",
        "| parameters | noise | coverage of the 95 % intervals | width over the width with known "
        "noise | false alarms | not known |",
        "|---|---|---|---|---|---|",
        *rows,
        "",
        "**Values rounded to 12 bits** have the same rounding error in all samples of a stick. In "
        "the test with μ_d, μ_0 and v_s, one stick of 0.12 s has 1 % of the samples and causes "
        "61 % of the variance of v_s. Therefore v_s scatters 1.7 times as much as with independent "
        "rounding errors. A single record contains too few sticks to measure this scatter. The "
        "intervals are too short: they contain 92 to 93 % of 2000 linearised estimates. Use a "
        "converter of more bits, or a smaller range.",
        "",
        "A further test fits a wrong model: friction at low speed is 1.5 times the friction in "
        "fast slip, and a constant coefficient is fitted. The check of the model gave a warning in "
        f"{noticed} of {wrong} fits.",
        "",
        HEADING,
        "",
        "Each row is a measurement that does not determine all fitted parameters. The table shows "
        "whether the fit names all parameters that are not determined.",
        "",
        "| measurement | all parameters named |",
        "|---|---|",
        *(f"| {name} | {'yes' if is_named else 'no'} |" for name, is_named in named.items()),
    ]
    return "\n".join(lines) + "\n"
