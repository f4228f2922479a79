"""Many runs at once: the kernel compiled, records and maps."""
