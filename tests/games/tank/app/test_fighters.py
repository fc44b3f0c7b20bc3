from __future__ import annotations

from turnwright.games.tank.app.battle_files import fighters_of, scores_of, teams_of
from turnwright.games.tank.wire.royale.message_parts import Participant, ResultsForObserver


def _participant(bot: int, name: str, team: int | None = None, team_name: str | None = None) -> Participant:
    return Participant(
        id=bot, session_id="", name=name, version="1", authors=(), country_codes=(), game_types=(),
        team_id=team, team_name=team_name, is_droid=bot == 3,
    )  # fmt: skip


FOUR = (
    _participant(1, "A", 1, "T"),
    _participant(2, "A", 1, "T"),
    _participant(3, "B", 2, "T"),
    _participant(4, "C", 3),
)


def test_no_two_fighters_and_no_two_teams_have_the_same_name() -> None:
    fighters = fighters_of(FOUR)
    assert [one.name for one in fighters] == ["A", "A (2)", "B", "C"]
    assert [one.team for one in fighters] == ["T", "T", "T (2)", "team 3"]
    assert [one.droid for one in fighters] == [False, False, True, False]
    assert fighters_of((_participant(1, "Solo"),))[0].team is None


def test_members_of_a_team_have_its_score() -> None:
    def row(number: int, score: int, *, team: bool) -> ResultsForObserver:
        return ResultsForObserver(
            id=number, name="", version="", is_team=team, rank=1, survival=0, last_survivor_bonus=0,
            bullet_damage=0, bullet_kill_bonus=0, ram_damage=0, ram_kill_bonus=0, total_score=score,
            first_places=0, second_places=0, third_places=0,
        )  # fmt: skip

    participants = (*FOUR[:2], _participant(5, "Solo"))
    rows = (row(1, 30, team=True), row(5, 7, team=False))
    assert scores_of(rows, teams_of(participants)) == {1: 30, 2: 30, 5: 7}
    assert scores_of((), teams_of(participants)) == {1: 0, 2: 0, 5: 0}
