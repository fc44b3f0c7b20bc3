"""Ratings of the entries of a tournament, computed from all its battles.

    glicko2     Glicko-2 after Glickman (2013): rating and deviation; begins at 1500 ± 350
    openskill   Plackett-Luce after Weng and Lin (2011), by the package openskill: mean and deviation (sigma)

Both take a sequence of results, but a tournament is a set. A canonical order makes them a function of the
set: a rating period has one battle of each pairing, and battles with smaller ids come first. In a battle of
more than two entries, Glicko-2 uses each pair as one result, so its deviations become too small. OpenSkill
uses the ranks. The ratings are shown next to the APS. Their deviations are not calibrated intervals.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.scores import Shares, pairing_shares

_SCALE = 173.7178
_TAU = 0.5
"""A bound on the change of volatility. Glickman recommends 0.3 to 1.2."""
_TOLERANCE = 1e-9
_STEPS_MAX = 1_000
_EXPONENT_MAX = 700.0
"""The largest exponent whose power is finite."""


@dataclass(frozen=True, slots=True)
class GlickoRating:
    """A Glicko-2 rating.

    Attributes:
        rating: the rating. A new entry has 1500.
        deviation: its standard deviation.
        volatility: the expected fluctuation of the rating.
    """

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06


@dataclass(frozen=True, slots=True)
class RatingColumns:
    """Ratings by name, then by entry's id.

    Attributes:
        columns: glicko2, glicko2_deviation, openskill, openskill_sigma.
        missing: a line for each rating that this installation cannot compute.
    """

    columns: Mapping[str, Mapping[str, float]]
    missing: tuple[str, ...] = ()


def ratings_of(entries: Sequence[TournamentEntry], played: Iterable[PlayedBattle]) -> RatingColumns:
    """Return the ratings of entries from all battles that count.

    Battles with a participant that is not among the entries are left out.
    """
    known = {entry.id for entry in entries}
    counted = [battle for battle in played if battle.counts and set(battle.spec.seats) <= known]
    periods = list(_periods(counted))
    glicko = _glicko2(sorted(known), periods)
    columns = {
        "glicko2": {entry: found.rating for entry, found in glicko.items()},
        "glicko2_deviation": {entry: found.deviation for entry, found in glicko.items()},
    }
    openskill = _openskill(sorted(known), periods)
    if openskill is None:
        return RatingColumns(columns, ("no OpenSkill ratings: pip install 'turnwright[ratings]'",))
    return RatingColumns(columns | openskill)


def _periods(battles: Iterable[PlayedBattle]) -> Iterator[list[Shares]]:
    """Yield the first battle of each pairing, then the second of each, and so on."""
    rows = itertools.zip_longest(*pairing_shares(battles).values())
    yield from ([one for one in row if one is not None] for row in rows)


# ---- Glicko-2 ----------------------------------------------------------------------------------------------


def _glicko2(entries: Sequence[str], periods: Sequence[list[Shares]]) -> dict[str, GlickoRating]:
    ratings = dict.fromkeys(entries, GlickoRating())
    for period in periods:
        games: dict[str, list[tuple[GlickoRating, float]]] = {entry: [] for entry in entries}
        for battle in period:
            for one, other in itertools.permutations(battle, 2):
                ahead = battle[one] - battle[other]
                games[one].append((ratings[other], 0.5 + 0.5 * (ahead > 0) - 0.5 * (ahead < 0)))
        ratings = {entry: glicko2_update(ratings[entry], games[entry]) for entry in entries}
    return ratings


def glicko2_update(
    rating: GlickoRating, games: Sequence[tuple[GlickoRating, float]], tau: float = _TAU
) -> GlickoRating:
    """Return a rating after one rating period. Without games, only its deviation grows.

    Source: Glickman, Example of the Glicko-2 system (2013), steps 2 to 8.

    Args:
        games: each opponent's rating before the period, and 1 for a win, ½ for a draw, 0 for a loss.
    """
    phi = rating.deviation / _SCALE
    if not games:
        grown = _SCALE * math.hypot(phi, rating.volatility)
        return GlickoRating(rating.rating, min(grown, GlickoRating().deviation), rating.volatility)
    information, surprise = 0.0, 0.0
    for opponent, score in games:
        weight = 1 / math.sqrt(1 + 3 * (opponent.deviation / _SCALE / math.pi) ** 2)
        ahead = weight * (rating.rating - opponent.rating) / _SCALE
        expected = 1 / (1 + math.exp(min(_EXPONENT_MAX, -ahead)))
        information += weight * weight * expected * (1 - expected)
        surprise += weight * (score - expected)
    volatility = _volatility(rating.volatility, phi, information, surprise, tau)
    phi_squared = 1 / (1 / (phi * phi + volatility * volatility) + information)
    mean = rating.rating + _SCALE * phi_squared * surprise
    return GlickoRating(mean, _SCALE * math.sqrt(phi_squared), volatility)


def _volatility(sigma: float, phi: float, information: float, surprise: float, tau: float) -> float:
    """Return the new volatility: the root of Glickman's f, by the Illinois algorithm (step 5)."""
    start = math.log(sigma * sigma)
    v = 1 / max(information, 1e-12)
    delta_squared = (v * surprise) ** 2

    def f(x: float) -> float:
        e = math.exp(x)
        total = phi * phi + v + e
        return e * (delta_squared - total) / (2 * total * total) - (x - start) / (tau * tau)

    low = start
    if delta_squared > phi * phi + v:
        high = math.log(delta_squared - phi * phi - v)
    else:
        high = next(x for k in range(1, _STEPS_MAX) if f(x := start - k * tau) >= 0)
    f_low, f_high = f(low), f(high)
    for _ in range(_STEPS_MAX):
        if abs(high - low) <= _TOLERANCE:
            break
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)


# ---- OpenSkill ---------------------------------------------------------------------------------------------


def _openskill(entries: Sequence[str], periods: Sequence[list[Shares]]) -> dict[str, dict[str, float]] | None:
    """Return the columns of OpenSkill, or None if its package is not installed."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return None
    model = PlackettLuce()
    ratings = {entry: model.rating() for entry in entries}
    for battle in itertools.chain.from_iterable(periods):
        playing = sorted(battle)
        ranks = [float(sum(share > battle[one] for share in battle.values())) for one in playing]
        rated = model.rate([[ratings[one]] for one in playing], ranks=ranks)
        ratings |= {one: team[0] for one, team in zip(playing, rated, strict=True)}
    return {
        "openskill": {entry: float(found.mu) for entry, found in ratings.items()},
        "openskill_sigma": {entry: float(found.sigma) for entry, found in ratings.items()},
    }
