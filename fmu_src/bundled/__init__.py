"""Code that runs inside the host, in the language and the standard library of Python 3.9."""
