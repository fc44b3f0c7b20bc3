"""Texts of intents are removed, merged with the output of the process, and shown."""

from __future__ import annotations

import msgspec
import pytest

from packages.tank.tests.host.starts import bots
from packages.tank.tests.view.resim.random_battles import play_random
from turnwright.kernel.printed import Prints, TurnPrints
from turnwright.kernel.record import TurnEntry
from turnwright.kernel.replay import replay
from turnwright_tank.game import TankGame
from turnwright_tank.host.royale import RoyaleBattle
from turnwright_tank.structs import Frame, TankIntent
from turnwright_tank.wire.royale.setup import preset

TURN = TurnEntry(1, {})


@pytest.fixture(scope="module")
def messages() -> RoyaleBattle:
    """The messages of a battle after its first turn."""
    _, record = play_random(12)
    _, _, battle = next(iter(replay(record, TankGame("interpreted"))))
    return RoyaleBattle(battle, preset("custom"), bots(battle.seats))


def test_texts_of_an_intent_become_prints_and_are_not_recorded_with_it(messages: RoyaleBattle) -> None:
    prints = Prints()
    said = TankIntent(turn_rate=3.0, std_out="hello\n", std_err="oh\n")
    assert messages.accept(0, said, prints) == TankIntent(turn_rate=3.0)
    assert prints.close_turn() == {0: TurnPrints("hello\n", "oh\n")}


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        ('one\\n\\tsaid \\"two\\"\\n', 'one\n\tsaid "two"\n'),
        ("a path: C:\\new\n", "a path: C:\\new\n"),
        ("no end", "no end\n"),
    ],
    ids=["Java API 0.30", "newer APIs", "without newline"],
)
def test_a_text_that_an_older_api_escapes_reads_as_it_was_printed(
    messages: RoyaleBattle, told: str, meant: str
) -> None:
    prints = Prints()
    prints.take(0, meant)
    messages.accept(0, TankIntent(std_out=told), prints)
    assert prints.close_turn() == {0: TurnPrints(meant)}


def test_spectators_see_prints_of_the_turn_alone(messages: RoyaleBattle) -> None:
    def shown() -> list[tuple[str | None, str | None]]:
        frame = msgspec.json.decode(messages.frame(), type=Frame)
        return [(tank.std_out, tank.std_err) for tank in frame.bot_states][:2]

    messages.resolved((), TurnEntry(1, {}, printed={1: TurnPrints("hello\n")}))
    assert shown() == [(None, None), ("hello\n", None)]
    messages.resolved((), TURN)
    assert shown() == [(None, None), (None, None)]
