from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.cli.playing import PLAYING_BOT, SILENT_BOT, Run, answer, played, turnwright
from packages.core.tests.messages import naming, says
from packages.core.tests.net.bot_directories import make_bot
from packages.core.tests.waiting import wait_until
from turnwright.app.battle_server import UNANSWERED_TURNS_MAX
from turnwright.kernel.rng import bot_seed

pytestmark = pytest.mark.process

READY_AND_SILENT_BOT = SILENT_BOT.replace(
    "        socket.recv()",
    "        if json.loads(socket.recv())['type'] == 'ready':\n"
    "            socket.send(json.dumps({'type': 'ready'}))",
)


def battle(*words: object, **options: Any) -> Run:
    """Start a battle of snake."""
    return turnwright("battle", "--game", "snake", *words, **options)


def playing(root: Path, directory: str, **config: object) -> Path:
    return make_bot(root, directory, {f"{directory}.py": PLAYING_BOT}, config)


def test_built_in_bots_play_by_name_and_a_seed_repeats_the_battle() -> None:
    bots = ("Greedy", "Wanderer", "Greedy")
    one, two = (played(battle(*bots, "--seed", 7, "--json")) for _ in range(2))
    assert (one["seed"], one["game_type"], one["rounds"], one["record"]) == (7, "snake", 1, None)
    assert sorted(row["name"] for row in one["results"]) == ["Greedy", "Greedy (2)", "Wanderer"]
    assert set(one["latency"]) == {"Greedy", "Greedy (2)", "Wanderer"}
    assert one["results"] == two["results"]
    assert one["turns"] == two["turns"]


def test_directories_with_and_without_json_play_together_with_built_in_bots(tmp_path: Path) -> None:
    named = playing(tmp_path, "Named", name="The Named One", version="3.1")
    bare = make_bot(tmp_path, "Bare", {"Bare.py": PLAYING_BOT}, with_config=False)
    result = played(battle(named, "Greedy", bare, "--json"))
    assert {row["name"]: row["version"] for row in result["results"]} == {
        "The Named One": "3.1",
        "Greedy": "1.0",
        "Bare": "0.0.1",
    }
    assert all(row["p50_us"] > 0 for row in result["latency"].values())


@pytest.mark.matrix
def test_the_same_directory_twice_is_two_bots(tmp_path: Path) -> None:
    bot = playing(tmp_path, "Bot")
    result = played(battle(bot, bot, "--json"))
    assert {row["name"] for row in result["results"]} == {"Bot", "Bot (2)"}


@pytest.mark.matrix
def test_a_script_in_a_path_with_blanks_plays(tmp_path: Path) -> None:
    bot = make_bot(
        tmp_path / "my bots",
        "Old Bot",
        {"Old Bot.sh": 'exec python "main file.py"', "main file.py": PLAYING_BOT},
    )
    result = played(battle(bot, "Greedy", "--json"))
    assert {row["name"] for row in result["results"]} == {"Old Bot", "Greedy"}


@pytest.mark.matrix
def test_dotnet_is_called_as_the_conventions_say(tmp_path: Path) -> None:
    folder = tmp_path / "path"
    folder.mkdir()
    log = tmp_path / "called.json"
    stand_in = folder / "dotnet"
    stand_in.write_text(
        f"#!{sys.executable}\nimport json, os, sys\n"
        f"json.dump([sys.argv[1:], os.getcwd(), dict(os.environ)], open({str(log)!r}, 'w'))\n{PLAYING_BOT}"
    )
    stand_in.chmod(0o755)
    config = {"platform": ".NET 6.0", "programmingLang": "C# 10.0", "version": "1.1"}
    bot = make_bot(tmp_path, "Sharp", ["Sharp.cs", "Sharp.csproj"], config)
    environ = {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    result = played(battle(bot, "Greedy", "--seed", 5, "--json", environ=environ))
    assert {row["name"] for row in result["results"]} == {"Sharp", "Greedy"}
    argv, directory, values = json.loads(log.read_text())
    assert (argv, directory) == (["run", "-c", "Release"], str(bot))
    assert values["BOT_PLATFORM"] == ".NET 6.0"
    assert (values["BOT_NAME"], values["BOT_VERSION"], values["BOT_AUTHORS"]) == ("Sharp", "1.1", "Ann")
    assert (values["BOT_BOOTED"], values["BOT_SEED"]) == ("true", str(bot_seed(5, 0)))
    assert re.fullmatch(r"ws://127\.0\.0\.1:\d+", values["SERVER_URL"])
    assert len(values["SERVER_SECRET"]) > 16


def test_a_bot_that_floods_its_outputs_and_ignores_its_end_plays_and_is_gone(tmp_path: Path) -> None:
    code = """
import os, signal, threading
signal.signal(signal.SIGTERM, signal.SIG_IGN)
def flood():
    while True:
        os.write(1, b"x" * 65536); os.write(2, b"y" * 65536)
threading.Thread(target=flood, daemon=True).start()
"""
    bot = make_bot(tmp_path, "Loud", {"Loud.py": code + PLAYING_BOT})
    result = played(battle(bot, "Greedy", "--json", "--turn-timeout", "200ms"))
    assert {row["name"] for row in result["results"]} == {"Loud", "Greedy"}


def test_a_bot_that_falls_silent_is_skipped_disqualified_and_keeps_its_score(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "Silent", {"Silent.py": READY_AND_SILENT_BOT})
    times = ("--turn-timeout", "500ms", "--opening-timeout", "1s")  # enough for the other on a busy machine
    result = played(battle(bot, "Greedy", "--json", *times, "--max-skipped", 3, "--max-silence", "0s"))
    assert {row["name"]: row["disqualified"] for row in result["results"]} == {
        "Silent": True,
        "Greedy": False,
    }
    assert 3 <= result["latency"]["Silent"]["skipped"] <= 4


@pytest.mark.parametrize("ends_by", [("--max-skipped", 3), ("--max-skipped", 0, "--on-skip", "idle")])
def test_a_battle_without_any_answer_is_reported_and_ends_with_3(
    tmp_path: Path, ends_by: tuple[object, ...]
) -> None:
    code = READY_AND_SILENT_BOT
    quiet = code.replace(", file=sys.stderr, flush=True", ", flush=True").replace(
        "bot connected", "bot on stdout"
    )
    bots = [make_bot(tmp_path, "Mute", {"Mute.py": code}), make_bot(tmp_path, "Deaf", {"Deaf.py": quiet})]
    words = ("--json", "--turn-timeout", "1ms", "--opening-timeout", "1ms", *ends_by)
    run = battle(*bots, *words).finish()
    assert run.code == 3, run.err
    result = json.loads(run.out)
    assert [row["never_answered"] for row in result["results"]] == [True, True]
    assert result["last_lines"] == {"Mute": ["silent bot connected"], "Deaf": ["silent bot on stdout"]}
    assert result["turns"] <= UNANSWERED_TURNS_MAX
    assert run.nothing_left()


def test_a_bot_that_never_answered_is_named_next_to_one_that_did(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "Mute", {"Mute.py": READY_AND_SILENT_BOT})
    times = ("--turn-timeout", "1ms", "--opening-timeout", "1ms", "--max-silence", "0s")
    run = battle(bot, "Greedy", *times, "--max-skipped", 3, "--seed", 1).finish()
    assert run.code == 0
    assert says(run.out, "Mute ( … never answered … disqualified")
    assert says(run.out, "\nMute … \n    silent bot connected\n")


def test_a_bot_that_ends_is_named_with_its_last_words_and_exit_code_3(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "Crash", {"Crash.py": "raise RuntimeError('no good')"})
    run = battle(bot, "Greedy").finish()
    assert (run.code, run.out) == (3, "")
    assert says(run.lines[0], "turnwright: Crash … exit code 1")
    assert run.lines[-1] == "  RuntimeError: no good"
    assert run.nothing_left()


def test_a_missing_program_is_named_with_exit_code_3(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "Java", ["Java.java"])
    folder = tmp_path / "path"
    folder.mkdir()
    (folder / "python").symlink_to(sys.executable)
    run = battle(bot, "Greedy", environ={"PATH": str(folder)}).finish()
    assert (run.code, run.out) == (3, "")
    assert says(run.err, "turnwright: Java needs java … install it")


def test_a_bot_that_never_connects_is_named_in_one_line_with_exit_code_2(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "Sleeper", {"Sleeper.py": "import time; time.sleep(600)"})
    run = battle("Greedy", bot, "--connect-timeout", "1s").finish()
    assert (run.code, run.out, len(run.lines)) == (2, "", 1)
    assert says(run.err, "turnwright: Sleeper … connect … 1 s")
    assert run.nothing_left()


def test_a_bot_that_never_gets_ready_is_named_with_exit_code_2(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "Silent", {"Silent.py": SILENT_BOT})
    run = battle("Greedy", bot, playing(tmp_path, "Good"), "--ready-timeout", "500ms").finish()
    assert (run.code, run.out) == (2, "")
    assert says(run.lines[0], "turnwright: Silent … ready … 0.5 s")
    assert (len(run.lines), run.lines[-1]) == (3, "  silent bot connected")
    assert run.nothing_left()


def test_a_bot_that_ends_during_the_battle_is_reported_with_its_last_words(tmp_path: Path) -> None:
    code = PLAYING_BOT.replace('"up"', '1 / (5 - observation["turn"]) and "up"')
    bot = make_bot(tmp_path, "Weak", {"Weak.py": code})
    run = battle(bot, "Greedy", "--tps", 20, "--max-skipped", 3).finish()
    assert run.code == 3
    assert naming(run.lines, "Weak", "crashed in turn 6", "ZeroDivisionError", "Weak.py")
    assert says(run.out, "Weak (crashed … \n … to do: … \n    ZeroDivisionError: division by zero\n")


@pytest.mark.matrix
def test_when_every_bot_has_left_the_battle_ends_with_3(tmp_path: Path) -> None:
    code = "import sys\n" + PLAYING_BOT.replace('"up"', "print('bye', file=sys.stderr) or sys.exit(5)")
    bots = [make_bot(tmp_path, name, {f"{name}.py": code}) for name in ("A", "B")]
    run = battle(*bots).finish()
    assert (run.code, run.out) == (3, "")
    assert len(naming(run.lines, "every participant", "left")) == 1
    assert {line.split()[0] for line in naming(run.lines, "crashed", "turn 1")} == {"A", "B"}
    assert run.lines.count("  bye") == 2


BAD_INPUT = {
    "": "BOT … missing",
    "Greedy Gone": "no bot 'Gone'",
    "Greedy ./Gone": "directory … ./Gone",
    "Greedy empty": "empty … empty",
    "Greedy Broken": "Broken.json … line 1, column 10 … JSON",
    "Greedy Wanderer --set width=3": "width is 3 … 5",
    "Greedy Wanderer --rounds 3": "--rounds … game has no rounds",
    "Greedy Wanderer --seed -1": "--seed … -1",
    "Greedy Wanderer --turn-timeout 0s": "--turn-timeout … 0s … 1us to 1h",
    "Greedy Wanderer --tps 1001": "--tps … 1001",
    "Greedy Wanderer --tps 0": "--tps 0 … --watch",
    "Greedy Wanderer --tps 0 --watch=text": "--tps 0 … --watch",
    "Greedy Wanderer --turn-timeout 2h": "--turn-timeout is 2h … 1h",
    "Greedy Wanderer --record gone/x.twr": "directory gone",
    "Greedy Wanderer --record x.battle.gz": "x.battle.gz … .twr",
    "Greedy Wanderer --record x.zip": "x.zip … .twr",
    "Greedy Wanderer --python nowhere": "--python nowhere",
    "Greedy Plain --python nowhere": "--python nowhere",
}
"""Names and advice of the message, by the words of the command."""


@pytest.mark.parametrize("words", list(BAD_INPUT))
def test_bad_input_is_refused_in_one_line_with_exit_code_2(tmp_path: Path, words: str) -> None:
    (tmp_path / "empty").mkdir()
    make_bot(tmp_path, "Broken", {"Broken.json": '{"name": }'})
    playing(tmp_path, "Plain")
    run = answer("battle", "--game", "snake", *words.split(), cwd=tmp_path)
    assert (run.code, run.out, len(run.lines)) == (2, "", 1)
    assert says(run.err, BAD_INPUT[words])
    assert run.err.startswith("turnwright: ")


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.matrix), signal.SIGKILL]
)
def test_nothing_is_left_when_a_signal_ends_a_battle(tmp_path: Path, number: signal.Signals) -> None:
    stubborn = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + PLAYING_BOT
    bot = make_bot(tmp_path, "Stubborn", {"Stubborn.py": stubborn})
    script = make_bot(tmp_path, "Script", {"Script.sh": "python main.py\nexit $?", "main.py": stubborn})
    run = battle(bot, script, "--set", "height=200", "--tps", 1)
    wait_until(lambda: len(run.left()) >= 4)
    time.sleep(1)
    run.process.send_signal(number)
    run.finish()
    assert run.code == (-9 if number == signal.SIGKILL else 130)
    assert run.out == ""
    assert "Traceback" not in run.err
    assert run.nothing_left()


def test_a_record_that_was_asked_for_verifies(tmp_path: Path) -> None:
    path = tmp_path / "b.twr"
    result = played(battle(playing(tmp_path, "Bot"), "Greedy", "--json", "--record", path))
    assert result["record"] == str(path)
    run = answer("verify", path, "--json")
    assert run.code == 0
    assert json.loads(run.out)["files"][0]["turns"] == result["turns"]


def test_output_of_a_bot_is_shown_on_request_with_name_and_turn(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "Bot", {"Bot.py": f'print("ready to\\tgo"){PLAYING_BOT}'})
    asked = battle(bot, "Greedy", "--prints", "--json").finish()
    assert "Bot 1.1: ready to    go" in asked.lines
    assert json.loads(asked.out)["printed"]["Bot"][0]["text"] == "ready to\tgo"
    unasked = battle(bot, "Greedy", "--json").finish()
    assert "ready" not in unasked.err
    assert "Bot" in json.loads(unasked.out)["printed"]
