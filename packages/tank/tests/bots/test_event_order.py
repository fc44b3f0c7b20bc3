"""The handler of each event, and the order of the calls."""

from __future__ import annotations

import inspect

from packages.tank.tests.bots.scenes import ENEMY, ME, bullet, scan
from turnwright_tank import structs as view
from turnwright_tank.bots.bot import ORDER, Handlers, in_order


def events_of_a_wild_turn() -> list[view.Event]:
    return [
        view.BotDeathEvent(5, ME),
        scan(5),
        view.BotHitBotEvent(5, ME, ENEMY, 90.0, 1.0, 2.0, True),
        view.BotHitWallEvent(5, ME),
        view.BulletHitBotEvent(5, ME, bullet(), 4.0, 96.0),
        view.BulletFiredEvent(5, bullet(ME)),
        view.BulletHitBotEvent(5, ENEMY, bullet(ME), 4.0, 96.0),
        view.BulletHitBulletEvent(5, bullet(ME), bullet()),
        view.BulletHitWallEvent(5, bullet(ME)),
        view.BotDeathEvent(5, ENEMY),
        view.TeamMessageEvent(5, "1", "int", 3),
        view.WonRoundEvent(5),
    ]


def test_every_event_has_its_place_in_the_order() -> None:
    called = [handler for handler, _ in in_order(events_of_a_wild_turn(), ME)]
    assert called == list(ORDER)


def test_every_handler_in_the_order_exists() -> None:
    assert all(callable(getattr(Handlers, name)) for name in ORDER)


def test_older_turns_come_first() -> None:
    named = in_order([view.WonRoundEvent(6), scan(5)], ME)
    assert [handler for handler, _ in named] == ["on_scanned_bot", "on_won_round"]


def test_equal_events_keep_their_order() -> None:
    named = in_order([view.TeamMessageEvent(5, str(n), "int", 3) for n in range(5)], ME)
    assert [event.message for _, event in named] == ["0", "1", "2", "3", "4"]  # type: ignore[union-attr]


def test_a_hit_is_mine_or_theirs() -> None:
    hits = [view.BulletHitBotEvent(5, victim, bullet(owner), 4.0, 96.0) for victim, owner in ((1, 2), (2, 1))]
    assert [name for name, _ in in_order(hits, ME)] == ["on_bullet_hit", "on_hit_by_bullet"]


def test_every_default_handler_does_nothing_and_has_a_docstring() -> None:
    handlers = Handlers()
    for name, handler in inspect.getmembers(handlers, inspect.ismethod):
        arguments = [None] * len(inspect.signature(handler).parameters)
        assert handler(*arguments) is None
        assert inspect.getdoc(handler), name
