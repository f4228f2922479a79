"""`python -m harness` is `wearfmu`."""

import sys

from harness.command_line import main

if __name__ == "__main__":
    sys.exit(main())
