"""Writes the files that are generated from the tank's rules and bots: C, JavaScript, and the rules' hash.

setup.py and the Makefile run this program. The sdist and the wheel contain the files, the repository does
not. The program needs only the standard library.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "packages/core/src"), str(ROOT / "packages/tank/src"), str(ROOT / "tools")]

from bots_to_c.program import render as render_bots  # noqa: E402
from rules_source.rules_hash import render as render_hash  # noqa: E402
from rules_to_c.program import render as render_c  # noqa: E402
from rules_to_c.program import render_powers  # noqa: E402
from rules_to_js.events import render as render_events  # noqa: E402
from rules_to_js.program import render as render_js  # noqa: E402
from rules_to_js.scores import render as render_scores  # noqa: E402
from rules_to_js.settings import render as render_settings  # noqa: E402

_TANK = "packages/tank/src/turnwright_tank"
FILES: Mapping[str, Callable[[], str]] = {
    f"{_TANK}/backends/c/rules.h": render_c,
    f"{_TANK}/backends/c/bots.h": render_bots,
    f"{_TANK}/backends/c/powers.h": render_powers,
    f"{_TANK}/view/resim/rules.js": render_js,
    f"{_TANK}/view/events.js": render_events,
    f"{_TANK}/view/score_columns.js": render_scores,
    f"{_TANK}/view/settings.js": render_settings,
    f"{_TANK}/rules/rules_hash.py": render_hash,
}
"""By path below the repository, the function that returns the text of the file."""


def generate(root: Path = ROOT) -> list[str]:
    """Write each file that is missing or outdated. Return the paths of the written files.

    Raises:
        ValueError, Refused: a rule or a bot cannot be translated.
    """
    written = []
    for name, render in FILES.items():
        text, file = render(), root / name
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8", newline="\n")
            written.append(name)
    return written


if __name__ == "__main__":
    for name in generate():
        print(f"written: {name}")
