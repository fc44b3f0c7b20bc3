"""What a player types about minds: mind, mind paste, stop, start, prints, show, drop.

Lines of a paste are no commands and cost nothing of what may be typed a second, as long as they are within
what a mind may have.
"""

from __future__ import annotations

from typing import Any, Protocol

from turnwright.host.world import rendering
from turnwright.host.world.minding import Minding, Refused
from turnwright.host.world.pasting import PASTE_LINES_MAX, Paste
from turnwright.host.world.sessions import Session
from turnwright.wire.planning import PLAYER_SOURCE_SIZE_MAX
from turnwright.wire.telnet.packages import MindDo, MindFor, MindPut

__all__ = ["HELP", "do_mind", "mind_message", "take_pasted"]

_END, _CANCEL = ".", ".cancel"
HELP = (
    "mind: your minds, and how they fare. mind paste, or mind paste NAME for a companion: paste a Python file"
    " with plan(view, random), then a line with a full stop alone. mind stop, start, prints, show, drop, each"
    " with NAME or without. Without a name it is the mind that acts for you while you are away"
)


class Study(Protocol):
    """What these commands see of the host."""

    minding: Minding

    @property
    def now_ns(self) -> int:
        """The time of what is being done."""

    def say(self, session: Session, text: str) -> None:
        """Show a line."""

    def package(self, session: Session, name: str, data: Any) -> None:
        """Send a message to its program."""


def do_mind(study: Study, session: Session, rest: str) -> None:
    """Carry out a line that began with mind."""
    word, name = _parsed(rest)
    try:
        if word not in _WORDS:
            raise Refused(f"{word[:40]!r} means nothing here. {HELP}.")
        _WORDS[word](study, session, name)
    except Refused as refused:
        study.say(session, rendering.wrapped(str(refused), session.width))


def _parsed(rest: str) -> tuple[str, str]:
    """Return word and name of "paste wolf", "for wolf paste", "for wolf" or nothing."""
    word, _, name = rest.strip().partition(" ")
    if word.lower() != "for":
        return word.lower(), name.strip()
    name, _, last = name.strip().rpartition(" ")
    return (last.lower(), name.strip()) if name and last.lower() in _WORDS else ("", f"{name} {last}".strip())


def take_pasted(study: Study, session: Session, line: str) -> None:
    """Take a line while a mind is being pasted."""
    paste = session.paste
    assert paste is not None
    if line.strip() == _CANCEL:
        session.paste = None
        study.say(session, "Nothing was handed over.")
    elif line.strip() != _END:
        paste.add(line)
    else:
        session.paste = None
        if paste.dropped:
            most = f"{PLAYER_SOURCE_SIZE_MAX} bytes and {PASTE_LINES_MAX} lines"
            study.say(session, f"That is no mind: it has more than {most}.")
            return
        source = "\n".join(paste.lines).rstrip() + "\n"
        _try(study, session, lambda: study.minding.hand_over(session, paste.target, source, study.now_ns))


def mind_message(study: Study, session: Session, data: Any) -> None:
    """Carry out a message Mind.Put, Mind.Do or Mind.Show of a player's program, or send what there is."""
    minding = study.minding
    if isinstance(data, MindPut):
        _try(study, session, lambda: minding.hand_over(session, data.target, data.source, study.now_ns))
    elif isinstance(data, MindDo):
        _try(study, session, lambda: _WORDS[data.what](study, session, data.target))
        _try(study, session, lambda: minding.send_status(session))
    elif isinstance(data, MindFor):
        _try(study, session, lambda: _send_source(study, session, data.target))
    else:
        _try(study, session, lambda: minding.send_status(session))


def _try(study: Study, session: Session, what: Any) -> None:
    try:
        what()
    except Refused as refused:
        study.say(session, rendering.wrapped(str(refused), session.width))
        study.package(session, "Mind.Refused", {"text": str(refused)})


def _send_source(study: Study, session: Session, name: str) -> None:
    mind = study.minding.of(session, study.minding.target(session, name).id)
    study.package(session, "Mind.Source", {"body": mind.body, "source": mind.source, "hash": mind.hash})


def _status(study: Study, session: Session, name: str) -> None:
    """Tell of all minds, or of one."""
    only = study.minding.target(session, name).id if name else None
    for row in study.minding.rows(session):
        if only in (None, row["body"]):
            study.say(session, rendering.wrapped(_row_text(row), session.width))


def _row_text(row: dict[str, Any]) -> str:
    who = "You" if row["own"] else f"{row['name']} (#{row['body']})"
    if "hash" not in row:
        return f"{who}: no mind of yours. (mind help)"
    state = ("it acts while you are away" if row["own"] else "it acts") if row["on"] else "stopped"
    done = row["plans"].get("planned", 0)
    missed = ", ".join(f"{why} {count}" for why, count in sorted(row["plans"].items()) if why != "planned")
    fared = f"{done} plans" + (f"; none: {missed}" if missed else "")
    return f"{who}: a mind of {row['bytes']} bytes ({row['hash']}), {state}. {fared}."


def _paste(study: Study, session: Session, name: str) -> None:
    body = study.minding.target(session, name)
    session.paste = Paste(f"#{body.id}")
    study.say(session, f"Paste it now, then a line with {_END} alone; {_CANCEL} ends it with nothing.")


def _stop(study: Study, session: Session, name: str) -> None:
    study.say(session, study.minding.stop(session, name))


def _start(study: Study, session: Session, name: str) -> None:
    study.say(session, study.minding.start(session, name, study.now_ns))


def _drop(study: Study, session: Session, name: str) -> None:
    study.say(session, study.minding.drop(session, name))


def _prints(study: Study, session: Session, name: str) -> None:
    wanted = study.minding.of(session, study.minding.target(session, name).id).body
    (row,) = [row for row in study.minding.rows(session) if row["body"] == wanted]
    lines = [f"turn {look['turn']}, {look['what']}: {look['text'].rstrip()}" for look in row["looks"]]
    study.say(session, rendering.wrapped("\n".join(lines), session.width) if lines else "Nothing yet.")


def _show(study: Study, session: Session, name: str) -> None:
    mind = study.minding.of(session, study.minding.target(session, name).id)
    study.say(session, rendering.clean(mind.source.rstrip("\n")))


def _help(study: Study, session: Session, name: str) -> None:
    study.say(session, rendering.wrapped(f"{HELP}.", session.width))


_WORDS: dict[str, Any] = {
    "": _status,
    "paste": _paste,
    "stop": _stop,
    "start": _start,
    "drop": _drop,
    "prints": _prints,
    "show": _show,
    "help": _help,
}
