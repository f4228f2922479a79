"""The model for web pages: the native kernel as a WebAssembly module with its own interface."""
