"""The host of a world under all that people do, from a seed: no player is lost, and the record has it all."""

from __future__ import annotations

import base64
from random import Random

import pytest

from packages.world.tests.simulation.virtual_world import VirtualWorld
from tests.parts import few
from turnwright.kernel.battle import Battle
from turnwright_world.example import yard
from turnwright_world.host.accounts import Account
from turnwright_world.host.host import WorldConfig
from turnwright_world.rules.entities import OUTSIDE
from turnwright_world.rules.state import World
from turnwright_world.rules.verbs import CreatureKind, Rules
from turnwright_world.wire.messages import React, WindowSize

PHRASE = "three green apples"
NAMES = ("Anna", "Bert", "Carl", "guest", "x", "admin", "Ève")
LINES = (
    *("go in", "go out", "hit a", "hit b", "dig", "dig", "say ho", "write here", "stop", "quit", "queue", ""),
    *("look", "who", "chat ho \x1b[2J", "tell anna hi", "help", "dodge", "parry 3", "xyzzy", "\x00"),
)
MESSAGES = (
    *(("Core.Size", WindowSize(50, 50)), ("Core.Size", None), ("Odd", [1]), ("Command", {"text": "look"})),
    *(("Command", {"text": 3}), ("Hello", {"name": "Anna"}), ("Combat.React", {})),
)


def with_wolf() -> Rules:
    rules = yard()
    build = rules.build
    rules.kinds["wolf"] = CreatureKind("wolf", "wolf", mind="wolf", attributes={"might": 300})

    def built(world: World, known: Rules) -> None:
        build(world, known)
        known.new_creature(world, "wolf", "yard")

    rules.build = built
    return rules


def wolf(view: dict[str, list[dict[str, str]]]) -> str:
    return f"hit {view['here'][0]['name']}" if view["here"] else ""


class Crowd:
    """Players who do anything at random. Kim has an account; the others are guests, and some become more."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.rules = with_wolf()
        kim = Account("Kim", PHRASE)
        linkdead = self.random.choice((2, 10, 100))
        self.world = VirtualWorld.of(
            self.rules, seed, minds={"wolf": wolf}, accounts=[kim], linkdead_turns=linkdead
        )
        self.world.piece_ns = self.random.choice((0, 100_000, 3_000_000))
        self.conns: list[int] = []
        self.count = 0

    def step(self) -> None:
        choice, world = self.random.random(), self.world
        if choice < 0.08 or not self.conns:
            self.come()
        elif choice < 0.1:
            world.type(self.one(), "keep", PHRASE, PHRASE)
        elif choice < 0.5:
            world.type(self.one(), *self.random.choices(LINES, k=self.random.choice((1, 1, 2, 5))))
        elif choice < 0.6:
            at_us = world.host.clock.game_us(world.now_ns) + self.random.choice((-(10**6), 0, 40_000, 10**7))
            stamp_us = self.random.choice((None, max(0, at_us)))
            reaction, threat = self.random.choice((("dodge", None), ("counter", 1), ("zzz", 99)))
            world.send(self.one(), "Combat.React", React(reaction, stamp_us, threat))
        elif choice < 0.65:
            world.send(self.one(), *self.random.choice(MESSAGES))
        elif choice < 0.7:
            conn = self.one()
            world.drop(conn)
            self.conns.remove(conn)
        elif choice < 0.73:
            world.stall_ms(self.random.choice((50, 300, 2_000)))
        else:
            world.run_ms(self.random.choice((1, 20, 100, 260, 1_000)))
        for conn in [conn for conn in self.conns if conn in world.closed]:
            world.drop(conn)
            self.conns.remove(conn)

    def one(self) -> int:
        return self.random.choice(self.conns)

    def come(self) -> None:
        """Connect a client that gives a name."""
        self.count += 1
        conn, name = self.count, self.random.choice((*NAMES, "Kim"))
        self.conns.append(conn)
        client_kind = self.random.choice(("telnet", "gmcp", "terminal", "program"))
        self.world.connect(conn, client_kind, self.random.choice(("127.0.0.1", "198.51.100.7")))  # type: ignore[arg-type]  # one of those
        if client_kind == "program":
            self.world.send(conn, "Hello", {"name": name, "token": PHRASE if name == "Kim" else ""})
        else:
            self.world.type(conn, name, *([PHRASE] if name == "Kim" else []))

    def restarted(self) -> VirtualWorld:
        """Return the server that continues from the store of a killed one."""
        images: dict[tuple[str, int | str], bytes] = {}
        for turn in self.world.turns:
            images |= {key: image for key, image in turn.changed.items() if image is not None}
            for key in [key for key, image in turn.changed.items() if image is None]:
                images.pop(key, None)
        facts = {name: int(value) for name, value in self.world.turns[-1].facts.items()}
        entities = [(kind, image) for (kind, _), image in images.items()]
        kept = World.of(facts["turn"], facts["now_us"], facts["dt_us"], entities)
        battle = self.world.host.turns.battle
        setup = {**battle.header.setup, "world": base64.b64encode(kept.pack()).decode()}
        again = Battle(battle.game, setup, (), battle.header.seed, battle.header.rules)
        accounts = list(self.world.accounts.values())
        return VirtualWorld(again, WorldConfig(linkdead_turns=4), {"wolf": wolf}, accounts)


@pytest.mark.parametrize("seed", few(range(25), 3, 8))
def test_random_sessions_lose_no_player_and_are_fully_recorded(seed: int) -> None:
    crowd = Crowd(seed)
    for _ in range(500):
        crowd.step()
    crowd.world.run_ms(1_000)
    host, state = crowd.world.host, crowd.world.host.turns.state
    errors = [log.text for log in crowd.world.logs if log.level == "error"]
    assert [text for text in errors if " ms late (" not in text] == []
    there = [conn for conn in crowd.conns if conn not in crowd.world.closed]
    assert [session.conn for session in host.sessions] == there
    for number in state.world.index.driven():
        body = state.world.creatures[number]
        assert body.linkdead_since is not None or host.sessions.of_body(number) is not None, body
    battle = host.turns.battle
    again = Battle(battle.game, battle.header.setup, (), battle.header.seed, battle.header.rules)
    for turn in crowd.world.turns:
        assert turn.entry is not None
        assert again.replay_turn(turn.entry).entry.digest == turn.entry.digest


@pytest.mark.parametrize("seed", few(range(25), 3, 8))
def test_after_a_kill_at_any_time_accounts_have_their_bodies_and_guests_go(seed: int) -> None:
    crowd = Crowd(seed)
    for _ in range(200):
        crowd.step()
    again = crowd.restarted()
    again.enter(1, "Zoe")
    again.run_ms(90_000)
    bodies = again.host.turns.state.world.creatures
    players = [body for body in bodies.values() if body.kind == "person" and body.name != "Zoe"]
    assert [body.place for body in players] == [OUTSIDE] * len(players)
    accounts = again.host.login.accounts.values()
    kept = {account.name: account.body for account in accounts if account.body is not None}
    assert {body.name: body.id for body in players} == kept
