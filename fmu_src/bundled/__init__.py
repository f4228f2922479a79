"""What runs inside the host: Python 3.9's language and its standard library."""
