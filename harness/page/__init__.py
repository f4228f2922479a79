"""The page that computes: one HTML file with the compiled model, its controls and pictures."""

from harness.page.page_file import page_text, write_page
from harness.page.page_start import (
    PageStart,
    shipped_starts,
    start_of_case,
    start_of_record,
    starts_of_cases,
)
