"""What `help` says: all commands on one screen, and of each one more.

Verbs tell of themselves; what works at once, and reactions, are told of here, from their numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache

from turnwright.games.world.rules import Rules
from turnwright.games.world.threats import Reaction
from turnwright.host.world import rendering

__all__ = ["AT_ONCE", "dropped_words", "help_text", "no_command", "waits"]

WORD_SHOWN_MAX = 40
"""Characters that are shown of a word that is no command."""
_ALIKE = 0.6
_WORDS_KEPT = 1_024

AT_ONCE: Mapping[str, str] = {
    "look": "look, or look NAME: this place, or what is in it",
    "exits": "exits: the ways that lead out of here",
    "say": "say TEXT (or 'TEXT): to players who are here",
    "chat": "chat TEXT: to all players",
    "tell": "tell NAME TEXT, then reply TEXT: to one player, wherever that is",
    "who": "who: the players",
    "inventory": "inventory: what you have",
    "score": "score: how you are",
    "queue": "queue: the commands that wait for their turn",
    "stop": "stop: empties the queue at once and interrupts what you do at your next turn",
    "time": "time: the turn, and how long one takes",
    "keep": "keep: choose a passphrase; then your character waits for you",
    "mind": "mind: a Python file that acts for you while you are away, or a companion; mind help tells how",
    "quit": "quit: leave the world",
}
"""Commands that work at once, and what they do."""
_TAKES = {
    "all": "everything that is coming at you",
    "first": "the next blow",
    "id": "one blow, by its number, or else the next",
}


def help_text(rules: Rules, asked: str, width: int) -> str:
    """Return the help on a word; on nothing: all commands, on one screen; on `all`: all of it."""
    word = asked.strip().lower()
    if not word:
        return _screen(rules, width)
    if word == "all":
        parts = [*(verb.help or verb.name for verb in rules.verbs.values()), *_at_once(rules).values()]
        parts += [_reaction(one) for one in rules.threats.reactions.values()]
    else:
        parts = [_of(rules, word)]
    return "\n".join(rendering.wrapped(part, width) for part in parts)


def no_command(rules: Rules, word: str) -> str:
    """Return what is said of a word that is no command: which one it may have been meant for."""
    known = {*rules.verbs, *_at_once(rules), *rules.threats.reactions}
    known |= {alias for verb in rules.verbs.values() for alias in verb.aliases}
    alike = _alike(word[:WORD_SHOWN_MAX], frozenset(known))
    what = f"Did you mean {alike}?" if alike else "Type help for all words."
    return f"{word[:WORD_SHOWN_MAX]!r} is no command. {what}"


@lru_cache(_WORDS_KEPT)
def _alike(word: str, known: frozenset[str]) -> str:
    """Return the word that is most like one, "" where none is."""
    return next(iter(get_close_matches(word, sorted(known), 1, _ALIKE)), "")


def waits(doing: str) -> str:
    """Return what is said of a command that has to wait for what its body does."""
    return f"You are {rendering.doing(doing)}; that waits until you are done. (stop ends what you do.)"


def dropped_words(count: int) -> str:
    """Return that commands were dropped from the queue, 1 or more."""
    return f"{count} waiting command{'s are' if count > 1 else ' is'} dropped"


def _screen(rules: Rules, width: int) -> str:
    lines = [
        f"What takes its turn: {', '.join(rules.verbs)}.",
        f"What works at once: {', '.join(_at_once(rules))}.",
        f"When something is coming at you: {', '.join(rules.threats.reactions)}.",
        "help WORD tells more of a word, help all of all. The start of a word will do, and n, e, s, w, u, d"
        " for the ways. Commands may be typed ahead: they wait, and stop drops them.",
    ]
    return "\n".join(rendering.wrapped(line, width) for line in lines)


def _at_once(rules: Rules) -> dict[str, str]:
    return {word: text for word, text in AT_ONCE.items() if word not in rules.verbs}


def _of(rules: Rules, word: str) -> str:
    at_once, reactions = _at_once(rules), rules.threats.reactions
    verb = rules.verb(word)
    if word in at_once and not rules.names(word):
        return at_once[word]
    if word in reactions:
        return _reaction(reactions[word])
    if verb is not None:
        return verb.help or f"{verb.name}: nobody has described it."
    return f"There is no {word[:40]!r}. Type help for all words."


def _reaction(one: Reaction) -> str:
    """Return what a reaction takes and costs, e.g. "parry: meets the next blow (blade, bite); …"."""
    takes = _TAKES.get(one.clears, f"what lands within {one.band_us / 1e6:g} s")
    kinds = f" ({', '.join(one.kinds)})" if one.kinds else ""
    back = f" {one.returned} % of it goes back." if one.returned else ""
    return (
        f"{one.name}: meets {takes}{kinds}; costs {one.stamina} stamina, and for {one.lockout_us / 1e6:g} s"
        f" nothing else is possible.{back}"
    )
