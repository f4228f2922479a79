"""How long the rest of long work takes is said once, where it takes long."""

from __future__ import annotations

import pytest

from harness.subcommands import progress


@pytest.mark.parametrize(
    ("seconds_each", "said"),
    [(10.0, "2 of 101 points done; the rest takes about 16 min"), (0.5, "")],
    ids=["long", "short"],
)
def test_the_rest_of_long_work_is_told_once(
    seconds_each: float,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    told = progress.first_estimate(101, "points")
    for done in range(102):
        told(done)
        # Before the first result the kernel is compiled.
        now[0] += seconds_each if done else 120.0
    assert capsys.readouterr().err.strip() == said
