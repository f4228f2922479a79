"""SDND104 with OpenSeesPy: an elastic, perfectly plastic spring as friction, Newmark's method.

The spring has the stiffness K_T. The result converges to rigid friction only for large K_T.
"""

from __future__ import annotations

import openseespy.opensees as ops
import shoe as s
from serve import serve


def shoe(setting, data):
    amplitude, stiffness = setting["amplitude"], setting["stiffness"]
    steps = setting["steps per period"]
    step = 1.0 / steps
    limit = s.LIMIT * s.MASS

    def run():
        ops.wipe()
        ops.model("basic", "-ndm", 1, "-ndf", 1)
        ops.node(1, 0.0)
        ops.node(2, 0.0)
        ops.fix(1, 1)
        ops.mass(2, s.MASS)
        ops.uniaxialMaterial("ElasticPP", 1, stiffness, limit / stiffness)
        ops.element("zeroLength", 1, 1, 2, "-mat", 1, "-dir", 1)
        ops.timeSeries("Trig", 1, 0.0, s.WINDOW_END + 1.0, 1.0, "-factor", amplitude)
        ops.pattern("UniformExcitation", 1, 1, "-accel", 1)
        ops.constraints("Plain")
        ops.numberer("Plain")
        ops.system("BandGeneral")
        ops.test("NormUnbalance", 1e-12 * s.NORMAL_FORCE, 50)
        ops.algorithm("Newton")
        ops.integrator("Newmark", 0.5, 0.25)
        ops.analysis("Transient")
        work = 0.0
        before = elastic_before = 0.0
        first = round(s.WINDOW_START * steps)
        for number in range(s.PERIODS * steps):
            if ops.analyze(1, step) != 0:
                raise RuntimeError(f"no convergence in step {number}")
            place = ops.nodeDisp(2, 1)
            elastic = -ops.eleResponse(1, "force")[0] / stiffness
            if number >= first:
                work += s.NORMAL_FORCE * abs((place - before) - (elastic - elastic_before))
            before, elastic_before = place, elastic
        return [s.mean_power(0.0, work)]

    return run


if __name__ == "__main__":
    serve({"shoe": shoe})
