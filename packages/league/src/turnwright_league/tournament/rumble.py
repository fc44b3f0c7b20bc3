"""Result records of the Tank Royale Rumble, written and read.

A record (schema version 1) is JSON: battleId, completedAt, client, engine.behaviorVersion, gameType, rounds,
arenaWidth, arenaHeight, selectionSeed, replayHash, and a row for each participant with its scores. Accepted
records also have submittedBy and payloadHash, the SHA-256 of the canonical JSON of all other fields. An
envelope has up to 60 records of one client.

    ours                             theirs
    rank 0 if none scored            1. Equal scores share a rank, and the next ranks are left out
    equal shares if none scored      0 for all: `standings_of` differs there from the Rumble's leaderboard
    the battle's id                  battleId, 32 of its digits in the form of a UUID (version 8)
    the digest of the record         replayHash, unless the caller has the hash of a replay

Source: CONTRIBUTING.md, scripts/validate.py and scripts/aggregate.py of robocode-dev/rumble-data, 2026-09.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from turnwright.errors import RecordError, SetupError
from turnwright_league.tournament.battle_spec import BattleSpec, settings_text
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.played_battle import EntryScore, PlayedBattle

ENVELOPE_RESULTS_MAX = 60
"""The most records of one envelope."""
RUMBLE_GAME = "tank"
"""The game of all battles of the Rumble."""
_SCHEMA_VERSION = 1
_TEXT_MAX = 200
"""The most characters of a name or a version."""
_INT32_MAX = 2**31 - 1
_PRESETS = {"1v1": (35, 800, 600), "twinduel": (75, 800, 800), "melee": (35, 1000, 1000)}
"""The Rumble's game types: rounds, width and height of the arena."""
_FIELDS = {
    "total_score": "totalScore",
    "survival": "survival",
    "last_survivor_bonus": "lastSurvivorBonus",
    "bullet_damage": "bulletDamage",
    "bullet_kill_bonus": "bulletKillBonus",
    "ram_damage": "ramDamage",
    "ram_kill_bonus": "ramKillBonus",
    "first_places": "firstPlaces",
    "second_places": "secondPlaces",
    "third_places": "thirdPlaces",
}
"""The columns of the tank's results, and their names at the Rumble."""
_PLACES = ("firstPlaces", "secondPlaces", "thirdPlaces")
_TEAM_SIZE = {"twinduel": 2}
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_TIME = re.compile(
    r"[12]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,9})?(Z|[+-]\d\d:\d\d)",
    re.ASCII,
)
_BATTLE_ID = "rumble_battle"
"""The setting with the battleId of an imported record."""


@dataclass(frozen=True, slots=True)
class RumbleClient:
    """The client that sends results.

    Attributes:
        id, version: its id at the Rumble, and the version of its program.
        behaviour: the behaviour version that the results name.
    """

    id: str
    version: str
    behaviour: int = 1


@dataclass(frozen=True, slots=True)
class RumbleResults:
    """The imported records.

    Attributes:
        entries: the entries in order of name and version.
    """

    entries: tuple[TournamentEntry, ...]
    played: tuple[PlayedBattle, ...]


# ---- export ------------------------------------------------------------------------------------------------


def rumble_envelopes(
    played: Iterable[PlayedBattle],
    entries: Sequence[TournamentEntry],
    client: RumbleClient,
) -> list[dict[str, Any]]:
    """Return all battles that count, as envelopes for the Rumble, in order of the battles' ids.

    Raises:
        SetupError: a battle does not fit into a record.
    """
    counted = {one.id: one for one in played if one.counts}
    records = [rumble_record(counted[one], entries, client) for one in sorted(counted)]
    return [
        {
            "schemaVersion": _SCHEMA_VERSION,
            "clientId": client.id,
            "clientVersion": client.version,
            "results": records[start : start + ENVELOPE_RESULTS_MAX],
        }
        for start in range(0, len(records), ENVELOPE_RESULTS_MAX)
    ]


def rumble_record(
    battle: PlayedBattle,
    entries: Sequence[TournamentEntry],
    client: RumbleClient,
    replay_hash: str | None = None,
) -> dict[str, Any]:
    """Return one battle as a record of JSON values.

    Rounds and arena may differ from the Rumble's own. The Rumble refuses such records.

    Args:
        replay_hash: the record's replayHash. None means the digest of the battle's record, if there is one.

    Raises:
        SetupError: the battle does not fit into a record.
    """
    settings = json.loads(battle.spec.settings)
    game_type = settings.get("game_type")
    if battle.spec.game != RUMBLE_GAME or game_type not in _PRESETS:
        kinds = ", ".join(_PRESETS)
        raise SetupError(f"battle {battle.id[:8]} is {battle.spec.game} {game_type}: the Rumble has {kinds}")
    rounds, width, height = _PRESETS[game_type]
    by_id = {entry.id: entry for entry in entries}
    record: dict[str, Any] = {
        "battleId": settings.get(_BATTLE_ID) or _uuid_of(battle.id),
        "completedAt": _time_text(battle.played_us),
        "client": {"id": client.id, "version": client.version},
        "engine": {"behaviorVersion": client.behaviour},
        "gameType": game_type,
        "rounds": settings.get("rounds") or rounds,
        "arenaWidth": settings.get("arena_width") or width,
        "arenaHeight": settings.get("arena_height") or height,
        "selectionSeed": battle.spec.seed,
        "participants": _participants(battle, by_id, game_type in _TEAM_SIZE),
    }
    replay = replay_hash or (f"turnwright:{battle.digest}" if battle.digest else None)
    if replay:
        record["replayHash"] = replay
    try:
        check_rumble_record(record)
    except RecordError as error:
        raise SetupError(f"battle {battle.id[:8]} cannot be written as a record: {error}") from error
    return record


def _participants(
    battle: PlayedBattle, entries: Mapping[str, TournamentEntry], is_team: bool
) -> list[dict[str, Any]]:
    rows = []
    for row in battle.scores:
        entry = entries.get(row.entry)
        if entry is None:
            raise SetupError(
                f"battle {battle.id[:8]} has the entry {row.entry}, which is not in the tournament"
            )
        values = {theirs: round(row.columns.get(ours, 0)) for ours, theirs in _FIELDS.items()}
        values["totalScore"] = max(0, round(row.score))
        rank = 1 + sum(other.score > row.score for other in battle.scores)
        rows.append({"name": entry.name, "version": entry.version, "isTeam": is_team, "rank": rank, **values})
    return sorted(rows, key=lambda one: (one["rank"], one["name"], one["version"]))


def payload_hash(record: Mapping[str, Any]) -> str:
    """Return the payloadHash of a record: SHA-256, hexadecimal.

    It covers the record without the fields that the Rumble adds.
    """
    rest = {name: value for name, value in record.items() if name not in ("payloadHash", "submittedBy")}
    text = json.dumps(rest, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


# ---- import ------------------------------------------------------------------------------------------------


def read_rumble(values: Iterable[Any]) -> RumbleResults:
    """Return the battles in records and envelopes, given as JSON values.

    Each battleId counts only once.

    Raises:
        RecordError: a value is not a record of schema version 1, or its payloadHash does not match.
    """
    entries: dict[tuple[str, str], TournamentEntry] = {}
    played: dict[str, PlayedBattle] = {}
    for record in _records(values):
        check_rumble_record(record)
        if record.get("payloadHash", payload_hash(record)) != payload_hash(record):
            raise RecordError(f"record {record['battleId']}: its payloadHash belongs to another record")
        if record["battleId"] not in played:
            played[record["battleId"]] = _battle(record, entries)
    return RumbleResults(tuple(entries[one] for one in sorted(entries)), tuple(played.values()))


def _records(values: Iterable[Any]) -> Iterable[Any]:
    for value in values:
        if isinstance(value, Mapping) and "results" in value:
            results = value["results"]
            if value.get("schemaVersion") != _SCHEMA_VERSION or not isinstance(results, list):
                raise RecordError(f"an envelope of schema version {_SCHEMA_VERSION} was expected")
            yield from results
        else:
            yield value


def _battle(record: Mapping[str, Any], entries: dict[tuple[str, str], TournamentEntry]) -> PlayedBattle:
    rows = []
    for row in record["participants"]:
        key = (row["name"], row["version"])
        kind = "team" if row["isTeam"] else "bot"
        entry = entries.setdefault(key, TournamentEntry(*key, kind, "rumble"))  # type: ignore[arg-type]  # one of two
        columns = {ours: float(row[theirs]) for ours, theirs in _FIELDS.items()}
        rows.append((entry.id, float(row["totalScore"]), columns))
    settings = {
        "game_type": record["gameType"],
        "rounds": record["rounds"],
        "arena_width": record["arenaWidth"],
        "arena_height": record["arenaHeight"],
        _BATTLE_ID: record["battleId"],
    }
    seats = tuple(entry for entry, _, _ in rows)
    behaviour = record["engine"]["behaviorVersion"]
    scores = tuple(
        EntryScore(seat, entry, score, survival=columns["survival"], columns=columns)
        for seat, (entry, score, columns) in enumerate(rows)
    )
    spec = BattleSpec(RUMBLE_GAME, behaviour, settings_text(settings), seats, record.get("selectionSeed", 0))
    return PlayedBattle(spec, "ok", scores, played_us=_microseconds(record["completedAt"]), worker="rumble")


def check_rumble_record(record: Any) -> None:
    """Check a record by those rules of the Rumble that need no catalogue.

    Raises:
        RecordError: the record breaks a rule. The message names the rule.
    """
    if not isinstance(record, Mapping):
        raise RecordError(f"not a record of the Rumble: {str(record)[:60]!r}")
    name = str(record.get("battleId"))[:40]
    _require(bool(_UUID.fullmatch(name)), name, "battleId must be a UUID")
    _require(
        bool(_TIME.fullmatch(str(record.get("completedAt")))), name, "completedAt must be a time of ISO 8601"
    )
    _require(type(record.get("selectionSeed", 0)) is int, name, "selectionSeed must be a whole number")
    client, engine = record.get("client"), record.get("engine")
    known = isinstance(client, Mapping) and all(_is_text(client.get(one)) for one in ("id", "version"))
    _require(known, name, "client must have id and version")
    _require(isinstance(engine, Mapping) and _is_int32(engine.get("behaviorVersion"), 1), name,
             "engine.behaviorVersion must be 1 or more")  # fmt: skip
    game_type = record.get("gameType")
    _require(str(game_type) in _PRESETS, name, f"gameType must be one of {', '.join(_PRESETS)}")
    for one in ("rounds", "arenaWidth", "arenaHeight"):
        _require(_is_int32(record.get(one), 1), name, f"{one} must be 1 or more")
    rows = record.get("participants")
    _require(isinstance(rows, list) and len(rows) > 1, name, "participants must be two or more")
    size = _TEAM_SIZE.get(str(game_type), 1)
    _check_rows(name, rows, size > 1, record["rounds"] * size)  # type: ignore[arg-type]  # a list, checked above


def _check_rows(name: str, rows: list[Any], is_team: bool, places_max: int) -> None:
    for row in rows:
        _require(isinstance(row, Mapping), name, "each participant must be an object")
        _require(
            _is_text(row.get("name")) and _is_text(row.get("version")),
            name,
            f"a participant has no name of 1 to {_TEXT_MAX} characters",
        )
        _require(row.get("isTeam") is is_team, name, f"isTeam must be {str(is_team).lower()}")
        for one in (*_FIELDS.values(), "rank"):
            _require(
                _is_int32(row.get(one), int(one == "rank")), name, f"{one} must be a whole number of 32 bits"
            )
    bots = {(row["name"], row["version"]) for row in rows}
    _require(len(bots) == len(rows), name, "a bot appears more than once")
    ranks = [row["rank"] for row in rows]
    shared = all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)
    _require(shared, name, "ranks must count from 1, and leave out as many as share one")
    for place in _PLACES:
        _require(sum(row[place] for row in rows) <= places_max, name, f"{place} are more than the rounds")


def _require(holds: bool, name: str, message: str) -> None:
    if not holds:
        raise RecordError(f"record {name}: {message}")


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _TEXT_MAX


def _is_int32(value: Any, least: int) -> bool:
    return type(value) is int and least <= value <= _INT32_MAX


# ---- ids and times -----------------------------------------------------------------------------------------


def _uuid_of(battle_id: str) -> str:
    """Return a UUID of version 8 (custom) of a battle's id."""
    digits = f"{battle_id[:12]}8{battle_id[13:16]}8{battle_id[17:32]}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _time_text(us: int) -> str:
    """Return µs since 1970 as ISO 8601 in UTC."""
    seconds, part = divmod(us, 1_000_000)
    days, second = divmod(seconds, 86_400)
    year, month, day = _date_of(days)
    clock = f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
    return f"{year:04}-{month:02}-{day:02}T{clock}.{part:06}Z"


def _microseconds(text: str) -> int:
    """Return µs since 1970 of a time of ISO 8601."""
    date, _, rest = text.partition("T")
    year, month, day = (int(one) for one in date.split("-"))
    found = re.fullmatch(r"(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))", rest)
    assert found is not None
    hour, minute, second = (int(found[k]) for k in (1, 2, 3))
    part = int((found[4] or "0")[:6].ljust(6, "0"))
    ahead = (1 if found[5] == "+" else -1) * (int(found[6]) * 60 + int(found[7])) if found[5] else 0
    minutes = (_days_of(year, month, day) * 24 + hour) * 60 + minute - ahead
    return (minutes * 60 + second) * 1_000_000 + part


def _days_of(year: int, month: int, day: int) -> int:
    """Return days since 1970-01-01 in the Gregorian calendar.

    Years begin in March, so a leap day is the last day of its year.
    """
    year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + day - 1 - 719_468


def _date_of(days: int) -> tuple[int, int, int]:
    """Return year, month and day of days since 1970-01-01."""
    year = 1970 + days // 366
    while _days_of(year + 1, 1, 1) <= days:
        year += 1
    month = next(m for m in range(12, 0, -1) if _days_of(year, m, 1) <= days)
    return year, month, days - _days_of(year, month, 1) + 1
