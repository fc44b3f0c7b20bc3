"""WorldGame: the world as a game of the kernel; seats are bodies.

An open world has a gate, seat 0: bodies come and go while it runs. Players and programs are asked and never
awaited. Creatures with a mind are asked and awaited if a player could notice them. A mind that does not
answer in time does nothing. A closed world, the default, has the bodies of its seats and no gate, and waits
for all.

The host may play the open turn up to any moment (`advance`), so that a landing is reported when it happens.
It may play the turn in pieces (`pieces`), so that input is read in between. The result is the same.
"""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from turnwright.errors import SetupError
from turnwright.kernel.game import Game, OnSkip, Outcome, Seat, SeatInfo, StateTable
from turnwright.kernel.rng import Stream, Streams
from turnwright_world.example import yard
from turnwright_world.intent import GATE, IDLE, ReactionInput, WorldIntent, merge
from turnwright_world.rules.creature_index import FAR_TURNS
from turnwright_world.rules.entities import Creature, Key
from turnwright_world.rules.joining import join
from turnwright_world.rules.kept_entities import KINDS
from turnwright_world.rules.outbox import GATE_MESSAGES, FailedAction, Message, Outbox
from turnwright_world.rules.perception import spectator_in
from turnwright_world.rules.state import DT_US_MAX, DT_US_MIN, World
from turnwright_world.rules.timeline import Timeline
from turnwright_world.rules.turn import play_turn
from turnwright_world.rules.verbs import Rules
from turnwright_world.rules.view import PackedView, Pieces, ViewData, Views

DT_US = 250_000
"""Game time of one turn, µs, where the setup does not say."""
DEEDS_MAX = 4
"""How many ended actions of a body its mind gets."""
_DEEDS_SPARE = 1_000
HEARD_MAX = 200
"""Messages that a body may get in one turn. Of further ones it gets the number."""
_COLUMNS = ("turn", "now_us", "dt_us", *(f"{kind}s" for kind in KINDS))
KEYFRAME_TURNS = 2_400
"""From one keyframe of a record to the next, ten minutes: a world is large, and a turn of it quick."""


class WorldState:
    """The world between two turns.

    Args:
        rules: the current rules.
        is_open: whether it has a gate.
        seats: the seats of its header.
        turns: how many turns the world lasts. 0 means without end.
        far: whether creatures far from all players plan, too, at a slower beat.

    Attributes:
        playing: what is left of a turn that is played in pieces.
        heard: the messages of each body in the last turn.
        deeds: by body with a mind, its last actions that have ended, the oldest first.
        changed: what has changed since the store last took it, packed. None is a deletion.
        troubles: what failed in the last turn.
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
        """Messages perceived in the last turn in places that are watched."""
        self.deeds: dict[int, tuple[Message, ...]] = {}
        self.changed: dict[Key, bytes | None] = {}
        self.troubles: list[FailedAction] = []
        self._pieces = Pieces()
        self.settle()

    def settle(self) -> None:
        """Update everything that is derived from the world."""
        self.changed.update(self.world.settle())
        self.views = Views(self.world, self.rules.sees, self._pieces)
        self._asked: tuple[int, tuple[Seat, ...], tuple[Seat, ...]] = (-1, (), ())

    def take_changed(self) -> dict[Key, bytes | None]:
        """Return the changes since the last call, for the store."""
        changed, self.changed = self.changed, {}
        return changed

    def note_deeds(self, ended: list[tuple[int, Message]]) -> None:
        """Remember what bodies did, and how it ended; of each the last ones."""
        for number, deed in ended:
            self.deeds[number] = (*self.deeds.get(number, ())[1 - DEEDS_MAX :], deed)
        creatures = self.world.creatures
        if len(self.deeds) > 2 * len(creatures) + _DEEDS_SPARE:
            self.deeds = {number: deeds for number, deeds in self.deeds.items() if number in creatures}

    def deeds_of(self, body: Creature) -> list[Message] | None:
        """Return what a body did last, for its mind; None where no mind decides for it."""
        return list(self.deeds.get(body.id, ())) if body.driver == "mind" else None

    def far_away(self) -> list[Seat]:
        """Return those of the awaited who are far from everybody.

        None unless the setup lets them plan.
        """
        return self.world.index.far(self.world.turn % FAR_TURNS) if self.far else []

    def seated(self) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
        """Return who is asked and who is awaited, in order."""
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
        rules: compiled content; a small yard without.
        library: by content hash, all contents that the world has had or will have. See `reload` in `intent`.
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

        Each seat gets a body with its number, except for the gate of an open world.

        The options of a seat are those of a join (kind, place, driver …). The setting "world" is a kept world
        that continues, packed, in Base64.

        Raises:
            SetupError: a setting is wrong, the content is unknown, or the kept world cannot be read.
        """
        dt_us, turns, is_open = setup["dt_us"], setup["turns"], bool(setup["open"])
        if type(turns) is not int or turns < 0:
            raise SetupError(f"turns is {turns!r}; give 0 (it never ends) or a number of turns")
        if type(dt_us) is not int or not DT_US_MIN <= dt_us <= DT_US_MAX:
            raise SetupError(f"dt_us is {dt_us!r}; give {DT_US_MIN} to {DT_US_MAX} µs, e.g. {DT_US}")
        if not is_open and not seats:
            raise SetupError("a closed world got no seats; give it at least 1, or set open")
        rules = self._rules_of(str(setup["content"]) or self.rules.content_hash)
        if setup.get("world"):
            return self._kept(setup, dt_us, is_open, len(seats))
        world = World(dt_us)
        world.facts.next_id, world.facts.content = max(1, len(seats)), rules.content_hash
        rules.build(world, rules)
        if rules.start not in world.places:
            raise SetupError(f"bodies start in {rules.start!r}, which is not a place of the content")
        for number, info in list(enumerate(seats))[1 if is_open else 0 :]:
            data = {"driver": "program", "owner": info.name, **info.options}
            join(world, rules, streams, None, info.name, data, number)
        world.outbox = Outbox()
        return WorldState(world, rules, is_open, len(seats), turns, bool(setup["far"]))

    def asked(self, state: WorldState) -> Sequence[Seat]:
        """Return the gate, the driven bodies and the minds that are awake."""
        return state.seated()[0]

    def awaited(self, state: WorldState) -> Sequence[Seat]:
        """Return the minds that are awake; in a closed world all."""
        return state.seated()[1]

    def far(self, state: WorldState) -> frozenset[Seat]:
        """Return those of them that are far from everybody: they plan behind the others."""
        return frozenset(state.far_away())

    def opening(self, state: WorldState) -> bool:
        """Return whether the bodies of a closed world have just been put into it.

        There are no rounds.
        """
        return state.world.turn == 1 and not state.is_open

    def observe(self, state: WorldState, seat: Seat) -> Any:
        """Return what a body may know now; for the gate, what has come of its events."""
        body, heard = state.world.creatures.get(seat), state.heard.get(seat, [])
        if body is None:
            return {"turn": state.world.turn, "heard": list(heard)}
        seen, deeds = state.views.observe(body, heard), state.deeds_of(body)
        return seen if deeds is None else {**seen, "last": deeds}

    def look(self, state: WorldState, seat: Seat) -> ViewData:
        """Return what `observe` returns of a body, but not to be changed.

        Views share parts of it, also later ones.
        """
        return state.views.look(state.world.creatures[seat], state.heard.get(seat, []))

    def look_at(self, state: WorldState, place: str) -> ViewData:
        """Return what there is to see and hear in a place, as `look` does.

        A spectator needs light.
        """
        nobody = spectator_in(place)
        heard = [message for where, message in state.seen if where == place][:HEARD_MAX]
        return state.views.look(nobody, heard)

    def observe_packed(self, state: WorldState, seat: Seat) -> tuple[PackedView, dict[str, Any]]:
        """Return what `observe` returns, as JSON, and the memory of its mind.

        The memory as JSON values.
        """
        body, heard = state.world.creatures.get(seat), state.heard.get(seat, [])
        if body is None:
            return PackedView(msgspec.json.encode({"turn": state.world.turn, "heard": heard})), {}
        memory = msgspec.to_builtins(body.memory) if body.memory else {}
        packed, deeds = state.views.pack(body, heard), state.deeds_of(body)
        if deeds is not None:
            packed = packed._replace(own=b'%b,"last":%b}' % (packed.own[:-1], msgspec.json.encode(deeds)))
        return packed, memory

    def frame(self, state: WorldState) -> Any:
        """Return the place of every body."""
        world = state.world
        bodies = [{"id": c.id, "name": c.name, "place": c.place} for c in world.creatures.values()]
        return {"turn": world.turn, "now_us": world.now_us, "creatures": bodies}

    def merge(self, first: WorldIntent, second: WorldIntent) -> WorldIntent:
        """Return one intent for two."""
        return merge(first, second)

    def default_intent(self, state: WorldState, seat: Seat, on_skip: OnSkip) -> WorldIntent:
        """Return an intent that begins nothing new; a command is never repeated."""
        return IDLE

    def retire(self, state: WorldState, seat: Seat) -> None:
        """Remove the driver of a body."""
        body = state.world.creatures.get(seat)
        if body is not None:
            state.world.touch(body)
            body.driver = "none"
            state.settle()

    def resolve(
        self, state: WorldState, intents: Mapping[Seat, WorldIntent], streams: Streams
    ) -> Sequence[Any]:
        """Play one turn, and return what failed in it."""
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
        """Return what failed in the last turn and was undone: (what, type of the error)."""
        return tuple((trouble.what, trouble.error) for trouble in state.troubles)

    def outcome(self, state: WorldState) -> Outcome | None:
        """Return how rich each seat is when all turns of the setup are over.

        Without such a number the world continues for ever.
        """
        world = state.world
        if not 0 < state.turns <= world.turn:
            return None
        bodies = [world.creatures.get(seat) for seat in range(state.seats)]
        return Outcome(tuple(0.0 if body is None else float(body.money) for body in bodies))

    def snapshot(self, state: WorldState) -> bytes:
        """Return turn, game time, and for each kind of entity a sum over their hashes."""
        return b"".join(number.to_bytes(8, "little") for number in state.world.sums())

    def tables(self, state: WorldState) -> Iterator[StateTable]:
        """Yield the snapshot, and the hashes of the bodies of the seats."""
        yield StateTable("world", _COLUMNS, self.snapshot(state), every_column=True)
        hashes = [state.world.kept.hash_of(("creature", seat)) for seat in range(state.seats)]
        rows = b"".join(number.to_bytes(8, "little") for number in hashes)
        yield StateTable("bodies", ("hash",), rows, by_seat=True)

    def save(self, state: WorldState) -> bytes:
        """Return the whole world as JSON, on one line."""
        return json.dumps(base64.b64encode(state.world.pack()).decode()).encode()

    def restore(self, state: WorldState, data: bytes) -> None:
        """Put back what `save` returned, or raise ValueError for anything else."""
        world = World.unpack(base64.b64decode(msgspec.json.decode(data, type=str), validate=True))
        self.put_back(state, world)

    def random_intent(self, state: WorldState, seat: Seat, rng: Stream) -> WorldIntent:
        """Return a command that leaves a trace, so that it matters whether it was there."""
        presses = [ReactionInput(1 + rng.below(9_000_000), "parry") for _ in range(rng.below(2))]
        return WorldIntent("write", str(rng.below(10**6)), presses=tuple(presses))

    def write_intent(self, intent: WorldIntent) -> Any:
        """Return an intent as JSON values, without what it does not say."""
        return msgspec.to_builtins(intent)

    def read_intent(self, data: Any) -> Any:
        """Return the intent that `write_intent` wrote.

        Raises:
            ValueError: anything else.
        """
        return msgspec.convert(data, WorldIntent)

    # ---- further questions of a host
    # ------------------------------------------------------------------------

    def put_back(self, state: WorldState, world: World) -> None:
        """Go on with a world that was kept, e.g. by a store.

        Raises:
            ValueError: it does not fit.
        """
        if world.dt_us != state.world.dt_us:
            raise ValueError(
                f"a turn of the saved world lasts {world.dt_us} µs, one of this battle {state.world.dt_us} µs"
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
        """Play timers and reactions of the open turn up to `until_us`, and return the messages that they
        caused.

        The messages come again in the observation after the turn, before all others.

        Args:
            intents: the intents collected so far (`Battle.collected`).
        """
        told = state.world.outbox.told
        before = len(told)
        Timeline(state.world, state.rules, streams).advance(until_us, intents)
        return told[before:]

    def pieces(
        self, state: WorldState, streams: Streams, intents: Mapping[Seat, WorldIntent]
    ) -> Iterator[int | None]:
        """Play the collected turn, piece by piece. It yields as `play_turn` does.

        `resolve` plays what is left, or raises what failed.

        Args:
            intents: all that `resolve` gets.
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
        """Return the game time at which a reaction counts.

        It arrives now and is meant for `at_us`.

        Never in what has been played already, and in the open turn.
        """
        world = state.world
        return min(max(at_us, world.reached_us + 1), world.now_us + world.dt_us)

    def _kept(self, setup: Mapping[str, Any], dt_us: int, is_open: bool, seats: int) -> WorldState:
        """Return the state of a world that was kept, without changes.

        Raises:
            SetupError: the kept world cannot be read, or its turns have another duration.
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
            SetupError: they are not known.
        """
        if content not in self.library:
            raise SetupError(
                f"the world needs content {content!r}; there is {', '.join(map(repr, self.library))}:"
                " start it with the files that it was made with"
            )
        return self.library[content]


def _raising(error: Exception) -> Iterator[None]:
    """Return a turn that fails."""
    yield
    raise error


def _heard(outbox: Outbox) -> dict[int, list[Message]]:
    """Return the messages of each body, in order. The gate's messages are under its number."""
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
