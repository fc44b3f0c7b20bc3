"""WorldGame: the world as a game of the kernel. Each seat is a body.

Bodies join and leave an open world while it runs, through the gate, which is seat 0. The server asks players
and programs for intents, but does not wait for them. The server also asks the minds of creatures that a
player could notice, and waits for their answers. A mind that does not answer in time does nothing. A closed
world, the default, has only the bodies of its seats and no gate. The server waits for all of them.

The host may play the open turn up to any moment (`advance`), so that it can report an attack as soon as
it has landed. The host may also play the turn in pieces (`pieces`), so that it can read input between two
pieces. Neither changes the result.
"""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from turnwright.errors import SetupError
from turnwright.kernel.game import Game, OnSkip, Outcome, Seat, SeatInfo, StateTable
from turnwright.kernel.rng import Stream, Streams
from turnwright_world.example import yard
from turnwright_world.intent import GATE, IDLE, ReactionInput, WorldIntent, merge
from turnwright_world.rules.creature_index import FAR_TURNS
from turnwright_world.rules.entities import Creature, Key
from turnwright_world.rules.joining import DRIVERS, join
from turnwright_world.rules.kept_entities import KINDS
from turnwright_world.rules.outbox import GATE_MESSAGES, FailedAction, Message, Outbox
from turnwright_world.rules.perception import spectator_in
from turnwright_world.rules.state import DT_US_MAX, DT_US_MIN, World
from turnwright_world.rules.timeline import Timeline
from turnwright_world.rules.turn import play_turn
from turnwright_world.rules.verbs import Rules
from turnwright_world.rules.view import PackedView, Pieces, ViewData, Views

DT_US = 250_000
"""The default game time of one turn, µs."""
DEEDS_MAX = 4
"""The number of ended actions that the view of a mind contains."""
_DEEDS_SPARE = 1_000
HEARD_MAX = 200
"""The most messages that a body gets in one turn. If there are more, the last one counts the dropped ones."""
_COLUMNS = ("turn", "now_us", "dt_us", *(f"{kind}s" for kind in KINDS))
KEYFRAME_TURNS = 2_400
"""The number of turns from one keyframe of a record to the next. A world is large, so this is ten minutes."""


class WorldState:
    """The world between two turns.

    Args:
        rules: the current rules.
        is_open: whether the world has a gate.
        seats: the number of seats in the header.
        turns: how many turns the world lasts. 0 means that it never ends.
        far: whether creatures far from all players plan, too, but less often.

    Attributes:
        playing: the remaining pieces of a turn that is played in pieces.
        heard: the messages of each body in the last turn.
        deeds: the last ended actions of each body with a mind, the oldest first.
        changed: the packed entities that changed since the store last took them. None means a deletion.
        troubles: the failed steps of the last turn.
    """

    __slots__ = (
        "_asked",
        "_pieces",
        "changed",
        "deeds",
        "far",
        "heard",
        "is_open",
        "playing",
        "rules",
        "seats",
        "seen",
        "troubles",
        "turns",
        "views",
        "world",
    )

    def __init__(
        self, world: World, rules: Rules, is_open: bool, seats: int, turns: int, far: bool = False
    ) -> None:
        self.world = world
        self.rules = rules
        self.is_open = is_open
        self.seats = seats
        self.turns = turns
        self.far = far
        self.playing: Iterator[int | None] | None = None
        self.heard: dict[int, list[Message]] = {}
        self.seen: list[tuple[str, Message]] = []
        """The messages that watched places perceived in the last turn."""
        self.deeds: dict[int, tuple[Message, ...]] = {}
        self.changed: dict[Key, bytes | None] = {}
        self.troubles: list[FailedAction] = []
        self._pieces = Pieces()
        self.settle()

    def settle(self) -> None:
        """Update the views, the asked seats and `changed` after the world has changed."""
        self.changed.update(self.world.settle())
        self.views = Views(self.world, self.rules.sees, self._pieces)
        self._asked: tuple[int, tuple[Seat, ...], tuple[Seat, ...]] = (-1, (), ())

    def take_changed(self) -> dict[Key, bytes | None]:
        """Return `changed`, and begin to collect the next changes for the store."""
        changed, self.changed = self.changed, {}
        return changed

    def note_deeds(self, ended: list[tuple[int, Message]]) -> None:
        """Remember the last ended actions of each body."""
        for number, deed in ended:
            self.deeds[number] = (*self.deeds.get(number, ())[1 - DEEDS_MAX :], deed)
        creatures = self.world.creatures
        if len(self.deeds) > 2 * len(creatures) + _DEEDS_SPARE:
            self.deeds = {number: deeds for number, deeds in self.deeds.items() if number in creatures}

    def deeds_of(self, body: Creature) -> list[Message] | None:
        """Return the last ended actions of a body, or None if no mind controls the body."""
        return list(self.deeds.get(body.id, ())) if body.driver == "mind" else None

    def far_away(self) -> list[Seat]:
        """Return the seats far from all players that plan in this turn. There are none if `far` is off."""
        return self.world.index.far(self.world.turn % FAR_TURNS) if self.far else []

    def seated(self) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
        """Return the seats that are asked and the seats that are awaited, both in ascending order.

        A closed world asks no seat before its first turn.
        """
        index = self.world.index
        if self._asked[0] != index.version:
            driven, awake = index.driven(), [*index.awake(), *self.far_away()]
            awake.sort()
            asked = tuple(sorted([*driven, *awake, *([GATE] if self.is_open else ())]))
            self._asked = index.version, asked, tuple(awake) if self.is_open else asked
        return self._asked[1:] if self.is_open or self.world.turn else ((), ())


class WorldGame(Game[WorldState, WorldIntent]):
    """The rules of a world.

    Args:
        rules: compiled content. None means the yard of `example`.
        library: all contents that the world has had or will have, by hash. See `reload` in `intent`.
    """

    name = "world"
    behaviour_version = 4
    open_ended = True
    keyframe_turns = KEYFRAME_TURNS
    defaults: Mapping[str, Any] = {"dt_us": DT_US, "open": False, "turns": 0, "content": "", "far": False}

    def __init__(self, rules: Rules | None = None, library: Mapping[str, Rules] | None = None) -> None:
        self.rules = rules if rules is not None else yard()
        self.library: dict[str, Rules] = {self.rules.content_hash: self.rules, **(library or {})}

    # ---- what the kernel asks ------------------------------------------------------------------------------

    def setup(self, setup: Mapping[str, Any], seats: Sequence[SeatInfo], streams: Streams) -> WorldState:
        """Return a new world.

        Each seat gets a body with its number, except for the gate of an open world. A seat has the same
        options as a join (kind, place, driver …). The setting "world" is a stored world that continues, in
        Base64.

        Raises:
            SetupError: a setting is wrong, the content is unknown, the kind or the driver of a seat does not
                exist, or the stored world cannot be read.
        """
        dt_us, turns, is_open = setup["dt_us"], setup["turns"], bool(setup["open"])
        if type(turns) is not int or turns < 0:
            raise SetupError(f"turns is {turns!r}: give a number of turns, or 0 for a world that never ends")
        if type(dt_us) is not int or not DT_US_MIN <= dt_us <= DT_US_MAX:
            raise SetupError(f"dt_us is {dt_us!r}: give {DT_US_MIN} to {DT_US_MAX} µs, e.g. {DT_US}")
        if not is_open and not seats:
            raise SetupError("a closed world got no seats: give it at least 1, or set open")
        rules = self._rules_of(str(setup["content"]) or self.rules.content_hash)
        if setup.get("world"):
            return self._kept(setup, dt_us, is_open, len(seats))
        world = World(dt_us)
        world.facts.next_id, world.facts.content = max(1, len(seats)), rules.content_hash
        rules.build(world, rules)
        if rules.start not in world.places:
            raise SetupError(f"bodies start in {rules.start!r}, which is not a place of the content")
        for number, info in list(enumerate(seats))[1 if is_open else 0 :]:
            data = {"driver": "program", "owner": info.name, "kind": rules.player_kind, **info.options}
            _check_choice(info, "kind", data["kind"], rules.kinds)
            _check_choice(info, "driver", data["driver"], DRIVERS)
            join(world, rules, streams, None, info.name, data, number)
        world.outbox = Outbox()
        return WorldState(world, rules, is_open, len(seats), turns, bool(setup["far"]))

    def asked(self, state: WorldState) -> Sequence[Seat]:
        """Return the gate, the driven bodies, and the minds that are awake or far and due to plan."""
        return state.seated()[0]

    def awaited(self, state: WorldState) -> Sequence[Seat]:
        """Return the asked minds of an open world, or all asked seats of a closed world."""
        return state.seated()[1]

    def far(self, state: WorldState) -> frozenset[Seat]:
        """Return the awaited minds that are far from all players. They plan after the other minds."""
        return frozenset(state.far_away())

    def opening(self, state: WorldState) -> bool:
        """Return whether a closed world has just begun. A world has no rounds."""
        return state.world.turn == 1 and not state.is_open

    def observe(self, state: WorldState, seat: Seat) -> Any:
        """Return the view of a body. The view of a mind also has the last actions of its body.

        For the gate, or a body that no longer exists, return only the turn and its messages.
        """
        body, heard = state.world.creatures.get(seat), state.heard.get(seat, [])
        if body is None:
            return {"turn": state.world.turn, "heard": list(heard)}
        seen, deeds = state.views.observe(body, heard), state.deeds_of(body)
        return seen if deeds is None else {**seen, "last": deeds}

    def look(self, state: WorldState, seat: Seat) -> ViewData:
        """Return the view of a body. Callers must not change it, because views share its parts."""
        return state.views.look(state.world.creatures[seat], state.heard.get(seat, []))

    def look_at(self, state: WorldState, place: str) -> ViewData:
        """Return the view of a spectator in a place. Like a body, a spectator needs light."""
        nobody = spectator_in(place)
        heard = [message for where, message in state.seen if where == place][:HEARD_MAX]
        return state.views.look(nobody, heard)

    def observe_packed(self, state: WorldState, seat: Seat) -> tuple[PackedView, dict[str, Any]]:
        """Return the observation of a seat as JSON, and its mind's memory as JSON values, {} without one."""
        body, heard = state.world.creatures.get(seat), state.heard.get(seat, [])
        if body is None:
            return PackedView(msgspec.json.encode({"turn": state.world.turn, "heard": heard})), {}
        memory = msgspec.to_builtins(body.memory) if body.memory else {}
        packed, deeds = state.views.pack(body, heard), state.deeds_of(body)
        if deeds is not None:
            packed = packed._replace(own=b'%b,"last":%b}' % (packed.own[:-1], msgspec.json.encode(deeds)))
        return packed, memory

    def frame(self, state: WorldState) -> Any:
        """Return the turn, the game time in µs, and the id, name and place of every body, as JSON values."""
        world = state.world
        bodies = [{"id": c.id, "name": c.name, "place": c.place} for c in world.creatures.values()]
        return {"turn": world.turn, "now_us": world.now_us, "creatures": bodies}

    def merge(self, first: WorldIntent, second: WorldIntent) -> WorldIntent:
        """Return an intent that combines two intents of the same turn."""
        return merge(first, second)

    def default_intent(self, state: WorldState, seat: Seat, on_skip: OnSkip) -> WorldIntent:
        """Return an intent without a command, so that no command is repeated."""
        return IDLE

    def retire(self, state: WorldState, seat: Seat) -> None:
        """Remove the driver of a body, which stays in the world."""
        body = state.world.creatures.get(seat)
        if body is not None:
            state.world.touch(body)
            body.driver = "none"
            state.settle()

    def resolve(
        self, state: WorldState, intents: Mapping[Seat, WorldIntent], streams: Streams
    ) -> Sequence[Any]:
        """Play one turn, or the pieces that `pieces` left of it, and return the steps that failed."""
        world = state.world
        playing, state.playing = state.playing, None
        for _ in playing or self._play(state, intents, streams):
            pass
        outbox, world.outbox = world.outbox, Outbox()
        state.troubles, state.heard, state.seen = outbox.troubles, _heard(outbox), outbox.seen
        state.note_deeds(outbox.deeds)
        state.settle()
        return state.troubles

    def faults(self, state: WorldState) -> Sequence[tuple[str, str]]:
        """Return the steps of the last turn that failed and were undone, each with the type of its error."""
        return tuple((trouble.what, trouble.error) for trouble in state.troubles)

    def outcome(self, state: WorldState) -> Outcome | None:
        """Return the money of each seat after the last turn, 0 for a seat without a body.

        Return None before the last turn, and for a world that never ends.
        """
        world = state.world
        if not 0 < state.turns <= world.turn:
            return None
        bodies = [world.creatures.get(seat) for seat in range(state.seats)]
        return Outcome(tuple(0.0 if body is None else float(body.money) for body in bodies))

    def snapshot(self, state: WorldState) -> bytes:
        """Return the numbers of `World.sums`, in 8 bytes each: turn, times, and sums of hashes."""
        return b"".join(number.to_bytes(8, "little") for number in state.world.sums())

    def tables(self, state: WorldState) -> Iterator[StateTable]:
        """Yield the snapshot, and the hashes of the bodies of the seats."""
        yield StateTable("world", _COLUMNS, self.snapshot(state), every_column=True)
        hashes = [state.world.kept.hash_of(("creature", seat)) for seat in range(state.seats)]
        rows = b"".join(number.to_bytes(8, "little") for number in hashes)
        yield StateTable("bodies", ("hash",), rows, by_seat=True)

    def save(self, state: WorldState) -> bytes:
        """Return a JSON string that contains the packed world in Base64."""
        return json.dumps(base64.b64encode(state.world.pack()).decode()).encode()

    def restore(self, state: WorldState, data: bytes) -> None:
        """Restore a world that `save` returned.

        Raises:
            ValueError: the data does not come from `save`, or `put_back` refuses the world.
        """
        world = World.unpack(base64.b64decode(msgspec.json.decode(data, type=str), validate=True))
        self.put_back(state, world)

    def random_intent(self, state: WorldState, seat: Seat, rng: Stream) -> WorldIntent:
        """Return an intent for tests: `write` with a random number, and sometimes a parry.

        `write` changes the yard of `example`, so a test notices whether the intent was played.
        """
        presses = [ReactionInput(1 + rng.below(9_000_000), "parry") for _ in range(rng.below(2))]
        return WorldIntent("write", str(rng.below(10**6)), presses=tuple(presses))

    def write_intent(self, intent: WorldIntent) -> Any:
        """Return an intent as JSON values, without fields that have their default."""
        return msgspec.to_builtins(intent)

    def read_intent(self, data: Any) -> Any:
        """Return the intent that `write_intent` wrote.

        Raises:
            ValueError: the data is not an intent.
        """
        return msgspec.convert(data, WorldIntent)

    # ---- for the host --------------------------------------------------------------------------------------

    def put_back(self, state: WorldState, world: World) -> None:
        """Continue with a stored world.

        Raises:
            ValueError: the turns of the stored world have another duration, or its content is unknown.
        """
        if world.dt_us != state.world.dt_us:
            raise ValueError(
                f"a turn of the saved world lasts {world.dt_us} µs, but here {state.world.dt_us} µs"
            )
        try:
            rules = self._rules_of(world.facts.content)
        except SetupError as error:
            raise ValueError(str(error)) from error
        state.world, state.rules = world, rules
        state.heard, state.troubles, state.changed, state.playing = {}, [], {}, None
        state.deeds = {}
        state.settle()
        state.changed = {}

    def advance(
        self, state: WorldState, streams: Streams, until_us: int, intents: Mapping[Seat, WorldIntent]
    ) -> list[tuple[Seat, Message]]:
        """Play timers and reactions of the open turn up to `until_us`, and return their messages.

        The observation after the turn contains these messages again, before all others.

        Args:
            intents: the intents collected so far (the answers in the inbox of `Battle.collecting`).
        """
        told = state.world.outbox.told
        before = len(told)
        Timeline(state.world, state.rules, streams).advance(until_us, intents)
        return told[before:]

    def pieces(
        self, state: WorldState, streams: Streams, intents: Mapping[Seat, WorldIntent]
    ) -> Iterator[int | None]:
        """Play the collected turn piece by piece. Each piece yields the body that has acted, or None.

        `resolve` then plays the remaining pieces, or raises the exception of a failed piece.

        Args:
            intents: the intents that `resolve` will get.
        """
        in_order = {seat: intents[seat] for seat in sorted(intents)}
        state.playing = playing = self._play(state, in_order, streams)
        try:
            for who in playing:  # noqa: UP028 - closing this must leave `resolve` its generator
                yield who
        except Exception as error:
            state.playing = _raising(error)

    def _play(
        self, state: WorldState, intents: Mapping[Seat, WorldIntent], streams: Streams
    ) -> Generator[int | None, None, None]:
        state.rules = yield from play_turn(state.world, state.rules, streams, intents, self._rules_of)

    def press_time(self, state: WorldState, at_us: int) -> int:
        """Return the game time at which a reaction for `at_us` takes effect if it arrives now.

        This time is in the part of the open turn that has not been played yet.
        """
        world = state.world
        return min(max(at_us, world.reached_us + 1), world.now_us + world.dt_us)

    def _kept(self, setup: Mapping[str, Any], dt_us: int, is_open: bool, seats: int) -> WorldState:
        """Return the state of a stored world, which never ends. Nothing in it counts as changed.

        Raises:
            SetupError: the stored world cannot be read, its turns have another duration, or its content is
                unknown.
        """
        try:
            world = World.unpack(base64.b64decode(str(setup["world"]), validate=True))
        except (ValueError, TypeError, LookupError) as error:
            raise SetupError(f"the saved world cannot be read: {error}") from error
        if world.dt_us != dt_us:
            raise SetupError(f"the saved world has turns of {world.dt_us} µs, not {dt_us}")
        rules = self._rules_of(world.facts.content)
        state = WorldState(world, rules, is_open, seats, 0, bool(setup["far"]))
        state.take_changed()
        return state

    def _rules_of(self, content: str) -> Rules:
        """Return the rules of a content hash.

        Raises:
            SetupError: the content is unknown.
        """
        if content not in self.library:
            raise SetupError(
                f"the world needs content {content!r}; available: {', '.join(map(repr, self.library))}."
                " Start the world with its original content files"
            )
        return self.library[content]


def _check_choice(info: SeatInfo, name: str, given: object, choices: Iterable[str]) -> None:
    there = tuple(choices)
    if given not in there:
        raise SetupError(f"{name} of the seat {info.name!r} is {given!r:.60}: give one of {', '.join(there)}")


def _raising(error: Exception) -> Iterator[None]:
    """Yield once, as for a piece of a turn, and then raise an error."""
    yield
    raise error


def _heard(outbox: Outbox) -> dict[int, list[Message]]:
    """Return the messages of each body, in order. GATE_MESSAGES is the key of the gate's messages."""
    heard: dict[int, list[Message]] = defaultdict(list)
    for number, message in outbox.told:
        heard[number].append(message)
    for number, messages in outbox.delivered.items():
        heard[number] += messages
    for number, messages in heard.items():
        if number != GATE_MESSAGES and len(messages) > HEARD_MAX:
            missed = len(messages) - HEARD_MAX + 1
            messages[HEARD_MAX - 1 :] = [{"kind": "missed", "count": missed}]
    return dict(heard)
