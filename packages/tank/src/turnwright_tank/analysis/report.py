"""The analysis of a battle as one page of Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnwright_tank.analysis.battle import Analysis
from turnwright_tank.analysis.counts import Tally, energy_lost, mean_distance, mean_power
from turnwright_tank.analysis.facts import NoteFact, PrintFact, SkipsFact, TotalFact
from turnwright_tank.analysis.report_rounds import compact_rounds, full_round, printed_text, whole_round
from turnwright_tank.analysis.text import (
    cell,
    duration,
    energy,
    escaped,
    name_text,
    plural,
    share,
    table,
)
from turnwright_tank.results import SCORES, TOTAL

ROWS_MAX = 20
"""The largest number of bots in a table. The best bots are listed, and the others are counted."""
PRINTED_LINES = 24
"""The number of printed lines on a page, of all bots or of the bot that the page is about."""
NOTE_LINES = 24
"""The largest number of findings about all bots. A page about one bot has all its findings."""
FULL_TANKS = 4
"""With more tanks than this, each round is one row of a table."""
FULL_LINES = 84
"""With more lines than this for all rounds, each round is one row of a table."""
_CLUSTERS_TOLD = 3
_STALL_US = 3_000.0
_CALM_TIMES = 10
"""If a bot is usually this many times faster, an answer of _STALL_US or more is probably not its own fault.
"""


def page(analysis: Analysis, title: str, *, bot: int | None = None, round_number: int | None = None) -> str:
    """Return a finished analysis as Markdown.

    Args:
        bot: report findings, times, output and rounds only for this bot. The tables have this bot first.
        round_number: report only this round.
    """
    lines = [f"# {name_text(title)}", "", *_facts(analysis), ""]
    if round_number is not None:
        for told in analysis.rounds:
            if told.fact.round == round_number:
                lines += whole_round(analysis.setting, told, bot)
        return "\n".join(lines).rstrip() + "\n"
    lines += _results(analysis)
    lines += _shots(analysis, bot)
    lines += _energy(analysis, bot)
    lines += _notes(analysis, bot)
    lines += _time(analysis, bot)
    lines += _printed(analysis, bot)
    lines += _rounds(analysis, bot)
    return "\n".join(lines).rstrip() + "\n"


def _facts(analysis: Analysis) -> Iterator[str]:
    battle = analysis.battle
    seed = "" if battle.seed is None else f", seed {battle.seed}"
    timeout = battle.turn_timeout_us
    limit = "" if timeout is None else f", {duration(timeout)} for an answer"
    ends = {
        "over": "It ran to completion.",
        "aborted": "It was aborted.",
        "void": "It is void: the rules failed.",
        None: "The file is truncated.",
    }
    yield (
        f"{name_text(battle.game_type)}, arena {battle.width:g} x {battle.height:g}, {battle.rounds} of "
        f"{plural(battle.rounds_planned, 'round')}, {plural(battle.turns, 'turn')}{seed}{limit}. "
        f"{ends[battle.ending]}"
    )
    if battle.differs is not None:
        yield f"**The record plays differently from {battle.differs} on: the report ends there.**"
    yield "Lengths are in units (a tank is 36 wide); turns count from 1 in each round."


def _results(analysis: Analysis) -> Iterator[str]:
    if not analysis.results:
        return
    columns = (TOTAL, *SCORES)
    head = ("Rank", "Name", *(one.heading for one in columns))
    rows = []
    for row in analysis.results[:ROWS_MAX]:
        numbers = [getattr(row, one.name) for one in columns]
        name = row.name if row.is_team else analysis.setting.fighter(row.id).name
        rows.append((str(row.rank), name_text(name), *(f"{number:,}" for number in numbers)))
    yield "## Results"
    yield from table(head, rows)
    yield from _more(len(analysis.results))
    yield ""


def _shots(analysis: Analysis, bot: int | None) -> Iterator[str]:
    head = ("Bot", "Rounds won", "Shots", "Hit", "Share", "Energy per shot", "Damage done", "Bullets taken",
            "while steady", "Nearest enemy")  # fmt: skip
    rows = []
    totals = _shown(analysis, bot)
    for total in totals[:ROWS_MAX]:
        tally = total.tally
        rows.append(
            (
                name_text(total.name),
                f"{tally.wins:,}",
                f"{tally.shots:,}",
                f"{tally.hits:,}",
                share(tally.hits, tally.shots) if tally.shots else "",
                cell(mean_power(tally), 2),
                energy(tally.damage),
                f"{tally.bullets_taken:,}",
                f"{tally.steady_taken:,}",
                cell(mean_distance(tally), 0),
            )
        )
    yield "## Shots"
    yield from table(head, rows)
    yield from _more(len(totals))
    yield ""


def _energy(analysis: Analysis, bot: int | None) -> Iterator[str]:
    head = ("Bot", "At start", "Won back", "Own shots", "Missed shots", "Bullets", "Walls",
            "Collisions", "Other", "Overkill", "Left")  # fmt: skip
    totals = _shown(analysis, bot)
    rows = [_energy_row(analysis, total) for total in totals[:ROWS_MAX]]
    yield "## Energy gained and lost"
    yield from table(head, rows)
    yield from _more(len(totals))
    yield ""


def _energy_row(analysis: Analysis, total: TotalFact) -> tuple[str, ...]:
    tally = total.tally
    rounds = [line for _, line in analysis.rounds_of(total.bot)]
    began = analysis.setting.fighter(total.bot).energy_at_start * len(rounds)
    overkill = 0.0
    for line in rounds:
        overkill += max(0.0, -line.energy)
    return (
        name_text(total.name),
        energy(began),
        *(energy(amount) for amount in (tally.won_back, tally.shot_energy, tally.missed_energy)),
        energy(tally.bullet_energy),
        _with_count(tally.wall_energy, tally.wall_hits),
        _with_count(tally.ram_energy, tally.contacts),
        energy(_other(tally)),
        energy(overkill) if overkill else "0",
        energy(began + tally.won_back - energy_lost(tally) + overkill),
    )


def _with_count(amount: float, count: int) -> str:
    return f"{energy(amount)} ({count:,}×)" if count else "0"


def _other(tally: Tally) -> float:
    return tally.inactivity_energy + tally.removed_energy + tally.other_energy


def _notes(analysis: Analysis, bot: int | None) -> Iterator[str]:
    bots = [total.bot for total in _ranked(analysis) if bot in (None, total.bot)]
    each = max(1, NOTE_LINES // max(1, len(bots)))
    found: list[NoteFact] = []
    for one in bots[:ROWS_MAX]:
        told = analysis.notes_of(one)
        found += told if bot is not None else told[:each]
    yield "## Findings"
    if not found:
        yield "- none: no figure crossed a threshold"
    yield from (f"- {name_text(note.name)}: {escaped(note.text)}." for note in found)
    yield ""


def _time(analysis: Analysis, bot: int | None) -> Iterator[str]:
    yield "## Time"
    if not analysis.setting.times_known:
        yield "A Tank Royale recording does not contain missed turns."
        yield ""
        return
    timings = [analysis.timing[total.bot] for total in _ranked(analysis) if bot in (None, total.bot)]
    told = sorted((t for t in timings if t.skipped or t.latest_ns), key=lambda t: -t.skipped)
    if not told:
        yield (
            "No bot missed a turn or answered late."
            if bot is None
            else "It missed no turn and was never late."
        )
    for timing in told[:10]:
        fact = timing.fact(analysis.setting.fighter(timing.bot).name)
        text = f"- {name_text(fact.name)} missed {plural(fact.skipped, 'turn')}"
        worst = timing.worst(_CLUSTERS_TOLD)
        if worst:
            most = "most " if len(worst) < len(timing.clusters) else ""
            text += f", {most}in {', '.join(map(_cluster, worst))}"
        if fact.late:
            late = f"median by {duration(fact.late_us_median)}, latest by {duration(fact.late_us_max)}"
            text += f"; {plural(fact.late, 'answer')} came late ({late})"
        yield text + "."
    if len(told) > 10:
        yield f"- and {len(told) - 10:,} more bots missed turns or were late"
    late_turns = analysis.battle.server_late_turns
    if late_turns:
        yield f"- The server itself was late in {plural(late_turns, 'turn')}; no bot was penalised for that."
    known = [
        timing.fact(analysis.setting.fighter(timing.bot).name) for timing in timings if timing.answers_ns
    ]
    for fact in sorted(known, key=lambda fact: -(fact.p99_us or 0.0))[:10]:
        times = (
            f"{duration(fact.p50_us)} (median), {duration(fact.p95_us)} (p95), {duration(fact.p99_us)} (p99)"
        )
        slowest = f"{name_text(fact.name)}: the slowest answer of each few turns took about"
        yield f"- {slowest} {times}, {duration(fact.max_us)} at most."
    if any((fact.max_us or 0.0) >= _STALL_US > _CALM_TIMES * (fact.p50_us or 0.0) for fact in known):
        yield "- These times include waiting for other programs: on a busy machine they are longer."
    yield ""


def _cluster(one: SkipsFact) -> str:
    turns = f"turn {one.first}" if one.count == 1 else f"turns {one.first}-{one.last} ({one.count})"
    return f"round {one.round} {turns}"


def _printed(analysis: Analysis, bot: int | None) -> Iterator[str]:
    """Yield the last lines that bots printed, if they printed any."""
    found: dict[int, list[PrintFact]] = {}
    for told in analysis.rounds:
        for event in told.events:
            if isinstance(event, PrintFact) and bot in (None, event.bot):
                found.setdefault(event.bot, []).append(event)
    if not found:
        return
    each = PRINTED_LINES if bot is not None else max(1, PRINTED_LINES // len(found))
    yield "## Printed"
    for one, lines in sorted(found.items())[:ROWS_MAX]:
        most = f", the last {each:,}" if len(lines) > each else ""
        yield f"{name_text(analysis.setting.fighter(one).name)} printed {plural(len(lines), 'line')}{most}:"
        yield ""
        yield from (f"- {line.round}.{line.turn}: {printed_text(line)}" for line in lines[-each:])
        yield ""


def _rounds(analysis: Analysis, bot: int | None) -> Iterator[str]:
    fighters = len(analysis.setting.fighters)
    full = [line for told in analysis.rounds for line in full_round(analysis.setting, told, bot)]
    yield "## Rounds"
    if fighters <= FULL_TANKS and len(full) <= FULL_LINES:
        yield from full
    else:
        yield from compact_rounds(analysis.setting, analysis.rounds, bot)


def _ranked(analysis: Analysis) -> Sequence[TotalFact]:
    """Return the totals, best first if results are known."""
    places = {row.id: place for place, row in enumerate(analysis.results) if not row.is_team}
    teams = {row.name: place for place, row in enumerate(analysis.results) if row.is_team}
    last = len(analysis.results)

    def place(total: TotalFact) -> int:
        team = analysis.setting.fighter(total.bot).team
        return places.get(total.bot, last) if team is None else teams.get(team, last)

    return sorted(analysis.totals, key=place)


def _shown(analysis: Analysis, bot: int | None) -> Sequence[TotalFact]:
    """Return the totals of all bots in the order of a table's rows: `bot` first if given, then best first."""
    ranked = _ranked(analysis)
    if bot is None:
        return ranked
    return [*(t for t in ranked if t.bot == bot), *(t for t in ranked if t.bot != bot)]


def _more(count: int) -> Iterator[str]:
    if count > ROWS_MAX:
        yield ""
        yield f"and {count - ROWS_MAX:,} more: `--seat NAME` shows one, `--format jsonl` shows all."
