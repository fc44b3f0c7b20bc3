"""How results look in a terminal: the ranked table, the table of latencies, one line of a running battle."""

from __future__ import annotations

from collections.abc import Sequence

from turnwright.cli.output import Style, clean, count, cut, duration, join_some, table, width
from turnwright.results import BattleResult, Progress, Standing

__all__ = [
    "STANDINGS_MAX",
    "battle_report",
    "latency_table",
    "progress_text",
    "result_table",
    "standing_lines",
]

STANDINGS_MAX = 20
"""Bots that the live display shows; a larger battle says how many more there are."""

_RESULT_HEADERS = ("", "Name", "Version", "Total", "Survival", "Last", "Bullets", "Kills", "Rams", "Kills",
                   "1st", "2nd", "3rd")  # fmt: skip
_LATENCY_HEADERS = ("Name", "p50", "p95", "p99", "max", "Skipped", "Late", "Late by", "Malformed")
_ENERGY_FULL = 100.0
_ENERGY_CELLS = 10
_NAME_COLUMNS_MAX = 40


def battle_report(result: BattleResult, style: Style) -> list[str]:
    """Return all that is said about a finished battle."""
    played = f"{result.game_type}, {_plural(result.rounds, 'round')}, {_plural(result.turns, 'turn')}"
    lines = [*result_table(result, style), "", *latency_table(result, style), ""]
    lines.append(f"{played}, seed {result.seed}")
    if result.turn_timeout_us is None:
        lines.append("no limit for a turn: all bots ran in this process, one after the other")
    if result.server_late_turns:
        late = _plural(result.server_late_turns, "turn")
        lines.append(f"the server itself was late in {late}; nobody was skipped for that")
    lines += _silent_lines(result)
    if result.record is not None:
        lines.append(f"record: {result.record}")
    if result.recording is not None:
        lines.append(f"recording: {result.recording}")
    return lines


def result_table(result: BattleResult, style: Style) -> list[str]:
    """Return the ranked results as a table."""
    rows = []
    for row in result.results:
        scores = (row.total_score, row.survival, row.last_survivor_bonus, row.bullet_damage,
                  row.bullet_kill_bonus, row.ram_damage, row.ram_kill_bonus,
                  row.first_places, row.second_places, row.third_places)  # fmt: skip
        marks = {"never answered a turn": row.never_answered, "disqualified": row.disqualified}
        said = ", ".join(mark for mark, holds in marks.items() if holds)
        name = _name(row.name) + (f" ({said})" if said else "")
        rows.append((str(row.rank), name, clean(row.version), *map(count, scores)))
    return table(_RESULT_HEADERS, rows, "><<" + ">" * 10, style)


def latency_table(result: BattleResult, style: Style) -> list[str]:
    """Return how fast each bot answered as a table."""
    rows = [
        (
            _name(name),
            *map(duration, (row.p50_us, row.p95_us, row.p99_us, row.max_us)),
            *map(count, (row.skipped, row.late)),
            duration(row.late_max_us) if row.late else "–",
            count(row.malformed),
        )
        for name, row in result.latency.items()
    ]
    return table(_LATENCY_HEADERS, rows, "<" + ">" * 8, style)


def _silent_lines(result: BattleResult) -> list[str]:
    """Return who never answered a turn, each with what its process printed last."""
    lines = []
    for name, printed in result.last_lines.items():
        what = "its last lines:" if printed else "it printed nothing"
        lines += [f"{_name(name)} never answered a turn; {what}", *(f"  {clean(line)}" for line in printed)]
    if result.nobody_answered:
        lines.append("nobody ever answered a turn: these results say nothing about the bots")
    return lines


def progress_text(progress: Progress) -> str:
    """Return where a battle stands in one line, without colours."""
    if progress.stage == "starting":
        if progress.waiting_for:
            return f"waiting for {join_some([_name(name) for name in progress.waiting_for])}"
        return "starting"
    totals = {standing.team or standing.name: standing.score for standing in progress.standings}
    best = sorted(totals.items(), key=lambda total: -total[1])
    scores = join_some([f"{_name(name)} {count(score)}" for name, score in best])
    where = f"round {progress.round} of {progress.rounds}"
    return f"{where}, {_plural(progress.turns, 'turn')}" + (f": {scores}" if scores else "")


def standing_lines(standings: Sequence[Standing], columns: int, style: Style) -> list[str]:
    """Return one line for each bot, the best first, each at most `columns` wide."""
    best = sorted(standings, key=lambda standing: -standing.score)
    shown = best[:STANDINGS_MAX]
    longest = min(_NAME_COLUMNS_MAX, max((width(_name(standing.name)) for standing in shown), default=0))
    lines = [_standing_line(standing, longest, columns, style) for standing in shown]
    if len(best) > len(shown):
        lines.append(cut(f"  and {len(best) - len(shown)} more", columns))
    return lines


def _standing_line(standing: Standing, longest: int, columns: int, style: Style) -> str:
    name = cut(_name(standing.name), longest)
    padded = name + " " * (longest - width(name))
    score = f"{count(standing.score):>8}"
    if standing.energy is None:
        return style.paint(cut(f"  {padded}  {'out':<16}{score}", columns), "dim")
    cells = max(0, min(_ENERGY_CELLS, round(standing.energy / _ENERGY_FULL * _ENERGY_CELLS)))
    bar = "█" * cells + "·" * (_ENERGY_CELLS - cells)
    line = cut(f"  {padded}  {bar} {standing.energy:5.1f}{score}", columns)
    return line + style.paint("  slow", "yellow") if standing.slow and width(line) + 6 <= columns else line


def _name(name: str) -> str:
    return cut(clean(name), _NAME_COLUMNS_MAX)


def _plural(number: int, what: str) -> str:
    return f"{count(number)} {what}{'' if number == 1 else 's'}"
