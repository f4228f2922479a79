"""Run bodies and their contacts in ecos, libcosim and pathsim, each in a separate process.

`python -m tests.masters.ball_masters MASTER SYSTEM` prints the watched outputs. SYSTEM is JSON with
the paths of the FMUs by name (`models`), links (FMU, output, FMU, input), `step_size`, `steps`, and
`watched` (FMU, output). Parameters are start values of the FMUs, because not all masters set
enumerations.
"""

import json
import sys


def ecos(models, links, step_size, steps, watched):
    """Run in ecos. All FMUs take a step before values are exchanged (parallel)."""
    from .ecos_master import ecos_library

    library = ecos_library()
    with library.EcosSimulationStructure() as structure:
        for name, path in models.items():
            structure.add_model(name, path)
        for source, output, target, entry in links:
            structure.make_real_connection(f"{source}::{output}", f"{target}::{entry}")
        with library.EcosSimulation(structure=structure, step_size=step_size) as simulation:
            assert simulation.init()
            simulation.step(steps)
            values = [simulation.get_real(f"{name}::{output}") for name, output in watched]
            simulation.terminate()
            return values


def libcosim(models, links, step_size, steps, watched):
    """Run in libcosim, as in ecos, with a step of whole nanoseconds."""
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave

    execution = CosimExecution.from_step_size(round(step_size * 1e9))
    slaves = {
        name: execution.add_local_slave(CosimLocalSlave(path, name))
        for name, path in models.items()
    }
    references = {
        (name, variable.name.decode()): variable.reference
        for name, slave in slaves.items()
        for variable in execution.slave_variables(slave)
    }
    for source, output, target, entry in links:
        execution.connect_real_variables(
            *(slaves[source], references[source, output]),
            *(slaves[target], references[target, entry]),
        )
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)
    assert execution.step(steps)
    return [
        observer.last_real_values(slaves[name], [references[name, output]])[0]
        for name, output in watched
    ]


def pathsim(models, links, step_size, steps, watched):
    """Run in pathsim. The blocks step one after the other, the contact first (serial)."""
    from pathsim import Connection, Simulation
    from pathsim_fmi import CoSimulationFMU

    blocks = {
        name: CoSimulationFMU(path, instance_name=name, start_values={}, dt=step_size)
        for name, path in models.items()
    }
    joined = [
        Connection(blocks[source][output], blocks[target][entry])
        for source, output, target, entry in links
    ]
    simulation = Simulation(list(blocks.values()), joined, dt=step_size, log=False)
    for _ in range(steps):
        simulation.timestep(step_size)
    return [float(blocks[name].outputs[output]) for name, output in watched]


if __name__ == "__main__":
    play = {"ecos": ecos, "libcosim": libcosim, "pathsim": pathsim}[sys.argv[1]]
    print(json.dumps(play(**json.loads(sys.argv[2]))))
