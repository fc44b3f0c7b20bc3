"""Battles of any game with programs: directories together with functions, deadlines, a page, a record."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.request import urlopen

import pytest
from websockets.sync.client import connect

from packages.core.tests.dice_game import GOOD, folder
from packages.core.tests.messages import says
from packages.core.tests.net.bot_directories import make_bot
from turnwright import run_battle
from turnwright.app.battle import run
from turnwright.app.options import GenericBattleOptions
from turnwright.app.results import BattleResult, Progress
from turnwright.app.verify import verify_file
from turnwright.app.watch import Watching
from turnwright.errors import GameError, ParticipantStartError, SetupError, VoidBattleError

pytestmark = pytest.mark.process

PLAYS = """
import sys
from turnwright.client import play

print("hello from", sys.argv[0], file=sys.stderr)
play(lambda observation: {answer})
"""
SILENT = PLAYS.format(answer="None")


def program(root: Path, name: str, answer: str) -> Path:
    """A bot directory whose program answers with this expression of `observation`."""
    return make_bot(root, name, {f"{name}.py": PLAYS.format(answer=answer)})


def up(observation: Any) -> str:
    return "up"


def play_snake(*bots: Any, **options: Any) -> BattleResult:
    return run_battle(*bots, game="snake", python=sys.executable, **options)


def test_a_directory_a_built_in_bot_and_a_function_play_and_the_record_verifies(tmp_path: Path) -> None:
    first, second = program(tmp_path, "Right", "'right'"), program(tmp_path, "Left", "'left'")
    result = play_snake(first, "Greedy", up, second, record=tmp_path / "s.twr", seed=5, width=40)
    assert list(result.latency) == ["Right", "Greedy", "up", "Left"]
    assert {row.name: row.version for row in result.results} == dict.fromkeys(result.latency, "1.0")
    assert result.turn_timeout_us == 30_000
    assert verify_file(tmp_path / "s.twr").to_data()["ok"]
    heading = {"Right": "right", "Greedy": None, "up": "up", "Left": "left"}
    moves = snake_moves(tmp_path / "s.twr")
    assert all(moves[seat] in ({move}, set()) for seat, move in enumerate(heading.values()) if move)


def snake_moves(record: Path) -> list[set[str]]:
    """The intents of each seat in a record of snake, after the first turn."""
    from turnwright.net.files.reader import read_record

    found: list[set[str]] = [set(), set(), set(), set()]
    for entry in read_record(record).turns[1:]:
        for seat, intent in entry.intents.items():
            found[seat].add(str(intent))
    return found


def test_programs_play_a_third_party_game(tmp_path: Path) -> None:
    where = folder(tmp_path / "dice")
    one, two = program(tmp_path, "One", "1"), program(tmp_path, "Two", "2")
    result = run_battle(one, two, game=where, record=tmp_path / "d.twr", python=sys.executable)
    assert (result.game_type, result.turns) == ("dice", 3)
    assert verify_file(tmp_path / "d.twr", game=where).to_data()["ok"]


def test_a_program_that_answers_nothing_misses_its_turns_and_is_named_with_its_last_lines(
    tmp_path: Path,
) -> None:
    mute = make_bot(tmp_path, "Mute", {"Mute.py": SILENT})
    result = play_snake(mute, "Greedy", turns=4, turn_timeout="5ms", opening_timeout_us=5_000)
    row = next(row for row in result.results if row.name == "Mute")
    assert (row.never_answered, row.skipped, row.left) == (True, 4, False)
    assert result.last_lines["Mute"][-1].startswith("hello from")


def test_an_invalid_intent_is_malformed_and_misses_the_turn(tmp_path: Path) -> None:
    result = play_snake(
        program(tmp_path, "Odd", "'sideways'"),
        "Greedy",
        turns=3,
        turn_timeout="500ms",
        opening_timeout_us=500_000,
    )
    assert (result.latency["Odd"].malformed, result.latency["Odd"].skipped) == (3, 3)


def test_a_game_that_reads_no_intent_voids_a_battle_of_programs_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    where = folder(tmp_path / "dice", GOOD.replace("int(data)", 'data["dice"]'))
    with pytest.raises(VoidBattleError) as caught:
        run_battle(program(tmp_path, "One", "1"), lambda o: 1, game=where, python=sys.executable)
    assert says(str(caught.value), "turn 1 … dice.read_intent() … TypeError … (game.py, line")
    assert (Path(caught.value.bundle or "") / "report.txt").is_file()


def test_an_intent_on_which_the_game_fails_misses_its_turn_and_voids_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    where = folder(tmp_path / "dice")
    odd, fair = program(tmp_path, "Odd", "[1]"), program(tmp_path, "Fair", "1")
    timeouts: dict[str, Any] = {"turn_timeout": "500ms", "opening_timeout_us": 500_000}
    result = run_battle(odd, fair, game=where, python=sys.executable, **timeouts)
    assert {row.name: row.skipped for row in result.results} == {"Odd": 3, "Fair": 0}
    assert result.latency["Odd"].malformed == 0
    (line,) = [one for one in caplog.messages if "read_intent" in one]
    assert says(line, "dice.read_intent() … TypeError … (game.py, line … Odd")


def test_a_broken_game_is_named_before_its_bots(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "game.py").write_text("x = 1")
    with pytest.raises(GameError, match="class derived from"):
        run_battle("A", "B", game=str(tmp_path / "none"))


def test_a_program_that_ends_has_left(tmp_path: Path) -> None:
    ends = make_bot(tmp_path, "Ends", {"Ends.py": PLAYS.format(answer="sys.exit(3)")})
    result = play_snake(ends, "Greedy", "Greedy", turns=6, turn_timeout="20ms")
    assert {row.name: row.left for row in result.results} == {
        "Ends": True,
        "Greedy": False,
        "Greedy (2)": False,
    }


def test_a_program_that_ends_before_the_battle_is_named(tmp_path: Path) -> None:
    ends = make_bot(tmp_path, "Ends", {"Ends.py": "raise SystemExit(3)"})
    with pytest.raises(ParticipantStartError, match=r"Ends .*exit code 3"):
        play_snake(ends, "Greedy")


def test_a_game_whose_rules_fail_voids_a_battle_of_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    where = folder(tmp_path / "dice", GOOD.replace("return []", "return [] if state.turn < 2 else None"))
    with pytest.raises(VoidBattleError, match=r"dice\.resolve\(\) returned None") as caught:
        run_battle(program(tmp_path, "One", "1"), lambda o: 1, game=where, python=sys.executable)
    assert (Path(caught.value.bundle or "") / "report.txt").is_file()


def test_invalid_scores_void_a_battle_of_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scores = "    def scores(self, state):\n        return [1] if state.turn else None\n\n    def outcome"
    code = GOOD.replace("    def outcome", scores).replace("state.turn >= ENDS", "False")
    where = folder(tmp_path / "dice", code)
    with pytest.raises(VoidBattleError, match=r"dice\.scores\(\) returned 1 scores") as caught:
        run_battle(
            program(tmp_path, "One", "1"), program(tmp_path, "Two", "1"), game=where, python=sys.executable
        )
    assert (Path(caught.value.bundle or "") / "report.txt").is_file()


def test_a_limit_for_each_turn_holds_for_functions_too() -> None:
    def hangs(observation: Any) -> str:
        while observation["turn"] == 2:
            pass
        return "up"

    result = play_snake(hangs, "Wanderer", turns=3, turn_timeout="400ms", seed=1)
    assert result.latency["hangs"].skipped >= 1
    assert result.latency["Wanderer"].skipped == 0


def test_a_spectator_that_opens_the_page_sees_the_battle() -> None:
    seen: list[dict[str, Any]] = []
    watchers: list[Thread] = []

    def watch(url: str) -> None:
        page = url.partition("#")[0]
        with urlopen(page, timeout=60) as answer:
            assert b"<!doctype html>" in answer.read()
        hello = {"type": "hello", "protocol": 1, "name": "Eve", "role": "spectator"}
        with connect(page.replace("http://", "ws://"), proxy=None) as socket:
            socket.send(json.dumps(hello))
            while not seen or seen[-1]["type"] != "result":
                seen.append(json.loads(socket.recv(timeout=60)))

    def on_page(url: str) -> float:
        watchers.append(Thread(target=watch, args=(url,)))
        watchers[0].start()
        return 30.0

    told: list[Progress] = []
    options = GenericBattleOptions(
        ("Greedy", "Wanderer"), game="snake", settings=(("turns", 20),), tps=-1, watched=True
    )
    result = run(options, told.append, watching=Watching(on_page))
    watchers[0].join(60)
    kinds = [message["type"] for message in seen]
    assert kinds.index("ready") < kinds.index("frame")
    assert seen[-1]["rows"][0]["name"] == result.results[0].name
    assert told[0].stage == "starting"


@pytest.mark.parametrize(
    ("bots", "given", "words"),
    [
        (["Greedy", "./nowhere"], {}, "nowhere"),
        (["Greedy"], {"recording": Path("x.battle.gz")}, "no format for it"),
        (["Greedy"], {"record": "x.battle.gz"}, r"name .*ends with \.twr"),
        (["Greedy"], {"max_skipped": -1}, "max_skipped is -1"),
        ([3], {}, "built-in bot, .*directory, .*function"),
    ],
)
def test_an_unplayable_battle_is_refused_before_anything_starts(
    bots: list[Any], given: dict[str, Any], words: str
) -> None:
    with pytest.raises(SetupError, match=words) as caught:
        play_snake(*bots, **given)
    assert "\n" not in str(caught.value)


def test_a_battle_can_be_played_within_an_event_loop(tmp_path: Path) -> None:
    async def notebook() -> BattleResult:
        return play_snake(program(tmp_path, "Up", "'up'"), "Greedy", turns=3)

    assert {row.name for row in asyncio.run(notebook()).results} == {"Up", "Greedy"}
