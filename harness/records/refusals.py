"""Messages about invalid files of records. The page that computes uses them too, as JSON."""

BINARY = "is not a text file: save it as CSV"
NO_NUMBERS = (
    "contains no row of numbers. Rows of numbers can follow a row of names, a row of units and "
    "other lines of text"
)
NOT_FINITE = "{text} must be a finite number"
MISSING_FACT = "must contain {words}, as in a {format} file"
OTHER_COUNT = "has {values} values, but its header gives {count}: download it again"
TORN_ROW = (
    "has {cells} cell(s) but the table has {columns} column(s): each row must have a cell for each "
    "column. Correct the row, or the names above the numbers"
)
FEW_POINTS = "has {points} point(s); it must have ≥ 2"
NOT_LATER = "time {time} s must be > {before} s, the previous time"
CONVERTED_TWICE = (
    "scale={scale} seems to repeat the conversion from the unit {unit} of {column}: remove the "
    "scale"
)
REFUSALS = {name.lower(): text for name, text in list(globals().items()) if name.isupper()}
