"""FMUs without Python: a model's part of the kernel, translated ahead of time.

`entry_points` derives the calls into the kernel and the layout of the saved state from the
signatures of the functions in the model's `NativeForm`. `cpp_tables` writes the header that all
FMUs of a model share. `wearmodel.compiled` builds a library for each platform from these and from
the FMI layer: the interfaces of FMI 2.0 and 3.0 (`fmi2.cpp`, `fmi3.cpp`) and their common part
(`instance.hpp`, `model.hpp`, …). `model_library` returns a ready-made library if there is one.
`instance_data` writes the data of one FMU, which the layer reads by `resources.hpp` and
`instance_data.hpp`. `native_builder` writes the archive. The FMI layer does not contain formulas or
names of a model: a further model needs only a file in `fmu_src.models` and its part of the kernel.
"""

FMI_VERSIONS = (2, 3)  #: Versions of FMI of the native FMUs.
