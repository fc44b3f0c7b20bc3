"""Who fights, from what spectators are told: the participants as a story or a picture names them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from turnwright.games.tank.story.moment import Fighter
from turnwright.results import unique_names
from turnwright.wire.royale.parts import Participant, ResultsForObserver

__all__ = ["fighters_of", "scores_of", "teams_of"]


def fighters_of(participants: Sequence[Participant]) -> tuple[Fighter, ...]:
    """Return the fighters; no two of the same name, nor two teams."""
    names = unique_names(one.name for one in participants)
    teams = {one.team_id: one.team_name or f"team {one.team_id}" for one in participants}
    teams.pop(None, None)
    named = dict(zip(teams, unique_names(teams.values()), strict=True))
    return tuple(
        Fighter(one.id, name, one.version, named.get(one.team_id), bool(one.is_droid))
        for one, name in zip(participants, names, strict=True)
    )


def teams_of(participants: Iterable[Participant]) -> Mapping[int, int | None]:
    """Return, by bot id, the number of its team."""
    return {one.id: one.team_id for one in participants}


def scores_of(rows: Iterable[ResultsForObserver], teams: Mapping[int, int | None]) -> Mapping[int, int]:
    """Return everybody's total score; members of a team have the team's. teams: as `teams_of` says."""
    solo: dict[int, int] = {}
    team: dict[int, int] = {}
    for row in rows:
        (team if row.is_team else solo)[row.id] = row.total_score
    return {bot: solo.get(bot, 0) if of is None else team.get(of, 0) for bot, of in teams.items()}
