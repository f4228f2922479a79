"""documentation/licenses of an FMU: the licences of all that is in the archive."""

from __future__ import annotations

from importlib.metadata import distribution

# The native library is PythonFMU's; parts of it are CPPFMU's.
_NOTICE = """\
This FMU holds

- wearfmu (resources/wearfmu_*, documentation, extra): MIT licence, below;
- PythonFMU {version} (binaries, resources/pythonfmu): MIT licence, pythonfmu.txt. Its source is at
  https://github.com/NTNU-IHB/PythonFMU;
- in PythonFMU's binaries, parts of CPPFMU, copyright 2016-2019 SINTEF Ocean, subject to the terms
  of the Mozilla Public License, v. 2.0, which is at https://mozilla.org/MPL/2.0/. Their source is
  in the source of PythonFMU named above.

"""


def licence_texts() -> dict[str, str]:
    """Text by file name; `license.txt` is the entry that FMI 2.0 names.

    Raises
    ------
    FileNotFoundError
        An installed package came without its licence.
    """
    pythonfmu = distribution("pythonfmu")
    return {
        "license.txt": _NOTICE.format(version=pythonfmu.version) + _licence_of("wearfmu"),
        "pythonfmu.txt": _licence_of("pythonfmu"),
    }


def _licence_of(package: str) -> str:
    text = distribution(package).read_text("licenses/LICENSE")
    if text is None:
        raise FileNotFoundError(f"the installed package {package} holds no licenses/LICENSE")
    return text
