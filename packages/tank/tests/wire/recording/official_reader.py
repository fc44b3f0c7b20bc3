"""A strict reader of `.battle.gz`, written from the facts alone: what the official reader asks of a file.

It shares nothing with turnwright's source, so that a mistake there is not repeated here. Where the official
reader would skip a line or paint nothing, this one raises `Refused`. See compatibility.md#recordings;
as the official clients 1.1.0 read.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

INT_MAX = 2**31 - 1
"""The official clients' integers have 32 bits."""


class Refused(Exception):
    """The official reader would not accept the file. str() names the mistake and its place."""


def _is_int(value: Any) -> bool:
    return type(value) is int and -INT_MAX - 1 <= value <= INT_MAX


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and value == value and abs(value) != float("inf")


def _is_text(value: Any) -> bool:
    return type(value) is str


def _is_flag(value: Any) -> bool:
    return type(value) is bool


def _is_texts(value: Any) -> bool:
    return type(value) is list and all(map(_is_text, value))


def _is_color(value: Any) -> bool:
    return type(value) is str and re.fullmatch("#[0-9A-F]{6}", value) is not None


def _table(kind: Any, names: str) -> dict[str, Any]:
    return dict.fromkeys(names.split(), kind)


_LOCKED = (
    "isArenaWidthLocked isArenaHeightLocked isMinNumberOfParticipantsLocked isMaxNumberOfParticipantsLocked "
    "isNumberOfRoundsLocked isGunCoolingRateLocked isMaxInactivityTurnsLocked isTurnTimeoutLocked "
    "isReadyTimeoutLocked"
)
SETUP = (
    _table(_is_text, "gameType")
    | _table(
        _is_int,
        "arenaWidth arenaHeight minNumberOfParticipants numberOfRounds maxInactivityTurns turnTimeout "
        "readyTimeout defaultTurnsPerSecond",
    )
    | _table(_is_number, "gunCoolingRate")
    | _table(_is_flag, _LOCKED),
    _table(_is_int, "maxNumberOfParticipants"),
)
PARTICIPANT = (
    _table(_is_int, "id")
    | _table(_is_text, "sessionId name version")
    | _table(_is_texts, "authors countryCodes gameTypes"),
    _table(_is_text, "description homepage platform programmingLang teamName teamVersion")
    | _table(_is_int, "teamId")
    | _table(_is_flag, "isDroid debuggerAttached"),
)
BULLET = (
    _table(_is_int, "bulletId ownerId") | _table(_is_number, "power x y direction"),
    _table(_is_color, "color"),
)
BOT = (
    _table(_is_int, "id enemyCount")
    | _table(_is_text, "sessionId name version")
    | _table(_is_flag, "isDroid isDebuggingEnabled")
    | _table(
        _is_number,
        "energy x y direction gunDirection radarDirection radarSweep speed turnRate gunTurnRate "
        "radarTurnRate gunHeat",
    ),
    _table(_is_color, "bodyColor turretColor radarColor bulletColor scanColor tracksColor gunColor")
    | _table(_is_text, "stdOut stdErr debugGraphics"),
)
RESULT = (
    _table(_is_text, "name version")
    | _table(_is_flag, "isTeam")
    | _table(
        _is_int,
        "id rank survival lastSurvivorBonus bulletDamage bulletKillBonus ramDamage ramKillBonus totalScore "
        "firstPlaces secondPlaces thirdPlaces",
    ),
    {},
)
EVENTS = {
    "BotDeathEvent": _table(_is_int, "victimId"),
    "BotHitWallEvent": _table(_is_int, "victimId"),
    "BotHitBotEvent": _table(_is_int, "botId victimId")
    | _table(_is_number, "energy x y")
    | _table(_is_flag, "rammed"),
    "BulletFiredEvent": {"bullet": BULLET},
    "BulletHitBotEvent": _table(_is_int, "victimId")
    | {"bullet": BULLET}
    | _table(_is_number, "damage energy"),
    "BulletHitBulletEvent": {"bullet": BULLET, "hitBullet": BULLET},
    "BulletHitWallEvent": {"bullet": BULLET},
    "ScannedBotEvent": _table(_is_int, "scannedByBotId scannedBotId")
    | _table(_is_number, "energy x y direction speed"),
}
_ROUND_AND_TURN = _table(_is_int, "roundNumber turnNumber")
MESSAGES = {
    "GameStartedEventForObserver": {"gameSetup": SETUP, "participants": [PARTICIPANT]},
    "TickEventForObserver": _ROUND_AND_TURN | {"botStates": [BOT], "bulletStates": [BULLET], "events": None},
    "RoundEndedEventForObserver": _ROUND_AND_TURN | {"results": [RESULT]},
    "GameEndedEventForObserver": _table(_is_int, "numberOfRounds") | {"results": [RESULT]},
    "GameAbortedEvent": {},
}


def _check(value: Any, kind: Any, where: str) -> None:
    if kind is None:
        return
    if isinstance(kind, list):
        if type(value) is not list:
            raise Refused(f"{where} is no list")
        for number, item in enumerate(value):
            _check(item, kind[0], f"{where}[{number}]")
    elif isinstance(kind, tuple):
        _check_object(value, *kind, where)
    elif not kind(value):
        raise Refused(f"{where} is {value!r}")


def _check_object(value: Any, required: dict[str, Any], optional: dict[str, Any], where: str) -> None:
    if type(value) is not dict:
        raise Refused(f"{where} is no object")
    for name, kind in required.items():
        if name not in value:
            raise Refused(f"{where} has no {name}")
        _check(value[name], kind, f"{where}.{name}")
    for name, item in value.items():
        if name not in required and name not in optional:
            raise Refused(f"{where} has {name}, which the official server never writes")
        if name in optional:
            _check(item, optional[name], f"{where}.{name}")


def _unpacked(path: Path) -> bytes:
    data = path.read_bytes()
    if not data.startswith(b"\x1f\x8b\x08"):
        raise Refused("it is no gzip")
    try:
        return gzip.decompress(data)  # checks the trailer, too
    except (EOFError, gzip.BadGzipFile) as error:
        raise Refused(f"the gzip is not whole: {error}") from error


def _message(number: int, line: bytes) -> dict[str, Any]:
    where = f"line {number}"
    text = line.decode("utf-8")
    value = json.loads(text, object_pairs_hook=_without_doubles)
    if json.dumps(value, separators=(",", ":"), ensure_ascii=False).count("\n"):
        raise Refused(f"{where} is more than one line")
    if re.search(r'[,:] ["{\[\d]', re.sub(r'"(\\.|[^"\\])*"', '""', text)):
        raise Refused(f"{where} is pretty-printed")
    kind = value.pop("type", None)
    if kind not in MESSAGES:
        raise Refused(f"{where} is a {kind!r}")
    _check_object(value, MESSAGES[kind], {}, f"{where} ({kind})")
    return {"type": kind, **value}


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise Refused("a key stands twice in an object")
    return value


def _check_events(tick: dict[str, Any], where: str) -> None:
    for event in tick["events"]:
        kind = event.get("type")
        if kind not in EVENTS:
            raise Refused(f"{where}: a {kind!r} makes official clients drop the whole tick")
        fields = {name: value for name, value in event.items() if name != "type"}
        _check_object(fields, EVENTS[kind] | {"turnNumber": _is_int}, {}, f"{where} ({kind})")
        if event["turnNumber"] != tick["turnNumber"]:
            raise Refused(f"{where}: an event of another turn")


class _Course:
    """The order of a normal file: start, ticks, the round's end, ticks …, the game's end or its abortion."""

    def __init__(self, started: dict[str, Any], whole: bool) -> None:
        self.rounds = started["gameSetup"]["numberOfRounds"]
        self.ids = {row["id"] for row in started["participants"]}
        self.whole = whole
        self.round, self.turn, self.round_ended, self.ended = 1, 0, False, False
        self.alive = set(self.ids)

    def follow(self, message: dict[str, Any], where: str) -> None:
        if self.ended:
            raise Refused(f"{where}: there is more behind the end")
        getattr(self, f"_{message['type']}")(message, where)

    def _GameStartedEventForObserver(self, message: dict[str, Any], where: str) -> None:
        raise Refused(f"{where}: a second game in one file")

    def _TickEventForObserver(self, tick: dict[str, Any], where: str) -> None:
        if self.round_ended:
            self.round, self.turn, self.round_ended, self.alive = self.round + 1, 0, False, set(self.ids)
        if (tick["roundNumber"], tick["turnNumber"]) != (self.round, self.turn + 1):
            raise Refused(f"{where}: not the next turn")
        self.turn += 1
        _check_events(tick, where)
        shown = {bot["id"] for bot in tick["botStates"]}
        if shown != self.alive:
            raise Refused(f"{where}: bots {sorted(shown)} are shown, {sorted(self.alive)} began the turn")
        dead = {event["victimId"] for event in tick["events"] if event["type"] == "BotDeathEvent"}
        spent = {bot["id"] for bot in tick["botStates"] if bot["energy"] < 0}
        if dead != spent:
            raise Refused(f"{where}: {sorted(dead)} died, {sorted(spent)} have no energy left")
        self.alive -= dead

    def _RoundEndedEventForObserver(self, message: dict[str, Any], where: str) -> None:
        if self.round_ended or (message["roundNumber"], message["turnNumber"]) != (self.round, self.turn):
            raise Refused(f"{where}: not the end of the round of the last tick")
        self.round_ended = True

    def _GameEndedEventForObserver(self, message: dict[str, Any], where: str) -> None:
        if not self.round_ended or not message["numberOfRounds"] == self.round == self.rounds:
            raise Refused(f"{where}: the game ends before its last round has")
        self.ended = True

    def _GameAbortedEvent(self, message: dict[str, Any], where: str) -> None:
        self.ended = True


def read_official(path: Path, *, whole: bool = True) -> list[dict[str, Any]]:
    """Return the messages of a file.

    Args:
        whole: whether its game must have an end.

    Raises:
        Refused: the official reader would not accept the file.
    """
    data = _unpacked(path)
    if not data.endswith(b"\n") or b"\r" in data:
        raise Refused("a line does not end with a newline alone")
    return check_lines(data.splitlines(), whole=whole)


def check_lines(lines: Iterable[bytes], *, whole: bool = True) -> list[dict[str, Any]]:
    """Return the messages in the lines.

    Raises:
        Refused: the official reader would not accept them.
    """
    messages = [_message(number, line) for number, line in enumerate(lines, 1)]
    if not messages or messages[0]["type"] != "GameStartedEventForObserver":
        raise Refused("line 1 is no GameStartedEventForObserver")
    course = _Course(messages[0], whole)
    for number, message in enumerate(messages[1:], 2):
        course.follow(message, f"line {number}")
    if whole and not course.ended:
        raise Refused("the game has no end")
    return messages
