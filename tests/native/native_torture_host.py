"""The torture host for native FMUs, which answer an illegal call for themselves.

Where a Python FMU can only let the next step report a refused call, a native one returns fmi2Error
at once, and the next step knows nothing of it. All else is judged as before.
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "campaigns"))

import torture_host
from torture_host import ERROR, OK, ViolationError


class NativeSubject(torture_host.Subject):  # type: ignore[misc]
    """Judges each call by its own status."""

    def accepted(self, function: str, *arguments: object) -> None:
        self.status = self.call(function, *arguments)
        if self.status not in (OK, ERROR):
            raise ViolationError(f"{function} gave status {self.status}")
        if self.status == ERROR and not torture_host.LAST_MESSAGE[0]:
            raise ViolationError(f"{function} was refused without a reason")

    def _settle(self) -> None:
        """The call was refused exactly where the judge holds it to be illegal."""
        if (self.pending > 0) != (self.status == ERROR):
            raise ViolationError(
                f"status {self.status} in {self.phase}: {torture_host.LAST_MESSAGE[0]}"
            )
        self.pending = 0

    def set(self, kind: str, reference: int, value: float) -> None:
        super().set(kind, reference, value)
        self._settle()

    def get_unknown(self, kind: str, reference: int) -> None:
        super().get_unknown(kind, reference)
        self._settle()

    def get(self, kind: str, references: list[int]) -> list[float]:
        values: list[float] = super().get(kind, references)
        if self.status != OK and max(references) < len(self.fmu.variables):
            raise ViolationError(f"fmi2Get{kind} gave status {self.status}")
        return values

    def set_up(self, start_time: float) -> None:
        super().set_up(start_time)
        self._settle()

    def enter(self) -> None:
        super().enter()
        self._settle()

    def leave(self) -> None:
        super().leave()
        if not self.pending and self.failed:
            self.pending = 1  # a failed initialisation says so itself
        self._settle()

    def terminate(self) -> None:
        legal = self.phase == "stepping"
        self.accepted("fmi2Terminate")
        if legal:
            self.phase = "terminated"
        else:
            self.pending = 1
        self._settle()

    def load_broken(self, data: bytes) -> None:
        before = self.outputs()
        state = ctypes.c_void_p()
        buffer = (ctypes.c_char * max(len(data), 1)).from_buffer_copy(data or b"\0")
        size = ctypes.c_size_t(len(data))
        self.accepted("fmi2DeSerializeFMUstate", buffer, size, ctypes.byref(state))
        if self.status != ERROR or state:
            raise ViolationError("a broken state was taken")
        if self.outputs() != before:
            raise ViolationError("a broken state changed outputs")
        self.counts["broken states"] += 1


torture_host.Subject = NativeSubject

if __name__ == "__main__":
    asked = json.load(sys.stdin)
    print(json.dumps(torture_host.torture(asked, Path(asked["progress"]))))
