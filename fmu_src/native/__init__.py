"""FrictionalShock.fmu without Python: the kernel's source translated ahead of time.

`translate` turns the kernel into C++ (Pythran), `cpp_tables` the variable table and the messages
into a header, `platform_libraries` makes one library a platform (clang, from the package ziglang) of
these and of the FMI layer (`slave.cpp`, `model.hpp`, `text.hpp`), `native_builder` packs the
in the FMI layer: forcings, rules between parameters, motion, events and outputs are the kernel's;
what is written there again is bookkeeping (the samples of the extrapolation, phases, refusals).
"""
