"""The content of a ladder server's pages, as JSON values.

There is a public view, a view for each person, and one for the teacher.

Names, prints and problems are untrusted texts. They are shortened here, and become text nodes in the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from turnwright_league.app.ladder.battle_runner import LadderBattleRunner
from turnwright_league.app.ladder.folder import LadderFolder
from turnwright_league.app.ladder.server_paths import ServerPaths
from turnwright_league.app.ladder.store import FirstCheck, PrintedText, TeacherTournament, Upload
from turnwright_league.tournament.columns import EntryStanding
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.scores import battle_shares
from turnwright_league.tournament.standings import TournamentStandings

UPLOADS_MAX = 50
"""The most uploads on a person's page. The newest are shown."""
BATTLES_MAX = 40
"""The most battles on a person's page. The newest are shown."""
LADDER_MAX = 200
RUNNING_MAX = 64
_LINE_CHARS_MAX = 300
_LINES_MAX = 40


class LadderViews:
    """Makes the views. The caller calls `update` after results have arrived.

    Args:
        sandbox: the sandbox level of bots.
        suffix: the suffix of records for the viewer's page.
        can_watch: returns whether a battle takes spectators, by its id.
    """

    def __init__(
        self,
        ladder_folder: LadderFolder,
        runner: LadderBattleRunner,
        sandbox: str,
        suffix: str,
        can_watch: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._ladder_folder, self._runner, self._sandbox, self._suffix = (
            ladder_folder,
            runner,
            sandbox,
            suffix,
        )
        self._can_watch = can_watch
        self._paths = ServerPaths(ladder_folder.places.path)
        self._rows: dict[str, EntryStanding] = {}
        self._newest: dict[str, list[PlayedBattle]] = {}
        self._names: dict[str, str] = {}

    def update(self, table: TournamentStandings, names: Mapping[str, str]) -> None:
        """Show new standings, and the newest battles, in all views from now on.

        Args:
            names: the names of entries on pages, by id.
        """
        newest: dict[str, list[PlayedBattle]] = {}
        for one in sorted(self._runner.ladder.results.values(), key=lambda one: -one.played_us):
            for entry in dict.fromkeys(one.spec.seats):
                kept = newest.setdefault(entry, [])
                if len(kept) < BATTLES_MAX:
                    kept.append(one)
        self._newest = newest
        self._names = {**self._names, **names}
        self._rows = {row.entry: row for row in table.rows}

    def is_played(self, battle: str) -> bool:
        """Return whether a battle is running.

        Args:
            battle: its id.
        """
        return battle in self._runner.running()

    def is_record_deleted(self, battle: str) -> bool:
        """Return whether a battle's record was deleted to make room.

        Args:
            battle: its id.
        """
        return self._runner.is_record_deleted(battle)

    def replay_of(self, battle: str) -> str:
        """Return the address of a battle's replay."""
        return f"/?replay=/records/{battle}.twr{self._suffix}"

    def overview(self) -> dict[str, Any]:
        """Return the overview of the ladder that anybody may see."""
        ladder_folder, uploads = self._ladder_folder, self._ladder_folder.uploads()
        return {
            "title": ladder_folder.title,
            "game": self._runner.game.played.rules().name,
            "frozen": ladder_folder.frozen,
            "needs_code": ladder_folder.people.needs_code,
            "sandbox": self._sandbox,
            "people": len(ladder_folder.people.names()),
            "bots": sum(one.state == "plays" for one in uploads),
            "waiting": sum(one.state in ("received", "checked") for one in uploads),
            "battles": len(self._runner.ladder.results),
            "running": [
                {"id": battle, "names": _plain(names), "live": self._can_watch(battle)}
                for battle, names in list(self._runner.running().items())[:RUNNING_MAX]
            ],
            "replay": self._suffix,
            "stopped": self._runner.error is not None,
            "ladder": [self._row(row) for row in list(self._rows.values())[:LADDER_MAX]],
            "tournaments": [self._started(one) for one in reversed(ladder_folder.tournaments.all())],
        }

    def person(self, folded: str) -> dict[str, Any]:
        """Return the view that a person has of their uploads."""
        uploads = self._ladder_folder.uploads_of(folded)[::-1]
        entries = [one.entry.id for one in uploads if one.entry is not None]
        prints: dict[str, PrintedText] = {}
        for entry in entries[:UPLOADS_MAX]:
            prints |= self._ladder_folder.store.prints_of(entry)
        return {
            "name": self._ladder_folder.people.name_of(folded),
            "uploads": [self._upload(one) for one in uploads[:UPLOADS_MAX]],
            "battles": [self._battle(one, set(entries), prints) for one in self._battles_of(entries)],
        }

    def teacher(self) -> dict[str, Any]:
        """Return the teacher's view of people and their bots."""
        ladder_folder, sizes = self._ladder_folder, self._ladder_folder.bytes_by_person()
        by_person: dict[str, list[Upload]] = {}
        for one in ladder_folder.uploads():
            by_person.setdefault(one.folded, []).append(one)
        return {
            "people": [
                {
                    "folded": folded,
                    "name": name,
                    "uploads": len(by_person.get(folded, ())),
                    "bytes": sizes[folded],
                    "bots": [
                        {"id": one.id, "bot": one.bot, "number": one.number, "state": one.state}
                        for one in by_person.get(folded, ())
                        if one.state in ("plays", "received", "checked", "failed")
                    ],
                }
                for folded, name in ladder_folder.people.names().items()
            ]
        }

    def _battles_of(self, entries: Iterable[str]) -> list[PlayedBattle]:
        found = {one.id: one for entry in entries for one in self._newest.get(entry, ())}
        return sorted(found.values(), key=lambda one: -one.played_us)[:BATTLES_MAX]

    def _row(self, row: EntryStanding) -> dict[str, Any]:
        return {
            "entry": row.entry,
            "name": self._names.get(row.entry, ""),
            "rank": row.rank,
            "aps": _short(row.aps),
            "low": _short(row.aps_low),
            "high": _short(row.aps_high),
            "battles": row.battles,
        }

    def _upload(self, one: Upload) -> dict[str, Any]:
        row = None if one.entry is None or one.state != "plays" else self._rows.get(one.entry.id)
        return {
            "id": one.id,
            "file": _plain(one.file)[:80],
            "bot": one.bot,
            "number": one.number,
            "state": one.state,
            "at_us": one.at_us,
            "freed": one.freed,
            "problems": [
                {**asdict(problem), "text": self._text(problem.text), "file": _plain(problem.file)}
                for problem in one.problems
            ],
            "first_check": None if one.trial is None else self._first_check(one.trial),
            "place": None if row is None else self._row(row),
        }

    def _first_check(self, check: FirstCheck) -> dict[str, Any]:
        return {
            **asdict(check),
            "record": None if check.record_deleted else check.record,
            "why": self._text(check.why),
            "printed": self._lines(check.printed),
        }

    def _battle(
        self, battle: PlayedBattle, own: set[str], prints: Mapping[str, PrintedText]
    ) -> dict[str, Any]:
        shares = battle_shares(battle)
        printed = prints.get(battle.id)
        return {
            "id": battle.id,
            "at_us": battle.played_us,
            "state": battle.state,
            "suspect": [_plain(one) for one in battle.suspect[:4]],
            "record": battle.record is not None,
            "record_deleted": battle.record_deleted,
            "printed": [] if printed is None else self._lines(printed.lines),
            "scores": [
                {
                    "name": self._names.get(row.entry, "a removed bot"),
                    "own": row.entry in own,
                    "score": round(row.score, 2),
                    "share": _short(100 * shares.get(row.entry, 0.0)),
                    **(
                        {
                            "skipped": row.skipped,
                            "late": row.late,
                            "p99_us": row.p99_us,
                            "failure": None if row.failure is None else self._text(row.failure.full_text),
                        }
                        if row.entry in own
                        else {}
                    ),
                }
                for row in battle.scores
            ],
        }

    def _started(self, started: TeacherTournament) -> dict[str, Any]:
        progress = self._runner.tournaments.progress(started.id)
        return {
            "id": started.id,
            "name": started.name,
            "state": started.state,
            "why": self._text(started.why),
            "done": None if progress is None else progress.done,
            "total": None if progress is None else progress.total,
        }

    def _text(self, text: str) -> str:
        """Return a text without paths of this machine and unprintable characters, shortened."""
        return _plain(self._paths.without(text))

    def _lines(self, lines: Sequence[str]) -> list[str]:
        return [self._text(line.replace("\t", "    ")) for line in lines[-_LINES_MAX:]]


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _plain(text: str) -> str:
    return "".join(
        one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in text[:_LINE_CHARS_MAX]
    )
