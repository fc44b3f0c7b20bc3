"""A dishonest host, which changes the store, the records and the files of a tournament."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from turnwright._version import __version__
from turnwright.app.game.playable import find_game
from turnwright.catalog import load
from turnwright.kernel.battle import Battle
from turnwright.kernel.record import Footer, Record, TurnEntry
from turnwright.kernel.replay import rebuild_as
from turnwright.kernel.verify import verify
from turnwright.net.files.reader import read_record
from turnwright.wire.record.v2 import Encoder
from turnwright_league.app.folder import TournamentFolder, file_hash
from turnwright_league.app.store import open_store
from turnwright_league.app.stored_runs import SEAL, parts_now, seal
from turnwright_league.app.tournament import RULES
from turnwright_league.app.worker import BattleJob, play_job
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.played_battle import EntryScore, PlayedBattle


def write_record(record: Record, path: Path, game: str) -> None:
    """Write a record with correct hashes, whatever its lines contain."""
    encoder = Encoder(load(game).write_intent)
    assert record.footer is not None
    lines = [encoder.encode_header(record.header), *map(encoder.encode_turn, record.turns)]
    path.write_bytes(gzip.compress(b"".join([*lines, encoder.encode_footer(record.footer)])))


class Forger:
    """A copy of a tournament that a host changes. Methods that change one row return its id."""

    def __init__(self, folder: Path, game: str) -> None:
        self.folder, self.game = folder, game
        self.place = TournamentFolder(folder)
        self.ids = {name: number for number, name in self.entry_names().items()}

    # ---- the store -------------------------------------------------------------------------------------

    def sql(self, text: str, *values: Any) -> list[Any]:
        connection = sqlite3.connect(self.folder / "results.sqlite")
        rows = connection.execute(text, values).fetchall()
        connection.commit()
        connection.close()
        return rows

    def entry_names(self) -> dict[str, str]:
        return {number: json.loads(data)["name"] for number, data in self.sql("SELECT id, data FROM entries")}

    def battles(self) -> list[PlayedBattle]:
        rows = self.sql("SELECT data FROM battles ORDER BY id")
        return [msgspec.json.decode(data, type=PlayedBattle) for (data,) in rows]

    def of(self, *names: str) -> list[PlayedBattle]:
        """Return the battles in which all of these entries took part."""
        wanted = {self.ids[name] for name in names}
        return [one for one in self.battles() if wanted <= set(one.spec.seats)]

    def lost_by(self, name: str) -> list[PlayedBattle]:
        def score(battle: PlayedBattle) -> float:
            own = next(row.score for row in battle.scores if row.entry == self.ids[name])
            return own - max(row.score for row in battle.scores if row.entry != self.ids[name])

        return [one for one in self.of(name) if score(one) < 0]

    def put(self, battle: PlayedBattle, number: str = "") -> str:
        """Write a row, under another id if one is given."""
        text = msgspec.json.encode(battle).decode()
        values = (number or battle.id, int(battle.counts), text)
        self.sql("INSERT OR REPLACE INTO battles VALUES (?, ?, ?)", *values)
        return number or battle.id

    def delete(self, *battles: PlayedBattle) -> set[str]:
        for one in battles:
            self.sql("DELETE FROM battles WHERE id = ?", one.id)
        return {one.id for one in battles}

    def change_entry(self, name: str, /, **changes: Any) -> str:
        """Change the data of an entry, under its old id."""
        ((data,),) = self.sql("SELECT data FROM entries WHERE id = ?", self.ids[name])
        text = json.dumps({**json.loads(data), **changes})
        self.sql("UPDATE entries SET data = ? WHERE id = ?", text, self.ids[name])
        return self.ids[name]

    def meta(self, name: str) -> Any:
        ((text,),) = self.sql("SELECT value FROM meta WHERE name = ?", name)
        return json.loads(text)

    def put_meta(self, name: str, value: Any) -> None:
        text = value if isinstance(value, str) else json.dumps(value)
        self.sql("UPDATE meta SET value = ? WHERE name = ?", text, name)

    def change_rules(self, **changes: Any) -> None:
        self.put_meta(RULES, {**self.meta(RULES), **changes})

    def change_plan(self, **changes: Any) -> None:
        *before, last = self.meta("plans")
        self.put_meta("plans", [*before, {**last, **changes}])

    def seal_again(self) -> None:
        """Make a seal that fits the current content of the store."""
        store = open_store(self.folder / "results.sqlite", writing=True)
        seal(store)
        store.close()

    def published(self) -> str:
        """Return the current seal of the tournament."""
        store = open_store(self.folder / "results.sqlite", writing=False)
        parts = parts_now(store)
        store.close()
        return parts.seal

    def remove_seal(self) -> None:
        self.put_meta(SEAL, "")

    # ---- records ---------------------------------------------------------------------------------------

    def path(self, battle: PlayedBattle) -> Path:
        return self.place.record(battle.id)

    def play(self, spec: BattleSpec, bots: Mapping[str, str], **said: Any) -> PlayedBattle:
        """Play a battle, keep its record, and write its row. `bots` maps ids of entries to bots.

        Args:
            said: other fields of the row.
        """
        path = self.place.record(said.pop("under", spec.id))
        path.parent.mkdir(parents=True, exist_ok=True)
        result = play_job(BattleJob(spec, self.game, bots, record=str(path)))
        assert result.kind == "played", result.why
        battle = PlayedBattle(
            spec,
            result.state,
            result.scores,
            result.turns,
            result.suspect,
            result.server_late_turns,
            result.digest,
            str(path.relative_to(self.folder)),
            __version__,
            result.sandbox,
            played_us=1,
            record_hash=file_hash(path),
        )
        battle = replace(battle, **said)
        self.put(battle)
        return battle

    def given(self, spec: BattleSpec, **other: str) -> dict[str, str]:
        """Return the program of each seat: the bot itself, or another one by name."""
        names = {number: name for name, number in self.ids.items()}
        mine = {"Mine": str(self.folder / "Mine")}
        return {one: other.get(names[one], mine.get(names[one], names[one])) for one in spec.seats}

    def rewrite(
        self, battle: PlayedBattle, change: Callable[[Record], Record], *, fits: bool = True, **row: Any
    ) -> str:
        """Change a record, with correct hashes, and let its row name the new file.

        Args:
            fits: whether to correct the record's results to those of its replay.
        """
        path = self.path(battle)
        record = change(read_record(path, rules=load(self.game)))
        if fits and (outcome := verify(record, load(self.game)).outcome) is not None:
            rows = find_game(self.game).results.recorded(record, outcome)
            record = replace(record, footer=Footer("over", len(record.turns), rows))
        write_record(record, path, self.game)
        return self.put(replace(battle, record_hash=file_hash(path), **row))

    def call_seats(self, battle: PlayedBattle, **row: Any) -> str:
        """Let a record name the entries of the row, with their sources, whichever bots played."""
        rows = {n: json.loads(data) for n, data in self.sql("SELECT id, data FROM entries")}

        def change(record: Record) -> Record:
            seats = tuple(
                replace(info, name=rows[one]["name"], version=rows[one]["version"],
                        source_hash=rows[one]["source"])
                for info, one in zip(record.header.seats, battle.spec.seats, strict=True)
            )  # fmt: skip
            return replace(record, header=replace(record.header, seats=seats))

        return self.rewrite(battle, change, **row)

    def play_otherwise(self, battle: PlayedBattle, change: Callable[[TurnEntry], TurnEntry]) -> str:
        """Change the inputs of a battle, play it again with them, and correct all that depends on them."""
        record = read_record(self.path(battle), rules=load(self.game))
        resolved = rebuild_as(
            Battle, record, load(self.game), keep_checks=True, made_by=record.header.made_by
        )
        turns = [resolved.replay_turn(change(entry)).entry for entry in record.turns]
        assert resolved.outcome is not None
        scores = resolved.outcome.scores
        rows = []
        for row in battle.scores:
            score, skipped = scores[row.seat], sum(row.seat in entry.skipped for entry in turns)
            columns = {**row.columns, "score": score, "skipped": float(skipped)}
            rows.append(replace(row, score=score, rounds=(score,), skipped=skipped, columns=columns))
        return self.rewrite(
            battle,
            lambda _: Record(record.header, turns, record.footer),
            scores=tuple(rows),
            digest=turns[-1].digest,
        )


def swapped(rows: tuple[EntryScore, ...]) -> tuple[EntryScore, ...]:
    """Return the scores of a battle of two, each with the other's entry."""
    one, two = rows
    return replace(one, score=two.score, rounds=two.rounds), replace(two, score=one.score, rounds=one.rounds)
