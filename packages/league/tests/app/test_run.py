"""Tournaments that are killed and resumed, with bots that change, fail or never start."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.app.bots import dice_game, write_bot
from packages.core.tests.messages import missing
from packages.core.tests.net.processes.alive import is_alive
from packages.core.tests.waiting import wait_until
from packages.league.tests.app.playing import facts, play, play_on, results
from turnwright.errors import SetupError
from turnwright_league import Tournament, run_tournament
from turnwright_league.app.check import verify_tournament
from turnwright_league.app.entering import add_bots, remove_bots
from turnwright_league.app.options import TournamentOptions
from turnwright_league.app.run import play_tournament
from turnwright_league.app.tournament import RunProgress

pytestmark = pytest.mark.process


def test_built_in_bots_of_a_game_in_a_folder_are_ranked_and_every_record_verifies(
    folder: Path, tmp_path: Path
) -> None:
    game = dice_game(tmp_path / "dice")
    found, told = play(folder, "Low", "High", "Middle", game=game, battles=4)
    assert [row.name for row in found.standings] == ["High", "Middle", "Low"]
    assert [row.battles for row in found.standings] == [8, 8, 8]
    assert found.pairing("High", "Low").battles == 4
    assert not told
    checked = verify_tournament(folder)
    assert (checked.ok, checked.checked, checked.standings_differ) == (True, 12, False)
    again, _ = play(folder, battles=4)
    assert facts(again) == facts(found)


def test_a_built_in_bot_in_the_place_of_the_folder_is_not_made_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SetupError) as caught:
        run_tournament("Greedy", "Wanderer", "Greedy", game="snake")
    assert not missing(str(caught.value), "Greedy", "built-in bot", "folder")
    assert not (tmp_path / "Greedy").exists()


@pytest.mark.long
def test_run_tournament_works_in_a_program_without_a_main_guard(folder: Path, tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice")
    script = tmp_path / "script.py"
    script.write_text(
        "from turnwright_league import run_tournament\n"
        "print('begun')\n"
        f"found = run_tournament({str(folder)!r}, 'Low', 'High', game={game!r}, jobs=2, turns=5)\n"
        "print(found.standings[0].name, found.rules.settings)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.splitlines() == ["begun", 'High {"settings":{"turns":5}}']


def test_a_battle_whose_worker_was_killed_is_played_again(folder: Path, tmp_path: Path) -> None:
    found, told = play(folder, "Mortal", "Low", game=dice_game(tmp_path / "dice", deaths=2), battles=4)
    assert [battle.counts for battle in found.battles()] == [True] * 4
    assert sum(battle.attempts for battle in found.battles()) == 6
    assert len(told) == 2


@pytest.mark.long
def test_a_battle_that_kills_its_worker_three_times_is_void_and_the_next_run_plays_it(
    folder: Path, tmp_path: Path
) -> None:
    game = dice_game(tmp_path / "dice", deaths=3)
    found, told = play(folder, "Mortal", "Low", game=game, battles=1)
    assert [(b.state, b.counts, b.attempts) for b in found.battles()] == [("void", False, 3)]
    assert found.table.void == 1
    assert "does not count" in told[-1]
    found, _ = play(folder, battles=1)
    assert [(b.state, b.counts, b.attempts) for b in found.battles()] == [("ok", True, 4)]


@pytest.mark.long
def test_a_run_killed_three_times_has_the_results_of_an_undisturbed_one(folder: Path, tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice")
    words = [sys.executable, "-m", "turnwright.cli", "tournament", "run", str(folder)]
    words += ["Low", "High", "Middle"]
    words += ["--game", game, "--battles", "40", "--jobs", "2"]
    for more in (5, 30, 60):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(partial(has_results, folder, more))
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    assert 60 <= results(folder) < 120
    found, _ = play(folder, battles=40)
    whole = tmp_path / "whole"
    whole.mkdir()
    never, _ = play(whole, "Low", "High", "Middle", game=game, battles=40)
    assert facts(found) == facts(never)
    assert found.standings == never.standings
    assert len(facts(found)) == 120
    assert not list(folder.glob("records/*/*.part.twr"))


@pytest.mark.long
def test_a_worker_ends_with_the_run_that_started_it_whatever_it_is_at(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, begun = dice_game(tmp_path / "dice"), tmp_path / "begun"
    monkeypatch.setenv("DICE_ASLEEP", str(begun))
    words = [sys.executable, "-m", "turnwright.cli", "tournament", "run", str(folder), "Asleep", "Low"]
    process = subprocess.Popen(
        [*words, "--game", game, "--jobs", "1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    wait_until(lambda: begun.exists() and begun.read_text().endswith("\n"))
    worker = int(begun.read_text())
    assert is_alive(worker)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    wait_until(lambda: not is_alive(worker))


def has_results(folder: Path, number: int) -> bool:
    return results(folder) >= number


@pytest.mark.long
def test_a_thousand_battles_have_exactly_a_thousand_results(folder: Path, tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice", deaths=2)
    found, told = play(folder, "Mortal", "High", game=game, battles=1_000, keep="none")
    assert (len(facts(found)), found.table.counted, len(told)) == (1_000, 1_000, 2)
    assert not list(folder.glob("records/*/*"))


@pytest.mark.long
def test_a_bot_that_never_starts_forfeits_and_the_table_shows_it(folder: Path, tmp_path: Path) -> None:
    write_bot(folder, "Broken", "raise SystemExit(3)")
    found, told = play(folder, "Low", game=dice_game(tmp_path / "dice"), battles=2)
    first, last = found.standings
    assert (first.name, first.aps, first.failures) == ("Low", 100.0, 0)
    assert (last.name, last.aps, last.failures) == ("Broken", 0.0, 2)
    assert max(battle.attempts for battle in found.battles()) == 3
    assert any(not missing(line, "Broken forfeits", "crashed", "exit code 3") for line in told)
    assert {row.failure.reason for b in found.battles() for row in b.scores if row.failure} == {"crashed"}


@pytest.mark.process
def test_a_runtime_that_this_machine_lacks_is_named_before_the_first_battle(
    folder: Path, tmp_path: Path
) -> None:
    game = dice_game(tmp_path / "dice")
    for name in ("NetBot", "Other"):
        (write_bot(folder, name) / f"{name}.sh").write_text("exec julia --threads 1 bot.jl\n")
    with pytest.raises(SetupError) as raised:
        play(folder, "Low", game=game)
    assert not missing(str(raised.value), "NetBot", "Other", "julia")
    assert not facts(Tournament(folder))


@pytest.mark.process
def test_a_bot_whose_runtime_this_machine_lacks_does_not_forfeit_and_all_others_play(
    folder: Path, tmp_path: Path
) -> None:
    game = dice_game(tmp_path / "dice")
    # only a run of the script shows what it needs
    script = "if [ -e none ]; then exec ./none; else exec julia bot.jl; fi\n"
    (write_bot(folder, "NetBot") / "NetBot.sh").write_text(script)
    with pytest.raises(SetupError, match="julia"):
        play(folder, "Low", "High", game=game)
    battles = list(Tournament(folder).battles())
    assert [battle.state for battle in battles] == ["ok"] * 2
    assert len(Tournament(folder).standings) == 3


@pytest.mark.long
def test_a_bot_that_crashes_at_its_start_is_tried_three_times(folder: Path, tmp_path: Path) -> None:
    dies = (
        "from turnwright.client import play\n\ndef die(observation):\n    raise SystemExit(3)\n\nplay(die)\n"
    )
    write_bot(folder, "Dying", dies)
    found, told = play(folder, "Low", game=dice_game(tmp_path / "dice"), battles=1)
    (battle,) = found.battles()
    assert battle.attempts == 3
    (failure,) = (row.failure for row in battle.scores if row.failure)
    assert (failure.reason, failure.round, failure.turn, failure.printed) == ("crashed", 1, 1, ())
    assert sum("Dying crashed" in line and "played again" in line for line in told) == 2
    assert not missing(told[-1], "Dying v Low", "Dying crashed", "exit code 3")
    assert not verify_tournament(folder).wrong


@pytest.mark.long
def test_a_battle_in_which_every_bot_fails_is_a_forfeit_of_all_and_the_others_are_played(
    folder: Path, tmp_path: Path
) -> None:
    for name in ("One", "Two"):
        program = "turns = [1]\n\ndef die(observation):\n    return turns.pop()\n\nplay(die)\n"
        write_bot(folder, name, f"from turnwright.client import play\n\n{program}")
    found, told = play(folder, "Low", game=dice_game(tmp_path / "dice"), battles=1)
    by_failures = sorted([row.failure.reason for row in b.scores if row.failure] for b in found.battles())
    assert by_failures == [["crashed"], ["crashed"], ["crashed", "crashed"]]
    assert any(not missing(line, "One", "Two", "forfeit", "IndexError") for line in told)
    assert not verify_tournament(folder).wrong


@pytest.mark.long
def test_a_changed_bot_is_a_new_entry_and_no_result_is_lost(folder: Path, tmp_path: Path) -> None:
    write_bot(folder, "Mine")
    game = dice_game(tmp_path / "dice")
    before, _ = play(folder, "High", game=game)
    write_bot(folder, "Mine", "from turnwright.client import play\nplay(lambda observation: 9)\n")
    after, told = play(folder)
    assert len(told) == 1
    assert "Mine 1.0" in told[0]
    assert "new version" in told[0]
    assert [row.name for row in after.standings] == ["Mine", "High"]
    everything = Tournament(folder, all_versions=True)
    assert {b.id for b in before.battles()} < {b.id for b in everything.battles()}
    assert len(list(after.battles())) == 2
    assert len(list(folder.glob("entries/*.zip"))) == 2
    assert verify_tournament(folder).ok


@pytest.mark.long
@pytest.mark.parametrize("given", [("Mine",), ()])
def test_a_gauntlet_continues_with_a_changed_challenger(
    given: tuple[str, ...], folder: Path, tmp_path: Path
) -> None:
    write_bot(folder, "Mine")
    game = dice_game(tmp_path / "dice")
    before, _ = play(folder, "High", "Low", game=game, format="gauntlet", challengers=given, battles=2)
    sealed = verify_tournament(folder).seal
    play(folder, battles=2)
    assert verify_tournament(folder).seal == sealed != ""
    write_bot(folder, "Mine", "from turnwright.client import play\nplay(lambda observation: 9)\n")
    after, _ = play(folder, battles=2)
    assert len(list(before.battles())) == len(list(after.battles())) == 4
    assert after.standings[0].name == "Mine"
    assert {battle.id for battle in after.battles()}.isdisjoint(battle.id for battle in before.battles())
    checked = verify_tournament(folder)
    assert (checked.ok, checked.seal not in ("", sealed)) == (True, True)
    if given:
        assert len(facts(play(folder, challengers=given, battles=2)[0])) == 4


def test_a_forged_result_is_found_and_named(folder: Path, tmp_path: Path) -> None:
    found, _ = play(folder, "Low", "High", game=dice_game(tmp_path / "dice"), battles=3)
    one, two, three = found.battles()
    with sqlite3.connect(folder / "results.sqlite") as connection:
        data = kept(connection, one.id)
        data["scores"][0]["score"] += 10
        change(connection, one.id, data)
        data = kept(connection, two.id)
        data["spec"]["seed"] += 1
        change(connection, two.id, data)
    record = found.record(three)
    assert record is not None
    record.unlink()
    checked = verify_tournament(folder)
    assert not checked.ok
    wrong = {w.id: w.problems for w in checked.wrong}
    assert set(wrong) == {one.id, two.id, three.id}
    for battle, word in ((one, "score"), (two, "specification"), (three, "missing")):
        assert word in " ".join(wrong[battle.id])


def kept(connection: sqlite3.Connection, battle: str) -> Any:
    row = connection.execute("SELECT data FROM battles WHERE id = ?", (battle,)).fetchone()
    return json.loads(row[0])


def change(connection: sqlite3.Connection, battle: str, data: Any) -> None:
    connection.execute("UPDATE battles SET data = ? WHERE id = ?", (json.dumps(data), battle))


def test_the_first_settings_stay_and_other_values_are_refused(folder: Path, tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice")
    play(folder, "Low", "High", game=game, battles=1)
    with pytest.raises(SetupError, match="seed 1, not 2"):
        play(folder, seed=2)
    with pytest.raises(SetupError, match="turns"):
        run_tournament(folder, turns=9)
    with pytest.raises(SetupError, match="format"):
        play(folder, format="melee")
    assert len(facts(play(folder, battles=3)[0])) == 3


@pytest.mark.parametrize(("kind", "scored"), [("swiss", True), ("ladder", False), ("gauntlet", False)])
def test_a_format_is_played_ranked_by_its_own_rules_and_verified(
    kind: str, scored: bool, folder: Path, tmp_path: Path
) -> None:
    game = dice_game(tmp_path / "dice")
    found, _ = play(folder, "Low", "High", "Middle", game=game, format=kind, battles=2)
    assert [row.rank for row in found.standings] == sorted(row.rank for row in found.standings)
    points = [row.points for row in found.standings]
    assert points == (sorted(points, key=lambda one: -(one or 0.0)) if scored else [None] * 3)
    assert scored == (points[0] is not None)
    assert verify_tournament(folder).ok


def test_a_knockout_is_played_to_its_final_and_ranked_by_rounds(folder: Path, tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice")
    told: list[RunProgress] = []
    bots = ("Low", "High", "Middle", "Mortal")
    asked = TournamentOptions(bots=bots, jobs=2, format="knockout", battles=3)
    found = play_tournament(folder, asked, game, on_progress=told.append).tournament
    assert (found.standings[0].name, found.standings[0].rank) == ("High", 1)
    assert {told[-1].done, told[-1].total} == {9}
    assert len(facts(found)) == 9
    assert verify_tournament(folder).ok
    assert play(folder)[0].standings == found.standings


def test_no_full_collection_of_garbage_delays_the_next_battle(folder: Path, tmp_path: Path) -> None:
    game, before, found = dice_game(tmp_path / "dice"), gc.get_threshold(), list[tuple[int, ...]]()
    play_on(folder, "Low", "High", game=game, on_progress=lambda _: found.append(gc.get_threshold()))
    assert min(found)[0] > before[0]
    assert gc.get_threshold() == before


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda folder: write_bot(folder, "One", version="2.0"), id="a changed bot"),
        pytest.param(lambda folder: write_bot(folder, "Late"), id="a new one", marks=pytest.mark.matrix),
        pytest.param(lambda folder: add_bots(folder, ["Low"]), id="an added one", marks=pytest.mark.matrix),
        pytest.param(
            lambda folder: remove_bots(folder, ["One"]), id="a removed one", marks=pytest.mark.matrix
        ),
        pytest.param(lambda folder: shutil.rmtree(folder / "One"), id="a lost one", marks=pytest.mark.matrix),
    ],
)
def test_a_knockout_that_has_begun_refuses_other_bots_and_loses_nothing(
    change: Callable[[Path], object], folder: Path, tmp_path: Path
) -> None:
    game = dice_game(tmp_path / "dice")
    for name in ("One", "Two"):
        write_bot(folder, name)
    first, _ = play(folder, "High", game=game, format="knockout", battles=1)

    def change_and_go_on() -> None:
        change(folder)
        play(folder)

    with pytest.raises(SetupError, match=r"the knockout in .* has begun"):
        change_and_go_on()
    assert Tournament(folder).standings == first.standings


def test_a_knockout_keeps_its_battles_a_match_and_cannot_be_endless(folder: Path, tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice")
    with pytest.raises(SetupError, match="ends with its final"):
        play(folder, "Low", "High", game=game, format="knockout", until_ci=1.0)
    found, _ = play(folder, "Low", "High", game=game, format="knockout", for_s=600.0)
    assert len(facts(found)) == 2
    with pytest.raises(SetupError, match="battles 2, not 4"):
        play(folder, battles=4)


def test_rules_that_cannot_be_played_are_not_kept(folder: Path, tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice")
    with pytest.raises(SetupError, match="format swiss has two"):
        play(folder, "Low", "High", game=game, format="swiss", seats=3)
    assert len(facts(play(folder, "Low", "High", game=game, battles=1)[0])) == 1


@pytest.mark.long
def test_a_knockout_killed_three_times_has_the_results_of_an_undisturbed_one(
    folder: Path, tmp_path: Path
) -> None:
    game = dice_game(tmp_path / "dice")
    bots = ("Low", "High", "Middle", "Mortal")
    words = [sys.executable, "-m", "turnwright.cli", "tournament", "run", str(folder), *bots]
    words += ["--game", game, "--format", "knockout", "--battles", "40", "--jobs", "2"]
    for more in (5, 60, 90):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(partial(has_results, folder, more))
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    found, _ = play(folder)
    whole = tmp_path / "whole"
    never, _ = play(whole, *bots, game=game, format="knockout", battles=40)
    assert facts(found) == facts(never)
    assert found.standings == never.standings
    assert len(facts(found)) == 120


def test_the_folder_is_made_where_bots_are_named(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="no tournament folder"):
        play(tmp_path / "new", game="snake")
    found, _ = play(tmp_path / "new", "Greedy", "Wanderer", game="snake", battles=2)
    assert [row.name for row in found.standings] == ["Greedy", "Wanderer"]
    assert verify_tournament(tmp_path / "new").ok
    with pytest.raises(SetupError, match="no tournament folder"):
        play(tmp_path / "a" / "b", "Greedy", "Wanderer", game="snake", battles=2)
    assert not (tmp_path / "a").exists()


def test_bots_with_equal_names_and_missing_bots_are_refused(folder: Path, tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice")
    with pytest.raises(SetupError, match="no bot in"):
        play(folder, game=game)
    write_bot(folder, "One", called="Same")
    with pytest.raises(SetupError, match=r"one bot.*Same"):
        play(folder, game=game)
    write_bot(folder, "Two", called="Same")
    with pytest.raises(SetupError, match=r"Same 1\.0.*One and Two"):
        play(folder, game=game)
    write_bot(folder, "Two", called="Same", version="2.0")
    assert [row.version for row in play(folder, game=game, battles=1)[0].standings]


@pytest.mark.long
def test_a_bot_with_the_name_and_version_of_another_is_not_added(folder: Path, tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice")
    write_bot(folder, "One", called="Same")
    before, _ = play(folder, "Low", game=game)
    twin = write_bot(tmp_path / "elsewhere", "Two", called="Same")
    with pytest.raises(SetupError, match=r"Same 1\.0 \(One and .*Two\).*Two\.json"):
        add_bots(folder, [str(twin)])
    named_as_a_built_in_bot = write_bot(tmp_path / "elsewhere", "Three", called="Low")
    with pytest.raises(SetupError, match=r"Low 1\.0.*house/Low.*Three\.json"):
        add_bots(folder, [str(named_as_a_built_in_bot)])
    assert Tournament(folder).to_data() == before.to_data()
    assert len(list((folder / "entries").iterdir())) == 1
    write_bot(folder, "One", called="Same", version="2.0")
    assert add_bots(folder, [str(twin)]), "the version was changed, as the line said"
    remove_bots(folder, ["One"])
    write_bot(folder, "One", called="Same")
    again, _ = play(folder, game=game)
    assert sorted((row.name, row.version) for row in again.standings) == [("Low", "1.0"), ("Same", "1.0")]


def test_results_of_another_format_and_no_results_are_refused(folder: Path, tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice")
    with pytest.raises(SetupError, match=r"no file .*results\.sqlite"):
        Tournament(folder)
    play(folder, "Low", "High", game=game, battles=1)
    with sqlite3.connect(folder / "results.sqlite") as connection:
        connection.execute("UPDATE meta SET value = '99' WHERE name = 'format'")
    for opened in (lambda: play(folder), lambda: Tournament(folder)):
        with pytest.raises(SetupError, match="format '99'"):
            opened()
    (folder / "other").write_text("no database, but long enough to be taken for one" * 20)
    with pytest.raises(SetupError, match="has no results"):
        play(folder, "Low", "High", game=game, store=str(folder / "other"))


def test_a_second_run_of_a_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice")
    holder = subprocess.Popen(
        [sys.executable, "-c", "import sys\nfrom turnwright_league.app.folder import TournamentFolder\n"
         "with TournamentFolder(sys.argv[1]).locked():\n    print('held', flush=True)\n    sys.stdin.read()",
         str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(SetupError, match="another run plays"):
        play(folder, "Low", "High", game=game)
    holder.communicate("")
    assert play(folder, "Low", "High", game=game, battles=1)[0].standings


@pytest.mark.long
def test_a_full_disk_is_reported_in_one_line_and_the_same_command_resumes(
    folder: Path, tmp_path: Path
) -> None:
    game = dice_game(tmp_path / "dice")
    words = [sys.executable, "-m", "turnwright.cli", "tournament", "run", str(folder), "Low", "High"]
    words += ["--game", game, "--battles", "40", "--jobs", "1"]
    limit = "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000));"
    full = [sys.executable, "-c", limit + "os.execv(sys.argv[1], sys.argv[1:])", *words]
    done = subprocess.run(full, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("turnwright: ")
    assert len(done.stderr.splitlines()) == 1
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert len(facts(Tournament(folder))) == 40


@pytest.mark.long
def test_the_first_interrupt_ends_after_running_battles_with_advice_to_resume(
    folder: Path, tmp_path: Path
) -> None:
    game = dice_game(tmp_path / "dice")
    words = [sys.executable, "-m", "turnwright.cli", "tournament", "run", str(folder), "Low", "High"]
    words += ["--game", game, "--battles", "5000", "--jobs", "2"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: results(folder) > 10)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "High" in out
    assert not missing(err, f"turnwright tournament run {folder}", "--battles 5000", "--jobs 2")
    assert not verify_tournament(folder, sample=5).wrong
