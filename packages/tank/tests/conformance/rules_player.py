"""Play a conformance scenario directly with the rules, without a server, and compare what each client saw.

The official server's answers are in `scenarios/<name>/official`. What it leaves open is not compared: the
order of tanks and of events within a tick, and bullet ids (renamed to owner#k).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from packages.tank.tests.conformance.compare import Names, load_official, unequal
from packages.tank.tests.conformance.player import Run
from packages.tank.tests.conformance.scenarios import SCENARIOS, load, segment_of
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams
from turnwright_tank.game import TankGame
from turnwright_tank.results import ScoreRow
from turnwright_tank.structs import TankIntent, merge

_SETUP = {
    "game_type": "gameType",
    "arena_width": "arenaWidth",
    "arena_height": "arenaHeight",
    "number_of_rounds": "numberOfRounds",
    "gun_cooling_rate": "gunCoolingRate",
    "max_inactivity_turns": "maxInactivityTurns",
}
_ROW = {
    "survival": "survival",
    "lastSurvivorBonus": "last_survivor_bonus",
    "bulletDamage": "bullet_damage",
    "ramDamage": "ram_damage",
    "ramKillBonus": "ram_kill_bonus",
    "totalScore": "total",
}
_PLACES = {"firstPlaces": "first_places", "secondPlaces": "second_places", "thirdPlaces": "third_places"}


class Bot:
    """A scripted bot, which has the answer to each tick."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self.spec = spec
        self.gone = False

    def answer(self, round_number: int, turn: int) -> TankIntent | None:
        """Return the intent of this turn, or None if the bot is silent or has disconnected."""
        segment = segment_of(self.spec, round_number, turn)
        if self.gone or segment.get("silent"):
            return None
        self.gone = bool(segment.get("disconnect"))
        messages = segment.get("intents", [segment.get("intent", {})])
        if not messages:
            return None
        intent = msgspec.convert(messages[0], TankIntent, strict=False)
        for more in messages[1:]:
            intent = merge(intent, msgspec.convert(more, TankIntent, strict=False))
        return intent


def _results(row: ScoreRow, *, told: bool) -> dict[str, Any]:
    data: dict[str, Any] = {key: int(getattr(row, name) + 0.5) for key, name in _ROW.items()}
    data["bulletKillBonus"] = int(row.bullet_kill_bonus)
    data.update({key: getattr(row, name) for key, name in _PLACES.items()}, rank=row.rank)
    if not told:
        data.update(id=row.id, name=row.name, version=row.version, isTeam=row.is_team)
    return data


def play(name: str, game: TankGame) -> dict[str, list[dict[str, Any]]]:
    """Play a scenario, and return the messages that each client saw, by the client's name."""
    scenario = load(name)
    meta = json.loads((SCENARIOS / name / "official" / "meta.json").read_text())
    wishes = "-i" in scenario["server"]["args"]
    bots, seats = [], []
    for spec in sorted(scenario["bots"], key=lambda spec: meta["ids"][spec["name"]]):
        hand = spec.get("handshake", {})
        options = {
            "droid": hand.get("isDroid", False),
            "session_id": meta["sessionIds"][spec["name"]],
            "team_name": hand.get("teamName", ""),
            "team_version": hand.get("teamVersion", ""),
            "initial_position": hand.get("initialPosition", {}) if wishes else {},
        }
        bots.append(Bot(spec))
        seats.append(SeatInfo(spec["name"], hand.get("version", "1.0"), hand.get("teamId"), options))
    setup = {ours: scenario["setup"][theirs] for ours, theirs in _SETUP.items()}
    streams = Streams(1)
    state = game.setup(setup, seats, streams)
    seen: dict[str, list[dict[str, Any]]] = {"observer": [], **{f"bot-{s.name}": [] for s in seats}}
    limit = scenario.get("compareTurns")
    while game.outcome(state) is None and not (limit and state.turn_number >= limit):
        asked = game.asked(state)
        answers = {s: bots[s].answer(state.round_number, state.turn_number) for s in asked}
        intents = {
            s: game.default_intent(state, s, "repeat") if intent is None else intent
            for s, intent in answers.items()
        }
        game.resolve(state, intents, streams)
        for policy in scenario.get("controller", []):
            _apply_policy(policy, state, seats)
        seen["observer"].append(msgspec.to_builtins(game.frame(state)))
        for seat in state.started:
            seen[f"bot-{seats[seat].name}"].append(msgspec.to_builtins(game.observe(state, seat)))
        game.snapshot(state)
        if state.round_over:
            results = state.results
            ended = {"roundNumber": state.round_number, "turnNumber": state.turn_number}
            rows = [_results(row, told=False) for row in results.rows]
            seen["observer"].append({"type": "RoundEndedEventForObserver", "results": rows, **ended})
            for seat, row in enumerate(results.seats):
                told = {"type": "RoundEndedEventForBot", "results": _results(row, told=True), **ended}
                seen[f"bot-{seats[seat].name}"].append(told)
    return seen


def _apply_policy(policy: dict[str, Any], state: Any, seats: list[SeatInfo]) -> None:
    send, when = policy["send"], policy.get("when") or {}
    if isinstance(send, dict) and "debuggingEnabled" in send and when.get("turn") == state.turn_number:
        seat = [s.name for s in seats].index(send["$bot"])
        (state.debugging.add if send["debuggingEnabled"] else state.debugging.discard)(seat)


_LEFT_OUT = ("isDebuggingEnabled", "debugGraphics")
_COMPARED = (
    "TickEventForObserver",
    "TickEventForBot",
    "RoundEndedEventForObserver",
    "RoundEndedEventForBot",
)


Messages = list[dict[str, Any]]


def compare(
    name: str, seen: dict[str, Messages], trim: Callable[[Messages], Messages] = list
) -> Iterator[str]:
    """Yield a line for each difference between what our players saw and what the official server sent.

    Args:
        trim: is given the official messages, and returns those to compare.
    """
    limit = load(name).get("compareTurns")
    official = load_official(SCENARIOS / name / "official")
    their_names, our_names = (Names(run, _LEFT_OUT) for run in (official, Run(seen, official.ids)))
    for client, messages in seen.items():
        ours = {_key(m): our_names.canonical(m, m["roundNumber"]) for m in messages}
        for message in trim(official.received[client]):
            key = kind, round_number, turn = _key(message)
            if kind not in _COMPARED or (limit and turn > limit and "Tick" in kind):
                continue
            if key not in ours:
                yield f"{client} {key}: only the official server sends it"
            else:
                theirs = their_names.canonical(message, round_number)
                yield from (f"{client} {key}: {line}" for line in unequal(theirs, ours[key]))


def _key(message: dict[str, Any]) -> tuple[str, int, int]:
    return message.get("type", ""), message.get("roundNumber", 0), message.get("turnNumber", 0)
