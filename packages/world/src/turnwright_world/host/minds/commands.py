"""The `mind` command: paste, stop, start, prints, show, drop.

The lines of a paste are not commands. Up to the size limit of a mind they do not count for the rate limit of
lines.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from turnwright_world.host import text as rendering
from turnwright_world.host.minds.pasted_source import PASTE_LINES_MAX, Paste
from turnwright_world.host.minds.service import MindRefused, MindService
from turnwright_world.host.sessions import Session
from turnwright_world.intent import PLAYER_SOURCE_SIZE_MAX
from turnwright_world.rules.naming import begun
from turnwright_world.wire.messages import MindDo, MindFor, MindPut
from turnwright_world.wire.server_messages import MindRefusal, MindRow, MindSource

_END, _CANCEL = ".", ".cancel"
HELP = (
    "mind: your minds, and how they fare. mind paste, or mind paste NAME for a companion: paste a Python file"
    " with plan(view, random), then a line with a full stop alone. mind stop, start, prints, show, drop, each"
    " with NAME or without. Without a name it is the mind that acts for you while you are away"
)


def do_mind(minds: MindService, session: Session, rest: str) -> None:
    """Carry out a `mind` command."""
    word, name = _parsed(rest)
    try:
        if word not in _WORDS:
            raise MindRefused(f"{word[:40]!r} means nothing here. {HELP}.")
        _WORDS[word](minds, session, name)
    except MindRefused as refused:
        minds.context.say(session, rendering.wrapped(str(refused), session.width))
        if word == "paste":
            session.paste = Paste("", refused=True, heard_ns=minds.context.now_ns)
            minds.context.say(session, f"What is pasted up to a line with {_END} alone has no effect.")


def _parsed(rest: str) -> tuple[str, str]:
    """Return the word and the name from "paste wolf", "for wolf paste", "for wolf" or an empty text."""
    word, _, name = rest.strip().partition(" ")
    if word.lower() != "for":
        return word.lower(), name.strip()
    name, _, last = name.strip().rpartition(" ")
    return (last.lower(), name.strip()) if name and last.lower() in _WORDS else ("", f"{name} {last}".strip())


def take_pasted(minds: MindService, session: Session, line: str) -> None:
    """Handle a line that a player pastes: a line of a mind, or the end or the cancellation of the paste."""
    paste = session.paste
    assert paste is not None
    paste.heard_ns = minds.context.now_ns
    if paste.refused:
        session.paste = None if line.strip() in (_END, _CANCEL) else paste
    elif line.strip() == _CANCEL:
        session.paste = None
        minds.context.say(session, "Nothing was handed over.")
    elif line.strip() != _END:
        paste.add(line)
    else:
        session.paste = None
        if paste.dropped:
            most = f"{PLAYER_SOURCE_SIZE_MAX} bytes and {PASTE_LINES_MAX} lines"
            minds.context.say(session, f"That is not a mind: it has more than {most}.")
            return
        source = "\n".join(paste.lines).rstrip() + "\n"
        _try(minds, session, lambda: minds.hand_over(session, paste.target, source, minds.context.now_ns))


def mind_message(minds: MindService, session: Session, data: Any) -> None:
    """Carry out a program's message about minds: Mind.Put, Mind.Do, Mind.Show or Mind.List.

    Mind.Show sends the source of a mind. Mind.Do and Mind.List send the status of all minds.
    """
    if isinstance(data, MindPut):
        _try(minds, session, lambda: minds.hand_over(session, data.target, data.source, minds.context.now_ns))
    elif isinstance(data, MindDo):
        _try(minds, session, lambda: _WORDS[data.what](minds, session, data.target))
        _try(minds, session, lambda: minds.send_status(session))
    elif isinstance(data, MindFor):
        _try(minds, session, lambda: _send_source(minds, session, data.target))
    else:
        _try(minds, session, lambda: minds.send_status(session))


def _try(minds: MindService, session: Session, what: Any) -> None:
    try:
        what()
    except MindRefused as refused:
        minds.context.say(session, rendering.wrapped(str(refused), session.width))
        minds.context.package(session, MindRefusal(str(refused)))


def _send_source(minds: MindService, session: Session, name: str) -> None:
    mind = minds.of(session, minds.target(session, name).id)
    minds.context.package(session, MindSource(mind.body, mind.source, mind.hash))


def _status(minds: MindService, session: Session, name: str) -> None:
    """Show the status of all minds or of one."""
    only = minds.target(session, name).id if name else None
    for row in minds.rows(session):
        if only in (None, row.body):
            minds.context.say(session, rendering.wrapped(_row_text(row), session.width))


def _row_text(row: MindRow) -> str:
    who = "You" if row.own else f"{begun(row.name)} (#{row.body})"
    if row.plans is UNSET:
        return f"{who}: no mind of yours. (mind help)"
    state = ("it acts while you are away" if row.own else "it acts") if row.on else "stopped"
    done = row.plans.get("planned", 0)
    missed = ", ".join(f"{why} {count}" for why, count in sorted(row.plans.items()) if why != "planned")
    fared = f"{done} plans" + (f"; none: {missed}" if missed else "")
    return f"{who}: a mind of {row.bytes} bytes ({row.hash}), {state}. {fared}."


def _paste(minds: MindService, session: Session, name: str) -> None:
    body = minds.target(session, name)
    session.paste = Paste(f"#{body.id}")
    minds.context.say(
        session, f"Paste it now, then a line with {_END} alone; {_CANCEL} ends it with nothing."
    )


def _stop(minds: MindService, session: Session, name: str) -> None:
    minds.context.say(session, minds.stop(session, name))


def _start(minds: MindService, session: Session, name: str) -> None:
    minds.context.say(session, minds.start(session, name, minds.context.now_ns))


def _drop(minds: MindService, session: Session, name: str) -> None:
    minds.context.say(session, minds.drop(session, name))


def _prints(minds: MindService, session: Session, name: str) -> None:
    wanted = minds.of(session, minds.target(session, name).id).body
    looks = minds.history(wanted).looks
    lines = [f"turn {turn}, {what}: {text.rstrip()}" for turn, what, text in looks]
    minds.context.say(
        session, rendering.wrapped("\n".join(lines), session.width) if lines else "Nothing yet."
    )


def _show(minds: MindService, session: Session, name: str) -> None:
    mind = minds.of(session, minds.target(session, name).id)
    minds.context.say(session, rendering.clean(mind.source.rstrip("\n")), verbatim=True)


def _help(minds: MindService, session: Session, name: str) -> None:
    minds.context.say(session, rendering.wrapped(f"{HELP}.", session.width))


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
