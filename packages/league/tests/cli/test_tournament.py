"""`turnwright tournament`: its output, its exit codes, and one line for every bad input."""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from packages.core.tests.app.bots import dice_game, write_bot
from packages.core.tests.cli.playing import Answer, answer, turnwright
from packages.core.tests.messages import missing

pytestmark = pytest.mark.process

BATTLE_KEYS = {"id", "seed", "state", "counts", "suspect", "scores", "turns", "server_late_turns", "digest",
               "record", "turnwright", "sandbox", "attempts", "played_us", "kept"}  # fmt: skip


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tournament that was played, next to its game."""
    place = tmp_path_factory.mktemp("cup")
    dice_game(place / "dice")
    run = turnwright(
        "tournament", "run", "cup", "Low", "High", "Middle", "--game", "./dice", "--jobs", 2, "--json",
        cwd=place,
    ).finish()  # fmt: skip
    assert run.code == 0, run.err
    (place / "run.json").write_text(run.out)
    assert run.nothing_left()
    return place / "cup"


@pytest.fixture
def copy(cup: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(cup, tmp_path / "cup"))


def ask(*words: object, cwd: Path = Path("/")) -> Answer:
    return answer("tournament", *words, cwd=cwd)


def test_json_of_run_and_show_has_the_promised_keys(cup: Path) -> None:
    shown = json.loads(ask("show", cup, "--json").out)
    seal = json.loads(ask("verify", cup, "--all", "--json").out)["seal"]
    assert json.loads((cup.parent / "run.json").read_text()) == {
        **shown, "interrupted": False, "played": 6, "again": 0, "failed": [], "seal": seal,
    }  # fmt: skip
    for row in shown["standings"]:
        assert {"rank", "name", "version", "aps", "aps_low", "aps_high", "win_share", "survival", "battles",
                "ratings", "cannot_be_told_apart_from"} <= row.keys()  # fmt: skip
    assert [row["name"] for row in shown["standings"]] == ["High", "Middle", "Low"]
    assert {"entry", "opponent", "share", "low", "high", "battles"} <= shown["pairings"][0].keys()
    assert all(battle.keys() == BATTLE_KEYS for battle in shown["battles"])
    assert len(shown["battles"]) == 6


def test_a_tournament_that_cannot_begin_leaves_nothing(tmp_path: Path) -> None:
    dice_game(tmp_path / "dice")
    run = ask("run", "cup", "Low", "--game", "./dice", cwd=tmp_path)
    assert (run.code, run.out) == (2, "")
    assert not missing(run.err, "one bot", "Low")
    assert not (tmp_path / "cup").exists()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    run = ask("show", "nope", cwd=tmp_path)
    assert (run.code, run.err.count("\n")) == (2, 1)
    assert not missing(run.err, "nope", "tournament folder", "path")


def test_the_folder_has_results_records_and_a_page(cup: Path) -> None:
    assert {one.name for one in cup.iterdir()} >= {"results.sqlite", "records", "index.html"}
    page = (cup / "index.html").read_text()
    assert "Middle" in page
    assert len(list(cup.glob("records/*/*.twr"))) == 6


def test_the_game_need_not_be_given_again(copy: Path) -> None:
    again = ask("run", copy, "--battles", 4, "--set", "turns=3")
    assert again.code == 0, again.err
    assert not missing(again.err, "12 battles count", "6 played")
    assert ask("verify", copy, "--all").out.startswith("12 of 12 ")
    other = ask("run", copy, "--set", "turns=4")
    assert (other.code, len(other.lines)) == (2, 1)
    assert not missing(other.err, "turns", 3, 4)


def test_a_battle_is_shown_by_its_id_with_a_trace_of_its_events(cup: Path) -> None:
    listed = ask("show", cup, "--battles").out.splitlines()
    assert len(listed) == 7
    number = listed[1].split()[0]
    shown = ask("show", cup, "--battle", number).out
    assert not missing(shown, "record", "seed", "3 turns")
    data = json.loads(ask("show", cup, "--battle", number, "--json").out)
    assert data["id"].startswith(number)
    assert data.keys() == BATTLE_KEYS
    lines = [json.loads(line) for line in ask("show", cup, "--battle", number, "--trace").out.splitlines()]
    assert [line["kind"] for line in (lines[0], lines[-1])] == ["battle", "end"]
    assert sorted(lines[-2]["scores"]) == sorted(row["score"] for row in data["scores"])
    wrong = ask("show", cup, "--battle", "zz")
    assert (wrong.code, len(wrong.lines)) == (2, 1)
    assert ask("show", cup, "--trace").code == 2


@pytest.mark.long
def test_a_failed_bot_is_reported_with_its_reason_wherever_results_are(tmp_path: Path) -> None:
    dice_game(tmp_path / "dice")
    program = "turns = [1]\n\ndef die(observation):\n    return turns.pop()\n\nplay(die)\n"
    write_bot(tmp_path / "cup", "Dying", f"from turnwright.client import play\n\n{program}")
    run = ask("run", "cup", "Low", "--game", "./dice", "--battles", 1, cwd=tmp_path)
    told = ("Dying", "crashed in turn 2 of round 1", "IndexError")
    assert not missing(run.err, *told)
    assert (run.code, run.out.splitlines()[0].split()[0]) == (3, "Name"), (
        "the results are printed all the same"
    )
    again = ask("run", "cup", "--battles", 1, "--json", cwd=tmp_path)
    assert (again.code, json.loads(again.out)["failed"]) == (0, []), "nothing was played in this run"
    more = ask("run", "cup", "--battles", 2, "--json", cwd=tmp_path)
    assert (more.code, json.loads(more.out)["failed"]) == (3, ["Dying"])
    shown = ask("show", tmp_path / "cup", "--json")
    assert shown.code == 0, "that it was played so is no failure of the command"
    battle = json.loads(shown.out)["battles"][0]
    (row,) = (row for row in battle["scores"] if row["reason"] is not None)
    assert (row["name"], row["reason"], row["failure"]["turn"]) == ("Dying", "crashed", 2)
    assert not missing(row["failure"]["error"], "IndexError")
    assert row["failure"]["advice"]
    shown = ask("show", tmp_path / "cup", "--battle", battle["id"]).out
    assert not missing(shown, *told, row["failure"]["advice"])
    assert ask("export", tmp_path / "cup", "--csv", tmp_path).code == 0
    lines = list(csv.DictReader((tmp_path / "battles.csv").open()))
    assert {line["name"]: line["reason"] for line in lines[:2]} == {"Dying": "crashed", "Low": ""}
    assert not missing("; ".join(line["failure"] for line in lines), *told[1:])
    assert not missing((tmp_path / "cup" / "index.html").read_text(), *told[1:])
    checked = ask("verify", tmp_path / "cup", "--all")
    assert checked.code == 0, checked.out


def test_results_are_exported_for_other_programs(cup: Path, tmp_path: Path) -> None:
    done = ask("export", cup, "--csv", tmp_path, "--jsonl", tmp_path, "--html", tmp_path / "page.html")
    assert done.code == 0, done.err
    assert len((tmp_path / "battles.csv").read_text().splitlines()) == 1 + 12
    assert len((tmp_path / "battles.jsonl").read_text().splitlines()) == 6
    assert (tmp_path / "page.html").exists()
    rumble = ask("export", cup, "--rumble", tmp_path)
    assert (rumble.code, len(rumble.lines)) == (2, 1)
    assert not missing(rumble.err, "dice", "1v1")


@pytest.mark.long
def test_the_rumbles_records_are_written_and_read_again(tmp_path: Path) -> None:
    words = ("run", "tanks", "Duck", "Spinner", "Rammer", "--rounds", 2, "--battles", 1, "--jobs", 2)
    assert ask(*words, cwd=tmp_path).code == 0
    assert ask("export", "tanks", "--rumble", "out", "--client", "me", cwd=tmp_path).code == 0
    read = ask("import", "again", "out/rumble-0001.json", cwd=tmp_path)
    assert (read.code, read.out.split()[0]) == (0, "3"), read.err
    read = ask("import", "again", "out/rumble-0001.json", cwd=tmp_path)
    assert not missing(read.out, "3 battles", "3 of them")
    one, two = (json.loads(ask("show", place, "--json", cwd=tmp_path).out) for place in ("tanks", "again"))
    assert [row["name"] for row in one["standings"]] == [row["name"] for row in two["standings"]]
    assert [row["aps"] for row in one["standings"]] == pytest.approx(
        [row["aps"] for row in two["standings"]], abs=0.5
    )
    refused = ask("import", "tanks", "out/rumble-0001.json", cwd=tmp_path)
    assert (refused.code, len(refused.lines)) == (2, 1)
    checked = ask("verify", "again", "--json", cwd=tmp_path)
    assert (checked.code, json.loads(checked.out)["without_record"]) == (5, 3)


# ---- bad input ---------------------------------------------------------------------------------------------


SNAKE = ("--game", "snake")


def one_line(run: Answer, code: int, *wanted: object) -> None:
    assert (run.code, len(run.lines)) == (code, 1), run.err
    assert run.out == ""
    assert not missing(run.err, *wanted), run.err


def test_a_folder_without_bots_and_no_folder(tmp_path: Path) -> None:
    one_line(ask("run", tmp_path / "gone", *SNAKE), 2, "gone", "folder")
    (tmp_path / "empty").mkdir()
    one_line(ask("run", tmp_path / "empty", *SNAKE), 2, "empty", "two or more")
    one_line(ask("show", tmp_path / "empty"), 2, "turnwright tournament run")


def test_two_bots_of_one_name_are_named_with_their_directories(tmp_path: Path) -> None:
    for place in ("One", "Two"):
        write_bot(tmp_path, place, called="Same")
    one_line(ask("run", tmp_path, *SNAKE), 2, "Same 1.0", "One", "Two", "Two.json")


def test_a_broken_bot_and_an_unknown_one_are_named(tmp_path: Path) -> None:
    one_line(ask("run", tmp_path, "Greedyy", "Greedy", *SNAKE), 2, "Greedyy", "Wanderer")
    place = write_bot(tmp_path, "Broken")
    (place / "Broken.json").write_text("{")
    one_line(ask("run", tmp_path, "Greedy", *SNAKE), 2, "Broken.json")


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("--format", "knockuot"), ("round-robin",)),
        (("--battles", 0), ("1 to",)),
        (("--battles", 2, "--until-ci", 1), ("--battles", "--until-ci")),
        (("--until-ci", -1), ("APS",)),
        (("--for", "soon"), ("30s",)),
        (("--jobs", 0), ("1 to",)),
        (("--keep", "some"), ("records=all",)),
        (("--store", "mysql://x"), ("postgresql://",)),
        (("--seed", -1), ("0 to",)),
        (("--sandbox", "half"), ("auto",)),
        (("--challenger", "Nobody"), ("Nobody", "High")),
        (("--set", "trns=3"), ("turns",)),
    ],
)
@pytest.mark.matrix
def test_a_wrong_option_is_refused_in_one_line(
    words: tuple[object, ...], wanted: tuple[str, ...], cup: Path
) -> None:
    game = cup.parent / "dice"
    one_line(ask("run", cup.parent / "new", "Low", "High", "--game", game, *words), 2, *wanted)


def test_a_database_of_another_version_or_program_is_left_unchanged(copy: Path, tmp_path: Path) -> None:
    with sqlite3.connect(copy / "results.sqlite") as connection:
        connection.execute("UPDATE meta SET value = '99' WHERE name = 'format'")
        connection.execute("ALTER TABLE battles RENAME TO games")
    for words in (("run", copy), ("show", copy), ("verify", copy), ("add", copy, "Low")):
        one_line(ask(*words), 2, "99", "another folder")
    with sqlite3.connect(copy / "results.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM games").fetchone() == (6,)
        assert ("battles",) not in connection.execute("SELECT name FROM sqlite_master").fetchall()
    foreign = tmp_path / "foreign.sqlite"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE things (a)")
    for words in (("run", copy, "--store", foreign), ("show", copy, "--store", foreign)):
        one_line(ask(*words), 2, "foreign.sqlite", "--store")
    with sqlite3.connect(foreign) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("things",)]


def test_a_game_that_is_gone_is_named(copy: Path, tmp_path: Path) -> None:
    with sqlite3.connect(copy / "results.sqlite") as connection:
        text = connection.execute("SELECT value FROM meta WHERE name = 'rules'").fetchone()[0]
        data = json.loads(text) | {"where": str(tmp_path / "moved")}
        connection.execute("UPDATE meta SET value = ? WHERE name = 'rules'", (json.dumps(data),))
    one_line(ask("run", copy), 2, "moved")


@pytest.mark.long
def test_a_bot_that_never_starts_forfeits_in_the_table_and_the_rest_plays(cup: Path, tmp_path: Path) -> None:
    write_bot(tmp_path / "cup", "Dead", "raise SystemExit(3)")
    run = ask("run", "cup", "Low", "--game", cup.parent / "dice", "--jobs", 1, cwd=tmp_path)
    assert run.code == 3, run.err
    assert not missing(run.err, "Dead forfeits", "2 forfeited", "Dead did not start")
    header, _, dead = run.out.splitlines()
    place = header.index("Forfeits")
    assert dead[place : place + len("Forfeits")].strip() == "2"
