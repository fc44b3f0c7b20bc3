"""Write the rules in C to the standard output, or with --write to their files."""

from __future__ import annotations

import sys

from rules_to_c.program import POWERS_FILE, RULES_FILE, render, render_powers


def main() -> None:
    """Run the command."""
    if sys.argv[1:] == ["--write"]:
        RULES_FILE.write_text(render(), encoding="utf-8")
        POWERS_FILE.write_text(render_powers(), encoding="utf-8")
    else:
        sys.stdout.write(render())


main()
