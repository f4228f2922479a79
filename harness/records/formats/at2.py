"""PEER .AT2 files.

An AT2 file of the Pacific Earthquake Engineering Research Center's strong motion database has four
header lines: database, event and station, quantity and unit, number of points NPTS and their
interval DT. The values [g] follow, several per line. The first value is at t = 0.
"""

from harness.records.head import FixedFormat

FORMAT = FixedFormat(
    name="PEER AT2",
    suffixes=(".at2",),
    head_lines=4,
    ends=(
        r"NPTS\s*=\s*(?P<count>-?\d+)\s*,?\s*(DT\s*=\s*(?P<step>[\d.]+(E[+-]?\d+)?))?",
        r"^\s*(?P<count>\d+)\s+(?P<step>[\d.]+(E[+-]?\d+)?)\s+NPTS\s*,\s*DT",  # older files
    ),
    facts={
        "ACCELERATION TIME SERIES IN UNITS OF G": r"(^(?P<component>.*)\n)?"
        r".*ACCELERATION TIME[\s\S]*UNITS\s+OF\s+(?P<unit>G)\b",
        "DT= .0050 SEC": r"\bDT\s*=\s*[\d.](?![\d.E+\-\s]*M)|NPTS\s*,\s*DT",
    },
)
