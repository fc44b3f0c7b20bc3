"""Makes `view/events.js`: the events of the tank, how the page reads and stores them, and the log's texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from turnwright_tank.event_table import EVENTS, DeclaredEvent, LoggedEvent

_PAGE = """\
/**
 * The events of a turn of tanks: their types, their rows, their messages, and the words of the log.
 *
 * GENERATED from `turnwright_tank/event_table.py` by `make`.
 */

/** @typedef {import("./model.js").BulletState} BulletState */
/** @typedef {import("./resim/rules.js").EventRow} EventRow */
/** @typedef {import("./resim/rules.js").Bullet} Bullet */

%(types)s

/** The places that an event takes in a row of numbers, by kind. */
export const EVENT_PLACES = [%(places)s];
/** The places that the longest event takes. */
export const EVENT_PLACES_MAX = %(most)s;

/**
 * Keep an event as numbers: its kind, then what its message has.
 * @param {Float64Array} to
 * @param {number} at
 * @param {EventRow} event
 * @param {Map<number, Bullet>} byId
 * @returns {number} the place behind it
 */
export function putEvent(to, at, event, byId) {
  to[at] = event.kind;
  switch (event.kind) {
%(put)s  }
  return at + EVENT_PLACES[event.kind];
}

/**
 * @param {Float64Array} to
 * @param {number} at
 * @param {number} id
 * @param {{ x: number, y: number } | undefined} place
 */
function putBullet(to, at, id, place) {
  to[at] = id;
  to[at + 1] = place === undefined ? 0 : place.x;
  to[at + 2] = place === undefined ? 0 : place.y;
}

/**
 * Return the message of an event that `putEvent` has kept.
 * @param {Float64Array} from
 * @param {number} at
 * @param {number} turnNumber
 * @param {(id: number, x: number, y: number) => BulletState} bullet
 * @returns {GameEvent}
 */
export function readEvent(from, at, turnNumber, bullet) {
  switch (from[at]) {
%(read)s  }
}

/**
 * Return the event of a message, or null for one that is not known.
 * @param {{ [key: string]: unknown }} said
 * @param {number} turnNumber
 * @param {(value: unknown) => number} number
 * @param {(value: unknown) => BulletState} bullet
 * @returns {GameEvent | null}
 */
export function eventOf(said, turnNumber, number, bullet) {
  switch (said.type) {
%(said)s    default:
      return null;
  }
}

/**
 * Kinds of entries of the log. text: {bot}, {other}, {value} and {left} are replaced.
 * @type {{ kind: string, sign: string, label: string, text: string, isShownFirst: boolean,
 *   isMinor: boolean }[]}
 */
export const LOGGED = [
%(logged)s];

/**
 * An entry of the log. -1: no bot. NaN: no number.
 * @typedef {[string, number, number, number, number]} LogValues
 */

/**
 * Return kind, bot, other, value and energy of the entry of an event; null: the log does not have it.
 * @param {GameEvent} event
 * @returns {LogValues | null}
 */
export function logValues(event) {
  switch (event.type) {
%(values)s    default:
      return null;
  }
}
"""
_LOG_ORDER = ("death", "hit", "ram", "wall")
"""The kinds of entries that come first in LOGGED, in this order."""


def render() -> str:
    """Return the text of events.js."""
    longest = [places_of(event) for event in EVENTS]
    logged = sorted((e.log for e in EVENTS if e.log is not None), key=_place_in_log)
    return _PAGE % {
        "types": "\n".join(_types()),
        "places": ", ".join(map(str, [0, *longest])),
        "most": max(longest),
        "put": "".join(_put(event) for event in EVENTS if event.fields),
        "read": "".join(_read(event, event is EVENTS[-1]) for event in EVENTS),
        "said": "".join(_said(event) for event in EVENTS),
        "logged": "".join(f"  {_log_line(one)},\n" for one in logged),
        "values": "".join(_values(event.name, event.log) for event in EVENTS if event.log is not None),
    }


def places_of(event: DeclaredEvent) -> int:
    """Return the number of places that the page needs to store an event, including its kind."""
    return 1 + sum(_width(source) for source in event.fields.values())


def _width(source: str) -> int:
    return 3 if source.startswith(("bullet", "muzzle")) else 1


def _place_in_log(one: LoggedEvent) -> int:
    return _LOG_ORDER.index(one.kind) if one.kind in _LOG_ORDER else len(_LOG_ORDER)


def camel(name: str) -> str:
    """Return a name in camel case, as JavaScript writes it."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def _path(path: str) -> str:
    return ".".join(map(camel, path.split(".")))


def _types() -> Iterator[str]:
    for event in EVENTS:
        rows = [f"{camel(name)}: {_type(source)}" for name, source in event.fields.items()]
        said = ", ".join([f'type: "{event.name}"', "turnNumber: number", *rows])
        yield f"/** @typedef {{{{ {said} }}}} {event.name} */"
    yield f"/** @typedef {{{' | '.join(event.name for event in EVENTS)}}} GameEvent */"


def _type(source: str) -> str:
    if _width(source) > 1:
        return "BulletState"
    return "boolean" if source == "flag" else "number"


def _placed(event: DeclaredEvent) -> Sequence[tuple[str, str, int]]:
    """Return the name, the source and the first place of each field. The kind of the event has place 0."""
    found, at = [], 1
    for name, source in event.fields.items():
        found.append((camel(name), source, at))
        at += _width(source)
    return found


def _put(event: DeclaredEvent) -> str:
    lines = [f"    case {event.kind}:"]
    for _, source, at in _placed(event):
        what, _, column = source.rpartition(" ")
        if _width(source) > 1:
            place = "event" if what == "muzzle" else f"byId.get(event.{column})"
            lines.append(f"      putBullet(to, at + {at}, event.{column}, {place});")
        else:
            lines.append(f"      to[at + {at}] = event.{column};")
    return "\n".join([*lines, "      break;", ""])


def _read(event: DeclaredEvent, is_last: bool) -> str:
    said = [f'type: "{event.name}"', "turnNumber"]
    for name, source, at in _placed(event):
        if _width(source) > 1:
            said.append(f"{name}: bullet(from[at + {at}], from[at + {at + 1}], from[at + {at + 2}])")
        elif source.startswith("bot "):
            said.append(f"{name}: from[at + {at}] + 1")
        else:
            said.append(f"{name}: from[at + {at}]{' !== 0' if source == 'flag' else ''}")
    label = "default" if is_last else f"case {event.kind}"
    return f"    {label}:\n      return {{ {', '.join(said)} }};\n"


def _said(event: DeclaredEvent) -> str:
    said = [f'type: "{event.name}"', "turnNumber"]
    for name, source in event.fields.items():
        value = f"said.{camel(name)}"
        read = {
            "BulletState": f"bullet({value})",
            "boolean": f"{value} === true",
            "number": f"number({value})",
        }
        said.append(f"{camel(name)}: {read[_type(source)]}")
    return f'    case "{event.name}":\n      return {{ {", ".join(said)} }};\n'


def _log_line(one: LoggedEvent) -> str:
    values = {
        "kind": one.kind,
        "sign": one.sign,
        "label": one.label,
        "text": one.text,
        "isShownFirst": one.is_shown_first,
        "isMinor": one.is_minor,
    }
    told = (f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in values.items())
    return f"{{ {', '.join(told)} }}"


def _values(name: str, log: LoggedEvent) -> str:
    ids = [f"event.{_path(path)}" if path else "-1" for path in (log.bot, log.other)]
    numbers = [f"event.{_path(path)}" if path else "NaN" for path in (log.value, log.energy)]
    entry = f"[{', '.join([json.dumps(log.kind), *ids, *numbers])}]"
    if log.only_if:
        entry = f"event.{_path(log.only_if)} ? {entry} : null"
    return f'    case "{name}":\n      return {entry};\n'
