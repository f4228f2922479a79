"""The page on the coverage of fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scipy.stats import binom

from tests.fits.cover import Cover

HEADING = "## Parameters that a measurement leaves open"
_METHOD = [
    "",
    "## Method",
    "",
    "- **Minimum.** Least squares with bounds (`scipy.optimize.least_squares`) from eight "
    "starts: the start values and a Latin hypercube. For starts from the hypercube, the first "
    "eighth of the record is fitted first, then a quarter, a half and the whole. Errors of "
    "the parameters change the beginning of a motion less than its end. Each run is exact "
    "between the samples of its input.",
    "- **Correlated noise.** An autoregressive filter whitens the residuals, and the fit is "
    "repeated with this filter. The variance of a parameter is computed twice: for whitened "
    "noise, and by the sandwich estimator with the covariance of Newey and West over √n "
    "samples. The larger variance is used.",
    "- **Profile.** With one parameter fixed at an end of its interval, the whitened sum of "
    "squares is minimised over the others. For a linear model, the root of its increase is "
    "the same at both ends. If the root differs by more than 10 %, or an end is beyond a "
    "bound, the interval is computed again: its ends are where the profile has the right "
    "increase, or the bounds.",
    "- **Chaotic motion.** The effect of a change by half an interval is compared with half "
    "the effect of the whole interval. If they differ by more than 10 % from some time to the "
    "end of the record, the first eighth of the record is fitted. The fitted part is doubled "
    "as long as changes within its own intervals act linearly and separate the parameters. "
    "Its end is the horizon. Later samples are not used.",
    "- **Statistics** always describe the whole run. In chaotic motion a tiny change of a "
    "parameter changes a statistic at random. Therefore derivatives are computed from "
    "differences over a tenth of the range during the search, and over the 95 % interval at "
    "the end.",
    "- **Not known.** A parameter is not known if its 95 % interval is wider than its range, "
    "or a thousand times as wide as if the other parameters were known. Therefore choose "
    "bounds that include everything that is possible.",
    "- **Check of the model.** Each parameter that was not fitted, speed-dependent friction, "
    "and offset, drift, gain and delay of the sensors are candidates. A candidate is named if "
    "its effect explains more than 2 % of the residuals, with a significance of 1 % for all "
    "candidates together.",
    "- **Wear tests.** The logarithms of the coefficients are normal. The intervals of their "
    "mean and standard deviation are exact (Student's t and χ²).",
    "",
    "**Statistics of chaotic runs.** The standard deviation of a statistic must include the "
    "scatter of the record and the scatter of the run. Estimate the scatter of the run from "
    "runs in which a parameter differs by 1e-9 of its value. If it exceeds a third of the "
    "standard deviation, extend the run. If the statistic has the same value at two values of "
    "a parameter, the result can be either of them. Choose bounds within which the statistic "
    "only increases or only decreases.",
]


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
        "the known values. [Method](#method) describes how they are computed, "
        "[the physics](physics.md) defines the symbols, and `python -m tests.fits` computes the "
        "tables. [From a test rig to a prediction](how_to/fit.md) shows how to fit.",
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
        *_METHOD,
    ]
    return "\n".join(lines) + "\n"
