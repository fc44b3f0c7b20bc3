"""Makes `view/score_columns.js`: the columns of the results of tanks."""

from __future__ import annotations

import json

from rules_to_js.events import camel
from turnwright_tank.results import SCORES

_PAGE = """\
/**
 * The columns of the results of a tank battle.
 *
 * GENERATED from `turnwright_tank/results.py` by `make`.
 */

/** @typedef {%(part)s} ScorePart */
/** @typedef {ScorePart | %(place)s} ScoreColumn */

/** The parts of a total, and their headings. @type {[ScorePart, string][]} */
export const SCORE_PARTS = [%(parts)s];
/** The columns in the order of the hashed state. @type {ScoreColumn[]} */
export const SCORE_COLUMNS = [%(columns)s];
"""


def render() -> str:
    """Return the text of score_columns.js."""
    names = {one: json.dumps(camel(one.name)) for one in SCORES}
    return _PAGE % {
        "part": " | ".join(name for one, name in names.items() if one.title),
        "place": " | ".join(name for one, name in names.items() if not one.title),
        "parts": ", ".join(f"[{name}, {json.dumps(one.title)}]" for one, name in names.items() if one.title),
        "columns": ", ".join(names.values()),
    }
