"""A ball that bounces off DisChoc in ecos, libcosim and pathsim, each in a process of its own.

`python -m tests.masters.ball_masters MASTER FLOOR BALL STEP STEPS` prints the velocity of the ball.
The FMUs have their parameters as start values, because not all masters set enumerations.
"""

import sys

PLACE, FORCE = ("position", "imposed_displacement_x"), ("mean_force_x", "force")


def ecos(floor, ball, step_size, steps):
    """All FMUs take a step, then all values are exchanged: parallel."""
    from .ecos_master import ecos_library

    library = ecos_library()
    with library.EcosSimulationStructure() as structure:
        structure.add_model("floor", floor)
        structure.add_model("ball", ball)
        structure.make_real_connection(f"ball::{PLACE[0]}", f"floor::{PLACE[1]}")
        structure.make_real_connection(f"floor::{FORCE[0]}", f"ball::{FORCE[1]}")
        with library.EcosSimulation(structure=structure, step_size=step_size) as simulation:
            assert simulation.init()
            simulation.step(steps)
            velocity = simulation.get_real("ball::velocity")
            simulation.terminate()
            return velocity


def libcosim(floor, ball, step_size, steps):
    """As ecos, with a step of whole nanoseconds."""
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave

    execution = CosimExecution.from_step_size(round(step_size * 1e9))
    slaves = [
        execution.add_local_slave(CosimLocalSlave(path, name))
        for name, path in (("floor", floor), ("ball", ball))
    ]
    names = [{v.name.decode(): v.reference for v in execution.slave_variables(s)} for s in slaves]
    execution.connect_real_variables(slaves[1], names[1][PLACE[0]], slaves[0], names[0][PLACE[1]])
    execution.connect_real_variables(slaves[0], names[0][FORCE[0]], slaves[1], names[1][FORCE[1]])
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)
    assert execution.step(steps)
    return observer.last_real_values(slaves[1], [names[1]["velocity"]])[0]


def pathsim(floor, ball, step_size, steps):
    """The events of the blocks come in their order: serial, the floor first."""
    from pathsim import Connection, Simulation
    from pathsim_fmi import CoSimulationFMU

    contact, mass = (
        CoSimulationFMU(path, instance_name=name, start_values={}, dt=step_size)
        for name, path in (("floor", floor), ("ball", ball))
    )
    links = [
        Connection(mass[PLACE[0]], contact[PLACE[1]]),
        Connection(contact[FORCE[0]], mass[FORCE[1]]),
    ]
    simulation = Simulation([contact, mass], links, dt=step_size, log=False)
    for _ in range(steps):
        simulation.timestep(step_size)
    return float(mass.outputs["velocity"])


if __name__ == "__main__":
    master, floor, ball, step_size, steps = sys.argv[1:]
    play = {"ecos": ecos, "libcosim": libcosim, "pathsim": pathsim}[master]
    print(play(floor, ball, float(step_size), int(steps)))
