"""BaseMotion and FrictionalShock coupled in libcosim: SDND104 at 15 m/s².

Needs `pip install libcosimpy==0.0.6`, and the FMUs of `wearfmu build`. It prints the mean wear
power.
"""

from __future__ import annotations

from pathlib import Path

from console import parser, run


def main() -> None:
    """Step both and print the mean wear power over [4, 12] s."""
    arguments = parser(__doc__)
    arguments.add_argument("folder", nargs="?", type=Path, default=Path("build"))
    folder = arguments.parse_args().folder
    # Here, so that --help works without it.
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave

    log_output_level(CosimLogLevel.ERROR)
    execution = CosimExecution.from_step_size(1_000_000)  # ns
    motion = execution.add_local_slave(CosimLocalSlave(str(folder / "BaseMotion.fmu"), "motion"))
    shoe = execution.add_local_slave(CosimLocalSlave(str(folder / "FrictionalShock.fmu"), "shoe"))
    of_motion = {v.name.decode(): v.reference for v in execution.slave_variables(motion)}
    of_shoe = {v.name.decode(): v.reference for v in execution.slave_variables(shoe)}
    assert execution.real_initial_value(motion, of_motion["amplitude"], 15.0)
    execution.connect_real_variables(
        motion, of_motion["acceleration"], shoe, of_shoe["base_acceleration"]
    )
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)
    work = []
    for steps in (4000, 8000):
        assert execution.step(steps), "a step was refused; its reason is in the log"
        work += observer.last_real_values(shoe, [of_shoe["wear_work"]])
    print(f"mean wear power {(work[1] - work[0]) / 8.0:.7f} W, exact 15.2670996 W")


if __name__ == "__main__":
    run(main)
