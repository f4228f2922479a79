"""The model for web pages: the native kernel as a WebAssembly module behind a door of its own."""
