"""FMUs without Python: a model's part of the kernel translated ahead of time.

`translate` turns the kernel into C++ (Pythran). `entry_points` derives the calls into it and the
layout of the saved state from the signatures of the functions that the model's `NativeForm` names.
`cpp_tables` makes a header of the variable table and the messages. `platform_libraries` makes one
library a platform (clang, from the package ziglang) of these and of the FMI layer (`slave.cpp`,
`model.hpp`, `derivatives.hpp`, `text.hpp`). `native_builder` packs the archive. There is no formula
in the FMI layer and no word of any model: a model's file in `fmu_src.models` and its part of the
kernel are all that a further one needs.
"""
