"""A bot in a seat of a record gets its predecessor's observations, and its answers are compared."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from packages.core.tests.kernel.support import some_intent
from turnwright.host import effects as fx
from turnwright.host.config import HostConfig
from turnwright.host.host import Host
from turnwright.host.protocol import RecordedSeats, RemoteAddress
from turnwright.kernel.battle import Battle
from turnwright.kernel.branch import ROUND_END_PATIENCE_NS, branch_battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Record, TurnRules
from turnwright.kernel.replay import replay
from turnwright.kernel.verify import verify
from turnwright_tank.game import TankGame
from turnwright_tank.host.handshakes import recorded_hello
from turnwright_tank.host.royale import RoyaleProtocol, battle_setup
from turnwright_tank.wire.royale.codec import encode
from turnwright_tank.wire.royale.setup import preset

SETUP = {"number_of_rounds": 2, "max_inactivity_turns": 1, "arena_width": 400, "arena_height": 400}
PATIENCE = 1_000_000_000


def recorded(skips: tuple[int, ...] = ()) -> Record:
    """Two rounds of two tanks; seat 0 misses the turns in `skips`."""
    battle = Battle(
        TankGame("interpreted"), SETUP, [SeatInfo("a"), SeatInfo("b")], 5, TurnRules(max_skipped=0)
    )
    rng, entries = random.Random(5), []
    while battle.outcome is None:
        opened = battle.open_turn()
        for seat in opened.asked:
            intent = some_intent("tank", rng)
            if seat or battle.turn + 1 not in skips:
                battle.collecting.inbox.sent(seat, 0)
                battle.collecting.submit(seat, intent, 1)
        battle.end_collecting(2)
        entries.append(battle.close_turn().entry)
    return Record(battle.header, entries)


class Stage:
    """A host, driven by hand; seat 0 is live.

    Attributes:
        heard: the messages to each connection.
        answers: the answers of all turns.
    """

    def __init__(self, record: Record, until: int | None = None, turns_max: int | None = None) -> None:
        self.heard: dict[int, list[dict[str, Any]]] = {}
        self.turns: list[Any] = []
        self.answers: list[Any] = []
        self.alarm_ns: int | None = None
        self.now_ns = 0
        self.ended: Any = None
        self.battle = branch_battle(
            record,
            TankGame("interpreted"),
            {0},
            until,
            patience_ns=PATIENCE,
            on_turn=self.note,
            keep_checks=True,
        )
        self.kept: list[Any] = []
        self.host = Host(
            HostConfig(
                new_game=TankGame,
                protocol=RoyaleProtocol(),
                random_bytes=random.Random(1).randbytes,
                bot_secrets=frozenset({"key"}),
                tps=-1,
                record=True,
                turns_max=turns_max,
            )
        )

    def note(self, closed: Any, answers: Any) -> None:
        self.turns.append(closed)
        self.answers += answers

    def carry_out(self) -> None:
        while effects := self.host.take():
            for effect in effects:
                if isinstance(effect, fx.Send):
                    self.hear(effect.conn, effect.data)
                elif isinstance(effect, fx.SendTurn):
                    for conn, data in zip(effect.conns, effect.datas, strict=True):
                        self.hear(conn, data)
                    self.host.turn_sent([self.now_ns] * len(effect.conns))
                elif isinstance(effect, fx.RecordTurn):
                    self.kept.append(effect.entry)
                elif isinstance(effect, fx.BattleOver):
                    self.ended = effect.summary
                elif isinstance(effect, fx.SetAlarm):
                    self.alarm_ns = effect.at_ns
                elif isinstance(effect, fx.CallSettled):
                    self.host.inputs_read(self.now_ns)
                elif isinstance(effect, fx.ReadPending):
                    self.host.pending_read(self.now_ns)

    def hear(self, conn: int, data: bytes) -> None:
        self.heard.setdefault(conn, []).append(msgspec.json.decode(data))

    def say(self, conn: int, kind: str, **fields: Any) -> None:
        self.host.receive(conn, msgspec.json.encode({"type": kind, **fields}), self.now_ns)
        self.carry_out()

    def join(self) -> Stage:
        self.host.connect(1, "127.0.0.1", 1, 0)
        self.carry_out()
        session = self.heard[1][0]["sessionId"]
        self.say(1, "BotHandshake", sessionId=session, name="x", version="1", secret="key")
        setup = battle_setup(preset("classic"))
        now = self.host.lobby.clients[1].hello
        infos = self.battle.header.seats
        hellos = [recorded_hello(info, now if seat == 0 else None) for seat, info in enumerate(infos)]
        setup.recorded = RecordedSeats((0,), hellos, lambda: self.battle)
        setup.bots_min = len(infos)
        self.host.start_battle(setup, [RemoteAddress("127.0.0.1", 1)], 0)
        self.carry_out()
        return self

    def begin(self) -> Stage:
        self.join()
        self.say(1, "BotReady")
        return self

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.heard[1] if message["type"] == kind]

    def answer_all(self, intent: Any = lambda tick: {"turnRate": 1}) -> None:
        """Answer every observation until the end; after a round's last one wait for the alarm."""
        seen = 0
        while self.ended is None:
            ticks = self.of("TickEventForBot")
            if len(ticks) > seen:
                seen = len(ticks)
                said = intent(ticks[-1])
                if said is not None:
                    self.say(1, "BotIntent", **said)
                    continue
            assert self.alarm_ns is not None, "nobody will ever go on"
            self.now_ns = self.alarm_ns
            self.host.wake(self.now_ns)
            self.carry_out()


def test_a_bot_gets_the_observations_of_its_predecessor():
    record = recorded()
    stage = Stage(record).begin()
    stage.answer_all()
    expected = [
        msgspec.json.decode(encode(battle.observe(0)))
        for _, _, battle in replay(record, TankGame("interpreted"))
        if 0 in battle.state.started
    ]
    assert stage.of("TickEventForBot") == expected
    assert [e["roundNumber"] for e in stage.of("RoundStartedEvent")] == [1, 2]
    assert len(stage.of("RoundEndedEventForBot")) == 2
    assert stage.heard[1][-1]["type"] == "GameEndedEventForBot"
    assert (stage.ended.ending, stage.ended.why) == ("over", "")


def test_answers_are_compared_with_the_recorded_ones_and_do_not_count():
    record = recorded()
    stage = Stage(record).begin()
    stage.answer_all()
    assert [c.entry.digest for c in stage.turns] == [e.digest for e in record.turns]
    assert [e.digest for e in stage.kept] == [e.digest for e in record.turns]
    answer = stage.answers[3]
    entry = next(e for e in record.turns if e.turn == 5)
    assert (answer.round, answer.turn, answer.intent.turn_rate) == (1, 4, 1)
    assert answer.recorded == entry.intents[0]
    assert not answer.counted


def test_after_the_branch_its_answers_count():
    record = recorded()
    stage = Stage(record, until=10).begin()
    stage.answer_all(lambda tick: {"targetSpeed": 8, "turnNumber": tick["turnNumber"]})
    digests = [c.entry.digest for c in stage.turns]
    assert digests[:10] == [e.digest for e in record.turns[:10]]
    assert digests[11] != record.turns[11].digest
    assert [a.counted for a in stage.answers[:12]] == [False] * 9 + [True] * 3


def test_a_recorded_branch_verifies():
    stage = Stage(recorded(), until=10).begin()
    stage.answer_all(lambda tick: {"targetSpeed": 8})
    assert verify(Record(stage.battle.header, stage.kept), TankGame("interpreted")).ok
    assert any(entry.checks for entry in stage.kept)


def test_a_bot_that_does_not_answer_is_left_behind_after_a_patient_wait():
    stage = Stage(recorded()).begin()
    stage.host.wake(PATIENCE)
    stage.carry_out()
    assert len(stage.of("TickEventForBot")) == 1
    stage.now_ns = PATIENCE + 1
    stage.host.wake(stage.now_ns)
    stage.carry_out()
    assert len(stage.of("TickEventForBot")) == 2
    assert stage.answers[0].intent is None


def test_after_a_rounds_last_turn_patience_is_short():
    stage = Stage(recorded()).begin()
    stage.answer_all(lambda tick: None if stage.battle.state.round_over else {"turnRate": 1})
    assert stage.now_ns <= 2 * ROUND_END_PATIENCE_NS + 2


def test_a_turn_that_its_predecessor_missed_is_reported():
    stage = Stage(recorded(skips=(6,))).begin()
    stage.answer_all()
    assert [message["turnNumber"] for message in stage.of("SkippedTurnEvent")] == [5]
    assert [a.recorded for a in stage.answers if a.turn == 5 and a.round == 1] == [None]


def test_the_rehearsal_ends_after_the_given_turn():
    stage = Stage(recorded(), turns_max=7).begin()
    stage.answer_all()
    assert (stage.ended.ending, stage.ended.turns, stage.battle.turn) == ("aborted", 7, 7)


def test_two_intents_for_one_observation_are_one_and_stale_ones_are_ignored():
    stage = Stage(recorded()).begin()
    stage.say(1, "BotIntent", turnRate=3, turnNumber=99)
    assert stage.answers == []
    stage.say(1, "BotIntent", turnRate=3, turnNumber=1)
    assert stage.answers[0].intent.turn_rate == 3


def test_a_bot_that_leaves_ends_it_and_is_known():
    stage = Stage(recorded()).begin()
    stage.host.disconnect(1, 0)
    stage.carry_out()
    assert (stage.ended.ending, stage.ended.why) == ("aborted", "every participant has left")
    assert stage.battle.left == [(0, 1)]


def test_a_bot_that_leaves_before_it_begins_makes_no_battle():
    stage = Stage(recorded()).join()
    stage.host.disconnect(1, 0)
    stage.carry_out()
    assert (stage.ended.ending, stage.turns) == ("aborted", [])


def test_garbage_changes_nothing():
    stage = Stage(recorded()).begin()
    stage.host.receive(1, b"{", 0)
    stage.say(1, "StopGame")
    assert stage.ended is None
