"""Numbers and names as text in a report.

Names are untrusted. They are escaped, so that they can neither control a terminal nor break a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

NAME_LETTERS_MAX = 30
_MARKS = "\\`*[]<>|~&"
"""Characters with a meaning in Markdown."""
_WORDS = ("Name", "Bot", "Won by", "Died, in order", "Its death")
"""Columns of words, aligned left."""


def energy(amount: float) -> str:
    """Return an energy or a similar number with one decimal place, or with none from 1,000 on."""
    return f"{amount:,.0f}" if abs(amount) >= 1000.0 else f"{round(amount, 1) + 0.0:.1f}"


def share(part: float, whole: float) -> str:
    """Return `part` as a percentage of `whole`, or "0 %" if `whole` is 0."""
    return f"{100.0 * part / whole:.0f} %" if whole else "0 %"


def plural(count: int, what: str) -> str:
    """Return a number with a noun, e.g. "1 turn" or "3 turns". `what` is the noun in singular."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def turns_of(count: int) -> str:
    """Return a number with "turn" or "turns"."""
    return plural(count, "turn")


def ordinal(place: int) -> str:
    """Return a place as an ordinal: 1st, 2nd, 3rd, 4th, 11th."""
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place:,}{ending}"


def name_text(name: str) -> str:
    """Return a name for Markdown: `short_name`, escaped."""
    return escaped(short_name(name))


def short_name(name: str) -> str:
    """Return a name whose unprintable characters are replaced, cut to NAME_LETTERS_MAX characters."""
    kept = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name)
    if len(kept) > NAME_LETTERS_MAX:
        kept = kept[: NAME_LETTERS_MAX - 1] + "…"
    return kept


def escaped(text: str) -> str:
    """Return a text for Markdown, with its special characters escaped."""
    return "".join("\\" + letter if _is_mark(text, at) else letter for at, letter in enumerate(text))


def _is_mark(text: str, at: int) -> bool:
    """Return whether a character is special in Markdown. An underscore within a word is not."""
    if text[at] == "_":
        return not (text[at - 1 : at].isalnum() and text[at + 1 : at + 2].isalnum())
    return text[at] in _MARKS or (at == 0 and text[at] in "#+-=")


def cell(value: float | None, digits: int) -> str:
    """Return a number for a table, or "" for None."""
    return "" if value is None else f"{value:,.{digits}f}"


def duration(us: float | None) -> str:
    """Return a number of µs as a short text (850 µs, 1.25 ms, 30 ms, 4.2 s), or "?" for None."""
    if us is None:
        return "?"
    if us < 999.5:
        return f"{us:.0f} µs"
    return f"{us / 1_000:.3g} ms" if us < 999_500 else f"{us / 1_000_000:,.3g} s"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table, in which columns of numbers are aligned right."""
    yield f"| {' | '.join(head)} |"
    yield f"|{''.join('---|' if name in _WORDS else '--:|' for name in head)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)
