"""Rounds in the report: a few lines for each, one row for each, or all details of one round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from turnwright_tank.analysis.battle import AnalysedRound
from turnwright_tank.analysis.counts import mean_power
from turnwright_tank.analysis.facts import (
    BotFact,
    DeathFact,
    DisabledFact,
    EnergyLoss,
    Fact,
    HitFact,
    LeadFact,
    OutFact,
    PrintFact,
    RamFact,
    RoundFact,
    WallFact,
    death_place,
)
from turnwright_tank.analysis.text import energy, escaped, name_text, plural, share, table
from turnwright_tank.analysis.turns import Setting

COMPACT_ROWS = 40
"""The largest number of rounds in the table. Later rounds are only counted."""
DEATHS_TOLD = 20
EVENTS_TOLD = 80
PRINTED_TOLD = 80
PRINTED_LETTERS = 200
"""The largest number of characters of a printed line in Markdown."""
NOTES_TOLD = 20
TANKS_TOLD = 20
LEADS_TOLD = 6


def full_round(setting: Setting, told: AnalysedRound, bot: int | None) -> Iterator[str]:
    """Yield a round in a few lines.

    Args:
        bot: report only this bot.
    """
    fact = told.fact
    yield f"### {_heading(setting, fact)}"
    yield f"- Start positions: {_beginning(setting, fact)}"
    yield f"- Energy after turns {_energies(setting, told)}"
    yield from (f"- {_deeds(setting, line)}" for line in told.bots if bot in (None, line.bot))
    yield from (f"- {_death(setting, death)}" for death in _deaths(told) if bot in (None, death.bot))
    yield ""


def compact_rounds(setting: Setting, rounds: Sequence[AnalysedRound], bot: int | None) -> Iterator[str]:
    """Yield a table with a row for each of the first COMPACT_ROWS rounds. Later rounds are only counted.

    Args:
        bot: show the death of this bot. None means the order of all deaths.
    """
    head = ("Round", "Turns", "Won by", "First hit", "Died, in order" if bot is None else "Its death")
    rows = []
    for told in rounds[:COMPACT_ROWS]:
        fact = told.fact
        first = "" if fact.first_hit is None else f"{fact.first_hit[0]:,}"
        deaths = _deaths(told)
        text = _order(setting, deaths) if bot is None else _own_death(setting, told, bot)
        rows.append((str(fact.round), f"{fact.turns:,}", _names(setting, fact.winners), first, text))
    yield from table(head, rows)
    if len(rounds) > COMPACT_ROWS:
        yield ""
        yield f"and {len(rounds) - COMPACT_ROWS:,} more rounds: `--round N` shows one."


def whole_round(setting: Setting, told: AnalysedRound, bot: int | None) -> Iterator[str]:
    """Yield one round with all details, and its events in order of time.

    Args:
        bot: report only this bot.
    """
    fact = told.fact
    bots = [line for line in told.bots if bot in (None, line.bot)]
    yield f"## {_heading(setting, fact)}"
    yield f"- Start positions: {_beginning(setting, fact)}"
    yield f"- Energy after turns {_energies(setting, told)}"
    yield from (f"- {_deeds(setting, line)}" for line in bots[:TANKS_TOLD])
    if len(bots) > TANKS_TOLD:
        yield f"- and {len(bots) - TANKS_TOLD:,} more tanks"
    pairs = sorted((p for p in fact.damage if bot is None or bot in p[:2]), key=lambda pair: -pair[2])
    if pairs:
        texts = (
            f"{_name(setting, one)} to {_name(setting, two)} {energy(lost)}" for one, two, lost in pairs[:20]
        )
        yield f"- Damage by bullets: {'; '.join(texts)}"
    yield ""
    noted = [note for note in told.notes if bot in (None, note.bot)]
    if noted:
        yield "### Findings"
        yield from (f"- {name_text(note.name)}: {escaped(note.text)}." for note in noted[:NOTES_TOLD])
        if len(noted) > NOTES_TOLD:
            yield f"- and {len(noted) - NOTES_TOLD:,} more: `--seat NAME` shows one"
        yield ""
    yield "### What happened"
    concerning = [event for event in told.events if bot is None or bot in concerned(event)]
    events = [event for event in concerning if not isinstance(event, PrintFact)]
    yield from (f"- {_event(setting, event)}" for event in events[:EVENTS_TOLD])
    if len(events) > EVENTS_TOLD:
        yield f"- and {len(events) - EVENTS_TOLD:,} more events: `--format jsonl` has them all"
    printed = [event for event in concerning if isinstance(event, PrintFact)]
    if printed:
        yield ""
        yield "### Printed"
        if len(printed) > PRINTED_TOLD:
            yield f"- the last {PRINTED_TOLD} of {len(printed):,} lines: `--format jsonl` has them all"
        for line in printed[-PRINTED_TOLD:]:
            yield f"- {line.turn:,}: {_name(setting, line.bot)}: {printed_text(line)}"


def _heading(setting: Setting, fact: RoundFact) -> str:
    if not fact.complete:
        return f"Round {fact.round}: {plural(fact.turns, 'turn')}, the file does not contain its end"
    won = f"{_names(setting, fact.winners)} won" if fact.winners else "winner unknown"
    both = "" if len(fact.survivors) == 1 else f", {len(fact.survivors)} tanks alive"
    return f"Round {fact.round}: {won} after {plural(fact.turns, 'turn')}{both}"


def _beginning(setting: Setting, fact: RoundFact) -> str:
    places = [
        f"{_name(setting, o.bot)} at ({o.x:.0f}, {o.y:.0f}) heading {o.direction:.0f}°"
        for o in fact.openings[:4]
    ]
    if len(fact.openings) > 4:
        places.append(f"{len(fact.openings) - 4} more")
    text = ", ".join(places)
    if fact.opening_distance is not None:
        nearest = "" if len(fact.openings) == 2 else "the nearest two "
        text += f"; {nearest}{fact.opening_distance:.0f} apart"
    for what, first in (("shot", fact.first_shot), ("hit", fact.first_hit)):
        who = "none" if first is None else f"{_name(setting, first[1])}, turn {first[0]:,}"
        text += f"; first {what}: {who}"
    return text + "."


def _energies(setting: Setting, told: AnalysedRound) -> str:
    fact = told.fact
    ranked = sorted(fact.energies, key=lambda bot: (bot not in fact.winners, -_died_at(fact, bot)))
    rows = [
        f"{_name(setting, bot)} {', '.join(f'{value:.0f}' for value in fact.energies[bot])}"
        for bot in ranked[:4]
    ]
    more = "" if len(ranked) <= 4 else f" (and {len(ranked) - 4} more)"
    leads = [f"{_name(setting, bot)} from turn {turn:,}" for turn, bot in fact.leads[:LEADS_TOLD]]
    if len(fact.leads) > LEADS_TOLD:
        leads.append(f"{len(fact.leads) - LEADS_TOLD} more changes")
    turns = ", ".join(f"{turn:,}" for turn in fact.energy_turns)
    return f"{turns}: {'; '.join(rows)}{more}. Lead: {', '.join(leads) if leads else 'no bot had 5 or more'}."


def _died_at(fact: RoundFact, bot: int) -> int:
    return death_place(fact, bot) if bot in fact.deaths else len(fact.deaths) + 1


def _deeds(setting: Setting, line: BotFact) -> str:
    tally = line.tally
    per_shot = mean_power(tally)
    power = "" if per_shot is None else f", {per_shot:.1f} energy per shot"
    shots = f"{tally.hits} of {plural(tally.shots, 'shot')} hit ({share(tally.hits, tally.shots)}{power})"
    parts = [
        f"{shots}, {energy(tally.damage)} damage",
        f"took {plural(tally.bullets_taken, 'bullet')} ({energy(tally.bullet_energy)})",
    ]
    if tally.missed_energy:
        parts.append(f"lost {energy(tally.missed_energy)} on misses")
    if tally.wall_hits:
        parts.append(f"hit walls {tally.wall_hits}× ({energy(tally.wall_energy)})")
    if tally.contacts:
        parts.append(f"collided with tanks {tally.contacts}× ({energy(tally.ram_energy)})")
    if tally.inactivity_energy:
        parts.append(f"inactivity {energy(tally.inactivity_energy)}")
    if tally.disabled_turns:
        parts.append(f"disabled in {plural(tally.disabled_turns, 'turn')}")
    if tally.skipped:
        parts.append(f"missed {plural(tally.skipped, 'turn')}")
    return f"{_name(setting, line.bot)}: {'; '.join(parts)}."


def _deaths(told: AnalysedRound) -> list[DeathFact]:
    return [event for event in told.events if isinstance(event, DeathFact)]


def _death(setting: Setting, death: DeathFact) -> str:
    *before, last = death.blows
    text = f"**{_name(setting, death.bot)} died in turn {death.turn:,}**: {_blow(setting, last)}"
    text += f" ({death.why_out})" if death.why_out else ""
    text += f", {energy(last.damage)} damage at {energy(last.energy_before)} energy."
    if before:
        earlier = (f"turn {b.turn:,} {_blow(setting, b)} -{energy(b.damage)}" for b in before)
        text += f" Before it: {'; '.join(earlier)}."
    return text


def _blow(setting: Setting, blow: EnergyLoss) -> str:
    by = "" if blow.by is None else _name(setting, blow.by)
    if blow.cause == "bullet":
        return f"{by}'s bullet of power {blow.power or 0.0:.2f} from {blow.distance or 0.0:.0f} away"
    words: Mapping[str, str] = {
        "ram": f"a collision with {by}",
        "wall": "a wall",
        "inactivity": "inactivity",
        "disqualified": "disqualified for missing too many turns",
        "left": "its program left",
        "removed": "taken out of the battle",
        "unknown": "an unknown cause",
    }
    return words[blow.cause]


def _order(setting: Setting, deaths: Sequence[DeathFact]) -> str:
    texts = [f"{_name(setting, d.bot)} ({d.turn:,}, {_short(setting, d)})" for d in deaths[:DEATHS_TOLD]]
    if len(deaths) > DEATHS_TOLD:
        texts.append(f"{len(deaths) - DEATHS_TOLD} more")
    return ", ".join(texts)


def _own_death(setting: Setting, told: AnalysedRound, bot: int) -> str:
    deaths = _deaths(told)
    for death in deaths:
        if death.bot == bot:
            place = f"{death_place(told.fact, bot)} of {len(deaths)}"
            return f"turn {death.turn:,}, {_short(setting, death)}, {place}"
    return "survived"


def _short(setting: Setting, death: DeathFact) -> str:
    if death.why_out:
        return f"{death.cause}: {death.why_out}"
    return death.cause if death.by is None else f"{death.cause} of {_name(setting, death.by)}"


def concerned(event: Fact) -> tuple[int | None, ...]:
    """Return the ids of the bots that an event concerns. An id is None if an event has no causer."""
    if isinstance(event, HitFact | DeathFact):
        return event.bot, event.by
    if isinstance(event, RamFact):
        return event.bot, event.victim
    return (getattr(event, "bot", None),)


def _event(setting: Setting, event: Fact) -> str:
    name = _name(setting, getattr(event, "bot", 0))
    turn = f"{getattr(event, 'turn', 0):,}: "
    if isinstance(event, HitFact):
        steady = ", while it was steady" if event.steady else ""
        shot = f"power {event.power:.2f}, from {event.distance:.0f} away{steady}"
        by, lost = _name(setting, event.by), energy(event.damage)
        return f"{turn}{by} hit {name}, {shot}: -{lost}, {energy(event.energy)} left"
    if isinstance(event, DeathFact):
        return turn + _death(setting, event)
    if isinstance(event, WallFact):
        return f"{turn}{name} drove into a wall{_again(event)}"
    if isinstance(event, RamFact):
        return f"{turn}{name} drove into {_name(setting, event.victim)}{_again(event)}"
    if isinstance(event, LeadFact):
        return f"{turn}{name} took the lead in energy"
    if isinstance(event, DisabledFact):
        return f"{turn}{name} was disabled"
    assert isinstance(event, OutFact), event
    out = "was disqualified" if event.why == "disqualified" else "left"
    return f"{turn}{name} {out}" + ("" if event.failure is None else f" ({escaped(event.failure)})")


def printed_text(line: PrintFact) -> str:
    """Return a line that a bot printed, shortened and escaped for Markdown."""
    text = line.text[:PRINTED_LETTERS] + ("…" if len(line.text) > PRINTED_LETTERS else "")
    return ("error: " if line.error else "") + escaped(text)


def _again(event: WallFact | RamFact) -> str:
    return "" if event.count == 1 else f", {event.count} times until turn {event.last:,}"


def _names(setting: Setting, bots: Sequence[int]) -> str:
    texts = [_name(setting, bot) for bot in bots[:4]]
    if len(bots) > 4:
        texts.append(f"{len(bots) - 4} more")
    return " and ".join(texts)


def _name(setting: Setting, bot: int) -> str:
    return name_text(setting.fighter(bot).name)
