"""Commands that work at once and touch nothing in the world: looking, talking past it, help, leaving.

Everything else that is typed is a command of the world and waits for its turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from turnwright.games.world.rules import Rules
from turnwright.games.world.view import DARK
from turnwright.host.world import rendering
from turnwright.host.world.buffer import QUEUE_MAX
from turnwright.host.world.helping import help_text
from turnwright.host.world.mind_commands import do_mind
from turnwright.host.world.minding import Minding
from turnwright.host.world.sessions import Session, Sessions

__all__ = ["IMMEDIATE", "Room", "immediate_of", "split", "talk"]

TALK_CHARS_MAX = 500
_START_MIN = 2
"""Letters that the start of a command's word has at least."""
_SHORT = {"n": "north", "s": "south", "e": "east", "w": "west", "u": "up", "d": "down"}
_WAYS = frozenset(("in", "out", *_SHORT.values()))
_MARKS = {"'": "say", '"': "say", ":": "emote"}
"""What a line means that begins with one of these."""


class Room(Protocol):
    """What these commands see of the host."""

    @property
    def sessions(self) -> Sessions:
        """Who is connected."""

    @property
    def rules(self) -> Rules:
        """The rules that count now."""

    def say(self, session: Session, text: str) -> None:
        """Show a line."""

    def look(self, session: Session) -> rendering.Look:
        """Return how its terminal wants text."""

    def view(self, session: Session) -> Mapping[str, Any]:
        """Return what its body knows now."""

    def package(self, session: Session, name: str, data: Any) -> None:
        """Send a message to its program."""

    @property
    def now_ns(self) -> int:
        """The time of what is being done."""

    minding: Minding

    def stop(self, session: Session) -> None:
        """Empty its queue and interrupt what its body does."""

    def leave(self, session: Session) -> None:
        """Let it leave the world."""

    def keep(self, session: Session) -> None:
        """Begin the dialogue for an account."""

    def clock_line(self) -> str:
        """Return the turn and its length in words."""


Immediate = Callable[[Room, Session, str], None]


def split(line: str, rules: Rules) -> tuple[str, str]:
    """Return the word that a line begins with, and the rest. A direction alone is a way to go."""
    text = line.strip()
    if text[:1] in _MARKS:
        return _MARKS[text[0]], text[1:].strip()
    word, _, rest = text.partition(" ")
    word = word.lower()
    if not rest and word in _SHORT and not rules.names(word):
        word = _SHORT[word]
    if not rest and "go" in rules.verbs and not rules.names(word):
        return ("go", word) if word in _WAYS else (word, "")
    return word, rest.strip()


def immediate_of(word: str, rules: Rules) -> Immediate | None:
    """Return the command that works at once for a word, or the only one whose word begins so.

    A verb of the world by that name comes first, but for those in ALWAYS.
    """
    if word in IMMEDIATE:
        return IMMEDIATE[word] if word in ALWAYS or not rules.names(word) else None
    verb = rules.verb(word)
    if len(word) < _START_MIN or (verb is not None and (rules.names(word) or verb.name.startswith(word))):
        return None
    starting = [name for name in IMMEDIATE if name.startswith(word)]
    return IMMEDIATE[starting[0]] if len(starting) == 1 else None


def talk(room: Room, channel: str, talker: str, text: str, heard_by: Iterable[Session], shown: str) -> None:
    """Send something said to its listeners: as a message to those whose programs take it, else as text."""
    message = {"channel": channel, "talker": talker, "text": rendering.clean(text)}
    painted: dict[rendering.Look, str] = {}
    for listener in heard_by:
        room.package(listener, "Comm.Channel.Text", message)
        if listener.reads_text:
            look = room.look(listener)
            if look not in painted:
                painted[look] = look.paint("talk", rendering.wrapped(shown, look.width))
            room.say(listener, painted[look])


def _look(room: Room, session: Session, rest: str) -> None:
    view = room.view(session)
    if not rest:
        room.say(session, rendering.room(view, room.look(session)))
        return
    wanted = rest.removeprefix("at ").strip().lower()
    for other in view["here"]:
        if any(word.startswith(wanted) for word in other["name"].lower().split()):
            kind = room.rules.kinds.get(other["kind"])
            text = kind.text if kind is not None and kind.text else f"{other['name']}, a {other['kind']}."
            text += f" {rendering.begun(other['name'])} is {other['state']}."
            room.say(session, rendering.wrapped(rendering.begun(text), session.width))
            return
    things = [*view["items"], *view["place"]["items"]]
    found = next((i for i in things if any(w.startswith(wanted) for w in i["name"].lower().split())), None)
    if found is not None:
        shown = room.rules.item_text(found["kind"]) or f"You see nothing special about {found['name']}."
    elif scenery := _scenery(room, view["place"], wanted):
        shown = scenery
    elif way := next((way for way in view["place"]["exits"] if way.startswith(wanted)), ""):
        shown = f"There is a way {way}. Go and see."
    else:
        shown = "There is no such thing here."
    room.say(session, rendering.wrapped(shown, session.width))


def _scenery(room: Room, place: Mapping[str, Any], wanted: str) -> str:
    """Return how something looks that belongs to a place, "" where there is none or it is not seen."""
    return "" if place["text"] == DARK else room.rules.scenery_text(place["id"], wanted)


def _exits(room: Room, session: Session, rest: str) -> None:
    exits = rendering.exits_line(room.view(session)["place"])
    room.say(session, rendering.wrapped(exits, session.width))


def _inventory(room: Room, session: Session, rest: str) -> None:
    view = room.view(session)
    names = rendering.names(view["items"]) or "nothing"
    text = f"You have {names}, and {view['vitals']['money']} coins."
    room.say(session, rendering.wrapped(text, session.width))


def _score(room: Room, session: Session, rest: str) -> None:
    view = room.view(session)
    vitals = view["vitals"]
    parts = [f"{name} {value}" for name, value in sorted(view["me"]["attributes"].items())]
    text = (
        f"{session.name}: {vitals['hp']}/{vitals['maxhp']} health, {vitals['sp']}/{vitals['maxsp']} stamina."
    )
    text += f" {', '.join(parts)}." if parts else ""
    room.say(session, rendering.wrapped(text, session.width))


def _who(room: Room, session: Session, rest: str) -> None:
    names = sorted(rendering.clean(player.name) for player in room.sessions.players())
    room.say(session, rendering.wrapped(f"{len(names)} here: {', '.join(names)}.", session.width))


def _tell(room: Room, session: Session, rest: str) -> None:
    name, _, text = rest.partition(" ")
    _tell_to(room, session, name, text)


def _reply(room: Room, session: Session, rest: str) -> None:
    if not session.talker:
        room.say(session, "Nobody has told you anything.")
        return
    _tell_to(room, session, session.talker, rest)


def _tell_to(room: Room, session: Session, name: str, text: str) -> None:
    other, text = room.sessions.find(name), text.strip()[:TALK_CHARS_MAX]
    if other is None or not text:
        room.say(session, f"There is nobody called {name!r} here." if name and text else "tell NAME TEXT")
        return
    other.talker = session.name
    talk(room, "tell", session.name, text, [other], f"{session.name} tells you: {text}")
    room.say(session, rendering.wrapped(f"You tell {other.name}: {text}", session.width))


def _chat(room: Room, session: Session, rest: str) -> None:
    text = rest.strip()[:TALK_CHARS_MAX]
    if not text:
        room.say(session, "chat TEXT")
        return
    talk(room, "chat", session.name, text, room.sessions.players(), f"[chat] {session.name}: {text}")


def _say(room: Room, session: Session, rest: str) -> None:
    """Say something to the players in the same place, where the world has no such verb of its own."""
    text = rest.strip()[:TALK_CHARS_MAX]
    if not text:
        room.say(session, "say TEXT")
        return
    talk(room, "say", session.name, text, room.sessions.near(session), f"{session.name} says: {text}")
    room.say(session, rendering.wrapped(f"You say: {text}", session.width))


def _queue(room: Room, session: Session, rest: str) -> None:
    lines = session.buffer.lines()
    numbered = "\n".join(f"{k}. {rendering.clean(line)}" for k, line in enumerate(lines, 1))
    room.say(session, f"{numbered}\n{len(lines)} of {QUEUE_MAX} wait." if lines else "Nothing waits.")


def _stop(room: Room, session: Session, rest: str) -> None:
    room.stop(session)


def _quit(room: Room, session: Session, rest: str) -> None:
    room.leave(session)


def _keep(room: Room, session: Session, rest: str) -> None:
    room.keep(session)


def _save(room: Room, session: Session, rest: str) -> None:
    room.say(session, "Every turn is saved by itself. Type keep to come back under a passphrase of yours.")


def _time(room: Room, session: Session, rest: str) -> None:
    room.say(session, room.clock_line())


def _commands(room: Room, session: Session, rest: str) -> None:
    room.say(session, help_text(room.rules, "", session.width))


def _help(room: Room, session: Session, rest: str) -> None:
    room.say(session, help_text(room.rules, rest, session.width))


IMMEDIATE: Mapping[str, Immediate] = {
    "look": _look,
    "l": _look,
    "exits": _exits,
    "inventory": _inventory,
    "i": _inventory,
    "score": _score,
    "who": _who,
    "tell": _tell,
    "whisper": _tell,
    "reply": _reply,
    "chat": _chat,
    "say": _say,
    "queue": _queue,
    "stop": _stop,
    "quit": _quit,
    "keep": _keep,
    "mind": do_mind,
    "save": _save,
    "time": _time,
    "help": _help,
    "?": _help,
    "commands": _commands,
}
"""By word. A verb of the world by the same name comes first, but for those in ALWAYS."""
ALWAYS = frozenset(("stop", "quit", "queue", "help", "look", "who", "tell", "chat"))
"""What no content can take away."""
