"""Answers of workers are read as untrusted data."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from turnwright_league.app.clusters import messages
from turnwright_league.app.clusters.messages import (
    JobBot,
    RemoteResult,
    WrongAnswer,
    job_of,
    read_job,
    read_result,
    written,
)
from turnwright_league.app.worker import JobResult
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.played_battle import EntryScore

SPEC = BattleSpec("snake", 1, "{}", ("a", "b"), 7)
SCORES = (EntryScore(0, "a", 3.0, (1.0, 2.0), columns={"food": 3.0}), EntryScore(1, "b", 0.0, (0.0, 0.0)))
PLAYED = JobResult("played", "ok", SCORES, turns=9, digest="ab", worker="")


def answer(result: JobResult = PLAYED, **changed: Any) -> bytes:
    fields: dict[str, Any] = {
        "id": SPEC.id,
        "worker": "host:1",
        "result": result,
        "record": b"twr",
        **changed,
    }
    return written(RemoteResult(**fields))


def test_an_answer_can_be_read_as_the_worker_wrote_it() -> None:
    found = read_result(answer(), SPEC)
    assert (found.result, found.record, found.worker) == (PLAYED, b"twr", "host:1")


def test_equal_jobs_are_equal_bytes_and_are_read_as_they_were() -> None:
    bots = {"b": JobBot("Mine", "ab" * 16, "cd"), "a": JobBot("Greedy", "", "ef")}
    one = job_of(SPEC, "snake", bots, {"sandbox": "full"}, recorded=True)
    other = job_of(SPEC, "snake", dict(reversed(bots.items())), {"sandbox": "full"}, recorded=True)
    assert written(one) == written(other)
    assert read_job(written(one)) == one


@pytest.mark.parametrize(
    "wrong",
    [
        replace(PLAYED, scores=()),
        replace(PLAYED, scores=SCORES[:1]),
        replace(PLAYED, scores=SCORES[::-1]),
        replace(PLAYED, scores=(SCORES[0], replace(SCORES[1], entry="c"))),
        replace(PLAYED, scores=(SCORES[0], replace(SCORES[1], seat=0))),
        replace(PLAYED, scores=(SCORES[0], replace(SCORES[1], score=float("nan")))),
        replace(PLAYED, scores=(SCORES[0], replace(SCORES[1], rounds=(float("inf"),)))),
        replace(PLAYED, scores=(SCORES[0], replace(SCORES[1], columns={"x": float("-inf")}))),
        replace(PLAYED, scores=(SCORES[0], replace(SCORES[1], survival=float("nan")))),
        replace(PLAYED, state="void"),
        replace(PLAYED, kind="void", state="void"),
        replace(PLAYED, why="x" * 501),
        replace(PLAYED, suspect=("x",) * 257),
        replace(PLAYED, disqualified=("c",)),
    ],
    ids=str,
)
def test_a_result_of_another_battle_is_refused(wrong: JobResult) -> None:
    with pytest.raises(WrongAnswer):
        read_result(answer(wrong), SPEC)


def test_invalid_bytes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = msgspec.msgpack.decode(answer())
    for wrong in (
        b"",
        b"\x80",
        pickle.dumps(PLAYED),
        "text",
        None,
        answer(id="0" * 40),
        answer(worker="x" * 501),
        msgspec.msgpack.encode({**data, "more": 1}),
        msgspec.msgpack.encode({**data, "result": {**data["result"], "kind": "won"}}),
        msgspec.msgpack.encode({**data, "result": {**data["result"], "turns": "9"}}),
    ):
        with pytest.raises(WrongAnswer):
            read_result(wrong, SPEC)
    with pytest.raises(WrongAnswer):
        read_job(b"\xc1")
    size = len(answer())
    monkeypatch.setattr(messages, "RESULT_BYTES_MAX", size)
    assert read_result(answer(), SPEC).record == b"twr"
    monkeypatch.setattr(messages, "RESULT_BYTES_MAX", size - 1)
    with pytest.raises(WrongAnswer, match="bytes"):
        read_result(answer(), SPEC)
