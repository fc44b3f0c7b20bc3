"""A ladder server from end to end: real requests, real bots, and a killed server."""

from __future__ import annotations

import gzip
import io
import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from packages.core.tests.app.bots import dice_game
from packages.core.tests.messages import missing
from packages.league.tests.app.ladder.client import PATIENCE_S, WORD, LadderClient, enroll
from packages.league.tests.app.ladder.served import Served
from packages.league.tests.app.ladder.zips import CRASHES, PLAYS, zip_of
from turnwright_league import Tournament
from turnwright_league.app.check import verify_tournament

pytestmark = [pytest.mark.process, pytest.mark.long]

BETTER = b"from turnwright.client import play\n\nplay(lambda observation: 9)\n"
DIES = b"raise SystemExit('no bot today <script>alert(1)</script>')\n"
TALKS = (
    b"import sys\nfrom turnwright.client import play\n\n"
    b"print('secret of mine <img src=x onerror=alert(1)>', file=sys.stderr, flush=True)\n"
    b"play(lambda observation: 3)\n"
)


def words_of(folder: Path) -> list[str]:
    enroll(folder / "club", "Anna")
    return ["--data", str(folder / "club"), "--game", dice_game(folder / "dice"), "--sandbox", "none"]


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    """The words of a ladder server at which Anna has an account."""
    return words_of(tmp_path)


@pytest.fixture
def served(words: list[str]) -> Iterator[Served]:
    with Served(*words) as one:
        yield one


@pytest.fixture(scope="module")
def shared_words(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return words_of(tmp_path_factory.mktemp("shared"))


@pytest.fixture(scope="module")
def shared(shared_words: list[str]) -> Iterator[Served]:
    """A server of several tests. Each of them leaves it without bots."""
    with Served(*shared_words) as one:
        yield one


def test_a_bot_is_uploaded_plays_and_is_ranked_and_all_of_it_is_taken_home(
    served: Served, tmp_path: Path
) -> None:
    page = served.page()
    anna, bert, teacher = LadderClient(page, "Anna"), LadderClient(page), LadderClient(page)
    assert bert.me() == {"name": None, "teacher": False}
    bert.register("Bert")
    _, first = anna.upload(zip_of({"Nine/Nine.py": BETTER}), "Nine.zip")
    _, talks = bert.upload(TALKS, "Talker.py")
    one, other = anna.until_settled(first["upload"]), bert.until_settled(talks["upload"])
    assert (one["state"], one["bot"], one["number"]) == ("plays", "Nine", 1)
    assert one["first_check"]["score"] > 0
    assert other["state"] == "plays"
    assert any("secret of mine" in line for line in other["first_check"]["printed"])

    def ladder(name: str) -> bool:
        rows = anna.get("/api/ladder")["ladder"]
        return any(row["name"] == name and row["battles"] >= 4 for row in rows)

    anna.until("the ladder ranks it", lambda: ladder("Nine (Anna)") and ladder("Talker (Bert)"))
    battle = anna.until("she sees a battle", lambda: next(iter(anna.me()["battles"]), None))
    assert battle["record"]
    status, record, _ = anna.ask("GET", f"/records/{battle['id']}.twr")
    assert (status, record[:2]) == (200, b"\x1f\x8b")
    for who in (anna, teacher):  # what a bot printed is its owner's
        seen = (
            who.ask("GET", "/api/me")[1]
            + who.ask("GET", "/api/ladder")[1]
            + who.ask("GET", "/standings.json")[1]
        )
        assert b"secret of mine" not in seen
    mine = bert.until("he sees what it printed", lambda: [b for b in bert.me()["battles"] if b["printed"]])
    assert "secret of mine" in mine[0]["printed"][0]

    assert teacher.ask("GET", "/api/teacher")[0] == 403
    teacher.be_teacher()
    _, started = teacher.post("/api/teacher", do="start", name="Cup", battles=2)
    started = started["tournament"]
    teacher.until(
        "it is over", lambda: "over" in [one["state"] for one in teacher.get("/api/ladder")["tournaments"]]
    )
    shown = teacher.get(f"/tournaments/{started}/standings.json")
    assert [row["name"] for row in shown["entries"]] == ["Nine (Anna)", "Talker (Bert)"]
    assert teacher.post("/api/teacher", do="pack")[0] == 200
    status, packed, headers = teacher.ask("GET", "/api/home.zip")
    assert (status, headers["content-type"]) == (200, "application/zip")
    assert served.stop() == 0

    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.testzip() is None
        archive.extractall(tmp_path / "home")
    home = tmp_path / "home" / "club"
    assert not list(home.rglob("arena.sqlite"))
    assert (home / "index.html").exists()
    for folder in (home, home / "_arena" / "cups" / str(started), tmp_path / "club"):
        checked = verify_tournament(folder)
        assert not checked.wrong
        assert checked.checked > 0
    assert {"Nine (Anna)", "Talker (Bert)"} <= {row.name for row in Tournament(home).standings}


def test_a_new_version_leaves_one_row_and_the_folder_has_the_standings_of_the_page(
    served: Served, tmp_path: Path
) -> None:
    anna = LadderClient(served.page(), "Anna")
    anna.until_settled(anna.upload(zip_of({"Nine/Nine.py": PLAYS}), "Nine.zip")[1]["upload"])
    anna.until("it has played", lambda: any(row["battles"] > 2 for row in anna.get("/api/ladder")["ladder"]))
    anna.until_settled(anna.upload(zip_of({"Nine/Nine.py": BETTER}), "Nine.zip")[1]["upload"])

    def shown() -> dict[str, tuple[str, int]]:
        rows = anna.get("/standings.json")["entries"]
        return {row["name"]: (row["version"], row["battles"]) for row in rows}

    anna.until("the new one has played", lambda: shown().get("Nine (Anna)", ("", 0)) > ("2", 2))
    last = shown()
    assert served.stop() == 0
    found = Tournament(tmp_path / "club")
    assert {row.name: row.version for row in found.standings} == {one: was for one, (was, _) in last.items()}
    (versions,) = (one for one in found.versions.values() if len(one) > 1)
    assert [(one.entry.version, one.is_current) for one in versions] == [("2", True), ("1", False)]
    assert versions[1].battles > 2


def test_a_class_behind_one_address_may_open_its_pages_simultaneously(words: list[str]) -> None:
    with Served(*words, "--trusted-proxy", "localhost") as served:
        client = LadderClient(served.page())
        asked = [client.ask("GET", "/healthz", X_Forwarded_For="203.0.113.7")[0] for _ in range(1_000)]
    assert set(asked) == {200}


def test_mistakes_are_reported_by_line_and_a_bot_that_does_not_start_is_out(shared: Served) -> None:
    anna = LadderClient(shared.page(), "Anna")
    _, wrong = anna.upload(b"def run(:\n", "Wrong.py")
    _, dies = anna.upload(DIES, "Dies.py")
    one, other = anna.until_settled(wrong["upload"]), anna.until_settled(dies["upload"])
    (problem,) = one["problems"]
    assert (one["state"], problem["file"], problem["line"]) == ("refused", "Wrong.py", 1)
    assert other["state"] == "failed"
    assert other["first_check"]["why"]
    assert any("no bot today" in line for line in other["first_check"]["printed"])
    assert anna.get("/api/ladder")["bots"] == 0


def test_a_bot_that_is_too_large_for_its_owner_is_refused_and_leaves_the_disk(
    words: list[str], tmp_path: Path
) -> None:
    with Served(*words, "--max-person-uploads", "1MiB") as served:
        anna, teacher = LadderClient(served.page(), "Anna"), LadderClient(served.page())
        _, large = anna.upload(zip_of({"Large/Large.py": PLAYS, "Large/data": b"x" * (2 << 20)}), "Large.zip")
        one = anna.until_settled(large["upload"])
        assert one["state"] == "refused"
        assert not missing(one["problems"][0]["text"], "1 MiB", "--max-person-uploads")
        assert anna.until_settled(anna.upload(PLAYS, "Small.py")[1]["upload"])["state"] == "plays"
        anna.until("it is deleted", lambda: not (tmp_path / "club/_arena/bots" / str(one["id"])).exists())
        teacher.be_teacher()
        assert 0 < teacher.get("/api/teacher")["people"][0]["bytes"] < 1 << 20


def test_a_battle_is_watched_while_it_is_played_and_is_a_replay_afterwards(words: list[str]) -> None:
    with Served(*words, "--tps", "2") as served:
        anna = LadderClient(served.page(), "Anna")
        anna.until_settled(anna.upload(PLAYS, "Bot.py")[1]["upload"])
        watched: list[str] = []

        def handshake() -> bool:
            """Watch a battle of the ladder, which may end before the connection."""
            for one in (one for one in anna.get("/api/ladder")["running"] if one["live"]):
                head = {"Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec_WebSocket_Version": "13"}
                path = f"/t/{one['id']}/"
                if anna.upgraded(path, Upgrade="websocket", Connection="Upgrade", **head):
                    status, page, _ = anna.ask("GET", path)
                    watched.extend([one["id"]] if status == 200 and b"<!doctype html>" in page else [])
            return bool(watched)

        anna.until("a battle is watched", handshake)
        path = f"/t/{watched[0]}"
        assert anna.ask("GET", f"{path}/viewer/app.css")[0] == 200
        anna.until("it has a record", lambda: anna.ask("GET", f"{path}/")[0] == 302)
        leads = anna.ask("GET", f"{path}/")[2]["location"]
        assert leads.startswith(f"/?replay=/records/{watched[0]}.twr")
        assert anna.ask("GET", leads.partition("replay=")[2])[0] in (200, 202)
        assert anna.ask("GET", f"/t/{'0' * 40}/")[0] == 404
        assert anna.ask("GET", "/t/..%2f_arena/")[0] == 404


def test_every_visitor_sees_a_crash_and_only_the_owner_its_reason(words: list[str], tmp_path: Path) -> None:
    with Served(*words, "--tps", "2") as served:
        page = served.page()
        anna, stranger = LadderClient(page, "Anna"), LadderClient(page)
        anna.until_settled(anna.upload(CRASHES, "Crashes.py")[1]["upload"])
        anna.upload(PLAYS, "Plays.py")
        battle = anna.until(
            "it failed", lambda: next((b for b in anna.me()["battles"] if b["printed"]), None)
        )
        assert any("swordfish" in line for line in battle["printed"])
        assert any("ZeroDivisionError: no luck" in str(row.get("failure")) for row in battle["scores"])
        status, record, _ = stranger.ask("GET", f"/records/{battle['id']}.twr")
        assert status == 200
        assert_no_secret(gzip.decompress(record))
        for who in (anna, stranger):
            who.until(
                "the page has it", lambda: b"crashed in turn" in stranger.ask("GET", "/standings.json")[1]
            )
            assert_no_secret(who.ask("GET", "/standings.json")[1])
            assert b"ZeroDivisionError" not in who.ask("GET", "/api/ladder")[1]
        teacher = LadderClient(page)
        teacher.be_teacher()
        anna.until("two play", lambda: anna.get("/api/ladder")["bots"] == 2)
        started = teacher.post("/api/teacher", do="start", name="Cup", battles=1)[1]["tournament"]
        teacher.until("it is over", lambda: "'over'" in str(teacher.get("/api/ladder")["tournaments"]))
        assert_no_secret(stranger.ask("GET", f"/tournaments/{started}/standings.json")[1])
        assert_no_secret((tmp_path / "club/_arena/cups" / str(started) / "index.html").read_bytes())
        assert teacher.post("/api/teacher", do="pack")[0] == 200
        with zipfile.ZipFile(io.BytesIO(teacher.ask("GET", "/api/home.zip")[1])) as archive:
            assert_no_secret(archive.read("club/index.html"))
        assert served.stop() == 0
        assert "ZeroDivisionError" in str(list(Tournament(tmp_path / "club").battles())), "the teacher's file"
        assert not verify_tournament(tmp_path / "club").wrong


def assert_no_secret(told: bytes) -> None:
    """Assert that a page or a record reports a crash, but neither its error nor any output."""
    assert b"crashed" in told
    assert not [word for word in (b"ZeroDivisionError", b"no luck", b"swordfish") if word in told]


def test_requests_of_other_sites_and_of_strangers_are_refused(shared: Served) -> None:
    page = shared.page()
    anna, stranger = LadderClient(page), LadderClient(page)
    anna.register("Cleo")
    body = json.dumps({"name": "Bert", "word": WORD}).encode()
    assert anna.ask("POST", "/api/register", body)[0] == 403  # without the header, as a form of another site
    foreign = anna.ask("POST", "/api/register", body, X_Turnwright="1", Origin="http://evil.example")
    assert foreign[0] == 403
    assert stranger.upload(PLAYS, "Bot.py")[0] == 401
    assert stranger.post("/api/teacher", do="freeze")[0] == 403
    assert anna.post("/api/teacher", do="freeze")[0] == 403
    for _ in range(10):
        assert stranger.post("/api/teacher/login", secret="guess")[0] == 403
    LadderClient(page).be_teacher()  # from the same address
    assert stranger.ask("GET", "/api/home.zip")[0] == 403
    assert stranger.ask("POST", "/api/login", b"[" * 50_000, X_Turnwright="1")[0] == 400
    assert stranger.ask("POST", "/api/login", b"[]", X_Turnwright="1")[0] == 400
    status, said, _ = stranger.ask("POST", "/api/nothing", b"{}", X_Turnwright="1")
    assert status == 404
    assert not missing(said.decode(), "'/api/nothing'", "POSTs", "/api/upload", "/api/login")
    for path in (
        "/_arena/arena.sqlite",
        "/..%2f_arena/arena.sqlite",
        "/records/..%2f..%2farena.sqlite",
        "/tournaments/x/",
    ):
        assert stranger.ask("GET", path)[0] == 404, path
    status, _, headers = anna.ask("GET", "/ladder")
    assert status == 200
    assert "script-src 'self'" in headers["content-security-policy"]
    logged = anna.ask(
        "POST", "/api/login", json.dumps({"name": "Cleo", "word": WORD}).encode(), X_Turnwright="1"
    )
    assert {"HttpOnly", "SameSite=Strict"} <= {one.strip() for one in logged[2]["set-cookie"].split(";")}


def test_the_teacher_freezes_removes_and_gives_new_passphrases(shared: Served) -> None:
    page = shared.page()
    dora, teacher = LadderClient(page), LadderClient(page)
    dora.register("Dora")
    teacher.be_teacher()
    _, sent = dora.upload(PLAYS, "Bot.py")
    dora.until_settled(sent["upload"])
    assert teacher.post("/api/teacher", do="freeze")[0] == 200
    assert dora.upload(BETTER, "Bot.py")[0] == 403
    assert teacher.post("/api/teacher", do="unfreeze")[0] == 200
    assert teacher.post("/api/teacher", do="remove", upload=sent["upload"])[0] == 200
    dora.until("it is gone", lambda: dora.get("/api/ladder")["bots"] == 0)
    assert dora.state_of(sent["upload"]) == "removed"
    _, said = teacher.post("/api/teacher", do="reset", person="dora")
    assert dora.me()["name"] is None
    assert dora.post("/api/login", name="Dora", word=WORD)[0] == 403
    assert dora.post("/api/login", name="Dora", word=said["word"])[0] == 200
    for order in (
        {"do": "nonsense"},
        {"do": "remove", "upload": "x"},
        {"do": "reset", "person": "nobody"},
        {},
    ):
        assert 400 <= teacher.post("/api/teacher", **order)[0] < 500


def test_a_ladder_server_that_is_killed_repeatedly_loses_nothing_and_resumes(words: list[str]) -> None:
    sent: list[int] = []
    before: set[str] = set()
    token: dict[str, str] = {}
    for turn in range(3):
        with Served(*words) as served:
            bert = LadderClient(served.page())
            bert.cookies = token
            if turn == 0:
                bert.register("Bert")
                token = bert.cookies
            assert bert.me()["name"] == "Bert"
            assert {one["id"] for one in bert.me()["uploads"]} >= set(sent)
            program = PLAYS.replace(b"2", b"%d" % (turn + 2))
            status, said = bert.upload(program, f"Bot{turn}.py")
            assert status == 202
            sent.append(said["upload"])
            if turn % 2:
                bert.until_settled(said["upload"])
                bert.until("there are battles", lambda b=bert: len(b.me()["battles"]) > 2)
            now = set(battle_ids(Path(words[1])))
            assert before <= now
            before = now
            served.kill()
    last = Served(*words)
    try:
        bert = LadderClient(last.page())
        bert.cookies = token
        for number in sent:
            assert bert.until_settled(number)["state"] == "plays"
    finally:
        assert last.stop() == 0
    folder = Path(words[1])
    assert before <= set(battle_ids(folder))
    assert not verify_tournament(folder).wrong
    assert not list(folder.glob("records/*/*.part.twr"))


def battle_ids(folder: Path) -> list[str]:
    return [one.id for one in Tournament(folder).battles()]


def test_a_battle_with_a_deleted_record_is_marked_and_verified_as_before(words: list[str]) -> None:
    folder = Path(words[1])
    with Served(*words) as served:
        anna = LadderClient(served.page(), "Anna")
        _, sent = anna.upload(BETTER, "Nine.py")
        anna.until_settled(sent["upload"])
        anna.until("there are battles", lambda: len(anna.me()["battles"]) > 2)
    oldest = min(Tournament(folder).battles(), key=lambda one: one.played_us)
    with (folder / str(oldest.record)).open("ab") as stream:
        stream.write(bytes(1 << 20))
    trial = next((folder / "_arena" / "trials").glob("*.twr"))
    with trial.open("ab") as stream:
        stream.write(bytes(1 << 20))
    os.utime(trial, (0, 0))

    served = Served(*words, "--max-records", "1MiB")
    try:
        other = LadderClient(served.page())
        other.cookies = anna.cookies
        other.until(
            "there is room", lambda: not trial.exists() and not (folder / str(oldest.record)).exists()
        )
        assert [
            (one["first_check"]["record"], one["first_check"]["record_deleted"])
            for one in other.me()["uploads"]
        ] == [(None, True)]
        for battle in (oldest.id, trial.stem):
            for path in (f"/records/{battle}.twr", f"/t/{battle}/"):
                status, told, _ = other.ask("GET", path)
                assert (status, b"deleted" in told) == (410, True)
        assert other.ask("GET", f"/records/{'0' * 40}.twr")[0] == 404
    finally:
        assert served.stop() == 0
    checked = verify_tournament(folder)
    assert (checked.wrong, checked.records_deleted, checked.without_record) == ((), 1, 1)
    assert checked.checked == checked.battles - 1
    assert oldest.id in battle_ids(folder)


def test_a_second_arena_in_the_same_folder_is_refused(shared: Served, shared_words: list[str]) -> None:
    shared.page()
    second = Served(*shared_words)
    assert second.wait(PATIENCE_S) == 2
