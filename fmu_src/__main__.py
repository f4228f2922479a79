"""Compiles the libraries of a wheel: `python -m fmu_src [PLATFORM …]`, default all.

The libraries for the FMUs and runs of all models, and the modules for the pages that compute, are
written into the package.
"""

from __future__ import annotations

import argparse

from fmu_src.models import contacts_definition, fmu_definitions
from fmu_src.native.cpp_tables import library_form
from fmu_src.native.model_library import FMI_LAYER, compiled_library
from fmu_src.web.web_module import PAGE_LAYER, WEB
from wearmodel.compiled.platform_libraries import PLATFORMS
from wearmodel.compiled.ready_libraries import put_library
from wearmodel.compiled.run_library import KERNELS, compile_runs, library_path


def main() -> None:
    """Compile the libraries of the platforms on the command line, and print their paths."""
    parser = argparse.ArgumentParser(prog="python -m fmu_src", description=__doc__)
    parser.add_argument("platforms", metavar="PLATFORM", nargs="*", help=", ".join(PLATFORMS))
    names = parser.parse_args().platforms or list(PLATFORMS)
    if unknown := [name for name in names if name not in PLATFORMS]:
        parser.error(f"{' and '.join(unknown)} must be some of: {', '.join(PLATFORMS)}")
    natives = [definition for definition in fmu_definitions() if definition.native is not None]
    natives.append(contacts_definition())
    wanted = [(model, PLATFORMS[name], FMI_LAYER) for name in names for model in natives]
    # A page needs the coefficient of friction.
    with_page = [model for model in natives if model.native and model.native.coefficient]
    wanted += [(model, WEB, PAGE_LAYER) for model in with_page]
    for definition, platform, layer in wanted:
        content = compiled_library(definition, platform, layer, what="a ready-made library")
        name = definition.slave.__name__
        place = put_library(platform, name, library_form(definition), content)
        print(place, flush=True)
    for name in names:
        for model in KERNELS:
            place = library_path(model, PLATFORMS[name])
            compile_runs(model, PLATFORMS[name], place)
            print(place, flush=True)


if __name__ == "__main__":
    main()
