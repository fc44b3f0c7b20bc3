"""Makes `view/settings.js`: the tank's settings and game types, as far as a page needs them."""

from __future__ import annotations

import json
from typing import Any

from turnwright_tank.game_types import GAME_TYPES, lock_of, values_of
from turnwright_tank.settings import SETTINGS, START_SETTINGS, DeclaredSetting

_PAGE = """\
/**
 * The settings of a tank battle and its game types.
 *
 * GENERATED from `turnwright_tank/settings.py` and `turnwright_tank/game_types.py` by `make`.
 */

/**
 * A setting of the rules. row: the field of the rules' Arena that holds it, "" for none.
 * @typedef {{ name: string, kind: "int" | "float" | "str", usual: number | string, low: number | null,
 *   high: number | null, row: string }} Setting
 */

/** @type {Setting[]} */
export const SETTINGS = [
%s];

/**
 * The setup of each game type, as the official GameSetup.
 * @type {[string, Record<string, string | number | boolean>][]}
 */
export const GAME_TYPES = [
%s];
"""


def render() -> str:
    """Return the text of settings.js."""
    settings = "".join(f"  {_line(**_known(one))},\n" for one in SETTINGS)
    types = "".join(f"  [{json.dumps(name)}, {_line(**_wire_values(name))}],\n" for name in GAME_TYPES)
    return _PAGE % (settings, types)


def _known(one: DeclaredSetting) -> dict[str, Any]:
    return {
        "name": one.name,
        "kind": one.kind.__name__,
        "usual": one.default,
        "low": one.low,
        "high": one.high,
        "row": one.row,
    }


def _wire_values(game_type: str) -> dict[str, Any]:
    """Return the values of a game type by their names in the protocol. Values that are None are left out."""
    values, found = values_of(game_type), {}
    for one in START_SETTINGS:
        if values[one.name] is not None:
            found[one.wire_name] = values[one.name]
        if one.is_locked:
            found[_lock(one.wire_name)] = values[lock_of(one.name)]
    return found


def _lock(wire_name: str) -> str:
    return f"is{wire_name[0].upper()}{wire_name[1:]}Locked"


def _line(**values: Any) -> str:
    return "{ " + ", ".join(f"{name}: {json.dumps(value)}" for name, value in values.items()) + " }"
