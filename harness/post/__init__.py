"""Statistics of a result file."""

from harness.post.post_text import print_post, print_tables, printed
from harness.post.statistics import (
    post_process,
    require_finite,
    table_file,
    worn_table,
    write_post_csv,
    write_post_json,
)
