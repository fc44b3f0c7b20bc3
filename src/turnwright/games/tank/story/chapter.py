"""One round of the story: takes its turns, one after the other, and becomes lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from turnwright.games.tank.rules import BULLET_HIT_GAIN, RAM_DAMAGE
from turnwright.games.tank.story.course import Course
from turnwright.games.tank.story.deaths import (
    AGAIN_TURNS,
    bullet_blow,
    last_blow,
    note_blow,
    ram_blow,
    rest_blow,
)
from turnwright.games.tank.story.energy import CLOSE, Inactivity, Turned, book_rest, is_put_out
from turnwright.games.tank.story.facts import (
    Blow,
    BotFact,
    Cause,
    DeathFact,
    DisabledFact,
    Fact,
    HitFact,
    LeadFact,
    Opening,
    RamFact,
    RoundFact,
    WallFact,
)
from turnwright.games.tank.story.moment import Moment, Setting
from turnwright.games.tank.story.seat import TankBook
from turnwright.games.tank.story.shots import Shots, distance
from turnwright.games.tank.view import (
    BotDeathEvent,
    BotHitBotEvent,
    BotHitWallEvent,
    BulletFiredEvent,
    BulletHitBotEvent,
    BulletHitBulletEvent,
    BulletHitWallEvent,
    ScannedBotEvent,
    TankFrame,
)

__all__ = ["Chapter", "Why"]

_LOOK_EACH_TURN_TANKS = 8
"""With more tanks than that, distances are looked at every tenth turn only."""
_LOOK_EVERY = 10

Why = Literal["disqualified", "left"]


class _Turn:
    """What is known of one turn while it is taken."""

    def __init__(self, moment: Moment, books: Mapping[int, TankBook]) -> None:
        self.number = moment.frame.turn_number
        self.events: Sequence[Any] = moment.frame.events
        self.tanks = {tank.id: tank for tank in moment.frame.bot_states if tank.id in books}
        self.turned = {bot: Turned(books[bot].energy, tank.energy) for bot, tank in self.tanks.items()}
        self.blows: dict[int, list[Blow]] = {bot: [] for bot in self.tanks}
        self.seeing: dict[int, bool] = {}
        self.anybody_hit = False
        self.died: list[int] = []


class Chapter:
    """A round. out: by bot, why it was put out of the battle. events: lines in order of time."""

    def __init__(self, setting: Setting, first: Moment, out: Mapping[int, Why]) -> None:
        self.setting = setting
        self.round = first.frame.round_number
        self.events: list[Fact] = []
        self.books = {
            tank.id: TankBook(tank.id, setting.fighter(tank.id).energy_at_start)
            for tank in first.frame.bot_states
        }
        self._out = out
        self._first = self._last = first
        self._shots = Shots()
        self._course = Course(list(self.books))
        self._inactivity = Inactivity(setting.max_inactivity_turns)
        self._damage: dict[tuple[int, int], float] = {}
        self._deaths: list[int] = []
        self._first_shot: tuple[int, int] | None = None
        self._first_hit: tuple[int, int] | None = None
        self._series: dict[tuple[int, int], WallFact | RamFact] = {}

    # ---- one turn ------------------------------------------------------------------------------------------

    def take(self, moment: Moment) -> None:
        """Take the next turn of the round, its first one included."""
        self._last = moment
        turn = _Turn(moment, self.books)
        if moment is self._first and turn.number != 1:  # the file begins later: what led here is not known
            turn.events = ()
            turn.turned = {bot: Turned(tank.energy, tank.energy) for bot, tank in turn.tanks.items()}
        for bot, tank in turn.tanks.items():
            self.books[bot].moved(tank, turn.number)
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

    def _fired(self, turn: _Turn, event: BulletFiredEvent) -> None:
        shot = self._shots.fired(event.bullet, turn.number)
        book = self.books.get(shot.owner)
        if book is None or shot.owner not in turn.turned:
            return
        turned = turn.turned[shot.owner]
        turned.fired = True
        turned.known -= shot.cost
        book.tally.shots += 1
        book.tally.shot_energy += shot.cost
        if self._first_shot is None:
            self._first_shot = turn.number, shot.owner

    def _hit_tank(self, turn: _Turn, event: BulletHitBotEvent) -> None:
        turn.anybody_hit = True
        victim, shot = event.victim_id, self._shots.ended(event.bullet, "tank", turn.number)
        book, shooter = self.books.get(victim), self.books.get(shot.owner)
        if book is None or victim not in turn.tanks:
            return
        blow = bullet_blow(event, shot)
        steady = book.changed_turn <= shot.turn
        book.took_bullet(blow, steady=steady, still=book.moved_turn <= shot.turn)
        turn.turned[victim].known -= event.damage
        turn.blows[victim].append(blow)
        taken = min(event.damage, max(0.0, blow.energy_before))
        self._damage[shot.owner, victim] = self._damage.get((shot.owner, victim), 0.0) + taken
        if shooter is not None:
            self._credit(turn, shooter, victim, taken, event.bullet.power)
        if self._first_hit is None:
            self._first_hit = turn.number, shot.owner
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

    def _credit(self, turn: _Turn, shooter: TankBook, victim: int, taken: float, power: float) -> None:
        """Note a hit with who fired. A shooter that died before this turn gets no energy back."""
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

    def _met(self, turn: _Turn, event: BulletHitBulletEvent) -> None:
        for bullet in (event.bullet, event.hit_bullet):
            self._shots.ended(bullet, "bullet", turn.number)

    def _missed(self, turn: _Turn, event: BulletHitWallEvent) -> None:
        self._shots.ended(event.bullet, "wall", turn.number)

    def _touched(self, turn: _Turn, event: BotHitBotEvent) -> None:
        book = self.books.get(event.bot_id)
        if book is not None and event.bot_id in turn.turned:
            turn.turned[event.bot_id].known -= RAM_DAMAGE
            book.tally.contacts += 1
            book.tally.ram_energy += RAM_DAMAGE
            if event.rammed:
                book.tally.rams += 1
                self._rammed(turn, event)
        if event.victim_id in turn.blows:
            turn.blows[event.victim_id].append(ram_blow(event))

    def _rammed(self, turn: _Turn, event: BotHitBotEvent) -> None:
        key = event.bot_id, event.victim_id
        if not self._goes_on(key, turn.number):
            fact = RamFact(
                round=self.round,
                turn=turn.number,
                bot=event.bot_id,
                victim=event.victim_id,
                last=turn.number,
                count=1,
            )
            self._series[key] = fact
            self.events.append(fact)

    def _hit_wall(self, turn: _Turn, event: BotHitWallEvent) -> None:
        book = self.books.get(event.victim_id)
        if book is None or event.victim_id not in turn.turned:
            return
        turn.turned[event.victim_id].hit_wall = True
        book.tally.wall_hits += 1
        key = event.victim_id, 0
        if not self._goes_on(key, turn.number):
            fact = WallFact(
                round=self.round, turn=turn.number, bot=event.victim_id, last=turn.number, count=1
            )
            self._series[key] = fact
            self.events.append(fact)

    def _goes_on(self, key: tuple[int, int], turn: int) -> bool:
        """Note that something happens again, if it happened a few turns ago."""
        fact = self._series.get(key)
        if fact is None or turn - fact.last > AGAIN_TURNS:
            return False
        fact.last = turn
        fact.count += 1
        return True

    def _scanned(self, turn: _Turn, event: ScannedBotEvent) -> None:
        if not turn.seeing.get(event.scanned_by_bot_id) and self.setting.are_enemies(
            event.scanned_by_bot_id, event.scanned_bot_id
        ):
            turn.seeing[event.scanned_by_bot_id] = True

    def _died(self, turn: _Turn, event: BotDeathEvent) -> None:
        if event.victim_id in turn.tanks:
            turn.died.append(event.victim_id)

    # ---- closing a turn ------------------------------------------------------------------------------------

    def _close(self, turn: _Turn, bot: int, inactive: bool) -> None:
        """Book a tank's turn, once all events are known."""
        book, turned = self.books[bot], turn.turned[bot]
        turned.put_out = is_put_out(turned, known=bot in self._out, inactive=inactive)
        wall_before = book.tally.wall_energy
        book_rest(book.tally, turned, inactive)
        sees = turn.seeing.get(bot, False)
        book.looked(sees)
        book.aimed(fired=turned.fired, sees=sees)
        book.near_wall(self.setting.width, self.setting.height)
        if book.became_disabled():
            self.events.append(DisabledFact(round=self.round, turn=turn.number, bot=bot))
        if bot in turn.died:
            self._tell_death(turn, book, inactive)
        else:
            walls = book.tally.wall_energy - wall_before
            self._note_blows(book, turn, turn.blows[bot], walls)
        book.energy = turned.after

    def _note_blows(self, book: TankBook, turn: _Turn, blows: Sequence[Blow], walls: float) -> None:
        if walls > CLOSE:
            note_blow(book.blows, Blow(turn.number, "wall", None, None, None, walls, book.energy))
        for blow in blows:
            note_blow(book.blows, blow)

    def _tell_death(self, turn: _Turn, book: TankBook, inactive: bool) -> None:
        turned, blows = turn.turned[book.bot], turn.blows[book.bot]
        book.tally.deaths += 1
        self._deaths.append(book.bot)
        at = last_blow(blows)
        if turned.put_out:
            why: Cause = self._out.get(book.bot, "removed")
            lost = turned.before - turned.after
            blows = [Blow(turn.number, why, None, None, None, lost, turned.before)]
        elif at is not None:
            blows = blows[: at + 1]
        else:
            blows = [
                *blows,
                rest_blow(
                    turn.number, turned.before, turned.after, hit_wall=turned.hit_wall, inactive=inactive
                ),
            ]
        self._note_blows(book, turn, blows, 0.0)
        last = blows[-1]
        by = None if last.by is None else self.setting.fighter(last.by).name
        self.events.append(
            DeathFact(
                round=self.round,
                turn=turn.number,
                bot=book.bot,
                name=self.setting.fighter(book.bot).name,
                cause=last.cause,
                by=last.by,
                by_name=by,
                blows=tuple(book.blows),
            )
        )

    def _look_around(self, turn: _Turn) -> None:
        """Note how far everybody's nearest enemy is."""
        tanks = list(turn.tanks.values())
        if len(tanks) > _LOOK_EACH_TURN_TANKS and turn.number % _LOOK_EVERY:
            return
        for tank in tanks:
            nearest = self._nearest(tank, tanks)
            if nearest is not None:
                tally = self.books[tank.id].tally
                tally.distance_sum += nearest
                tally.distance_turns += 1

    def _nearest(self, tank: TankFrame, tanks: Sequence[TankFrame]) -> float | None:
        return min(
            (
                distance(tank.x, tank.y, other.x, other.y)
                for other in tanks
                if other is not tank and self.setting.are_enemies(tank.id, other.id)
            ),
            default=None,
        )

    # ---- the end -------------------------------------------------------------------------------------------

    def end(self, *, complete: bool) -> tuple[RoundFact, list[BotFact]]:
        """Return the lines about the whole round. complete: whether it came to its end."""
        survivors = tuple([bot for bot in self.books if bot not in self._deaths])
        winners = self._last.winners
        if winners is None:
            winners = survivors if complete and len(survivors) == 1 else ()
        for book in self.books.values():
            self._count_misses(book)
            book.tally.wins = int(book.bot in winners)
        turns, energies = self._course.samples()
        opened = self._first.frame.bot_states
        apart = [found for tank in opened if (found := self._nearest(tank, opened)) is not None]
        fact = RoundFact(
            round=self.round,
            turns=self._last.frame.turn_number,
            first_turn=self._first.turn,
            winners=winners,
            survivors=survivors,
            deaths=tuple(self._deaths),
            openings=tuple([Opening(t.id, t.x, t.y, t.direction) for t in opened]),
            opening_distance=min(apart) if apart else None,
            first_shot=self._first_shot,
            first_hit=self._first_hit,
            leads=tuple(self._course.leads),
            energy_turns=turns,
            energies=energies,
            damage=tuple([(one, two, lost) for (one, two), lost in sorted(self._damage.items())]),
            complete=complete,
        )
        return fact, [self._bot_fact(book) for book in self.books.values()]

    def _count_misses(self, book: TankBook) -> None:
        for shot in self._shots.of(book.bot):
            if shot.ending == "bullet":
                book.tally.met += 1
            if shot.ending != "tank":
                book.tally.missed_energy += shot.cost

    def _bot_fact(self, book: TankBook) -> BotFact:
        name = self.setting.fighter(book.bot).name
        return BotFact(round=self.round, bot=book.bot, name=name, energy=book.energy, tally=book.tally)


_TAKE: Mapping[type, Any] = {
    BulletFiredEvent: Chapter._fired,
    BulletHitBotEvent: Chapter._hit_tank,
    BulletHitBulletEvent: Chapter._met,
    BulletHitWallEvent: Chapter._missed,
    BotHitBotEvent: Chapter._touched,
    BotHitWallEvent: Chapter._hit_wall,
    ScannedBotEvent: Chapter._scanned,
    BotDeathEvent: Chapter._died,
}
