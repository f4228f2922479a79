"""Repairs four faults of pythonfmu's libraries, byte by byte.

The Linux library frees its state twice when a process ends. Its function
`finalizePythonInterpreter` runs when the process unloads it, after the destructors of the static
objects, and releases a pointer that one of them has already released. It writes into freed memory:
sometimes a host aborts at its end with "corrupted double-linked list" or "corrupted unsorted
chunks" (PythonFMU, issue 228). The destructor has already done the work, so the function is changed
to return immediately.

If a step is rejected, the libraries of both systems return fmi2Discard, and for fmi2Terminated that
the slave ends the simulation. FMPy treats this as a regular end and returns the results so far
without a message. For a step that was not carried out, FMI requires fmi2Error (FMI 2.0.4, 4.2.2).
The repaired libraries return it.

If Python raises an exception, they return fmi2Fatal, after which a host must free all instances. An
exception of this project's slaves only rejects one call and leaves the state unchanged. Therefore
the repaired libraries return fmi2Error.

At each exception they also release the instance, its class and its messages, which they need later.
The next call or fmi2FreeInstance crashes the host. The slave cannot prevent this: a null pointer as
a state raises before the slave is called. The repaired libraries release them once, at the end.

Source of the file's structure: System V Application Binary Interface, chapter 4 (Object Files).
"""

from __future__ import annotations

import struct

_FUNCTION = b"finalizePythonInterpreter"
# endbr64, a mark for indirect calls that must be kept, and the instruction to return.
_LANDING = b"\xf3\x0f\x1e\xfa"
_RETURN = b"\xc3"

_DYNAMIC_SYMBOLS = 11  # section type SHT_DYNSYM

# Code that exists only in fmi2DoStep, in the libraries of both systems. It sets the slave's flag
# "wants to terminate" (movb $1, 8(%rbx)) and loads the status (movl $…, %eax).
_REFUSED_STEP = b"\xc6\x43\x08\x01\xb8%c\0\0\0"
_DISCARD, _ERROR, _FATAL = 2, 3, 4  # of fmi2Status

# End of a function after an exception. It loads the status `%c` to return and for the log. g++ puts
# this code after the functions. Microsoft's compiler puts it into the functions.
_EXCEPTION = {
    b"\x7fELF": (b"\xb8%c\0\0\0\xe9", b"\xbe%c\0\0\0\x48\x89\xef\xe8"),
    b"MZ": (b"\x33\xc0\xeb\x1c\xb8%c\0\0\0\x48\x8b\x4c\x24", b"\x4c\x8d\x45\x38\xba%c\0\0\0"),
}

# The release, first as inlined by g++, then as called by Microsoft's compiler. The repaired code
# skips it. The next call logs the messages of the slave. If they were logged here, a host in Python
# would be called while its interpreter has an exception.
_AFTER_EXCEPTION = {
    b"\x4c\x89\xef\xe8\x32\x06\xfe\xff": b"\xe9\x7f\0\0\0\x06\xfe\xff",
    b"\x48\x8b\xcb\xe8\xfc\xe4\xff\xff\x4c\x8d": b"\x48\x8b\xcb\x0f\x1f\x44\0\0\x4c\x8d",
    b"Fatal py exception encountered: ": b"The FMU has rejected this call: ",
}


def without_second_release(library: bytes) -> bytes:
    """Return an x86-64 ELF library whose `finalizePythonInterpreter` does nothing.

    A library without that function is returned unchanged.
    """
    offset = _offset_of(_FUNCTION, library)
    if offset is None:
        return library
    if library[offset : offset + len(_LANDING)] == _LANDING:
        offset += len(_LANDING)
    return library[:offset] + _RETURN + library[offset + 1 :]


def with_refused_steps_as_errors(library: bytes) -> bytes:
    """Return a library of pythonfmu whose fmi2DoStep returns fmi2Error instead of fmi2Discard.

    A library that does not contain this code exactly once is returned unchanged.
    """
    discarding = _REFUSED_STEP % _DISCARD
    if library.count(discarding) != 1:
        return library
    return library.replace(discarding, _REFUSED_STEP % _ERROR)


def with_exceptions_as_errors(library: bytes) -> bytes:
    """Return a library of pythonfmu that returns fmi2Error and continues after an exception."""
    for system, places in _EXCEPTION.items():
        if library.startswith(system):
            for place in places:
                library = library.replace(place % _FATAL, place % _ERROR)
    for original, repaired in _AFTER_EXCEPTION.items():
        library = library.replace(original, repaired)
    return library


def _offset_of(name: bytes, library: bytes) -> int | None:
    """Offset in the file of a function that the library exports."""
    (table,) = struct.unpack_from("<Q", library, 0x28)
    entry_size, count = struct.unpack_from("<HH", library, 0x3A)
    # For each section: type, address, offset in the file, size, linked section.
    sections: list[tuple[int, int, int, int, int]] = []
    for number in range(count):
        _, kind, _, address, offset, size, link = struct.unpack_from(
            "<IIQQQQI", library, table + number * entry_size
        )
        sections.append((kind, address, offset, size, link))
    for kind, _, offset, size, link in sections:
        if kind != _DYNAMIC_SYMBOLS:
            continue
        names = sections[link][2]
        for entry in range(offset, offset + size, 24):
            name_at, _, _, section, value = struct.unpack_from("<IBBHQ", library, entry)
            start = names + name_at
            if library[start : library.index(b"\0", start)] == name:
                _, loaded_at, stored_at, _, _ = sections[int(section)]
                return int(value) - loaded_at + stored_at
    return None
