"""Write the rules in C to the standard output."""

from __future__ import annotations

import sys

from rules_to_c.program import render


def main() -> None:
    """Run the command."""
    sys.stdout.write(render())


main()
