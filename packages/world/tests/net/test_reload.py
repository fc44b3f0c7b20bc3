"""Content that changes while the world runs."""

from __future__ import annotations

import asyncio
import logging
import shutil
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from packages.world.tests.demo.playing import Demo
from turnwright.kernel.verify import verify
from turnwright_world.content.read import Content
from turnwright_world.intent import GATE, GateEvent, WorldIntent
from turnwright_world.net import content_files as reload
from turnwright_world.net.content_files import DEMO, ContentWatch, kept_content, load_content


class Watched:
    """A copy of the demo world that is being edited."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "world"
        shutil.copytree(DEMO, self.folder, ignore=shutil.ignore_patterns("__pycache__"))
        self.first = load_content(self.folder, folder / "kept")
        self.applied: list[Content] = []
        self.told: list[str] = []
        self.watch = ContentWatch(
            self.folder,
            self.first.hash,
            self.applied.append,
            self.told.append,
            kept=folder / "kept",
            trial=lambda texts: None,
        )

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.folder / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))

    def look(self) -> None:
        self.watch.take(self.watch.look())


def test_nothing_happens_while_nothing_changes(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.look()
    watched.look()
    assert (watched.applied, watched.told) == ([], [])


def test_the_content_of_an_empty_world_is_looked_at_less_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reload, "POLL_S", 0.001)
    somebody, looks = [True], []
    watch = ContentWatch(tmp_path, "", lambda content: None, lambda text: None, awake=lambda: somebody[0])
    monkeypatch.setattr(watch, "look", lambda: looks.append(1))

    async def looks_in(seconds: float) -> int:
        before = len(looks)
        await asyncio.sleep(seconds)
        return len(looks) - before

    async def main() -> None:
        task = asyncio.create_task(watch.run())
        await asyncio.sleep(0.2)
        assert len(looks) > 2
        somebody[0] = False
        await asyncio.sleep(0.1)
        assert await looks_in(0.3) == 0
        somebody[0] = True
        assert await looks_in(0.3) > 2
        task.cancel()

    asyncio.run(main())


def test_a_change_is_applied_once_and_reported(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.edit("town.toml", 'name = "The square"', 'name = "The great square"')
    watched.look()
    watched.look()
    (content,) = watched.applied
    assert content.rules.land.places["square"].name == "The great square"
    assert len(watched.told) == 1
    for hash_ in (watched.first.hash, content.hash):
        assert kept_content(tmp_path / "kept", hash_) is not None


def test_a_mistake_is_reported_once_with_file_and_line_and_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    watched = Watched(tmp_path)
    watched.edit("town.toml", 'in = "tavern" }', 'in = "taverna" }')
    with caplog.at_level(logging.WARNING):
        watched.look()
        watched.look()
    assert watched.applied == []
    (told,) = watched.told
    assert not missing(told, "town.toml:9", "[place.square]", "exits.in", "no place 'taverna'", "'tavern'")
    assert "town.toml:9" in caplog.text
    watched.edit("town.toml", '"taverna"', '"tavern"')
    watched.look()
    assert watched.applied == []
    watched.edit("verbs/movement.py", "class Go(Verb):", "class Go(Verb:")
    watched.look()
    assert "verbs/movement.py:" in watched.told[-1]


def test_a_removed_folder_is_reported_and_changes_nothing(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    shutil.rmtree(watched.folder)
    watched.look()
    watched.look()
    assert len(watched.told) == 1
    assert watched.applied == []


def test_the_watch_runs_while_the_loop_works(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.edit("town.toml", 'name = "The square"', 'name = "The great square"')

    async def until_applied() -> None:
        task = asyncio.create_task(watched.watch.run())
        while not watched.applied:
            await asyncio.sleep(0)
        task.cancel()

    asyncio.run(asyncio.wait_for(until_applied(), 60))


def test_new_content_counts_between_two_turns_and_the_record_can_be_verified(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    demo = Demo(content=watched.first, library={})
    demo.walk("east", "in")
    demo.do("buy lamp")
    watched.edit("town.toml", 'name = "The lantern shop"', 'name = "The lamp shop"')
    watched.edit(
        "verbs/social.py", 'name, aliases = "shout", ("yell",)', 'name, aliases = "bellow", ("yell",)'
    )
    watched.look()
    (content,) = watched.applied
    demo.game.library[content.hash] = content.rules
    demo.turn({GATE: WorldIntent(gate=(GateEvent("reload", None, "", {"hash": content.hash}),))})
    assert demo.view()["place"]["name"] == "The lamp shop"
    assert demo.body.money == 18
    assert any("hello" in text for text in demo.do("bellow hello"))
    assert demo.troubles == []
    kept = [kept_content(tmp_path / "kept", hash_) for hash_ in (watched.first.hash, content.hash)]
    library = {one.hash: one.rules for one in kept if one is not None}
    again = type(demo.game)(library[watched.first.hash], library)
    assert verify(demo.record, again).ok


def test_a_verb_that_fails_while_it_runs_is_noted_with_file_and_line(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.edit("verbs/social.py", 'act.say(f"You shout: {text}")', "act.say(1 // 0)")
    demo = Demo(content=load_content(watched.folder))
    demo.do("shout hello")
    (trouble,) = demo.troubles
    line = (watched.folder / "verbs/social.py").read_text().split("1 // 0")[0].count("\n") + 1
    assert trouble.where == f"verbs/social.py:{line}"
    assert {"kind": "failed", "verb": "shout"} in demo.heard


def test_a_verb_file_that_ends_the_process_is_a_mistake_and_the_watch_continues(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.edit("verbs/social.py", "class Shout", "raise SystemExit('bye')\n\n\nclass Shout")
    watched.look()
    assert "SystemExit: bye" in watched.told[-1]
    watched.edit("verbs/social.py", "raise SystemExit('bye')", "")
    watched.edit("town.toml", 'name = "The square"', 'name = "The great square"')
    watched.look()
    assert len(watched.applied) == 1


def test_a_look_that_fails_is_logged_and_not_the_last_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched(tmp_path)
    looks: list[int] = []

    def look() -> None:
        looks.append(1)
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr(watched.watch, "look", look)
    monkeypatch.setattr("turnwright_world.net.content_files.POLL_S", 0.0)

    async def until_looked_again() -> None:
        task = asyncio.create_task(watched.watch.run())
        while len(looks) < 3:
            await asyncio.sleep(0)
        task.cancel()

    asyncio.run(asyncio.wait_for(until_looked_again(), 60))
    assert "a mistake of ours" in caplog.text
