"""Standings in the stream are those of the rules in every turn, for whoever comes when."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from tests.games.tank.host.starts import bots
from tests.games.tank.view.resim.random_battles import play_random
from turnwright.games.tank.game import TankGame
from turnwright.games.tank.host.royale import RoyaleBattle
from turnwright.games.tank.results import ScoreRow, TankResults
from turnwright.games.tank.wire.royale.setup import preset
from turnwright.games.tank.wire.stream.messages import Delta, Keyframe
from turnwright.games.tank.wire.stream.read import FrameReader
from turnwright.games.tank.wire.stream.write import BotStanding, bot_standings
from turnwright.host.protocol import TurnTimes
from turnwright.kernel.replay import replay

decode = msgspec.json.Decoder(Keyframe | Delta).decode


@pytest.mark.parametrize("seed", [12, 17, 19])
def test_in_every_turn_they_are_what_the_results_would_be(seed: int) -> None:
    """Sometimes nobody watches for a while; sometimes somebody comes."""
    chance, (_, record) = Random(seed), play_random(seed)
    messages: RoyaleBattle | None = None
    reader, watched, scored = FrameReader({}), True, set()
    for _, _, battle in replay(record, TankGame("interpreted")):
        if messages is None:
            messages = RoyaleBattle(battle, preset("custom"), bots(battle.seats))
        messages.resolved((), {})
        watched ^= chance.random() < 0.03
        if not watched:
            continue
        data = messages.stream_next(TurnTimes())
        turn = reader.read(decode(data or messages.stream_key(TurnTimes())))
        assert turn is not None
        state = battle.state
        missed = [faults.skipped for faults in battle.referee.skips.seats]
        meant = bot_standings(state.results_so_far, [info.team for info in state.seats], missed)
        assert list(turn.standings.values()) == meant
        scored.add(tuple(meant))
    assert len(scored) > 4


def test_a_team_has_one_place_and_its_own_points() -> None:
    seats = tuple(ScoreRow(k + 1, bullet_damage=points) for k, points in enumerate((10.5, 30.0, 20.4)))
    rows = (
        ScoreRow(2, rank=1, is_team=True, bullet_damage=30.9),
        ScoreRow(2, rank=2, bullet_damage=30.0),
    )
    assert bot_standings(TankResults(seats, rows), [2, None, 2], [0, 5, 0]) == [
        BotStanding(11, 31, 1, 0),
        BotStanding(30, 0, 2, 5),
        BotStanding(20, 31, 1, 0),
    ]
