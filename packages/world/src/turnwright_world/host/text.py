"""Renders a body's view as text for a terminal.

No meaning depends on colour alone, and nothing is drawn with characters, so that screen readers can read
everything.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Literal

from turnwright_world.rules.naming import begun as begun
from turnwright_world.rules.naming import counted, the
from turnwright_world.rules.threats import Reaction
from turnwright_world.rules.view import DARK

HERE_MAX = 30
"""The most lines about the creatures in a place. Equal lines are merged, and further creatures are only
counted.
"""
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:s|hp|sp|xp|%)(?!\w))")
_UNBROKEN = "\u00a0"
"""Replaces the space between a number and its unit while a line is wrapped."""
_LINES_KEPT = 4_096
"""The number of wrapped texts in the cache."""
Answers = Callable[[str], str]
"""Returns the names of the reactions that meet a kind of attack, or ""."""
Style = Literal["title", "danger", "good", "dim", "talk"]
_SGR: Mapping[Style, str] = {"title": "1", "danger": "1;31", "good": "32", "dim": "2", "talk": "36"}
_GONE = {
    "landed": "{name} hits you for {damage}.",
    "overflow": "Too many attacks at once: {name} hits you for {damage}.",
}
_UNSAID = frozenset(("died", "left"))
"""Outcomes of threats that need no text, because the target learns them from another message."""
_BLOW = {
    "landed": "You hit {name} for {damage}.",
    "overflow": "You hit {name} for {damage}.",
    "escaped": "{name} gets away from your attack.",
    **dict.fromkeys(_UNSAID, ""),
}
_DOUBLED = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")
"""Verbs that double their last letter, for example "dig" in "digging"."""


@dataclass(frozen=True, slots=True)
class Look:
    """A terminal's settings for text."""

    width: int = 80
    colours: bool = False
    screen_reader: bool = False

    def paint(self, style: Style, text: str) -> str:
        """Return text in a style if the terminal has colours, otherwise unchanged."""
        return f"\x1b[{_SGR[style]}m{text}\x1b[0m" if self.colours and text else text


def _nothing(kind: str) -> str:
    return ""


def answers_of(reactions: Iterable[Reaction]) -> Answers:
    """Return a function that names the reactions that meet a kind of attack, the cheapest first: "parry or
    dodge?".
    """
    cheapest = sorted(reactions, key=lambda one: one.stamina)

    def answers(kind: str) -> str:
        *others, last = [one.name for one in cheapest if not one.kinds or kind in one.kinds] or [""]
        return f"{', '.join(others)} or {last}?" if others else last and f"{last}?"

    return answers


def clean(text: object) -> str:
    """Return text without characters that cannot be printed, so that the text cannot control a terminal.

    Line breaks stay. Tabs and other spaces than the plain one, such as no-break spaces, become plain spaces.
    """
    whole = str(text)
    return whole if whole.isprintable() else "".join(map(_shown, whole))


def _shown(letter: str) -> str:
    if letter == "\n" or letter.isprintable():
        return letter
    return " " if letter == "\t" or unicodedata.category(letter) == "Zs" else ""


def wrapped(text: object, width: int) -> str:
    """Return text after `clean`, in lines of at most `width` characters."""
    return _wrapped(str(text), width)


@lru_cache(_LINES_KEPT)
def _wrapped(text: str, width: int) -> str:
    """Wrap text as `wrapped` does. The result is cached, because all bodies in a place get the same text."""
    return "\n".join([_filled(line, width) for line in clean(text).split("\n")])


def _filled(line: str, width: int) -> str:
    """Wrap one line, and keep numbers and their units together."""
    if len(line) <= width:
        return line.rstrip(" ")
    return textwrap.fill(_BEFORE_UNIT.sub(_UNBROKEN, line), width).replace(_UNBROKEN, " ")


def room(view: Mapping[str, Any], look: Look, *, brief: bool = False) -> str:
    """Return the text for a body's place, with the creatures and items there.

    Args:
        brief: leave out the place's description, unless the place is dark.
    """
    place = view["place"]
    parts = [look.paint("title", clean(place["name"]))]
    parts += [] if brief and place["text"] != DARK else [wrapped(place["text"], look.width)]
    parts.append(wrapped(exits_line(place), look.width))
    present = Counter((clean(other["name"]), _state(other)) for other in view["here"])
    shown = dict(islice(present.items(), HERE_MAX))
    parts += [
        wrapped(f"{begun(counted(name, count))} {'is' if count == 1 else 'are'} here{state}.", look.width)
        for (name, state), count in shown.items()
    ]
    if (more := len(view["here"]) + view["here_more"] - sum(shown.values())) > 0:
        parts.append(f"And {more} more are here.")
    if place["items"]:
        parts.append(wrapped(f"Lying here: {names(place['items'])}.", look.width))
    return "\n".join(part for part in parts if part)


def exits_line(place: Mapping[str, Any]) -> str:
    """Return the line that lists the exits of a place."""
    return f"Exits: {', '.join(clean(way) for way in place['exits']) or 'none'}."


def heard_lines(
    heard: Sequence[Mapping[str, Any]],
    view: Mapping[str, Any],
    look: Look,
    lead: str = "",
    answers: Answers = _nothing,
) -> list[str]:
    """Return messages of a turn as lines of text, in order.

    Messages without text are left out. An attack and its outcome become one line.

    Args:
        lead: text before each line.
        answers: names the reactions that meet a kind of attack.
    """
    said: list[tuple[Style | None, str]] = []
    coming: dict[int, str] = {}
    last: Mapping[str, Any] = {}
    for message in heard:
        who = message.get("data", {}).get("coming")
        if who is not None and any(_adds(other, who) for other in heard):
            coming[who] = str(message["text"])
            continue
        is_new = message.get("kind") == "threat" and message["op"] == "add"
        style, text = _said(message, view, answers)
        if is_new and (announced := coming.pop(message["threat"]["from"], "")):
            text = _announced(announced, message["threat"], int(view["now_us"]), answers)
        if not text:
            continue
        if _comes_of(message, last):
            said[-1] = said[-1][0], _folded(last, said[-1][1], text)
        else:
            said.append((style, text))
        last = message
    return [lead + _painted(look, style, wrapped(text, look.width)) for style, text in said]


_HITS = frozenset(("landed", "overflow"))
"""Outcomes of an attack that takes health."""


def _comes_of(message: Mapping[str, Any], last: Mapping[str, Any]) -> bool:
    """Return whether `message` reports the outcome of the attack that `last` reported."""
    why = last.get("threat", {}).get("why") if last.get("kind") == "threat" else last.get("why")
    if last.get("kind") in ("threat", "blow") and why not in _HITS:
        return False
    if message.get("kind") == "died":
        return last.get("kind") == "threat" and last["op"] == "gone"
    slain = message.get("data", {}).get("slain")
    same = last.get("to") if last.get("kind") == "blow" else last.get("data", {}).get("slain")
    return slain is not None and slain == same


def _folded(blow: Mapping[str, Any], said: str, outcome: str) -> str:
    """Return an attack and its outcome as one line: "You hit for 7: the wolf is dead." """
    name = the(clean(blow.get("name", "")))
    if blow.get("kind") == "blow" and outcome.startswith(begun(name)):
        return f"You hit for {blow['damage']}: {name}{outcome[len(name) :]}"
    return f"{said} {outcome}"


def _painted(look: Look, style: Style | None, text: str) -> str:
    return text if style is None else look.paint(style, text)


def _adds(message: Mapping[str, Any], source: int) -> bool:
    """Return whether a message reports a new threat from a creature."""
    return bool(
        message.get("kind") == "threat" and message["op"] == "add" and message["threat"]["from"] == source
    )


def _announced(text: str, threat: Mapping[str, Any], now_us: int, answers: Answers) -> str:
    """Return one line for a threat that has its own text."""
    left = max(0, threat["at"] + threat["us"] - now_us) / 1e6
    meets = answers(threat["kind"])
    return f"{begun(text)} ({threat['kind']} in {left:.1f} s [{threat['id']}]{meets and ' - '}{meets})"


def doing(verb: str) -> str:
    """Return a body's activity, for example "attacking", "resting" or "digging"."""
    if verb.endswith("e") and not verb.endswith("ee"):
        verb = verb[:-1]
    elif _DOUBLED.fullmatch(verb):
        verb += verb[-1]
    return f"{verb}ing"


def threat_line(threat: Mapping[str, Any], now_us: int, look: Look, answers: Answers = _nothing) -> str:
    """Return one line on a threat: what is coming, when it lands, and which reactions meet it."""
    return look.paint("danger", _threat(threat, now_us, answers))


def _threat(threat: Mapping[str, Any], now_us: int, answers: Answers) -> str:
    left = max(0, threat["at"] + threat["us"] - now_us) / 1e6
    name, kind, number = begun(the(clean(threat["name"]))), clean(threat["kind"]), threat["id"]
    meets = answers(threat["kind"])
    return f"{name}: {kind} in {left:.1f} s [{number}]{meets and ' - '}{meets}"


def prompt(view: Mapping[str, Any], waiting: int, look: Look) -> str:
    """Return the prompt: health, stamina, turn, current action, waiting commands and threats.

    On a narrow terminal parts are left out, the turn first and the threats last. Without a view, the prompt
    is "> ".
    """
    if not view:
        return "> "
    vitals = view["vitals"]
    parts = {
        "health": f"{vitals['hp']}/{vitals['maxhp']} hp",
        "stamina": f"{vitals['sp']}/{vitals['maxsp']} sp",
        "turn": f"turn {view['turn']}",
    }
    if waiting or view["action"] is not None or view["threats"]:
        parts |= _going_on(view, waiting)
    for less in _LEFT_OUT:
        if len(", ".join(parts.values())) + _PROMPT_FRAME <= look.width:
            break
        parts.pop(less, None)
    return look.paint("dim", f"[{', '.join(parts.values())}]") + " "


_LEFT_OUT = ("turn", "queue", "stamina", "action", "coming")
"""Parts of a prompt, in the order in which they are left out on a narrow terminal."""
_PROMPT_FRAME = 3
"""The width of the brackets round a prompt and of the space after it."""


def _going_on(view: Mapping[str, Any], waiting: int) -> dict[str, str]:
    """Return the optional parts of a prompt, by name."""
    action, threats = view["action"], view["threats"]
    found = {}
    if action is not None:
        left = max(1, action["ends_turn"] - view["turn"])
        found["action"] = f"{doing(clean(action['verb']))} ({left} turn{'s' if left > 1 else ''})"
    if threats:
        soonest = min(threat["at"] + threat["us"] for threat in threats)
        left_s = max(0, soonest - view["now_us"]) / 1e6
        found["coming"] = f"{len(threats)} coming{', first' if len(threats) > 1 else ''} in {left_s:.1f} s"
    if waiting:
        found["queue"] = f"{waiting} queued"
    return found


def _state(other: Mapping[str, Any]) -> str:
    words = " (absent)" if other["linkdead"] else ""
    if other["doing"]:
        words += f", {doing(clean(other['doing']))}"
    if other["state"] != "unhurt":
        words += f", {other['state']}"
    return words


def names(items: Iterable[Mapping[str, Any]]) -> str:
    """Return the names of items with articles. Equal items are listed once, with their count."""
    many: dict[str, int] = {}
    for item in items:
        many[clean(item["name"])] = many.get(clean(item["name"]), 0) + 1
    return ", ".join(counted(name, count) for name, count in many.items())


def _said(message: Mapping[str, Any], view: Mapping[str, Any], answers: Answers) -> tuple[Style | None, str]:
    """Return the style of a message, None for plain text, and its text, "" if it needs none."""
    kind = message.get("kind")
    if kind == "threat" and message["op"] == "add":
        return "danger", _threat(message["threat"], int(view["now_us"]), answers)
    if kind == "threat":
        return _gone(message["threat"])
    if kind == "blow":
        template = _BLOW.get(message["why"], "Your attack on {name} is {why}.")
        return None, begun(template.format(**_worded(message, message["name"])))
    if kind == "react":
        return "danger", "" if message["ok"] else f"{begun(clean(message['why']))}."
    if kind == "died":
        return "danger", "You die."
    return None, _plain(kind, message)


def _plain(kind: str | None, message: Mapping[str, Any]) -> str:
    """Return the text of a message that does not belong to a fight."""
    if kind == "stopped":
        return f"You stop: {clean(message['verb'])}." if message["verb"] else "You had nothing to stop."
    if kind == "failed":
        return f"Something went wrong with {clean(message.get('verb', 'it'))}; it is over and was logged."
    if kind == "missed":
        return f"({message['count']} more things happened at once.)"
    text = message.get("text")
    return begun(text) if isinstance(text, str) else ""


def _gone(threat: Mapping[str, Any]) -> tuple[Style | None, str]:
    if threat["why"] in _UNSAID:
        return None, ""
    words = _worded(threat, threat["name"])
    template = _GONE.get(threat["why"])
    if template is None:
        return "good", f"You have {words['why']} the attack of {words['name']}."
    return "danger", begun(template.format(**words))


def _worded(message: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {"name": the(clean(name)), "damage": message["damage"], "why": clean(message["why"])}
