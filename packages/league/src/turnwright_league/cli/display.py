"""Standings in a terminal, and the progress of a run."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from turnwright.cli.terminal import (
    STANDINGS_MAX,
    InPlace,
    Style,
    clean,
    count,
    cut,
    duration,
    join_some,
    table,
)
from turnwright.kernel.units import US_PER_S

if TYPE_CHECKING:
    from turnwright_league.app.tournament import RunProgress, Tournament
    from turnwright_league.tournament.columns import Column, EntryStanding
    from turnwright_league.tournament.played_battle import PlayedBattle
    from turnwright_league.tournament.standings import TournamentStandings

_NAME_COLUMNS_MAX = 40
_RANGES_MAX = 4
_ROUNDS_SHOWN = 10
_ID_DIGITS = 12
_PLAIN_EVERY_S = 10.0


def standings_lines(found: TournamentStandings, style: Style, most: int | None = None) -> list[str]:
    """Return the standings as a table, and a line for each entry whose battles all do not count.

    The column Alike has the ranks of the bots that may be equally strong.

    Args:
        most: the most rows, or None for all.
    """
    from turnwright_league.tournament.columns import COLUMNS
    from turnwright_league.tournament.standings import ranks_alike

    alike = ranks_alike(found.rows)
    times = Counter((row.name, row.version) for row in found.rows)
    rated = {name for row in found.rows for name in row.ratings}
    shown = [one for one in COLUMNS if one.kind != "rating"]
    shown += [one for one in COLUMNS if one.kind == "rating" and one.name in rated]
    headers = {one: one.heading for one in shown if one.heading is not None}
    rows = [
        [_cell(one, row, alike[row.entry], times[row.name, row.version] > 1) for one in headers]
        for row in found.rows[:most]
    ]
    align = "".join("<" if one.kind in ("name", "version", "alike") else ">" for one in headers)
    lines = table(list(headers.values()), rows, align, style)
    lines += [f"{clean(row.name)}: {clean(row.why_not)}" for row in found.rows[:most] if row.why_not]
    if most is not None and len(found.rows) > most:
        lines.append(f"and {len(found.rows) - most} more")
    return lines


def remarks(table: TournamentStandings) -> list[str]:
    """Return sentences about how many battles count and how many do not."""
    numbers = ((table.forfeits, "forfeited"), (table.void, "void"), (table.suspect, "suspect"))
    return [f"{count(table.counted)} battles count", *(f"{count(n)} {what}" for n, what in numbers if n)]


def battle_table(tournament: Tournament, style: Style) -> list[str]:
    """Return the battles as a table, newest last."""
    labels = tournament.labels
    battles = sorted(tournament.battles(), key=lambda one: (one.played_us, one.id))
    rows = [
        (
            battle.id[:_ID_DIGITS],
            " v ".join(cut(clean(labels.get(one, one[:6])), _NAME_COLUMNS_MAX) for one in _entries(battle)),
            " : ".join(f"{row.score:g}" for row in battle.scores),
            count(battle.turns),
            battle.state if battle.counts or battle.state == "void" else "suspect",
        )
        for battle in battles
    ]
    return table(("Battle", "Bots", "Scores", "Turns", ""), rows, "<<>><", style)


def version_table(tournament: Tournament, style: Style) -> list[str]:
    """Return the versions of each bot as a table, in the order of the standings and newest first."""
    rows = [
        (
            cut(clean(one.entry.name), _NAME_COLUMNS_MAX) if one.is_current else "",
            f"{clean(one.entry.version)[:20]} #{one.entry.id[:6]}",
            *(_moment(one.first_us), _moment(one.last_us)),
            *(_percent(one.aps), count(one.opponents), count(one.battles)),
        )
        for row in tournament.standings
        for one in tournament.versions[row.entry]
    ]
    headers = ("Name", "Version", "First battle (UTC)", "Last battle", "APS", "Opponents", "Battles")
    return table(headers, rows, "<<<<>>>", style)


def _moment(us: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(us / US_PER_S)) if us else ""


def battle_lines(tournament: Tournament, battle: PlayedBattle, style: Style) -> list[str]:
    """Return lines about one battle: its scores, its problems and its record."""
    labels = tournament.labels
    rows = [
        (
            cut(clean(labels.get(row.entry, row.entry[:6])), _NAME_COLUMNS_MAX),
            f"{row.score:g}",
            " ".join(f"{one:g}" for one in row.rounds[:_ROUNDS_SHOWN])
            + " …" * (len(row.rounds) > _ROUNDS_SHOWN),
            count(row.skipped),
            duration(row.p99_us) if row.p99_us else "–",
            "" if row.failure is None else row.failure.text,
        )
        for row in battle.scores
    ]
    lines = table(("Name", "Score", "Rounds", "Missed", "p99", ""), rows, "<><>><", style)
    lines += [""]
    for row in battle.scores:
        if row.failure is not None:
            name = cut(clean(labels.get(row.entry, row.entry[:6])), _NAME_COLUMNS_MAX)
            lines += [f"{name} {clean(row.failure.full_text)}", f"  to do: {row.failure.advice}"]
    lines += [f"battle {battle.id}"]
    lines += [
        f"seed {battle.spec.seed}, {count(battle.turns)} turns, server late in"
        f" {count(battle.server_late_turns)}, played {count(battle.attempts)} times,"
        f" sandbox {battle.sandbox}, turnwright {battle.turnwright}"
    ]
    if not battle.counts:
        lines.append(f"it does not count: {'; '.join(battle.suspect) or battle.state}")
    record = tournament.record(battle)
    if battle.record_deleted:
        return [*lines, "its record was deleted to make room"]
    return [*lines, "no record is kept" if record is None else f"record: {record}"]


def _entries(battle: PlayedBattle) -> list[str]:
    return list(dict.fromkeys(battle.spec.seats))


def _ranges(ranks: list[tuple[int, int]]) -> str:
    """Return ranges of ranks as "1, 3–5"."""
    shown = [str(low) if low == high else f"{low}–{high}" for low, high in ranks]
    return ", ".join(shown[:_RANGES_MAX]) + (" …" if len(shown) > _RANGES_MAX else "")


def _cell(column: Column, row: EntryStanding, alike: list[tuple[int, int]], twice: bool) -> str:
    """Return a cell of the standings.

    Args:
        twice: whether another entry has its name and version, because the bot was changed.
    """
    match column.kind:
        case "rank":
            return str(row.rank) if row.battles else ""
        case "name":
            return cut(clean(row.name), _NAME_COLUMNS_MAX)
        case "version":
            version = clean(row.version)[:20]
            return f"{version} #{row.entry[:6]}" if twice else version
        case "interval":
            known = row.aps_low is not None and row.aps_high is not None
            return f"{row.aps_low:.1f}–{row.aps_high:.1f}" if known else ""
        case "alike":
            return _ranges(alike) if row.aps_low is not None else ""
        case "rating":
            return f"{row.ratings[column.name]:.0f}" if column.name in row.ratings else ""
    value = getattr(row, column.name)
    if column.kind == "count":
        return count(value)
    if column.kind == "mistakes":
        return count(value) if value else ""
    return _percent(value)


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


class RunDisplay(InPlace):
    """Shows the progress of a run: with standings on a terminal, otherwise as a line every ten seconds."""

    _told_at: float | None = None

    def show(self, progress: RunProgress) -> None:
        """Show the progress of the run."""
        if self._style.terminal:
            self._draw(progress)
            return
        now = time.monotonic()
        if self._told_at is None:
            self._told_at = now
        elif now - self._told_at >= _PLAIN_EVERY_S:
            self._told_at = now
            print(_headline(progress), file=self._stream, flush=True)

    def note(self, text: str) -> None:
        """Print a line that stays."""
        super().note(clean(text))

    def _draw(self, progress: RunProgress) -> None:
        lines = [_headline(progress)]
        if progress.running:
            lines.append(f"playing: {join_some([clean(name) for name in progress.running])}")
        if progress.standings is not None:
            lines += standings_lines(
                progress.standings, Style(self._stream, {"NO_COLOR": "1"}), STANDINGS_MAX
            )
        self.draw([cut(line, self.columns) for line in lines])


def _headline(progress: RunProgress) -> str:
    """Return the line about the progress of a run."""
    of = "" if progress.total is None else f" of {count(progress.total)}"
    parts = [f"{count(progress.done)}{of} battles", f"{progress.jobs} at once"]
    if progress.not_counted:
        parts.append(f"{count(progress.not_counted)} played and not counted")
    if progress.again:
        parts.append(f"{count(progress.again)} played again")
    if progress.left_s is not None:
        parts.append(f"{duration(progress.left_s * US_PER_S)} left")
    if progress.ending:
        parts.append("ending after the running battles (Ctrl-C again: now)")
    return ", ".join(parts)
