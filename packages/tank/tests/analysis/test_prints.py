"""Output of bots in a trace: in Markdown, as lines, and in Why?."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from packages.tank.tests.view.resim.random_battles import play_random
from turnwright.kernel.printed import TurnPrints
from turnwright.kernel.replay import replay
from turnwright_tank.analysis.battle import Analysis
from turnwright_tank.analysis.facts import PRINTED_KEPT, BotFact, PrintFact
from turnwright_tank.analysis.report import PRINTED_LINES, page
from turnwright_tank.app.battle_files import setting_of, turn_seen
from turnwright_tank.game import TankGame


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    """A battle in which the first bot prints in its first 30 turns, and the second an error."""
    _, record = play_random(12)
    for entry in record.turns:
        entry.intents = {
            seat: replace(said, std_out=None, std_err=None) for seat, said in entry.intents.items()
        }
    for entry in record.turns[:30]:
        entry.printed = {0: TurnPrints(f"line *{entry.turn}*\n")}
    record.turns[3].printed = {**record.turns[3].printed, 1: TurnPrints("", "oh | no\n")}
    game = TankGame("interpreted")
    found = Analysis(setting_of(record, game.defaults))
    for entry, _, battle in replay(record, game):
        found.take(turn_seen(entry, battle.state))
    found.finish("over")
    return found


def names(analysis: Analysis) -> list[str]:
    return [one.name for one in analysis.setting.fighters]


def test_every_printed_line_is_an_event_with_its_turn(analysis: Analysis) -> None:
    lines = [
        fact for fact in analysis.facts() if isinstance(fact, PrintFact) and not fact.text.startswith("hi")
    ]
    mine = [(fact.bot, fact.turn, fact.text, fact.error) for fact in lines if "line" in fact.text]
    assert (1, 2, "line *2*", False) in mine
    assert len(mine) == 30
    assert [(fact.bot, fact.text) for fact in lines if fact.error and "|" in fact.text] == [(2, "oh | no")]
    assert not any(isinstance(fact, PrintFact) for fact in analysis.facts(events=False))


def test_a_bots_line_of_a_round_has_its_last_prints(analysis: Analysis) -> None:
    printed = [
        fact.printed for fact in analysis.facts(events=False) if isinstance(fact, BotFact) and fact.bot == 1
    ]
    assert any(one and len(one) <= PRINTED_KEPT for one in printed)


def test_the_page_has_the_last_lines_and_a_page_of_a_round_its_own(analysis: Analysis) -> None:
    one = page(analysis, "x.twr", bot=1)
    lines = one[one.index("## Printed") : one.index("## Rounds")].splitlines()
    assert len([line for line in lines if line.startswith("- ")]) <= PRINTED_LINES
    assert "oh" not in "\n".join(lines)
    assert "- 4: " in page(analysis, "x.twr", bot=2, round_number=1)
    assert "error: oh \\| no" in page(analysis, "x.twr", bot=2, round_number=1)
