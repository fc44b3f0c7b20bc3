from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from turnwright.errors import RecordError
from turnwright.net.files.record_list import RecordList
from turnwright.net.http import analysis as module
from turnwright.net.http.analysis import KEPT_MAX, REST_TIMES, AnalysisProcess
from turnwright.net.http.listener import READS_FILES
from turnwright.net.http.pages import Pages


class Bench:
    """A record, a separate clock, and an analysis that counts how often it is made."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = folder / "a.twr"
        self.path.write_bytes(b"1")
        self.now_ns = 0
        self.took_ns = 2_000_000_000
        self.made = 0
        self.during: Callable[[], None] = lambda: None
        monkeypatch.setattr(module, "now_ns", lambda: self.now_ns)
        monkeypatch.setattr(module, "analysis_of", self._make)

    def _make(self, path: Path, on_start: Any) -> bytes:
        self.made += 1
        self.now_ns += self.took_ns
        self.during()
        if path.read_bytes() == b"bad":
            raise RecordError("no record")
        return b"%d of %s" % (self.made, path.read_bytes())


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path, monkeypatch)


def test_a_record_that_has_not_changed_is_analysed_once(bench: Bench) -> None:
    process = AnalysisProcess()
    assert process.of_file(bench.path).body == b"1 of 1"
    bench.now_ns += 10**12
    assert process.of_file(bench.path).body == b"1 of 1"


def test_a_record_that_grows_is_analysed_again_after_a_rest(bench: Bench) -> None:
    process = AnalysisProcess(lambda: bench.path)
    assert process.of_live(None).body == b"1 of 1"
    assert process.whole
    bench.path.write_bytes(b"12")
    assert not process.whole
    bench.now_ns += REST_TIMES * bench.took_ns - 1
    assert process.of_live(None).body == b"1 of 1"
    bench.now_ns += 1
    assert process.of_live(None).body == b"2 of 12"
    assert process.whole


def test_one_analysis_is_made_at_a_time(bench: Bench, tmp_path: Path) -> None:
    process, answers = AnalysisProcess(), []
    other = tmp_path / "b.twr"
    other.write_bytes(b"2")
    bench.during = lambda: answers.append((process.busy, process.of_file(other)))
    process.of_file(bench.path)
    ((busy, answer),) = answers
    assert (busy, answer.status, answer.headers) == (True, 202, {"Retry-After": "1"})
    assert not process.busy


def test_analyses_of_a_few_records_are_cached(bench: Bench, tmp_path: Path) -> None:
    process = AnalysisProcess()
    paths = [tmp_path / f"{k}.twr" for k in range(KEPT_MAX + 1)]
    for path in paths:
        path.write_bytes(b"1")
        process.of_file(path)
    process.of_file(paths[-1])
    assert bench.made == KEPT_MAX + 1
    process.of_file(paths[0])
    assert bench.made == KEPT_MAX + 2


def test_a_failed_analysis_is_reported_in_one_line(bench: Bench) -> None:
    process = AnalysisProcess()
    bench.path.write_bytes(b"bad")
    answer = process.of_file(bench.path)
    assert (answer.status, answer.body) == (422, b"no record\n")
    assert not process.busy
    assert process.of_live(None).status == 202
    bench.path.unlink()
    assert process.of_file(bench.path).status == 202


def test_the_analysis_of_a_live_battle_needs_the_secret(bench: Bench) -> None:
    process = AnalysisProcess(lambda: bench.path, lambda secret: secret == "ö 1")
    pages = Pages(None, RecordList.of_files(bench.path), analysis=process)
    assert [answer.status for answer in (process.of_live(None), process.of_live("x"))] == [401, 401]
    allowed = pages.show("/analysis", {"authorization": "Bearer %C3%B6%201"})
    assert allowed is not None
    assert (allowed.status, allowed.content_type) == (200, "application/json")


def test_analyses_have_addresses_and_are_made_in_a_thread(bench: Bench) -> None:
    pages = Pages(None, RecordList.of_files(bench.path), analysis=AnalysisProcess())
    shown = pages.show("/analysis/a.twr", {})
    assert shown is not None
    assert shown.body == b"1 of 1"
    assert pages.show("/analysis/secret.txt", {}) is None
    assert Pages().show("/analysis", {}) is None
    assert "/analysis/a.twr".startswith(READS_FILES)


@pytest.mark.process
def test_a_file_that_is_not_a_record_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "-x.twr"
    path.write_bytes(b"nothing")
    with pytest.raises(RecordError, match=r"-x\.twr"):
        module.analysis_of(path)


@pytest.mark.process
def test_closing_ends_a_running_analysis(tmp_path: Path) -> None:
    path = tmp_path / "x.twr"
    path.write_bytes(b"nothing")
    process = AnalysisProcess()
    process.close()
    answer = process.of_file(path)
    assert (answer.status, answer.body) == (422, b"the analysis was ended\n")


@pytest.mark.process
def test_only_a_server_lowers_the_priority_of_an_analysis(tmp_path: Path) -> None:
    """A person waits for the analysis of a command, also on a busy machine."""
    path = tmp_path / "x.twr"
    path.write_bytes(b"something")
    prints = "import os, time; time.sleep(0.2); print(os.getpriority(os.PRIO_PROCESS, 0))"

    def work(_: Path, on_start: module.OnStart = lambda _: None) -> bytes:
        return module.output_of((sys.executable, "-c", prints), "it", on_start)

    assert int(work(path)) == os.getpriority(os.PRIO_PROCESS, 0)
    assert 10 <= int(AnalysisProcess(work=work).of_file(path).body) < 19
