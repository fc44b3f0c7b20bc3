from __future__ import annotations

import gzip
import json
import signal
import socket
from pathlib import Path
from urllib.request import urlopen

import pytest

from packages.core.tests.cli.playing import turnwright
from packages.core.tests.messages import missing, says
from turnwright import run_battle
from turnwright.cli.__main__ import main


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "duel.twr"
    run_battle("Greedy", "Wanderer", game="snake", turns=400, food=9, seed=3, record=path)
    return path


@pytest.mark.process
def test_the_page_and_its_record_are_served_until_ctrl_c(record: Path) -> None:
    run = turnwright("replay", record, "--no-open", "--turn", "1.14", "--json")
    assert run.process.stdout is not None
    said = json.loads(run.process.stdout.readline())
    assert (said["file"], said["kind"], said["truncated"]) == (str(record), "record", False)
    page, _, fragment = said["url"].partition("#")
    assert fragment == "turn=1.14"
    with urlopen(page, timeout=60) as answer:
        assert b"<!doctype html>" in answer.read()
    with urlopen(page.replace("?replay=/", ""), timeout=60) as answer:
        assert json.loads(answer.readline())["game"] == "snake"
    run.process.send_signal(signal.SIGINT)
    run.finish()
    assert (run.code, run.out) == (0, "")
    assert not missing(run.err, "duel.twr", "Ctrl-C")


@pytest.mark.process
def test_the_address_is_all_that_is_printed(record: Path) -> None:
    environ = {"DISPLAY": "", "WAYLAND_DISPLAY": ""}
    run = turnwright("replay", record, environ=environ)
    assert run.process.stdout is not None
    assert run.process.stdout.readline().startswith("http://127.0.0.1:")
    run.process.terminate()
    assert run.finish().code == 0


@pytest.mark.process
def test_a_taken_port_is_reported_in_one_line_with_exit_code_2(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["replay", str(record), "--port", port, "--no-open"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert says(said.err, f"port {port} … 127.0.0.1")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.twr"], "none.twr"),
        (["other.twr"], "other.twr … record"),
        (["none.twr", "--port", "80"], "port is 80 … 1000 to 65535"),
        (["none.twr", "--turn", "3"], "'3' … 2.140"),
        (["none.twr", "--turn", "0.1"], "'0.1' … 2.140"),
        ([], "FILE … missing"),
    ],
)
def test_an_unshowable_record_is_refused_in_one_line_with_exit_code_2(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("other.twr").write_text("something else")
    assert main(["replay", *words]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert says(captured.err, said)


def test_a_turn_that_the_record_has_not_is_refused(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(record), "--turn", "9.1", "--no-open"]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert says(captured.err, "no turn 9.1 … last round")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--text", "--html", "x.html"], "--text … --html"),
        (["--text", "--json"], "--json … --text"),
        (["--text", "--game", "./guess"], "leave --text out … --game"),
    ],
)
def test_a_file_is_shown_in_one_way(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "none.twr", *words]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert says(captured.err, said)


def test_a_record_of_a_game_that_is_not_installed_gets_the_advice_of_its_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "guess.twr"
    path.write_bytes(gzip.compress(b'{"turnwright":"2","game":"guess"}\n'))
    assert main(["replay", str(path), "--text"]) == 2
    said = capsys.readouterr().err
    assert not missing(said, path, "guess", "leave --text out", "--game FOLDER")


def test_one_file_holds_the_page_and_the_record(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.html"
    assert main(["replay", str(record), "--html", str(out), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said == {
        "file": str(record),
        "kind": "record",
        "truncated": False,
        "html": str(out),
        "bytes": out.stat().st_size,
    }


def test_a_file_with_an_undecodable_name_becomes_one_html_file(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = tmp_path / "duel\udcff.twr"
    odd.write_bytes(record.read_bytes())
    assert main(["replay", str(odd), "--html", str(tmp_path / "out.html"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["file"] == str(odd)
    assert 'data-name="duel?.twr.frames"' in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_a_page_that_is_there_stays_without_force(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.html"
    out.write_text("mine")
    assert main(["replay", str(record), "--html", str(out)]) == 2
    assert "add --force" in capsys.readouterr().err
    assert out.read_text() == "mine"
    assert main(["replay", str(record), "--html", str(out), "--force"]) == 0
    assert says(capsys.readouterr().out, "out.html … bytes")


def test_a_truncated_record_is_shown_and_reported(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "cut.twr"
    cut.write_bytes(record.read_bytes()[:-300])
    assert main(["replay", str(cut), "--html", str(tmp_path / "out.html"), "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["truncated"] is True
    assert says(said.err, "cut.twr … truncated")
