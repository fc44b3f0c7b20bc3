"""Sends text, prompts and GMCP packages to sessions.

Room.Info, World.Map and Turn contain no id and no name of a place that the character has not seen. Only the
world's own texts may name such a place. All text of one call becomes one effect, so each connection gets one
write per turn.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, Struct

from turnwright_world.game import WorldState
from turnwright_world.host import effects as fx
from turnwright_world.host import text as rendering
from turnwright_world.host.sessions import QUEUE_MAX, Session
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.outbox import Message
from turnwright_world.rules.seen_map import seen_map, seen_places
from turnwright_world.rules.state import World
from turnwright_world.rules.threats import Reaction, blocks
from turnwright_world.rules.verbs import Rules
from turnwright_world.rules.view import ViewData
from turnwright_world.wire.clock import TimeSegment
from turnwright_world.wire.map_text import map_message
from turnwright_world.wire.server_messages import (
    CharItems,
    CharName,
    CharQueue,
    CharStatus,
    CharVitals,
    DoorState,
    GameText,
    Hindrance,
    NamedItem,
    Readiness,
    Readinesses,
    RoomCreature,
    RoomInfo,
    ThreatAdded,
    ThreatGone,
    TurnChanges,
    TurnMessage,
    Verdict,
    name_of,
)

# A body's knowledge as GMCP packages. A package is sent only if its content has changed.
#
# Telnet and WebSockets with `gmcp.` get these packages. Programs get the same data as objects with a "type".


HERE_MAX = 50
"""The most creatures that Room.Info names. `here_count` is the number of all."""
FIGHT = ("threat", "react")
"""Kinds of messages that have their own packages. See `told`."""
Packages = Iterator[Struct]


class WaysOut(NamedTuple):
    """A body's knowledge of the exits of its place, by direction.

    Attributes:
        seen: the id of the place behind the exit, if the body has seen that place.
        names: the name of the place behind the exit.
    """

    seen: Mapping[str, str]
    names: Mapping[str, str]
    doors: Mapping[str, DoorState]


NO_WAYS = WaysOut({}, {}, {})
"""No known exits: for a spectator, or a body outside."""


def ways_out(world: World, rules: Rules, body: Creature) -> WaysOut:
    """Return what a body knows about the exits of its place."""
    place = world.places.get(body.place)
    if place is None:
        return NO_WAYS
    known = set(seen_places(world, body))
    seen = {way: there for way, there in place.exits.items() if there in known}
    doors = rules.doors(world, body.place)
    return WaysOut(
        seen,
        {way: world.places[there].name for way, there in seen.items()},
        {way: DoorState(name, shut) for way, (name, shut) in doors.items()},
    )


def hindrances(rules: Rules, body: Creature, now_us: int) -> list[Readiness]:
    """Return for each reaction why it would stop no attack now. See `rules.threats.blocks`."""
    policy = rules.threats
    return [
        Readiness(
            reaction.name,
            [
                Hindrance(block.code, block.text, block.until_us)
                for block in blocks(policy, body, reaction, now_us)
            ],
        )
        for reaction in policy.reactions.values()
    ]


def changed(sent: dict[str, Any], view: ViewData, ways: WaysOut = NO_WAYS) -> Packages:
    """Yield the packages whose content differs from `sent`, and update `sent`."""
    own = (view["me"], view["vitals"], view["action"], view["items"])
    if sent.get("Char") != own:
        sent["Char"] = own
        yield from _own(sent, view)
    shown = (view["place"], view["here"][:HERE_MAX], view["here_more"], ways)
    if sent.get("Room.Info") != shown:
        sent["Room.Info"] = shown
        yield _room(view, ways)


def _own(sent: dict[str, Any], view: ViewData) -> Packages:
    """Yield the changed packages about the body itself."""
    me, vitals, action, turn = view["me"], view["vitals"], view["action"], view["turn"]
    yield from _if_new(sent, CharName(me["name"], me["name"], me["id"]))
    hp, sp = (vitals["hp"], vitals["maxhp"]), (vitals["sp"], vitals["maxsp"])
    yield from _if_new(sent, CharVitals(*hp, *sp, vitals["money"], turn), turn=0)
    if action is not None:
        status = CharStatus("dead" if vitals["dead"] else "busy", action["verb"], action["ends_turn"])
    else:
        status = CharStatus("dead" if vitals["dead"] else "free")
    yield from _if_new(sent, status)
    yield from _if_new(
        sent, CharItems("inv", [NamedItem(item["id"], item["name"]) for item in view["items"]])
    )


_MAY_CHANGE = tuple(name for name in TurnChanges.__struct_fields__ if name not in ("turn", "now_us", "heard"))


def turn_changes(sent: dict[str, Any], turn: TurnMessage) -> TurnMessage | TurnChanges:
    """Return the fields of a turn that differ from `sent`, at first the whole turn, and update `sent`.

    Only the first turn contains the threats. Later, Combat.Threat.Add and Combat.Threat.Gone report changes.
    """
    before = sent.get("Turn")
    sent["Turn"] = turn
    if before is None:
        return turn
    new = {name: getattr(turn, name) for name in _MAY_CHANGE if getattr(turn, name) != getattr(before, name)}
    return TurnChanges(turn.turn, turn.now_us, turn.heard or UNSET, **new)


def told(heard: Iterable[Message]) -> Packages:
    """Yield the packages of threats and reactions."""
    for message in heard:
        kind = message.get("kind")
        if kind == "threat":
            is_new = message["op"] == "add"
            yield msgspec.convert(message["threat"], ThreatAdded if is_new else ThreatGone)
        elif kind == "react":
            yield msgspec.convert(message, Verdict)


def whole_queue(view: ViewData) -> Packages:
    """Yield all current threats to a body, for a client that has just connected."""
    for threat in view["threats"]:
        yield msgspec.convert(threat, ThreatAdded)


def _room(view: ViewData, ways: WaysOut) -> RoomInfo:
    place = view["place"]
    return RoomInfo(
        num=zlib.crc32(place["id"].encode()),
        id=place["id"],
        name=place["name"],
        area=place["area"],
        desc=place["text"],
        exits={way: ways.seen.get(way, "") for way in place["exits"]},
        known=dict(ways.names),
        doors=dict(ways.doors),
        here=[msgspec.convert(other, RoomCreature) for other in view["here"][:HERE_MAX]],
        here_count=len(view["here"]) + view["here_more"],
        items=[NamedItem(item["id"], item["name"]) for item in place["items"]],
    )


def _if_new(sent: dict[str, Any], message: Struct, **aside: Any) -> Packages:
    """Yield a message if it differs from the last message of its package in `sent`, and update `sent`.

    Args:
        aside: fields of the message that are sent but not compared.
    """
    name, counts = name_of(message), msgspec.structs.replace(message, **aside) if aside else message
    if sent.get(name) != counts:
        sent[name] = counts
        yield message


_TERMINALS = frozenset(("telnet", "terminal"))
"""Clients that do not wrap lines, or wrap them in the middle of a word."""
_MAP = "World.Map"
_LOOKS_KEPT = 1_024
_SAVES_NOT = (
    "(The world cannot be saved at the moment. It continues, but what happens from now on is lost if the"
    " server stops before it can.)"
)
_SAVES = "(The world is saved again, with all that has happened.)"


class SessionOutput:
    """Sends a session its texts and packages.

    Args:
        emit: receives effects.
        state: returns the world, or None.
    """

    def __init__(
        self, emit: Callable[[fx.Effect], None], state: Callable[[], WorldState | None] = lambda: None
    ) -> None:
        self._emit = emit
        self._state = state
        self._unsaid: dict[int, Session] = {}
        self._answers: rendering.Answers = rendering.answers_of(())
        self._saves = True

    def meets(self, reactions: Iterable[Reaction]) -> None:
        """From now on, list for each attack which of `reactions` meet it."""
        self._answers = rendering.answers_of(reactions)

    def say(self, session: Session, text: str, *, verbatim: bool = False) -> None:
        """Show one or more lines at the end of this call. A program gets them immediately.

        Lines are wrapped to the terminal's width, unless they are verbatim. Text with colours must be wrapped
        already.
        """
        if session.stage == "gone":
            return
        if session.reads_text:
            free = verbatim or session.client_kind not in _TERMINALS or "\x1b" in text
            session.said.append(text if free else rendering.wrapped(text, session.width))
            self._unsaid[session.conn] = session
        else:
            self._emit(fx.SendPackage(session.conn, GameText(text)))

    def ask(self, session: Session, question: str) -> None:
        """Show a question immediately. The player answers with a line."""
        if session.reads_text:
            self._flush_text(session)
            self._emit(fx.ShowPrompt(session.conn, question))
        session.prompted = True

    def unprompted(self, session: Session) -> None:
        """Note that the player typed a line, so that a prompt is due."""
        session.prompted = False
        self._unsaid[session.conn] = session

    def package(self, session: Session, message: Struct) -> None:
        """Send a message to a session's program, if the program accepts messages."""
        if session.packages and session.stage != "gone":
            self._emit(fx.SendPackage(session.conn, message))

    def look(self, session: Session) -> rendering.Look:
        """Return the text settings of a session's terminal."""
        return _look(session.width, session.colours, session.screen_reader)

    def segment(self, session: Session, segment: TimeSegment) -> None:
        """Send a session's program how game time runs from now on."""
        self.package(session, segment)

    def turn(self, session: Session, view: ViewData, heard: Sequence[Message]) -> None:
        """Send the outcome of a turn to a session.

        Args:
            heard: the messages that the session has not received yet.
        """
        moved = session.place != view["place"]["id"]
        session.view, session.place = view, view["place"]["id"]
        if session.client_kind == "program":
            turn = self._turn_message(session, view, heard)
            self.package(session, turn_changes(session.sent, turn) if session.changes else turn)
            self._fight(session, view, heard)
        elif session.packages:
            for message in changed(session.sent, view, self.ways(session)):
                self.package(session, message)
            self._map(session, moved)
            self._fight(session, view, heard)
            self._hindrances(session)
        if session.awaits_turn:
            session.awaits_turn = False
            self._unsaid[session.conn] = session
        if session.reads_text:
            for line in self._lines(session, view, heard, moved):
                self.say(session, line)

    def _turn_message(self, session: Session, view: ViewData, heard: Sequence[Message]) -> TurnMessage:
        """Return a view for the session's program, without ids of unseen places."""
        seen, place = self.ways(session).seen, view["place"]
        return TurnMessage(
            turn=view["turn"],
            now_us=view["now_us"],
            me=view["me"],
            place={**place, "exits": {way: seen.get(way, "") for way in place["exits"]}},
            here=view["here"],
            here_more=view["here_more"],
            vitals=view["vitals"],
            threats=view["threats"],
            action=view["action"],
            items=view["items"],
            memory=view["memory"],
            quests=view["quests"],
            heard=[message for message in heard if message.get("kind") not in FIGHT],
            queue=session.queue.lines(),
        )

    def _lines(self, session: Session, view: ViewData, heard: Sequence[Message], moved: bool) -> list[str]:
        """Return a turn as lines: the messages, a place that the player has entered, and its greetings."""
        heard = _in_words(session, heard)
        look, there = self.look(session), dict[bool, list[Message]]({False: [], True: []})
        for message in heard:
            there[moved and "arrived" in message.get("data", ())].append(message)
        lines = rendering.heard_lines(there[False], view, look, answers=self._answers)
        if moved:
            lines.append(rendering.room(view, look, brief=session.brief))
        return lines + rendering.heard_lines(there[True], view, look, answers=self._answers)

    def early(self, session: Session, heard: Sequence[Message], now_us: int) -> None:
        """Send a session messages of the open turn, at the game time `now_us`."""
        for message in told(heard):
            self.package(session, self._with_lead(session, message))
        self._hindrances(session)
        if session.reads_text and session.view:
            view: ViewData = {**session.view, "now_us": now_us}
            for line in rendering.heard_lines(
                _in_words(session, heard), view, self.look(session), answers=self._answers
            ):
                self.say(session, line)

    def greet_program(self, session: Session) -> None:
        """Send a new program all data that earlier messages would have given it."""
        session.sent.clear()
        assert session.view is not None, "the session has a body"
        for message in changed(session.sent, session.view, self.ways(session)):
            self.package(session, message)
        self._map(session, True)
        for threat in whole_queue(session.view):
            self.package(session, threat)
        self._hindrances(session)

    def forget_map(self, session: Session) -> None:
        """Send the session's map again with the next turn, because the content has changed."""
        session.sent.pop(_MAP, None)

    def _body(self, session: Session) -> tuple[WorldState, Creature] | None:
        """Return the world and the body of a session, or None if it has no body in the world."""
        state = self._state()
        body = None if state is None else state.world.creatures.get(session.body or 0)
        return None if state is None or body is None else (state, body)

    def ways(self, session: Session) -> WaysOut:
        """Return what a session's body knows about the exits of its place."""
        found = self._body(session)
        return NO_WAYS if found is None else ways_out(found[0].world, found[0].rules, found[1])

    def _map(self, session: Session, moved: bool) -> None:
        """Send a player's map if it has changed, which can happen when the player moves."""
        found = self._body(session)
        if found is None or not (moved or _MAP not in session.sent):
            return
        for message in _if_new(session.sent, map_message(seen_map(found[0].world, found[1]))):
            self.package(session, message)

    def _hindrances(self, session: Session) -> None:
        """Tell a player's program why reactions would have no effect, if the reasons have changed."""
        found = self._body(session)
        if found is None or not session.packages or session.client_kind == "program":
            return
        now_us = found[0].world.reached_us
        ready = Readinesses(hindrances(found[0].rules, found[1], now_us), now_us)
        for message in _if_new(session.sent, ready, at=0):
            self.package(session, message)

    def queue(self, session: Session) -> None:
        """Send the session's queue of commands if it has changed."""
        if session.packages and session.sent.get("Char.Queue") != session.queue.version and session.playing:
            session.sent["Char.Queue"] = session.queue.version
            self.package(session, CharQueue(session.queue.lines(), QUEUE_MAX))

    def builders(self, sessions: Iterable[Session], text: str) -> None:
        """Tell the authors of the content what went wrong with it.

        Authors are the sessions from this machine.
        """
        for session in sessions:
            if session.loopback:
                self.say(session, self.look(session).paint("dim", f"(builder) {rendering.clean(text)}"))

    def saved(self, sessions: Iterable[Session], *, works: bool) -> None:
        """Tell players that the world cannot be saved, or that saving works again.

        `warn` tells players who connect while it does not work.
        """
        self._saves = works
        for session in sessions:
            self.say(session, _SAVES if works else _SAVES_NOT)

    def warn(self, session: Session) -> None:
        """Warn a new session if the world cannot be saved."""
        if not self._saves:
            self.say(session, _SAVES_NOT)

    def flush(self) -> None:
        """Emit the text of this call. A prompt follows the text of each session."""
        unsaid, self._unsaid = self._unsaid, {}
        for session in unsaid.values():
            if session.stage == "gone":
                continue
            self.queue(session)
            if not session.reads_text or not (session.said or not (session.prompted or session.awaits_turn)):
                continue
            self._flush_text(session)
            if session.stage == "playing" and session.view:
                waiting = len(session.queue)
                self._emit(
                    fx.ShowPrompt(session.conn, rendering.prompt(session.view, waiting, self.look(session)))
                )
                session.prompted = True

    def last_words(self, session: Session) -> None:
        """Send the pending messages of a session that is about to end."""
        self._flush_text(session)
        self._unsaid.pop(session.conn, None)

    def _flush_text(self, session: Session) -> None:
        if not session.said:
            return
        text, session.said = "\n".join(session.said), []
        fresh = "\n" if session.prompted and session.entered else ""
        self._emit(fx.ShowText(session.conn, f"{fresh}{text}\n"))
        session.prompted = False

    def _fight(self, session: Session, view: ViewData, heard: Sequence[Message]) -> None:
        """Send a program new threats and answers to reactions. A new program gets all current threats."""
        if not session.entered:
            for threat in whole_queue(view):
                self.package(session, threat)
            heard = [message for message in heard if message.get("kind") != "threat"]
        for message in told(heard):
            self.package(session, self._with_lead(session, message))

    def _with_lead(self, session: Session, message: Struct) -> Struct:
        """Return a message. If it answers a reaction, it then also reports how early the reaction came."""
        if isinstance(message, Verdict) and message.at in session.early_us:
            return msgspec.structs.replace(message, early_us=session.early_us.pop(message.at))
        return message


def _in_words(session: Session, heard: Sequence[Message]) -> Sequence[Message]:
    """Return the messages that are shown as text.

    A page that gets packed messages writes its own text for threats.
    """
    if session.client_kind != "packed":
        return heard
    return [message for message in heard if message.get("kind") != "threat"]


@lru_cache(_LOOKS_KEPT)
def _look(width: int, colours: bool, screen_reader: bool) -> rendering.Look:
    return rendering.Look(width, colours, screen_reader)
