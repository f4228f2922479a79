"""FMUs without Python: a model's part of the kernel translated ahead of time.

`wearmodel.compiled` turns the kernel into C++ and makes a library a platform of it and of a layer.
Here `entry_points` derives the calls into the kernel and the layout of the saved state from the
signatures of the functions that the model's `NativeForm` names. `cpp_tables` makes a header of the
variable table and the messages. `fmi_layer` names the layer of FMI (`slave.cpp`, `model.hpp`,
`derivatives.hpp`, `text.hpp`). `native_builder` packs the archive. There is no formula
in the FMI layer and no word of any model: a model's file in `fmu_src.models` and its part of the
kernel are all that a further one needs.
"""
