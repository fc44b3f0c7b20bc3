"""Write the rules in JavaScript to the standard output, or with --write to their file."""

from __future__ import annotations

import sys

from rules_to_js.program import TARGET, render


def main() -> None:
    """Run the command."""
    text = render()
    if sys.argv[1:] == ["--write"]:
        TARGET.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


main()
