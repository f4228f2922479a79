"""Probability that the wear depth exceeds a limit: OpenTURNS runs the FMU.

Wear coefficient, mass and excitation are uncertain. A run of FrictionalShock.fmu gives the depth
after ten years. FORM gives the most probable failure point, its probability and the importance
factors. --samples N adds a Monte Carlo simulation. Run `wearfmu build` first. OpenTURNS is required
(`pip install openturns`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from console import parser, run
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave

YEARS, LIMIT = 10.0, 2.0  # mm
STEP, START, STOP = 2e-3, 4.0, 6.0  # s: whole periods after the motion has settled
NAMES = ("archard_coefficient", "mass", "amplitude")
# The coefficient is in 1e-15 m2/N, so that all quantities are of order 1 to 10.
COEFFICIENT_UNIT = 1e-15
CONSTANTS = {"gravity": 10.0, "friction_coefficient": 0.1, "wear_area": 1e-2}


class Shoe:
    """The FMU, loaded once and reset before each run."""

    def __init__(self, path: str) -> None:
        description = read_model_description(path)
        self._references = {v.name: v.valueReference for v in description.modelVariables}
        self._slave = FMU2Slave(
            guid=description.guid,
            modelIdentifier=description.coSimulation.modelIdentifier,
            unzipDirectory=extract(path),
            instanceName="shoe",
        )
        self._slave.instantiate()
        self.runs = 0

    def depth(self, point: Sequence[float]) -> list[float]:
        """Depth [mm] after the years of service."""
        coefficient, mass, amplitude = point
        self.runs += 1
        self._slave.reset()
        values = {
            **CONSTANTS,
            "archard_coefficient": COEFFICIENT_UNIT * coefficient,
            "mass": mass,
        }
        for name, value in values.items():
            self._slave.setReal([self._references[name]], [value])
        self._slave.setupExperiment(startTime=0.0)
        self._slave.enterInitializationMode()
        self._slave.exitInitializationMode()
        depths = []
        for step in range(round(STOP / STEP) + 1):
            time = step * STEP
            if step in (round(START / STEP), round(STOP / STEP)):
                depths += self._slave.getReal([self._references["wear_depth"]])
            acceleration = amplitude * math.sin(2.0 * math.pi * time)
            self._slave.setReal([self._references["base_acceleration"]], [acceleration])
            self._slave.doStep(currentCommunicationPoint=time, communicationStepSize=STEP)
        self._slave.terminate()
        return [1e3 * (depths[1] - depths[0]) / (STOP - START) * YEARS * 365.25 * 86400.0]


def main() -> None:
    """Print median, probability by FORM, importance factors, and by Monte Carlo if asked."""
    arguments = parser(__doc__)
    arguments.add_argument("fmu", nargs="?", default="build/FrictionalShock.fmu")
    arguments.add_argument("--samples", type=int, default=0, metavar="N", help="Monte Carlo runs")
    options = arguments.parse_args()

    import openturns as ot  # not needed for --help

    shoe = Shoe(options.fmu)
    distribution = ot.JointDistribution(
        [
            ot.LogNormal(0.0, math.log(2.5)),  # coefficients scatter by a factor
            ot.LogNormal(0.0, math.log(1.1)),
            ot.Normal(15.0, 1.0),
        ]
    )
    distribution.setDescription(NAMES)
    model = ot.PythonFunction(len(NAMES), 1, shoe.depth)
    # Differences well above the error of the inputs of the FMU.
    model.setGradient(ot.CenteredFiniteDifferenceGradient(1e-3, model.getEvaluation()))
    middle = [1.0, 1.0, 15.0]
    print(f"median depth after {YEARS:g} years {shoe.depth(middle)[0]:.4f} mm")

    output = ot.CompositeRandomVector(model, ot.RandomVector(distribution))
    event = ot.ThresholdEvent(output, ot.Greater(), LIMIT)
    solver = ot.AbdoRackwitz()
    solver.setStartingPoint(middle)
    solver.setMaximumAbsoluteError(1e-3)
    solver.setMaximumRelativeError(1e-3)
    solver.setMaximumResidualError(1e-3)
    solver.setMaximumConstraintError(1e-3)  # mm
    form = ot.FORM(solver, event)
    form.run()
    result = form.getResult()
    print(
        f"deeper than {LIMIT:g} mm: probability {result.getEventProbability():.5f} by FORM,"
        f" {shoe.runs} runs"
    )
    point = result.getPhysicalSpaceDesignPoint()
    factors = result.getImportanceFactors()
    for name, value, factor in zip(NAMES, point, factors, strict=True):
        unit = " 1e-15 m2/N" if name == NAMES[0] else ""
        print(f"  {name} {value:.3f}{unit} at the most probable point, importance {factor:.3f}")

    if options.samples:
        ot.RandomGenerator.SetSeed(1)
        simulation = ot.ProbabilitySimulationAlgorithm(event, ot.MonteCarloExperiment())
        simulation.setMaximumOuterSampling(options.samples)
        simulation.setMaximumCoefficientOfVariation(0.0)
        simulation.run()
        found = simulation.getResult()
        half = 1.96 * found.getStandardDeviation()
        print(
            f"by Monte Carlo {found.getProbabilityEstimate():.4f} ± {half:.4f},"
            f" {options.samples} runs"
        )


if __name__ == "__main__":
    run(main)
