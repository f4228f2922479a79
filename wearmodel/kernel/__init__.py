"""The kernel: free functions on numbers, state objects and rows, standard library only.

These modules are copied into the FMU and run there without numpy. They keep to Python 3.9's
language and, once state objects are lowered to rows of numbers, to the subset that Pythran
translate: no dictionaries, exceptions or closures; result codes are returned and turned into
exceptions by the classes that call them.
"""
