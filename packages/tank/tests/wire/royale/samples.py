"""Messages as real programs send them, for the tests of this folder."""

from __future__ import annotations

import json
from typing import Any

from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.setup import preset

INTENT_FIELDS = (
    *("adjustGunForBodyTurn", "adjustRadarForBodyTurn", "adjustRadarForGunTurn", "bodyColor", "bulletColor"),
    *("debugGraphics", "fireAssist", "firepower", "gunColor", "gunTurnRate", "radarColor", "radarTurnRate"),
    *("rescan", "scanColor", "stdErr", "stdOut", "targetSpeed", "teamMessages", "tracksColor", "turnRate"),
    "turretColor",
)

HANDSHAKE: dict[str, Any] = {
    "type": "BotHandshake",
    "sessionId": "J0fEL5kiTYmfre7ibJJzgA",
    "session_id": "J0fEL5kiTYmfre7ibJJzgA",
    "name": "My First Bot",
    "version": "1.0",
    "authors": ["A. Author"],
    "description": None,
    "homepage": None,
    "countryCodes": ["dk"],
    "gameTypes": ["classic", "1v1"],
    "platform": "Python 3.11",
    "programmingLang": "Python",
    "initialPosition": None,
    "teamId": None,
    "teamName": None,
    "teamVersion": None,
    "isDroid": False,
    "secret": None,
    "debuggerAttached": False,
    "teamMessageBatchVersion": 1,
}

START_GAME: dict[str, Any] = {
    "type": "StartGame",
    "gameSetup": {
        "gameType": "classic",
        "arenaWidth": 800,
        "isArenaWidthLocked": True,
        "arenaHeight": 600,
        "isArenaHeightLocked": True,
        "minNumberOfParticipants": 2,
        "isMinNumberOfParticipantsLocked": True,
        "maxNumberOfParticipants": None,
        "isMaxNumberOfParticipantsLocked": True,
        "numberOfRounds": 10,
        "isNumberOfRoundsLocked": True,
        "gunCoolingRate": 0.1,
        "isGunCoolingRateLocked": True,
        "maxInactivityTurns": 450,
        "isMaxInactivityTurnsLocked": True,
        "turnTimeout": 30000,
        "isTurnTimeoutLocked": False,
        "readyTimeout": 10000000,
        "isReadyTimeoutLocked": False,
        "defaultTurnsPerSecond": 30,
    },
    "botAddresses": [{"host": "127.0.0.1", "port": 41048}, {"host": "localhost", "port": 41050}],
}


def text(**fields: Any) -> bytes:
    """Return a message as compact JSON."""
    return json.dumps(fields, separators=(",", ":")).encode()


def intent(**fields: Any) -> bytes:
    """Return an intent with these fields (JSON names)."""
    return text(type="BotIntent", **fields)


def python_api_intent(**fields: Any) -> bytes:
    """Return an intent as the Python bot API writes it: every key, sorted, indented, null where unset."""
    said: dict[str, Any] = dict.fromkeys(INTENT_FIELDS)
    said |= {"type": "BotIntent", "teamMessages": [], "turnRate": 0.0, "gunTurnRate": -3.25}
    said |= {"radarTurnRate": 45, "targetSpeed": 8} | fields
    return json.dumps(said, indent=4, sort_keys=True).encode()


SAMPLES: tuple[bytes, ...] = (
    python_api_intent(),
    intent(turnRate=5.5, firepower=1.5, fireAssist=False, bodyColor="#ff0000", stdOut="hello\n"),
    intent(teamMessages=[{"message": '{"x":1}', "messageType": "Point", "receiverId": 2}]),
    intent(turnNumber=17, rescan=True),
    json.dumps(HANDSHAKE).encode(),
    json.dumps(START_GAME).encode(),
    text(type="ObserverHandshake", sessionId="a", name="Recorder", version="1", author=None, secret=None),
    text(type="ControllerHandshake", sessionId="a", name="GUI", version="1", secret="s"),
    text(type="BotReady"),
    text(type="StopGame"),
    text(type="PauseGame"),
    text(type="ResumeGame"),
    text(type="NextTurn"),
    text(type="ChangeTps", tps=-1),
    text(type="BotPolicyUpdate", botId=1, debuggingEnabled=True),
    text(type="EnableDebugMode"),
    text(type="DisableDebugMode"),
    text(type="ListDirectories"),
    text(type="BootBots", ids=["MyBot"]),
)
"""One or more of every message that a client sends."""


def results() -> m.ResultsForBot:
    """Return results with a different number in each field."""
    return m.ResultsForBot(*range(1, 12))


def server_messages() -> tuple[Any, ...]:
    """Return one of every message that is built in the wire (ticks are tested with their own tests)."""
    setup = preset("classic")
    row = m.ResultsForObserver(1, "A", "1.0", False, *range(11))
    who = {"session_id": "s", "name": "A", "version": "1.0", "authors": ("x",), "country_codes": ()}
    return (
        m.ServerHandshake(
            session_id="s",
            name="turnwright",
            variant="Tank Royale",
            version="1.1.0",
            game_types=("classic",),
            game_setup=setup,
            features=m.Features(debug_mode=True, breakpoint_mode=False),
        ),
        m.BotListUpdate(bots=(m.BotInfo(**who, game_types=(), host="127.0.0.1", port=1, team_id=0),)),
        m.GameStartedEventForBot(1, (2,), setup, bot_names=(m.BotName(1, "A 1.0"),)),
        m.GameStartedEventForObserver(setup, (m.Participant(1, **who, game_types=()),)),
        m.RoundStartedEvent(1),
        m.RoundEndedEventForBot(1, 20, results()),
        m.RoundEndedEventForObserver(1, 20, (row,)),
        m.GameEndedEventForBot(10, results()),
        m.GameEndedEventForObserver(10, (row,)),
        m.GameAbortedEvent(),
        m.GamePausedEventForObserver("debug_step"),
        m.GameResumedEventForObserver(),
        m.SkippedTurnEvent(7),
        m.TpsChangedEvent(-1),
        m.Directories((m.DirectoryEntry("MyBot", "My Bot", "bot"),)),
        m.OperatorToken("t"),
        m.ErrorReply("wrong-type", "turnRate must be a number", "BotIntent"),
    )
