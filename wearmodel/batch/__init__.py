"""Many runs at once by the compiled kernel: records, structures, blocks."""
