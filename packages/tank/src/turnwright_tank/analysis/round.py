"""The analysis of one round. It takes the turns one by one and returns the facts."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from turnwright.kernel.printed import lines_of, printable
from turnwright_tank.analysis.deaths import (
    bullet_blow,
    fatal_blows,
    note_blow,
    ram_blow,
)
from turnwright_tank.analysis.energy_course import EnergyCourse
from turnwright_tank.analysis.energy_ledger import CLOSE, Inactivity, TurnEnergy, book_rest, is_put_out
from turnwright_tank.analysis.exchange import Contacts, Exchange
from turnwright_tank.analysis.facts import (
    PRINTED_KEPT,
    BotFact,
    DeathFact,
    DisabledFact,
    EnergyLoss,
    Fact,
    HitFact,
    LeadFact,
    Opening,
    PrintFact,
    PrintLine,
    RamFact,
    RoundFact,
    WallFact,
)
from turnwright_tank.analysis.shots import Shots
from turnwright_tank.analysis.tank_stats import Death, TankStats
from turnwright_tank.analysis.turns import Setting, TurnSeen
from turnwright_tank.analysis.verdict import fate_in_round
from turnwright_tank.rules.constants import BULLET_HIT_GAIN, RAM_DAMAGE
from turnwright_tank.structs import (
    BotDeathEvent,
    BotHitBotEvent,
    BotHitWallEvent,
    BulletFiredEvent,
    BulletHitBotEvent,
    BulletHitBulletEvent,
    BulletHitWallEvent,
    ScannedBotEvent,
)

_LOOK_EACH_TURN_TANKS = 8
"""With more tanks than this, distances are measured only in every tenth turn."""
_LOOK_EVERY = 10

OutReason = Literal["disqualified", "left"]
Outs = Mapping[int, tuple[OutReason, str]]
"""By bot id, why the bot is out, and the reason for its disqualification in a few words, or ""."""


class _OpenTurn:
    """Facts of the current turn."""

    def __init__(self, seen: TurnSeen, stats: Mapping[int, TankStats]) -> None:
        self.number = seen.frame.turn_number
        self.events: Sequence[Any] = seen.frame.events
        self.tanks = {tank.id: tank for tank in seen.frame.bot_states if tank.id in stats}
        self.turned = {bot: TurnEnergy(stats[bot].energy, tank.energy) for bot, tank in self.tanks.items()}
        self.blows: dict[int, list[EnergyLoss]] = {bot: [] for bot in self.tanks}
        self.seeing: dict[int, bool] = {}
        self.anybody_hit = False
        self.died: list[int] = []


class RoundAnalysis:
    """The facts of one round, collected turn by turn.

    Args:
        out: the bots that are out of the round.

    Attributes:
        events: the lines of events in order of time.
    """

    def __init__(self, setting: Setting, first: TurnSeen, out: Outs) -> None:
        self.setting = setting
        self.round = first.frame.round_number
        self.events: list[Fact] = []
        self.stats = {
            tank.id: TankStats(tank.id, setting.fighter(tank.id).energy_at_start)
            for tank in first.frame.bot_states
        }
        self._out = out
        self._first = self._last = first
        self._shots = Shots()
        self._course = EnergyCourse(list(self.stats))
        self._inactivity = Inactivity(setting.max_inactivity_turns)
        self._exchange = Exchange()
        self._contacts = Contacts(self.round)
        self._swept: dict[tuple[int, int], int] = {}
        """By scanning and scanned bot, the last turn in which the first one's radar swept over the second."""
        self._deaths: list[int] = []
        self._printed: dict[int, deque[PrintFact]] = {}

    # ---- one turn ------------------------------------------------------------------------------------------

    def take(self, seen: TurnSeen) -> None:
        """Take the next turn of the round, beginning with the first."""
        self._last = seen
        turn = _OpenTurn(seen, self.stats)
        if (
            seen is self._first and turn.number != 1
        ):  # the file begins later, so the earlier turns are unknown
            turn.events = ()
            turn.turned = {bot: TurnEnergy(tank.energy, tank.energy) for bot, tank in turn.tanks.items()}
            for bot, tank in turn.tanks.items():
                self.stats[bot].energy_at_start = tank.energy
        for bot, tank in turn.tanks.items():
            self.stats[bot].moved(tank, turn.number)
        for event in turn.events:
            taken = _TAKE.get(type(event))
            if taken is not None:
                taken(self, turn, event)
        inactive = self._inactivity.costs(turn.anybody_hit)
        for bot in turn.tanks:
            self._close(turn, bot, inactive)
        self._look_around(turn)
        if self._course.take(turn.number, {bot: tank.energy for bot, tank in turn.tanks.items()}):
            self.events.append(LeadFact(round=self.round, turn=turn.number, bot=self._course.leads[-1][1]))

    def note_prints(self, seen: TurnSeen) -> None:
        """Store the output of bots in a turn, including bots that are not in the round."""
        for line in lines_of(seen.printed, self.round, seen.frame.turn_number):
            fact = PrintFact(
                round=line.round,
                turn=line.turn,
                bot=line.seat,
                text=printable(line.text),
                error=line.is_error,
            )
            self.events.append(fact)
            self._printed.setdefault(line.seat, deque(maxlen=PRINTED_KEPT)).append(fact)

    def _fired(self, turn: _OpenTurn, event: BulletFiredEvent) -> None:
        shot = self._shots.fired(event.bullet, turn.number)
        stat = self.stats.get(shot.owner)
        if stat is None or shot.owner not in turn.turned:
            return
        turned = turn.turned[shot.owner]
        turned.fired = True
        turned.known -= shot.cost
        stat.tally.shots += 1
        stat.tally.shot_energy += shot.cost
        self._exchange.shot(turn.number, shot.owner)

    def _hit_tank(self, turn: _OpenTurn, event: BulletHitBotEvent) -> None:
        turn.anybody_hit = True
        victim, shot = event.victim_id, self._shots.ended(event.bullet, "tank", turn.number)
        stat, shooter = self.stats.get(victim), self.stats.get(shot.owner)
        if stat is None or victim not in turn.tanks:
            return
        blow = bullet_blow(event, shot)
        steady = stat.changed_turn <= shot.turn
        stat.took_bullet(blow, steady=steady, still=stat.moved_turn <= shot.turn)
        turn.turned[victim].known -= event.damage
        turn.blows[victim].append(blow)
        taken = min(event.damage, max(0.0, blow.energy_before))
        self._exchange.hit(turn.number, shot.owner, victim, taken)
        if shooter is not None:
            self._credit(turn, shooter, victim, taken, event.bullet.power)
        self.events.append(
            HitFact(
                round=self.round,
                turn=turn.number,
                bot=victim,
                by=shot.owner,
                power=event.bullet.power,
                damage=event.damage,
                distance=blow.distance or 0.0,
                energy=event.energy,
                steady=steady,
            )
        )

    def _credit(self, turn: _OpenTurn, shooter: TankStats, victim: int, taken: float, power: float) -> None:
        """Count a hit for the shooter. A shooter that died before this turn gets no energy back."""
        shooter.tally.damage += taken
        if self.setting.are_enemies(shooter.bot, victim):
            shooter.tally.hits += 1
            shooter.landed_bullet()
        else:
            shooter.tally.own_hits += 1
        if shooter.bot in turn.turned:
            gain = BULLET_HIT_GAIN * power
            shooter.tally.won_back += gain
            turn.turned[shooter.bot].known += gain

    def _met(self, turn: _OpenTurn, event: BulletHitBulletEvent) -> None:
        for bullet in (event.bullet, event.hit_bullet):
            self._shots.ended(bullet, "bullet", turn.number)

    def _missed(self, turn: _OpenTurn, event: BulletHitWallEvent) -> None:
        self._shots.ended(event.bullet, "wall", turn.number)

    def _touched(self, turn: _OpenTurn, event: BotHitBotEvent) -> None:
        stat = self.stats.get(event.bot_id)
        if stat is not None and event.bot_id in turn.turned:
            turn.turned[event.bot_id].known -= RAM_DAMAGE
            stat.tally.contacts += 1
            stat.tally.ram_energy += RAM_DAMAGE
            if event.rammed:
                stat.tally.rams += 1
                self._note(self._contacts.rammed(turn.number, event.bot_id, event.victim_id))
        if event.victim_id in turn.blows:
            turn.blows[event.victim_id].append(ram_blow(event))

    def _hit_wall(self, turn: _OpenTurn, event: BotHitWallEvent) -> None:
        stat = self.stats.get(event.victim_id)
        if stat is None or event.victim_id not in turn.turned:
            return
        turn.turned[event.victim_id].hit_wall = True
        stat.tally.wall_hits += 1
        self._note(self._contacts.hit_wall(turn.number, event.victim_id))

    def _note(self, fact: WallFact | RamFact | None) -> None:
        if fact is not None:
            self.events.append(fact)

    def _scanned(self, turn: _OpenTurn, event: ScannedBotEvent) -> None:
        by, seen = event.scanned_by_bot_id, event.scanned_bot_id
        self._swept[by, seen] = turn.number
        if not turn.seeing.get(by) and self.setting.are_enemies(by, seen):
            turn.seeing[by] = True

    def _died(self, turn: _OpenTurn, event: BotDeathEvent) -> None:
        if event.victim_id in turn.tanks:
            turn.died.append(event.victim_id)

    # ---- closing a turn ------------------------------------------------------------------------------------

    def _close(self, turn: _OpenTurn, bot: int, inactive: bool) -> None:
        """Enter a tank's turn in the ledger after all its events."""
        stat, turned = self.stats[bot], turn.turned[bot]
        turned.put_out = is_put_out(turned, known=bot in self._out, inactive=inactive)
        wall_before = stat.tally.wall_energy
        book_rest(stat.tally, turned, inactive)
        sees = turn.seeing.get(bot, False)
        stat.looked(sees)
        stat.aimed(fired=turned.fired, sees=sees)
        stat.near_wall(self.setting.width, self.setting.height)
        if stat.became_disabled():
            self.events.append(DisabledFact(round=self.round, turn=turn.number, bot=bot))
        if bot in turn.died:
            self._tell_death(turn, stat, inactive)
        else:
            walls = stat.tally.wall_energy - wall_before
            self._note_blows(stat, turn, turn.blows[bot], walls)
        stat.energy = turned.after

    def _note_blows(
        self, stat: TankStats, turn: _OpenTurn, blows: Sequence[EnergyLoss], walls: float
    ) -> None:
        if walls > CLOSE:
            note_blow(stat.blows, EnergyLoss(turn.number, "wall", None, None, None, walls, stat.energy))
        for blow in blows:
            note_blow(stat.blows, blow)

    def _tell_death(self, turn: _OpenTurn, stat: TankStats, inactive: bool) -> None:
        turned, blows = turn.turned[stat.bot], turn.blows[stat.bot]
        stat.tally.deaths += 1
        self._deaths.append(stat.bot)
        why = self._out[stat.bot][0] if stat.bot in self._out else "removed"
        blows = fatal_blows(
            turn.number, turned, blows, why=why if turned.put_out else None, inactive=inactive
        )
        self._note_blows(stat, turn, blows, 0.0)
        last = blows[-1]
        seen = None if last.by is None else self._swept.get((stat.bot, last.by))
        stat.death = Death(turn.number, last.cause, last.by, seen)
        by = None if last.by is None else self.setting.fighter(last.by).name
        self.events.append(
            DeathFact(
                round=self.round,
                turn=turn.number,
                bot=stat.bot,
                name=self.setting.fighter(stat.bot).name,
                cause=last.cause,
                by=last.by,
                by_name=by,
                blows=tuple(stat.blows),
                why_out=self._why_out(stat),
            )
        )

    def _why_out(self, stat: TankStats) -> str | None:
        """Return why a dead tank was disqualified in a few words, if known."""
        disqualified = stat.death is not None and stat.death.cause == "disqualified"
        return (self._out[stat.bot][1] or None) if disqualified else None

    def _look_around(self, turn: _OpenTurn) -> None:
        """Count the distance of each bot to its nearest enemy, with many tanks only in every tenth turn."""
        tanks = list(turn.tanks.values())
        if len(tanks) > _LOOK_EACH_TURN_TANKS and turn.number % _LOOK_EVERY:
            return
        for tank in tanks:
            nearest = self.setting.nearest_enemy(tank, tanks)
            if nearest is not None:
                tally = self.stats[tank.id].tally
                tally.distance_sum += nearest
                tally.distance_turns += 1

    # ---- the end -------------------------------------------------------------------------------------------

    def end(self, *, complete: bool) -> tuple[RoundFact, list[BotFact]]:
        """Return the fact about the round, and a fact about each of its bots. Call this once.

        Args:
            complete: whether the turns include the last turn of the round.
        """
        survivors = tuple([bot for bot in self.stats if bot not in self._deaths])
        winners = self._last.winners
        if winners is None:
            winners = survivors if complete and len(survivors) == 1 else ()
        for stat in self.stats.values():
            self._count_misses(stat)
            stat.tally.wins = int(stat.bot in winners)
        turns, energies = self._course.samples()
        opened = self._first.frame.bot_states
        apart = [found for tank in opened if (found := self.setting.nearest_enemy(tank, opened)) is not None]
        fact = RoundFact(
            round=self.round,
            turns=self._last.frame.turn_number,
            first_turn=self._first.turn,
            winners=winners,
            survivors=survivors,
            deaths=tuple(self._deaths),
            death_turns=tuple([death.turn for bot in self._deaths if (death := self.stats[bot].death)]),
            openings=tuple([Opening(t.id, t.x, t.y, t.direction) for t in opened]),
            opening_distance=min(apart) if apart else None,
            first_shot=self._exchange.first_shot,
            first_hit=self._exchange.first_hit,
            leads=tuple(self._course.leads),
            energy_turns=turns,
            energies=energies,
            damage=self._exchange.damage(),
            bullets=self._exchange.bullets(),
            complete=complete,
        )
        return fact, [self._bot_fact(stat, fact) for stat in self.stats.values()]

    def _count_misses(self, stat: TankStats) -> None:
        for shot in self._shots.of(stat.bot):
            if shot.ending == "bullet":
                stat.tally.met += 1
            if shot.ending != "tank":
                stat.tally.missed_energy += shot.cost

    def _bot_fact(self, stat: TankStats, fact: RoundFact) -> BotFact:
        death = stat.death
        line = BotFact(
            round=self.round,
            bot=stat.bot,
            name=self.setting.fighter(stat.bot).name,
            energy_at_start=stat.energy_at_start,
            energy=stat.energy,
            blows=tuple(stat.blows),
            tally=stat.tally,
            printed=tuple([PrintLine(p.turn, p.text, p.error) for p in self._printed.get(stat.bot, ())]),
        )
        if death is not None:
            line.died, line.cause, line.by, line.killer_seen = death.turn, death.cause, death.by, death.seen
            line.why_out = self._why_out(stat)
        line.fate = fate_in_round(self.setting, fact, line)
        return line


_TAKE: Mapping[type, Any] = {
    BulletFiredEvent: RoundAnalysis._fired,
    BulletHitBotEvent: RoundAnalysis._hit_tank,
    BulletHitBulletEvent: RoundAnalysis._met,
    BulletHitWallEvent: RoundAnalysis._missed,
    BotHitBotEvent: RoundAnalysis._touched,
    BotHitWallEvent: RoundAnalysis._hit_wall,
    ScannedBotEvent: RoundAnalysis._scanned,
    BotDeathEvent: RoundAnalysis._died,
}
