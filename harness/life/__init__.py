"""Wear depth of a case over years of service, with error bars.

`load_life` reads a case with a section [life]. `run_life` computes the service life by
extrapolation steps with runs between them. The command is `wearfmu life`.
"""

from harness.life.drawn_lives import DrawnLives, depth_names, instants, run_draws
from harness.life.life_file import Life, load_life
from harness.life.life_output import write_life_csv, write_life_json
from harness.life.life_run import ContactLife, LifeResult, life_digest, run_life
from harness.life.life_text import (
    answers,
    contact_rows,
    print_drawn_lives,
    print_life,
    shown_spreads,
    state_rows,
    with_bar,
    years_to_limit,
)
from harness.life.time_left import Forecast
from harness.life.worn_contact import worn_structure
from harness.life.worn_sectors import WornSectors
