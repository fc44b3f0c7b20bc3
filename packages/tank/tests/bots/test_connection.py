"""A bot at a server: the session without a socket, and the whole over a real one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from packages.core.tests.messages import naming
from packages.tank.tests.bots.fake_server import GAME, GAME_OVER, HELLO, ROUND, ROUND_OVER, FakeServer, Line
from packages.tank.tests.bots.scenes import scan, scene
from turnwright.errors import ParticipantStartError, SetupError
from turnwright_tank.bots import Bot, run
from turnwright_tank.bots.connection import COMPLAINTS_MAX, BotSession
from turnwright_tank.bots.identity import BotIdentity
from turnwright_tank.bots.messages import write_handshake
from turnwright_tank.structs import Observation, ScannedBotEvent

BOT_OF_15_LINES = """
from turnwright_tank.bots import Bot


class MyBot(Bot):
    def on_tick(self, observation):
        self.turn_rate = 5
        self.target_speed = 8

    def on_scanned_bot(self, event):
        self.fire(1)


if __name__ == "__main__":
    MyBot.main()
"""


class Diary(Bot):
    """Records what it receives."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def on_tick(self, observation: Observation) -> None:
        self.said.append(f"tick {observation.turn_number}")

    def on_scanned_bot(self, event: ScannedBotEvent) -> None:
        self.said.append(f"scan {event.turn_number}")

    def on_skipped_turn(self, turn_number: int) -> None:
        self.said.append(f"skipped {turn_number}")

    def on_slow(self, notice: str) -> None:
        self.said.append(f"slow: {notice}")

    def on_round_ended(self, results: Any) -> None:
        self.said.append(f"round over, {results['total_score']}")

    def on_game_ended(self, results: Any) -> None:
        self.said.append("game over")

    def on_game_aborted(self) -> None:
        self.said.append("aborted")

    def on_disconnected(self, code: int, reason: str) -> None:
        self.said.append(f"closed {code} {reason}".strip())


def told(session: BotSession, *messages: object) -> list[dict[str, Any]]:
    """Return the session's immediate answer to each message."""
    sent: list[bytes] = []
    for message in messages:
        sent += session.receive(message if isinstance(message, bytes) else msgspec.json.encode(message))
    return [json.loads(text) for text in sent]


def playing(bot: Bot) -> BotSession:
    session = BotSession(bot, BotIdentity("Me"))
    told(session, HELLO, GAME, ROUND)
    return session


def test_the_handshake_identifies_the_bot_and_asks_for_replies() -> None:
    sent = told(BotSession(Bot(), BotIdentity("Me", "2", ("Ann",), initial_position="1,,90"), "key"), HELLO)
    assert sent == [
        {
            "type": "BotHandshake", "sessionId": "s1", "name": "Me", "version": "2", "authors": ["Ann"],
            "secret": "key", "turnwright": 1, "platform": "Python", "programmingLang": "Python",
            "initialPosition": {"x": 1.0, "direction": 90.0},
        }
    ]  # fmt: skip


def test_a_team_member_and_a_droid_say_so() -> None:
    droid = BotIdentity("Me", team_id=0, team_name="T", team_version="1", is_droid=True)
    hello = json.loads(write_handshake(droid, "s", None))
    assert (hello["teamId"], hello["teamName"], hello["teamVersion"], hello["isDroid"]) == (0, "T", "1", True)


def test_a_bot_knows_the_game_before_it_is_ready() -> None:
    bot = Diary()
    assert told(BotSession(bot, BotIdentity("Me")), HELLO, GAME)[1:] == [{"type": "BotReady"}]
    assert (bot.info.my_id, bot.info.arena_width, bot.info.turn_timeout_us) == (1, 800, 30000)


def test_an_intent_names_the_turn_that_it_answers() -> None:
    session = playing(Bot())
    told(session, scene(4))
    (intent,) = (json.loads(text) for text in session.answer())
    assert intent == {
        "type": "BotIntent", "turnNumber": 4, "turnRate": 0.0, "gunTurnRate": 0.0, "radarTurnRate": 0.0,
        "targetSpeed": 0.0, "firepower": 0.0,
    }  # fmt: skip


def skipped(turn: int) -> bytes:
    return msgspec.json.encode({"type": "SkippedTurnEvent", "turnNumber": turn})


def test_after_two_late_answers_in_a_row_a_tick_that_had_to_wait_is_left_out() -> None:
    bot = Diary()
    session = playing(bot)
    told(session, scene(4))
    assert session.answer(waited=False)
    told(session, skipped(4), scene(5))
    assert session.answer(waited=True), "one late answer: it goes on with the newest tick"
    told(session, skipped(5), scene(6, scan(6)))
    assert session.answer(waited=True) == []
    told(session, skipped(6), scene(7))
    assert session.answer(waited=False)
    assert bot.said[-2:] == ["scan 6", "tick 7"]


@pytest.mark.parametrize("waited", [True, False])
def test_no_answer_is_withheld_without_a_wait_or_after_one_in_time(waited: bool) -> None:
    session = playing(Bot())
    for turn in range(4, 20):
        missed = [skipped(turn - 1)] if not waited or turn % 2 else []
        told(session, *missed, scene(turn))
        assert session.answer(waited), f"turn {turn}"


def test_only_the_newest_of_several_ticks_is_answered_with_events_of_all() -> None:
    bot = Diary()
    session = playing(bot)
    told(session, scene(4, scan(4)), scene(5, scan(5)), scene(6))
    (intent,) = (json.loads(text) for text in session.answer())
    assert intent["turnNumber"] == 6
    assert bot.said == ["scan 4", "scan 5", "tick 6"]
    assert session.answer() == []


def test_the_last_tick_of_a_round_is_seen_before_its_end() -> None:
    bot = Diary()
    told(playing(bot), scene(3), ROUND_OVER, GAME_OVER)
    assert bot.said == ["tick 3", "round over, 108", "game over"]


def test_a_new_round_or_game_drops_the_unanswered_observation() -> None:
    for message in (ROUND, GAME, GAME_OVER, {"type": "GameAbortedEvent"}):
        session = playing(Diary())
        told(session, scene(3), message)
        assert session.answer() == []


def test_skips_slowness_and_abortion_are_passed_on() -> None:
    bot = Diary()
    skipped = {"type": "SkippedTurnEvent", "turnNumber": 7}
    slow = {"type": "ErrorReply", "code": "slow", "message": "9 of 10 missed"}
    told(playing(bot), skipped, slow, {"type": "GameAbortedEvent"})
    assert bot.said == ["skipped 7", "slow: 9 of 10 missed", "aborted"]
    assert bot.skip_reason == ""


def test_a_bot_can_read_why_it_missed_a_turn() -> None:
    bot = Diary()
    told(playing(bot), {"type": "SkippedTurnEvent", "turnNumber": 7, "reason": "late"})
    assert (bot.said, bot.skip_reason) == (["skipped 7"], "late")


BAD = [
    b"", b"{", b"null", b"[]", b"5", b'"x"', b"\xff\xfe", b'{"type":null}', b'{"type":5}', b"{}",
    b'{"type":"TickEventForBot"}', b'{"type":"TickEventForBot","roundNumber":"x"}',
    b'{"type":"GameStartedEventForBot","myId":1}', b"[" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("text", BAD, ids=[str(text[:40]) for text in BAD])
def test_bad_messages_are_survived_and_reported(text: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    session = playing(Bot())
    assert told(session, text) == []
    assert naming(capsys.readouterr().err, "Me", "server", "message")
    told(session, scene(2))
    assert len(session.answer()) == 1


@pytest.mark.parametrize("kind", ["SomethingNew", "TpsChangedEvent", "GamePausedEventForObserver"])
def test_messages_that_are_not_for_bots_are_ignored(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(playing(Bot()), {"type": kind, "tps": 5}) == []
    assert capsys.readouterr().err == ""


def test_complaints_are_bounded(capsys: pytest.CaptureFixture[str]) -> None:
    session = playing(Bot())
    told(session, *[b"{"] * (COMPLAINTS_MAX + 5))
    assert len(capsys.readouterr().err.splitlines()) == COMPLAINTS_MAX


def test_a_refusal_of_the_server_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    told(playing(Bot()), {"type": "ErrorReply", "code": "bad-number", "message": "turnRate is NaN"})
    assert "bad-number: turnRate is NaN" in capsys.readouterr().err


@pytest.mark.parametrize("url", ["http://localhost", "localhost:7654", "x"])
def test_a_url_that_is_not_a_websocket_is_refused(url: str) -> None:
    with pytest.raises(SetupError, match="expected ws://"):
        run(Bot(), url)


def test_an_impossible_address_is_refused_in_one_line() -> None:
    with pytest.raises(ParticipantStartError, match=r"no server at ws://\[::1 \(ValueError"):
        run(Bot(), "ws://[::1")


@pytest.mark.process
def test_a_missing_server_is_reported_in_one_line() -> None:
    with FakeServer(lambda line: None) as server:
        url = server.url
    with pytest.raises(ParticipantStartError, match="no server at"):
        run(Bot(), url)


@pytest.mark.process
@pytest.mark.parametrize("code", [1000, 1001, 1011, 4000])
def test_a_close_ends_the_bot_whatever_the_code(code: int) -> None:
    bot = Diary()
    with FakeServer(lambda line: line.close(code)) as server:
        assert run(bot, server.url) == code
    assert bot.said == [f"closed {code}"]


@pytest.mark.process
def test_a_refused_bot_learns_why() -> None:
    def refuse(line: Line) -> None:
        line.say(HELLO)
        assert line.hear()["secret"] == "wrong"
        line.close(1008, "Invalid secret")

    with FakeServer(refuse) as server, pytest.raises(ParticipantStartError, match="SERVER_SECRET"):
        run(Bot(), server.url, "wrong")


@pytest.mark.process
def test_a_burst_of_ticks_gets_an_answer_to_the_newest() -> None:
    def burst(line: Line) -> None:
        line.say(HELLO, GAME, ROUND, *[scene(turn) for turn in range(1, 31)])
        assert line.hear()["type"] == "BotHandshake"
        assert line.hear()["type"] == "BotReady"
        answers = [line.hear()["turnNumber"]]
        while answers[-1] != 30:
            answers.append(line.hear()["turnNumber"])
        assert answers == sorted(set(answers))

    with FakeServer(burst) as server:
        run(Diary(), server.url)


@pytest.mark.process
def test_a_bot_of_15_lines_plays_as_a_program(tmp_path: Path) -> None:
    assert len(BOT_OF_15_LINES.strip().splitlines()) <= 15
    script = tmp_path / "MyBot.py"
    script.write_text(BOT_OF_15_LINES)

    def game(line: Line) -> None:
        line.say(HELLO)
        hello = line.hear()
        assert (hello["name"], hello["version"], hello["secret"]) == ("MyBot", "1.5", "s3cret")
        line.say("this is no JSON", GAME)
        assert line.hear() == {"type": "BotReady"}
        line.say(ROUND, scene(1))
        first = line.hear()
        assert (first["turnRate"], first["targetSpeed"], first["firepower"]) == (5.0, 8.0, 0.0)
        line.say(scene(2, scan(2)))
        assert line.hear()["firepower"] == 1.0
        line.say(ROUND_OVER, GAME_OVER)
        line.close()

    with FakeServer(game) as server:
        environment = {
            **os.environ, "SERVER_URL": server.url, "SERVER_SECRET": "s3cret", "BOT_VERSION": "1.5",
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=30
        )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.process
@pytest.mark.parametrize(
    ("bot", "code", "said"),
    [
        ("def on_tick(self, o): raise RuntimeError('oh no')", 1, "RuntimeError: oh no"),
        ("name = 'x'\n    def on_game_started(self, info): raise KeyboardInterrupt", 130, ""),
    ],
)
def test_a_bot_that_fails_ends_with_its_traceback(tmp_path: Path, bot: str, code: int, said: str) -> None:
    script = tmp_path / "Failing.py"
    script.write_text(
        f"from turnwright_tank.bots import Bot\nclass Failing(Bot):\n    {bot}\nFailing.main()\n"
    )

    def game(line: Line) -> None:
        line.say(HELLO, GAME, ROUND, scene(1))
        line.hear()
        line.hear()

    with FakeServer(lambda line: _until_closed(game, line)) as server:
        environment = {**os.environ, "SERVER_URL": server.url}
        done = subprocess.run(
            [sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=30
        )
    assert done.returncode == code
    assert said in done.stderr


def _until_closed(game: Any, line: Line) -> None:
    from websockets.exceptions import ConnectionClosed

    try:
        game(line)
        line.hear()
    except ConnectionClosed:
        return
