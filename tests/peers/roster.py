"""The peers: their packages, how they are started, and their settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Setting = dict[str, Any]

#: Interpreter of Debian, for peers that Debian packages.
SYSTEM = "/usr/bin/python3"


@dataclass(frozen=True)
class Peer:
    """A program that solves the problems, with its settings from coarse to fine."""

    name: str
    #: File in `programs` without suffix and `_program`.
    program: str
    #: "interpreted" or "compiled": where the loop over the steps of a run is.
    form: str
    #: Function of the program → settings.
    settings: Mapping[str, Sequence[Setting]]
    #: Function → the reason why the peer does not solve the problem.
    reasons: Mapping[str, str] = field(default_factory=dict)
    #: Packages from PyPI with versions, in an environment of its own.
    packages: tuple[str, ...] = ()
    #: Packages of Debian.
    debian: tuple[str, ...] = ()
    #: Module that shows whether the peer is installed, and whose version the table lists.
    module: str | None = None


def _grid(**values: Sequence[Any]) -> list[Setting]:
    """One setting for each combination, the last name fastest."""
    settings: list[Setting] = [{}]
    for name, several in values.items():
        settings = [{**setting, name: value} for setting in settings for value in several]
    return settings


def _tenths(first: int, last: int, step: int = 1) -> list[float]:
    return [10.0**-power for power in range(first, last + 1, step)]


def _stepping(scheme: str, **more: Any) -> dict[str, list[Setting]]:
    fixed = {"scheme": scheme, **more}
    return {
        "shoe": [
            {**fixed, "steps per period": n} for n in (500, 2000, 8000, 32_000, 128_000, 512_000)
        ],
        "ball": [{**fixed, "steps per second": n} for n in (1000, 10_000, 100_000, 1_000_000)],
        "tube": [{**fixed, "steps per ms": n} for n in (50, 100, 200, 500, 2000)],
    }


ONE_WAY = "this problem is compared with pySLAMMER only"
SPRINGS = "its contact laws are rigid, and the supports of the tube are springs"

OURS = (
    Peer(
        "ours, native FMU",
        "wearfmu",
        "compiled",
        {
            "shoe": [
                {"form": "native FMU", "derivatives": orders, "steps a period": steps}
                for orders, steps in ((3, 8), (5, 8), (7, 8), (11, 4), (15, 2), (15, 4))
            ],
            "ball": [{"form": "native FMU"}],
            "tube": [{"form": "native FMU"}],
        },
        {"blocks": "`run_blocks` is the command's own function"},
    ),
    Peer(
        "ours, compiled run",
        "wearfmu",
        "compiled",
        {
            "shoe": [
                {"form": "run", "degree": degree, "steps a period": steps}
                for degree, steps in ((3, 8), (5, 8), (7, 8), (11, 4), (15, 2), (15, 4))
            ],
            "ball": [{"form": "run_records"}],
            "tube": [{"form": "run_structure"}],
            "blocks": [{}],
        },
    ),
    Peer(
        "ours, Python FMU",
        "wearfmu",
        "interpreted",
        {
            "shoe": [
                {"form": "FMU", "order": 3, "steps a period": steps}
                for steps in (100, 200, 400, 1000, 2500)
            ],
            "ball": [{"form": "FMU"}],
        },
        {
            "tube": "only the native FMU is compared",
            "blocks": "`run_blocks` is the command's own function",
        },
    ),
)

OTHERS = (
    Peer(
        "scipy `solve_ivp`, events",
        "scipy",
        "interpreted",
        {
            "shoe": _grid(method=["DOP853", "LSODA"], rtol=_tenths(4, 12, 2)),
            "ball": _grid(method=["RK45", "DOP853"], rtol=[1e-6, 1e-12]),
            "tube": _grid(method=["DOP853"], rtol=[1e-5, 1e-8, 1e-11]),
        },
        {"blocks": ONE_WAY},
        packages=("scipy==1.17.1", "numpy==2.4.6"),
        module="scipy",
    ),
    Peer(
        "heyoka, events",
        "heyoka",
        "compiled",
        {
            "shoe": [{"tolerance": tolerance} for tolerance in _tenths(3, 15, 2)],
            "ball": [{"tolerance": tolerance} for tolerance in _tenths(6, 15, 9)],
            "tube": [{"tolerance": tolerance} for tolerance in _tenths(6, 15, 3)],
        },
        {"blocks": ONE_WAY},
        packages=("heyoka==7.13.2", "numpy==2.4.6"),
        module="heyoka",
    ),
    Peer(
        "RK4 in C, constant steps",
        "stepping",
        "compiled",
        _stepping("RK4"),
        {"blocks": ONE_WAY},
        packages=("numpy==2.4.6",),
        debian=("gcc",),
    ),
    Peer(
        "Moreau–Jean in C",
        "stepping",
        "compiled",
        _stepping("Moreau–Jean", theta=0.5),
        {"blocks": ONE_WAY},
        packages=("numpy==2.4.6",),
        debian=("gcc",),
    ),
    Peer(
        "Siconos",
        "siconos",
        "compiled",
        {
            "shoe": [{"theta": 0.5, "steps per period": steps} for steps in (500, 2000, 8000)],
            "ball": [{"steps per second": steps} for steps in (1000, 10_000, 100_000)],
        },
        {"tube": SPRINGS, "blocks": ONE_WAY},
        debian=("python3-siconos",),
        module="siconos",
    ),
    Peer(
        "OpenSeesPy",
        "opensees",
        "compiled",
        {
            "shoe": [
                {"stiffness": stiffness, "steps per period": steps}
                for stiffness, steps in ((1e4, 500), (1e5, 2000), (1e7, 8000))
            ]
        },
        {
            "ball": "it has no impact law with restitution",
            "tube": "it has no contact in a round hole with friction for modal coordinates",
            "blocks": ONE_WAY,
        },
        packages=("openseespy==3.7.1.2",),
        debian=("libblas3", "liblapack3"),
        module="openseespy.opensees",
    ),
    Peer(
        "MuJoCo",
        "mujoco",
        "compiled",
        {"shoe": [{"steps per period": steps} for steps in (500, 2000, 8000)]},
        {
            "ball": "its contacts are soft and have no restitution",
            "tube": "its contacts do not act on modal coordinates",
            "blocks": ONE_WAY,
        },
        packages=("mujoco==4.0.0",),
        module="mujoco",
    ),
    Peer(
        "pySLAMMER",
        "pyslammer",
        "interpreted",
        {"blocks": [{"parts of a sample": parts} for parts in (1, 4, 16)]},
        {
            "shoe": "its block slides one way, and SDND104 slides both ways",
            "ball": "it has no impacts",
            "tube": "it has no structures",
        },
        packages=("pyslammer==0.2.2",),
        module="pyslammer",
    ),
)

PEERS = (*OURS, *OTHERS)
