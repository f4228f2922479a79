"""The kernel in machine code: lowered, translated, compiled and kept.

`declarations` knows what the kernel's modules declare, `language` the rules of their functions.
`lowering` makes one module of plain functions of them, `translate` C++ of that (Pythran),
`platform_libraries` a library of it and of a layer of C++ that calls it (clang, from the package
ziglang). `build_cache` keeps what they made. Who calls the library, and by which functions, is the
layer's: nothing here knows FMI.
"""
