from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from packages.core.tests import card_game
from packages.core.tests.app.snake_records import GAME, play_snake, written
from packages.core.tests.messages import says
from turnwright import catalog
from turnwright.app import frames
from turnwright.app.frames import frame_lines, frames_of, view_files
from turnwright.app.game.playable import find_game
from turnwright.app.html import one_page
from turnwright.app.replay import look_at
from turnwright.errors import RecordError, SetupError, VoidBattleError
from turnwright.games.snake.game import SnakeGame
from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.play import play
from turnwright.kernel.record import Footer, Record, TurnRules
from turnwright.net.files.record_list import RecordList
from turnwright.net.http.analysis import AnalysisProcess
from turnwright.net.http.pages import Pages


@pytest.fixture(scope="module")
def record() -> Record:
    return play_snake(turns=40)


def test_a_record_becomes_the_frames_of_its_turns(record: Record) -> None:
    ready, *turns, result = map(json.loads, frame_lines(record, GAME).splitlines())
    assert (ready["type"], ready["game"], ready["verified"]) == ("ready", "snake", True)
    assert [seat["name"] for seat in ready["seats"]] == ["Greedy", "Wanderer"]
    assert (ready["seed"], ready["turnTimeoutUs"]) == ("7", TurnRules().timeout_ns // 1000)
    assert ready["settings"] == {**GAME.defaults, "turns": 40}
    assert [frame["turn"] for frame in turns] == list(range(len(record.turns) + 1)), "as on a server, from 0"
    assert turns[-1]["frame"]["turn"] == len(record.turns)
    assert (result["type"], result["ending"], len(result["rows"])) == ("result", "over", 2)
    assert result["headings"] == ["Eaten"]
    assert {row["seat"]: row["columns"] for row in result["rows"]} == {
        seat: [snake["eaten"]] for seat, snake in enumerate(turns[-1]["frame"]["snakes"])
    }


def test_a_replay_shows_data_that_was_hidden_during_the_battle(tmp_path: Path) -> None:
    game = catalog.load(str(card_game.folder(tmp_path / "cards")))
    battle = Battle(game, {}, (SeatInfo("one"), SeatInfo("two")), 7)
    entries: list[Closed] = []
    play(battle, {0: lambda seen: "pass", 1: lambda seen: "pass"}, entries.append)
    record = Record(battle.header, [closed.entry for closed in entries], Footer("over", battle.turn))
    _, *turns, _ = map(json.loads, frame_lines(record, game).splitlines())
    assert {tuple(sorted(frame["frame"]["cards"])) for frame in turns} == {(41, 42)}
    assert turns[1]["events"][0]["type"] == "dealt"


def test_the_result_of_a_replay_has_missed_turns_and_departures(record: Record) -> None:
    turns = [replace(entry, skipped=(1,), intents={0: "up"}) for entry in record.turns]
    turns[1] = replace(turns[1], gone=(1,))
    *_, result = map(json.loads, frame_lines(Record(record.header, turns, record.footer), GAME).splitlines())
    rows = {row["seat"]: row for row in result["rows"]}
    assert (rows[1]["left"], rows[0]["left"], rows[0]["skipped"]) == (True, False, 0)
    assert rows[1]["skipped"] >= 2


def test_frames_of_a_record_have_the_scores_of_the_rules(record: Record) -> None:
    _, *turns, result = map(json.loads, frame_lines(record, GAME).splitlines())
    for frame in turns:
        assert frame["scores"] == [snake["lived"] + 5 * snake["eaten"] for snake in frame["frame"]["snakes"]]
    assert sorted(turns[-1]["scores"], reverse=True) == [row["score"] for row in result["rows"]]


def test_wrong_scores_in_a_record_are_reported_in_one_line(record: Record) -> None:
    wrong = type("Wrong", (SnakeGame,), {"scores": lambda self, state: [1]})()
    with pytest.raises(VoidBattleError, match=r"snake\.scores\(\) returned 1 scores.*one for each"):
        frame_lines(record, wrong)


def test_a_record_that_comes_out_differently_is_not_verified(record: Record) -> None:
    changed = Record(record.header, [replace(record.turns[0], digest="0" * 16), *record.turns[1:]])
    assert json.loads(frame_lines(changed, GAME).splitlines()[0])["verified"] is False


def test_too_many_frames_are_refused(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    size = sum(map(len, frame_lines(record, GAME).splitlines()[1:]))
    monkeypatch.setattr(frames, "FRAMES_BYTES_MAX", size)
    frame_lines(record, GAME)
    monkeypatch.setattr(frames, "FRAMES_BYTES_MAX", size - 1)
    with pytest.raises(RecordError, match=r"too many.*page"):
        frame_lines(record, GAME)


def test_a_record_of_snake_is_shown_on_its_own_page(record: Record, tmp_path: Path) -> None:
    found = look_at(written(record, tmp_path / "s.twr"))
    assert (found.kind, found.game.name, found.name) == ("record", "snake", "s.twr.frames")
    assert not found.truncated
    page = one_page(view_files(found.game), found.name, found.content())
    assert b"drawSnake" in page
    assert b"tankArena" not in page


def folder_game(tmp_path: Path) -> Path:
    """Return the folder of a game like snake, with another name."""
    folder = tmp_path / "viper"
    folder.mkdir()
    rules = Path(str(catalog.find("snake").file("game.py"))).read_text()
    (folder / "game.py").write_text(rules.replace('defaults = "snake"', 'defaults = "viper"'))
    return folder


def test_a_record_of_a_game_in_a_folder_is_shown_with_that_folder_alone(
    record: Record, tmp_path: Path
) -> None:
    header = replace(record.header, game="viper")
    path = written(Record(header, record.turns, record.footer), tmp_path / "v.twr")
    folder = str(folder_game(tmp_path))
    found = look_at(path, game=find_game(folder))
    assert (found.game.place, found.name) == (folder, "v.twr.frames")
    assert json.loads(found.content().splitlines()[0])["verified"] is True
    with pytest.raises(RecordError, match=r"--game FOLDER"):
        look_at(path)
    with pytest.raises(RecordError, match=r"'viper'.*'snake'"):
        look_at(path, game=find_game("snake"))


@pytest.mark.process
def test_a_server_offers_records_as_frames_made_by_another_process(record: Record, tmp_path: Path) -> None:
    path = written(record, tmp_path / "s.twr")
    (tmp_path / "bad.twr").write_bytes(path.read_bytes()[:40])
    made = AnalysisProcess(work=frames_of(find_game("snake")), kept_max=1)
    pages = Pages({}, RecordList.of_folder(tmp_path), frames=made)
    shown = pages.show("/records/s.twr.frames", {})
    assert shown is not None
    assert (shown.status, shown.body) == (200, frame_lines(record, GAME))
    failed = pages.show("/records/bad.twr.frames", {})
    assert failed is not None
    assert (failed.status, b"bad.twr" in failed.body) == (422, True)
    assert pages.show("/records/none.twr.frames", {}) is None
    assert Pages({}, RecordList.of_folder(tmp_path)).show("/records/s.twr.frames", {}) is None
    pages.close()


def test_a_game_without_a_view_gets_a_page_and_one_elsewhere_brings_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "chess"
    folder.mkdir()
    (folder / "game.py").write_text(Path(str(catalog.find("countdown").file("game.py"))).read_text())
    assert b"view = {}" in view_files(find_game(str(folder)))["viewer/own_view.js"].content
    (folder / "view.js").write_text("export const view = { chess: true };")
    files = view_files(find_game(str(folder)))
    assert b"chess: true" in files["viewer/own_view.js"].content
    assert b"startOwn" in files["viewer/main.js"].content
    assert b"chess: true" not in files["viewer/main.js"].content, "its mistakes are not those of the page"
    page = files["viewer/index.html"].content
    scripts = [
        page.index(f'src="viewer/{name}.js"'.encode()) for name in ("generic/errors", "own_view", "main")
    ]
    assert scripts == sorted(scripts)
    assert b"chess: true" in one_page(files, "c.twr.frames", b"{}")


@pytest.mark.parametrize(
    ("code", "key"),
    [
        ("export default {};", "view.js … one module without imports … export default"),
        ('import { a } from "./a.js";\nexport const view = {};', "view.js … without imports … import { a }"),
        ("const view = {};", "view.js … exports no view … export const view ="),
        ("export const view = {}; // </script>", "view.js … '</script'"),
    ],
)
def test_an_invalid_view_module_is_refused_in_one_line(tmp_path: Path, code: str, key: str) -> None:
    (tmp_path / "game.py").write_text(Path(str(catalog.find("countdown").file("game.py"))).read_text())
    (tmp_path / "view.js").write_text(code)
    with pytest.raises(SetupError) as caught:
        view_files(find_game(str(tmp_path)))
    assert says(str(caught.value), key), str(caught.value)
    assert "\n" not in str(caught.value)
