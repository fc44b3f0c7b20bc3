"""The content of a tournament's page, as JSON values.

Entries are numbered in the order of the standings. A page has bounds, and shows how many items it leaves out.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from turnwright._version import __version__
from turnwright.kernel.failure import Failure, FailureReason
from turnwright_league.app.page.rounds import rounds_data
from turnwright_league.app.page.scores_over_time import series_data, short_number
from turnwright_league.tournament.columns import COLUMNS, Column
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.pairings import PairingRules, participants_of
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.standings import TournamentStandings, entry_labels, ranks_alike
from turnwright_league.tournament.versions import BotVersion

NAME_MAX = 40
"""The most letters of a name."""
ALIKE_MAX = 8
"""The most ranges of ranks in the column *Alike*."""
MATRIX_MAX = 60
"""The most entries whose pairings a page shows. The best are shown."""
BATTLES_MAX = 5_000
"""The most battles on a page."""
VERSIONS_MAX = 20
"""The most versions of a bot on a page. The newest are shown."""
PROBLEMS_MAX = 1_000
"""The most battles that are listed first because they do not count or were forfeited."""
_TEXT_MAX = 200

Replays = Literal["server", "frames", "files", "command"]
"""How the page shows the replay of a battle.

With "server" and "frames", the viewer of the page's server plays the record or its frames. With "files", it
is replays/ID.html next to the page, if that file exists. With "command", the page shows a command.
"""


@dataclass(frozen=True, slots=True)
class PageProgress:
    """The progress of a run.

    Attributes:
        done: the number of battles that count.
        total, left_s: the number of all battles and the remaining seconds, or None if not known.
        jobs: the number of battles at the same time.
        running: the names in each running battle.
        ending: whether the run ends when the running battles are over.
        not_counted: the number of played battles that do not count.
    """

    done: int
    total: int | None
    left_s: float | None
    jobs: int = 1
    running: tuple[str, ...] = ()
    ending: bool = False
    not_counted: int = 0


@dataclass(frozen=True, slots=True)
class PageSource:
    """A tournament at one moment, from which a page is made.

    Attributes:
        title: its name, e.g. the name of its folder.
        folder: the path of its folder, for commands.
        standings: the standings of these entries and battles.
        rules: the rules, or None if the rounds are not known.
        at_us: the time, UTC, µs since 1970.
        progress: the progress of a running run, or None.
        files: the ids of battles with a file in replays/.
        notes: lines for the foot of the page.
        versions: the versions of each bot, newest first, by the id of its entry.
        errors_public: whether the page has the errors of failed bots, in addition to reason and place.
        explains: whether a replay has "Why?".
    """

    title: str
    entries: Sequence[TournamentEntry]
    played: Sequence[PlayedBattle]
    standings: TournamentStandings
    at_us: int
    folder: str = "."
    rules: PairingRules | None = None
    progress: PageProgress | None = None
    replays: Replays = "command"
    files: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    versions: Mapping[str, Sequence[BotVersion]] = field(default_factory=dict)
    errors_public: bool = True
    explains: bool = False


def page_data(source: PageSource) -> dict[str, Any]:
    """Return the content of the page. The page's script `model.js` describes its keys."""
    place = {row.entry: nth for nth, row in enumerate(source.standings.rows)}
    battles = [one for one in source.played if set(one.spec.seats) <= place.keys()]
    cells = source.standings.matrix.cells({row.entry for row in source.standings.rows[:MATRIX_MAX]})
    kept = _kept(battles)
    return {
        "title": _text(source.title),
        "folder": source.folder,
        "turnwright": __version__,
        **_rules_data(source.rules, battles),
        "at_us": source.at_us,
        **{name: getattr(source.standings, name) for name in ("counted", "forfeits", "void", "suspect")},
        "progress": None if source.progress is None else _progress_data(source.progress),
        "columns": [_column_data(column) for column in COLUMNS if column.title is not None],
        "entries": _entries_data(source, battles),
        "cells": [
            [
                *_ends(cell, place),
                *map(short_number, (cell.share, cell.low, cell.high, cell.win_share)),
                cell.battles,
            ]
            for cell in cells
        ],
        "matrix_more": max(0, len(place) - MATRIX_MAX),
        "battles": [_battle_data(one, place, source) for one in kept],
        "battles_more": len(battles) - len(kept),
        "series": series_data(source.entries, battles, source.standings),
        **rounds_data(source.entries, source.rules, battles, place),
        "replays": source.replays,
        "explains": source.explains,
        "notes": [_text(one) for one in source.notes],
    }


# ---- texts -------------------------------------------------------------------------------------------------


def shown_names(entries: Sequence[TournamentEntry]) -> dict[str, str]:
    """Return a name for each entry's id that a page can show.

    Two names cannot look alike by hidden letters. Letters that reverse, hide or break text are left out, and
    long names are shortened.
    """
    names = {entry: _plain(label, NAME_MAX) or "(no name)" for entry, label in entry_labels(entries).items()}
    times = Counter(names.values())
    return {entry: name if times[name] == 1 else f"{name} #{entry[:6]}" for entry, name in names.items()}


def _text(text: str) -> str:
    return _plain(text, _TEXT_MAX)


def _plain(text: str, most: int) -> str:
    """Return the printable characters of a text, shortened, with at most _MARKS_MAX marks on a letter."""
    letters = [one for one in text[: 20 * most] if one.isprintable()]
    marks = 0
    kept = []
    for letter in letters:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= _MARKS_MAX:
            kept.append(letter)
    plain = "".join(kept).strip()
    return plain if len(plain) <= most else plain[: most - 1] + "…"


_MARKS_MAX = 2
"""The most marks on one letter. Many marks would cover other lines."""


def _ends(cell: Any, place: Mapping[str, int]) -> tuple[int, int]:
    return place[cell.entry], place[cell.opponent]


# ---- parts of the page -------------------------------------------------------------------------------------


def _rules_data(rules: PairingRules | None, battles: Sequence[PlayedBattle]) -> dict[str, Any]:
    """Return the game and its settings. If the rules are unknown, they come from the first battle."""
    spec = battles[0].spec if battles else None
    return {
        "game": rules.game if rules else spec.game if spec else "",
        "format": rules.format if rules else "",
        "seed": str(rules.seed) if rules else "",
        "settings": _text(rules.settings if rules else spec.settings if spec else "{}"),
    }


def _progress_data(progress: PageProgress) -> dict[str, Any]:
    running = [_text(one) for one in progress.running[:64]]
    return {**asdict(progress), "running": running, "left_s": short_number(progress.left_s)}


def _entries_data(source: PageSource, battles: Iterable[PlayedBattle]) -> list[dict[str, Any]]:
    names = shown_names(source.entries)
    versions = {entry.id: _plain(entry.version, NAME_MAX) for entry in source.entries}
    alike = ranks_alike(source.standings.rows)
    trouble = _trouble(battles)
    return [
        {
            "name": names[row.entry],
            "version": versions[row.entry],
            "rank": row.rank,
            **{name: short_number(getattr(row, name)) for name in _NUMBERS},
            "ratings": {name: short_number(value) for name, value in row.ratings.items()},
            "alike": alike[row.entry][:ALIKE_MAX],
            "alike_count": len(row.cannot_be_told_apart_from),
            "why": _text(row.why_not),
            "trouble": trouble[row.entry],
            **_versions_data(source.versions.get(row.entry, ())),
        }
        for row in source.standings.rows
    ]


def _column_data(column: Column) -> dict[str, Any]:
    return {name: value for name, value in asdict(column).items() if name != "heading"}


def _versions_data(versions: Sequence[BotVersion]) -> dict[str, Any]:
    """Return the versions of a bot if it has several, as lists whose items `model.js` names."""
    shown = versions[:VERSIONS_MAX] if len(versions) > 1 else ()
    rows = [
        [
            _plain(one.entry.version, NAME_MAX),
            one.entry.id[:6],
            one.is_current,
            *(one.first_us, one.last_us, short_number(one.aps), one.opponents, one.battles),
        ]
        for one in shown
    ]
    return {"versions": rows, "versions_more": max(0, len(versions) - VERSIONS_MAX)}


_NUMBERS = (
    *("aps_low", "aps_high"),
    *(one.name for one in COLUMNS if one.kind in ("points", "percent", "count", "mistakes")),
)
"""The fields of a row that the page gets as rounded numbers."""


def _trouble(battles: Iterable[PlayedBattle]) -> Mapping[str, list[int]]:
    """Return the failures of each entry by kind, its missed turns, its late answers and its slowest p99."""
    found: defaultdict[str, list[int]] = defaultdict(lambda: [0] * (len(_FAILURES) + 3))
    for battle in battles:
        for row in battle.scores:
            mine = found[row.entry]
            if row.failure is not None:
                mine[_FAILURES.index(row.failure.reason)] += 1
            mine[-3] += row.skipped
            mine[-2] += row.late
            mine[-1] = max(mine[-1], row.p99_us)
    return found


_FAILURES = tuple(FailureReason)


def _kept(battles: Sequence[PlayedBattle]) -> list[PlayedBattle]:
    """Return the battles on the page, newest first.

    If there are too many, battles with problems have priority. Then come the newest battle of each pairing,
    the second newest of each, and so on.
    """
    newest = sorted(battles, key=lambda one: (-one.played_us, one.spec.seed))
    if len(newest) <= BATTLES_MAX:
        return newest
    problems = [one for one in newest if one.state != "ok" or one.suspect][:PROBLEMS_MAX]
    chosen = {one.id for one in problems}
    nth: Counter[tuple[str, ...]] = Counter()
    rest = []
    for place, one in enumerate(newest):
        if one.id not in chosen:
            group = participants_of(one.spec)
            rest.append((nth[group], place))
            nth[group] += 1
    chosen |= {newest[place].id for _, place in sorted(rest)[: BATTLES_MAX - len(problems)]}
    return [one for one in newest if one.id in chosen]


def _told(failure: Failure, source: PageSource) -> str:
    return failure.full_text if source.errors_public else failure.text


def _battle_data(battle: PlayedBattle, place: Mapping[str, int], source: PageSource) -> list[Any]:
    """Return a battle as a list whose items `model.js` names."""
    scores = [
        [
            place[row.entry],
            short_number(row.score),
            *(row.skipped, row.late, row.p50_us, row.p99_us, row.max_us),
            None if row.failure is None else _text(_told(row.failure, source)),
        ]
        for row in battle.scores
        if row.entry in place
    ]
    return [
        battle.id,
        battle.state,
        str(battle.spec.seed),
        battle.turns,
        battle.played_us,
        battle.attempts,
        battle.server_late_turns,
        [_text(one) for one in battle.suspect[:4]],
        "deleted" if battle.record_deleted else battle.record is not None,
        battle.id in source.files,
        scores,
    ]
