"""FMUs without Python: a model's part of the kernel translated ahead of time.

`entry_points` derives the calls into the kernel and the layout of the saved state from the
signatures of the functions that the model's `NativeForm` names, and `wearmodel.compiled` makes a
library a platform of these and of the FMI layer: the doors of FMI 2.0 and 3.0 (`fmi2.cpp`,
`fmi3.cpp`) and what both need (`instance.hpp`, `model.hpp`, …); `cpp_tables` writes the headers
that all FMUs of a model share, and `model_library` takes the library ready-made where there is one.
`instance_data` writes what one FMU has of its own, which the layer reads by `resources.hpp` and
`instance_data.hpp`. `native_builder` packs the archive. There is no formula in the FMI layer and no
word of any model: a model's file in `fmu_src.models` and its part of the kernel are all that a
further one needs.
"""

from __future__ import annotations

FMI_VERSIONS = (2, 3)
"""Versions of FMI of which there are native FMUs."""
