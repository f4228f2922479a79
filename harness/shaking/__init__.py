"""A recorded base motion and its run through FrictionalShock."""

from harness.shaking.shaking_record import (
    ShakingRecord,
    motion_text,
    read_shaking,
    require_motion_text,
)
from harness.shaking.shaking_result import ShakingResult, write_shaking_json
from harness.shaking.shaking_run import (
    RECORD_PARAMETERS,
    SHAKEN_FMU,
    require_parameters,
    run_shaking,
    with_half_the_step,
)
from harness.shaking.shaking_text import print_shaking, print_understood, settings_line
