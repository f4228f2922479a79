"""Sliding blocks: displacement by record and yield acceleration, both polarities.

`run_block_study` reads the records and runs them through `wearmodel.run_blocks`. The command is
`wearfmu blocks`.
"""

from __future__ import annotations

from harness.blocks.block_study import (
    MEASURES,
    POLARITIES,
    BlockStudy,
    Slope,
    record_files,
    run_block_study,
    write_blocks_csv,
    write_blocks_json,
)
from harness.blocks.block_text import print_blocks, slope_line

__all__ = [
    "MEASURES",
    "POLARITIES",
    "BlockStudy",
    "Slope",
    "print_blocks",
    "record_files",
    "run_block_study",
    "slope_line",
    "write_blocks_csv",
    "write_blocks_json",
]
