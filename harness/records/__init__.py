"""Reads records of users: encodings, headers, units, columns and points."""

from harness.records.encoding import MOST_TABLE_BYTES, toml_content
from harness.records.formats import FIXED_FORMATS, RECORD_SUFFIXES, SEPARATORS
from harness.records.record_file import (
    RecordFile,
    matched_columns,
    open_record,
    require_quantities,
    shock_record,
)
from harness.records.refusals import CONVERTED_TWICE, FEW_POINTS, REFUSALS
from harness.records.sampling import Fineness, RecordGrid, Steps
from harness.records.table import Table, open_table
from harness.records.table_header import USUAL_NAMES, TableHeader, is_usual, missing_unit
