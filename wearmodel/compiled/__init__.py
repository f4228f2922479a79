"""The kernel in machine code: lowered, translated, compiled and kept.

`lowering` makes one module of plain functions of the kernel's modules, `translate` C++ of that
(Pythran), `platform_libraries` a library of it and of a layer of C++ that calls it (clang, from the
package ziglang). `build_cache` keeps what they made. Who calls the library, and by which functions,
is the layer's: nothing here knows FMI.
"""
