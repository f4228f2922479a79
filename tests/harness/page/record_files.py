"""Typical and malformed record files, which command line and page must read in the same way."""

from __future__ import annotations

import random

_TIMES = ["time", "t", "Time (s)", "T [ms]", "s", "x", "zeit_s", "Time, sec", "temps [s]"]
_ACCELERATIONS = [
    "acc", "a [g]", "Acc_g", "acceleration (m/s²)", "EW", "acc cm/s2", "", "A(g)", "acc [mm/s/s]",
    "accel.", "base_acceleration", "v [m/s]", "Acc. in gal", "g",
]  # fmt: skip
_NUMBERS = "0,0.1\n0.01,-0.2\n0.02,0.3\n0.03,0\n"
_LONG = (
    "\n".join(f"{0.005 * i:.3f},{(-1) ** (i // 7) * 0.1 * (i % 7):.4f}" for i in range(60)) + "\n"
)
_AT2 = (
    "PEER NGA STRONG MOTION DATABASE RECORD\nImperial Valley, 1940, El Centro\n"
    "ACCELERATION TIME SERIES IN UNITS OF G\nNPTS=  7, DT=   .0100 SEC\n"
    "  .1E-02  .2E-02 -.3E-02\n  0.0 .5E-03 1 2\n"
)

FILES: dict[str, str] = {
    "plain": "time,acceleration\n" + _NUMBERS,
    "no-names": _NUMBERS,
    "long": "time [s],acc [g]\n" + _LONG,
    **{f"cut-by-{cut}": "time [s],acc [g]\n" + _LONG[:-cut] for cut in range(1, 16)},
    "may-be-cut": "time [s],acc [g]\n" + _NUMBERS.rstrip(),
    "one-row-that-may-be-cut": "some text\nabove\ntime [s],acc [g]\n0,1\n1,2",
    "drifting": "".join(f"{0.01 * i:.2f},{(-1) ** (i // 5) + 0.2},{i}\n" for i in range(99)),
    "many-columns": "".join(f"{0.01 * i:.2f}{f',{i % 9}' * 9}\n" for i in range(30)),
    "semicolons": "t;a\n0;1,5\n1;2,5\n2;-3\n",
    "tabs": "t\ta\n0\t1.5\n1\t2.5\n2\t-3\n",
    "bars": "t|a\n0|1.5\n1|2.5\n2|-3\n",
    "blanks": " time   acc\n 0.0   1.5\n 0.5   2.5\n 1.0  -3\n",
    "blanks-with-units": "time [s]  acc [cm/s2]\n0 1\n1 2\n2 4\n",
    "units-in-brackets-apart": "time (s) base acceleration (g)\n0 1\n1 2\n2 4\n",
    "sep": "sep=;\ntime;acc\n0;1\n1;2\n2;0\n",
    "sep-odd": "sep=!\ntime!acc\n0!1\n1!2\n2!0\n",
    "row-of-units": "time,acc\ns,mg\n0,1\n1,2\n2,0\n",
    "units-differ": "time,acc [g]\ns,m/s2\n0,1\n1,2\n",
    "milliseconds": "time [ms],acc [gal]\n0,1\n5,2\n10,0\n",
    "feet": "T (sec),Accel (ft/s^2)\n0,1\n5,2\n10,0\n",
    "glued": "time,acc_cmps2\n0,1\n5,2\n10,0\n",
    "possessive": "time,Acceleration (g's)\n0,1\n5,2\n10,0\n",
    "per": "time,acceleration in m per s per s\n0,1\n5,2\n10,0\n",
    "superscript": "time,acc [cm/s²]\n0,1\n5,2\n10,0\n",
    "dot": "time,acc [m·s⁻²]\n0,1\n5,2\n10,0\n",
    "unknown-unit": "time,acc [furlong]\n0,1\n5,2\n10,0\n",
    "unknown-unit-of-time": "time [fortnight],acc\n0,1\n5,2\n10,0\n",
    "rate-unknown": "time,acc kg/s\n0,1\n5,2\n10,0\n",
    "two-units": "time,acc [g] [m/s2]\n0,1\n5,2\n10,0\n",
    "acceleration-first": "acceleration,time\n1,0\n2,1\n0,2\n",
    "french": "temps,accélération\n0,1\n1,2\n2,0\n",
    "german": "Zeit;Beschleunigung [m/s²]\n0;1,5\n1;2,5\n2;0\n",
    "three": "time,ew,ns\n0,1,4\n1,2,5\n2,0,6\n",
    "twice": "time,acc,acc\n0,1,4\n1,2,5\n2,0,6\n",
    "time-twice": "time,time,acc\n0,1,4\n1,2,5\n2,0,6\n",
    "text-above": "Recorded on 3 May\nStation 7, floor 2\n\ntime,acc\n0,1\n1,2\n2,0\n",
    "long-text-above": "x" * 60 + " Ä\nmore\nand more\ntime,acc\n0,1\n1,2\n2,0\n",
    "remark-with-unit": "# accelerations in cm/s2\n0,1\n1,2\n2,0\n",
    "remark-names": "# time,acc [g]\n0,1\n1,2\n2,0\n",
    "remark-units": "time,acc\n# s,g\n0,1\n1,2\n2,0\n",
    "torn-units": "time acc\nunits: s and g\n0,1\n1,2\n2,0\n",
    "comments-between": "time,acc\n0,1\n# pause\n1,2\n\n2,0\n",
    "empty-cells": "time,acc,\n0,1,\n1,2,\n2,0,\n",
    "empty-cell": "time,acc\n0,1\n1,\n2,0\n",
    "word-in-numbers": "time,acc\n0,1\n1,high\n2,0\n",
    "word-in-first-row": "time,acc\n0,high\n1,2\n2,0\n",
    "nan": "time,acc\n0,1\n1,nan\n2,0\n",
    "inf": "time,acc\n0,1\n1,-inf\n2,0\n",
    "booleans": "time,acc\n0,True\n1,False\n2,true\n",
    "underscores": "time,acc\n0,1_000\n1,2\n2,3\n",
    "hexadecimal": "time,acc\n0,1\n1,0x10\n2,3\n",
    "exponents": "time,acc\n0,1E-3\n1,+2.5e+1\n2,.5\n3,5.\n",
    "time-back": "time,acc\n0,1\n2,2\n1,0\n",
    "time-stands": "time,acc\n0,1\n1,2\n1,0\n",
    "short-row": "time,acc\n0,1\n1\n2,0\n",
    "short-row-named": "time,a,b,acc\n0,1,1,1\n1,2\n2,0,0,0\n",
    "one-row": "time,acc\n0,1\n",
    "one-column": "acc\n1\n2\n3\n",
    "one-column-of-times": "time\n1\n2\n3\n",
    "empty": "",
    "only-words": "no numbers here\nnone at all\n",
    "decimal-commas-between-commas": "time,acc\n0,0,1,5\n0,1,2,5\n0,2,3,5\n",
    "words-beside-numbers": "time,acc,mark\n0,1,a\n1,2,b\n2,0,c\n",
    "words-first": "id;time;acc\nA;0;1\nB;1;2\nC;2;0\n",
    "quoted": '"time","acc, filtered [g]"\n0,1\n1,2\n2,0\n',
    "quoted-numbers": 'time;acc\n"0";"1,5"\n"1";"2,5"\n"2";"0"\n',
    "windows-lines": "time,acc\r\n0,1\r\n1,2\r\n2,0\r\n",
    "old-mac-lines": "time,acc\r0,1\r1,2\r2,0\r",
    "form-feed": "time,acc\n0,1\n\f\n1,2\n2,0\n",
    "no-end": "time,acc\n0,1\n1,2\n2,0",
    "blank-lines": "\n\n  \ntime,acc\n\n0,1\n\n1,2\n2,0\n\n",
    "code-aster": "#\n INST;DX;ACCE\n R;R;R\n0;1;2\n1;2;3\n2;1;0\n",
    "irregular": "time,acc\n0,0\n0.01,1\n0.02,-1\n0.07,0.5\n0.08,0\n",
    "slow": "time,acc\n0,0\n1,1\n2,-1\n3,0\n",
    "zero": "time,acc\n0,0\n0.01,0\n0.02,0\n",
    "constant": "time,acc [g]\n0,2\n0.01,2\n0.02,2\n",
    "offset": "time,acc [m/s2]\n0,0\n0.01,3\n0.02,1\n0.03,3\n0.04,0.1\n",
    "jump": "time,acc [m/s2]\n0,3\n0.01,-3\n0.02,3\n0.03,-3\n",
    "large": "time,acc\n0,0\n0.01,300\n0.02,-310\n0.03,0\n",
    "late-start": "time,acc\n-5,0\n-4.99,0.3\n-4.98,-0.3\n",
    "at2": _AT2,
    "at2-old": _AT2.replace("NPTS=  7, DT=   .0100 SEC", "    7    .0100    NPTS, DT"),
    "at2-count": _AT2.replace("NPTS=  7", "NPTS=  0008"),
    "at2-of-velocity": _AT2.replace("ACCELERATION TIME", "VELOCITY TIME"),
    "at2-in-cm": _AT2.replace("UNITS OF G", "UNITS OF CM/S/S"),
    "at2-word": _AT2.replace("1 2", "1 x"),
    "greek": "Χρόνος,επιτάχυνση [m/s2]\n0,1\n1,2\n2,0\n",
    "slash": "t/s,a/g\n0,1\n1,2\n2,0\n",
    "comma-unit": "Time, Acceleration, m/s2\n0,1,2\n1,2,2\n2,0,2\n",
}  # fmt: skip


def made_up(count: int) -> dict[str, str]:
    """Return random files, which are the same in each call."""
    chance = random.Random(7)
    pick = chance.choice
    files = {}
    for number in range(count):
        mark = pick([",", ";", "\t", " ", "|", ", ", "  "])
        comma = pick([True, False]) and "," not in mark
        # Both readers reject most files of one or three columns.
        columns = pick([1, 2, 2, 2, 2, 2, 2, 2, 3, 4])
        # Both readers reject a row of names that the separator splits further. One in eight may
        # have it.
        may_split = chance.random() < 0.125
        times, accelerations = (
            [name for name in usual if may_split or (mark.strip() or " ") not in name]
            for usual in (_TIMES, _ACCELERATIONS)
        )
        names = [pick(times), *(pick(accelerations) for _ in range(columns - 1))]
        lines = [pick(["", "# by hand", "Station 4", "2024-05-03; noon", "a b c", "1. Versuch"])]
        if pick([True, True, False]):
            lines.append(pick(["", "# "]) + mark.join(names))
        if pick([True, False, False]):
            units = [pick(["s", "ms", ""]), *(pick(["g", "m/s2", "-", "mg"]) for _ in names[1:])]
            lines.append(pick(["", "#"]) + mark.join(units))
        for row in range(chance.randrange(1, 12)):
            values = [0.01 * row, *(chance.uniform(-3, 3) for _ in range(columns - 1))]
            cells = [pick(["%.4f", "%g", "%.3e"]) % value for value in values]
            if chance.random() < 0.03:
                cells[-1] = pick(["", "n/a", "nan", "1,2,3", "True", "1e400", "- 1"])
            text = mark.join(cell.replace(".", ",") if comma else cell for cell in cells)
            lines.append(text + pick(["", "", "", mark.strip()]))
            if chance.random() < 0.05:
                lines.append(pick(["", "# remark", "   ", "* end of block"]))
        files[f"made-up-{number}"] = pick(["\n", "\n", "\r\n"]).join(lines) + pick(["", "\n"])
    return files
