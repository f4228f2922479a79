"""The kernel: free functions on numbers, state objects and rows, standard library only.

These modules are copied into the FMU and run there without numpy on Python 3.9 or later. Once state
objects are lowered to rows of numbers, the functions use only the language that Pythran translates,
without dictionaries, exceptions or closures. They return result codes, and the classes that call
them raise the exceptions.
"""
