"""Run the tests as on other processors: `python -m tests.processors`, `make processors`.

The mathematical libraries choose their routines by the processor, and each choice has its own
rounding errors. OpenBLAS chooses kernels, numpy chooses vector instructions, and the C library
chooses functions with or without fused products. All three can be set to the routines of an older
processor. OpenBLAS is also limited to one thread, because it splits sums by threads.

Further arguments are passed to pytest. Without arguments the whole suite is run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NamedTuple

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__


class Core(NamedTuple):
    """Settings of the libraries for an x86-64 processor. Other processors ignore them."""

    open_blas: str
    c_library: str
    numpy_lacks: tuple[str, ...]  # prefixes of feature names, before and since numpy 2.4


CORES = {
    "without AVX": Core(
        "Prescott", "-AVX,-AVX2,-FMA,-AVX512F", ("AVX", "FMA", "F16C", "X86_V3", "X86_V4")
    ),
    "with AVX2": Core("Haswell", "-AVX512F", ("AVX512", "X86_V4")),
}


def settings(core: str) -> dict[str, str]:
    """Return the environment in which the libraries compute as on this processor."""
    open_blas, c_library, numpy_lacks = CORES[core]
    here = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
    return {
        "OPENBLAS_CORETYPE": open_blas,
        "OPENBLAS_NUM_THREADS": "1",
        "NPY_DISABLE_CPU_FEATURES": " ".join(n for n in here if n.startswith(numpy_lacks)),
        "GLIBC_TUNABLES": f"glibc.cpu.hwcaps={c_library}",
    }


def main(words: list[str]) -> int:
    """Run pytest for each processor. Return 0 if all tests passed, otherwise 1."""
    failed = []
    for core in CORES:
        print(f"a processor {core}", flush=True)
        command = [sys.executable, "-m", "pytest", "--numprocesses", "auto", *words]
        if subprocess.run(command, env={**os.environ, **settings(core)}).returncode:
            failed.append(core)
    if failed:
        print(f"failed on a processor {', and on one '.join(failed)}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
