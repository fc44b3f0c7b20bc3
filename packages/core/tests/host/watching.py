"""Battles that wait for no spectator, and spectators that watch them at random."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from packages.core.tests.host.support import MS, TIMEOUT, Client, Message, Room
from turnwright.kernel.record import Record

TURNS = 40
SPECTATORS = 4
ACTIONS = 12
LONGEST_NS = 5 * TIMEOUT
SPEEDS = (-1, 0, 1, 10, 30, 999)


def thinking(bot: Client, seed: int, intent: Callable[[random.Random], Message]) -> None:
    """Let a bot answer after a time from 0 to 5 timeouts, mostly soon."""
    rng = random.Random(f"thinking/{seed}/{bot.conn}")

    def answer(seen: Message) -> Message:
        is_slow = rng.random() < 0.1
        bot.after_ns = rng.randrange(LONGEST_NS) if is_slow else rng.randrange(TIMEOUT // 2)
        return intent(rng)

    bot.answer = answer


def play(
    room_of: type[Room],
    seed: int,
    intent: Callable[[random.Random], Message],
    *,
    tps: int = 30,
    pacing: str = "apart",
    eyes: bool = False,
    settings: Message | None = None,
    history: Any = True,
) -> Room:
    """Play a battle to its end, and return its room.

    Args:
        eyes: whether spectators watch, pause, change the speed and come and go.
    """
    config = {"seed": seed, "tps": tps, "pacing": pacing, "max_skipped": 0}
    room = room_of(record=True, turns_max=TURNS, **config)
    boss, bots = room.operator(**room_of.usual_operator), room.bots(2)
    for bot in bots:
        thinking(bot, seed, intent)
    if eyes:
        _let_watch(room, boss, seed, history)
    room.start(boss, bots, **(settings or {}))
    while not room.server.over:
        assert room.server.step(), "the battle stands still"
    return room


def _let_watch(room: Room, boss: Client, seed: int, history: Any) -> None:
    rng = random.Random(f"watching/{seed}")
    for _ in range(SPECTATORS):
        at_ns = room.now_ns + rng.randrange(TURNS * TIMEOUT)
        room.server.at(at_ns, lambda: _watch(room, rng, history))
    for _ in range(ACTIONS):
        at_ns = room.now_ns + rng.randrange(TURNS * TIMEOUT)
        room.server.at(at_ns, lambda: _command(boss, rng))


def _watch(room: Room, rng: random.Random, history: Any) -> None:
    """Add a spectator, with or without its own pace, that is slow now and then and may leave."""
    eye = room.spectator(**({"history": history} if rng.random() < 0.6 else {}))
    for _ in range(3):
        room.server.at(room.now_ns + rng.randrange(TIMEOUT * 9), lambda: room.server.full.add(eye.conn))
        room.server.at(room.now_ns + rng.randrange(TIMEOUT * 9), lambda: room.server.relieve(eye.conn))
    if rng.random() < 0.5:
        room.server.at(room.now_ns + rng.randrange(TIMEOUT * 9) + MS, eye.leave)


def _command(boss: Client, rng: random.Random) -> None:
    words = [("pause", "PauseGame"), ("resume", "ResumeGame"), ("step", "NextTurn"), ("speed", "ChangeTps")]
    generic, official = rng.choice(words)
    fields = {"tps": rng.choice(SPEEDS)} if generic == "speed" else {}
    boss.say(generic if boss.greeting == "hello" else official, **fields)


def facts(room: Room) -> list[Any]:
    """Return the facts that decide a battle: the intents, misses, losses and digest of each turn."""
    record: Record = room.record()
    return [
        (one.turn, one.intents, one.skipped, one.late_ns, one.gone, one.disqualified, one.digest)
        for one in record.turns
    ]
