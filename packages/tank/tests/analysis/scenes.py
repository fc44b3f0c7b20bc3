"""Analyses of small battles whose course is known, because the tanks follow a script."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from packages.tank.tests.bots.scenes import AT_REST
from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import TurnEntry, TurnRules
from turnwright_tank.analysis.battle import Analysis
from turnwright_tank.analysis.turns import Fighter, Setting, TurnSeen
from turnwright_tank.game import TankGame
from turnwright_tank.state import TankBattleState
from turnwright_tank.structs import (
    BotDeathEvent,
    BulletHitBotEvent,
    BulletState,
    Event,
    Frame,
    TankFrame,
    TankIntent,
)

Script = Callable[[Any], TankIntent | None]
Place = tuple[float, float, float]


def idle(_: Any) -> TankIntent:
    """Do nothing."""
    return TankIntent()


def silent(_: Any) -> None:
    """Miss every turn."""


def fire(power: float) -> Script:
    """Fire straight ahead, whenever the gun is cool."""
    return lambda _: TankIntent(firepower=power)


def drive(speed: float) -> Script:
    """Drive straight ahead."""
    return lambda _: TankIntent(target_speed=speed)


def moment_of(
    entry: TurnEntry, game: TankGame, state: TankBattleState, battle: Battle | None = None
) -> TurnSeen:
    """Return a turn in the form that the analysis accepts."""
    ids = lambda seats: tuple(seat + 1 for seat in seats)  # noqa: E731
    return TurnSeen(
        entry.turn,
        game.frame(state),
        ids(entry.skipped),
        {seat + 1: ns for seat, ns in entry.late_ns.items()},
        gone=ids(entry.gone),
        disqualified=ids(entry.disqualified),
        out={seat + 1: battle.referee.disqualifications[seat][-1] for seat in entry.disqualified}
        if battle
        else {},
        winners=ids(state.winners) if state.round_over else None,
    )


def told(
    scripts: Sequence[Script],
    places: Sequence[Place],
    *,
    rules: TurnRules | None = None,
    turns: int = 3000,
    leave_at: Mapping[int, int] | None = None,
    droids: Sequence[int] = (),
    **setup: Any,
) -> Analysis:
    """Play a battle and return its analysis.

    Args:
        places: x, y, direction of each seat.
        leave_at: the seat that leaves, by turn.
    """
    seats = [
        SeatInfo(f"T{k}", "1", None, {"initial_position": _position(*place), "droid": k in droids})
        for k, place in enumerate(places)
    ]
    game = TankGame("interpreted")
    battle = Battle(game, {"number_of_rounds": 1, **setup}, seats, 1, rules)
    analysis = Analysis(setting_of(battle))
    while battle.outcome is None and battle.turn < turns:
        seat = (leave_at or {}).get(battle.turn)
        if seat is not None:
            battle.leave(seat)
        analysis.take(moment_of(_turn(battle, scripts).entry, game, battle.state, battle))
    analysis.finish("over" if battle.outcome is not None else None)
    return analysis


def _position(x: float, y: float, direction: float) -> dict[str, float]:
    return {"x": x, "y": y, "direction": direction}


def _turn(battle: Battle, scripts: Sequence[Script]) -> Closed:
    opened = battle.open_turn()
    for seat in opened.asked:
        intent = scripts[seat](battle.observe(seat))
        if intent is not None:
            battle.collecting.submit(seat, intent, 0)
    battle.end_collecting(0)
    return battle.close_turn()


def setting_of(battle: Battle) -> Setting:
    """Return the setting of a battle."""
    settings = battle.state.lineup.settings
    fighters = [
        Fighter(k + 1, info.name, info.version, None if info.team is None else f"team {info.team}",
                bool(info.options.get("droid")))
        for k, info in enumerate(battle.header.seats)
    ]  # fmt: skip
    return Setting(
        settings.game_type,
        float(settings.arena_width),
        float(settings.arena_height),
        settings.number_of_rounds,
        tuple(fighters),
        battle.header.seed,
        settings.max_inactivity_turns,
        battle.rules.timeout_ns,
        battle.rules.on_disconnect == "dead",
    )


def only(analysis: Analysis, kind: type[Any]) -> Any:
    """Return the only line of that kind. Fail if there are none or several."""
    (found,) = every(analysis, kind)
    return found


def every(analysis: Analysis, kind: type[Any]) -> list[Any]:
    """Return all lines of that kind."""
    return [line for line in analysis.facts() if isinstance(line, kind)]


def duel(**changes: Any) -> Setting:
    """Return the setting of a duel between Ann and Bob."""
    return Setting("classic", 800.0, 600.0, 1, (Fighter(1, "Ann"), Fighter(2, "Bob")), **changes)


def tank(bot: int, x: float = 100.0, y: float = 100.0, **changes: Any) -> TankFrame:
    """Return a tank at rest."""
    named = {"session_id": "", "name": f"T{bot}", "version": "1"}
    return TankFrame(id=bot, x=x, y=y, **{**named, **AT_REST, **changes})


def bullet(owner: int, x: float, y: float, *, power: float = 1.0, number: int = 1) -> BulletState:
    """Return a bullet."""
    return BulletState(number, owner, power, x, y, 0.0)


def frame(turn: int, *tanks: TankFrame, events: Sequence[Event] = (), round_number: int = 1) -> Frame:
    """Return a frame."""
    return Frame(round_number, turn, list(tanks), [], list(events))


def hit(turn: int, victim: int, shot: BulletState, damage: float, energy: float) -> BulletHitBotEvent:
    """Return a hit.

    Args:
        energy: the energy of the victim after it.
    """
    return BulletHitBotEvent(turn, victim, shot, damage, energy)


def death(turn: int, victim: int) -> BotDeathEvent:
    """Return a death."""
    return BotDeathEvent(turn, victim)
