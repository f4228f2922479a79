"""The kernel in machine code: lowered, translated, compiled and cached.

`declarations` reads the declarations of the kernel's modules. `language` checks their functions.
`lowering` joins them to one module of plain functions, `translate` translates it to C++ with
Pythran, and `platform_libraries` compiles a library of it and of a C++ layer that calls it, with
clang of the package ziglang. `build_cache` stores the results. This folder does not depend on FMI.
"""
