from __future__ import annotations

from packages.tank.tests.analysis.scenes import bullet, death, duel, frame, hit, tank
from turnwright_tank.cli.event_lines import EventLines, event_lines
from turnwright_tank.structs import BotHitBotEvent, BotHitWallEvent, BulletHitBulletEvent


def test_each_thing_that_happened_is_a_line() -> None:
    shot = bullet(1, 0.0, 0.0, power=3.0)
    events = [
        hit(7, 2, shot, 16.0, 4.0),
        BotHitWallEvent(7, 1),
        BotHitBotEvent(7, 1, 2, 1.0, 0.0, 0.0, True),
        BotHitBotEvent(7, 2, 1, 1.0, 0.0, 0.0, False),
        BulletHitBulletEvent(7, shot, shot),
        death(7, 2),
    ]
    assert list(event_lines(duel(), frame(7, tank(1), events=events), (2,))) == [
        "7 Bob missed the turn",
        "7 Bob -16.0 by Ann",
        "7 Ann hit a wall",
        "7 Ann rams Bob",
        "7 two bullets collided",
        "7 Bob died",
    ]


def test_a_continued_event_is_shown_once_but_every_hit_is_shown() -> None:
    seen = EventLines(duel())
    for turn in (1, 2, 4, 9):
        seen.take(
            frame(turn, tank(1), events=[BotHitWallEvent(turn, 1), hit(turn, 2, bullet(1, 0, 0), 4.0, 9.0)])
        )
    assert seen.last(10) == [
        "9 Bob -4.0 by Ann",
        "9 Ann hit a wall",
        "4 Bob -4.0 by Ann",
        "2 Bob -4.0 by Ann",
        "1 Bob -4.0 by Ann",
        "1 Ann hit a wall",
    ]
    assert seen.last(1) == ["9 Bob -4.0 by Ann"]
    assert seen.last(0) == []


def test_another_round_and_a_step_back_clear_the_lines() -> None:
    seen = EventLines(duel())
    seen.take(frame(5, tank(1), events=[death(5, 1)]))
    seen.take(frame(5, tank(1), events=[death(5, 1)]))
    assert seen.last(9) == ["5 Ann died"]
    seen.take(frame(1, tank(1), round_number=2))
    assert seen.last(9) == []
    seen.take(frame(8, tank(1), events=[death(8, 2)], round_number=2))
    seen.take(frame(3, tank(1), events=[death(3, 1)], round_number=2))
    assert seen.last(9) == ["3 Ann died"]
