"""Records of worlds are printed with the contents that they need, or a missing one is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright.errors import RecordError
from turnwright.kernel.record import Header, Record, TurnEntry, TurnRules
from turnwright_world.app.records import retell, world_of
from turnwright_world.game import WorldGame
from turnwright_world.host.text import Look
from turnwright_world.intent import GateEvent, WorldIntent
from turnwright_world.net.content_files import DEMO, keep_content, load_content, read_folder


def record_of(content: str, *reloads: str) -> Record:
    header = Header("world", 1, 7, {"open": True, "content": content}, (), TurnRules())
    turns = [
        TurnEntry(k, {0: WorldIntent(gate=(GateEvent("reload", None, "", {"hash": hash_}),))})
        for k, hash_ in enumerate(reloads, 1)
    ]
    return Record(header, turns)


def test_a_world_without_content_is_the_yard() -> None:
    assert world_of(record_of("")).library.keys() == {""}


def test_the_content_that_comes_with_turnwright_is_found() -> None:
    shipped = load_content(DEMO).hash
    assert shipped in world_of(record_of(shipped)).library


def test_content_that_a_server_saved_is_found_in_the_given_folder(tmp_path: Path) -> None:
    texts = read_folder(DEMO)
    texts["settings.toml"] = texts["settings.toml"] + "\n# changed\n"
    other = tmp_path / "content"
    for name, text in texts.items():
        (other / name).parent.mkdir(parents=True, exist_ok=True)
        (other / name).write_text(text)
    changed = load_content(other)
    record = record_of("", changed.hash)
    with pytest.raises(RecordError, match=f"needs content {changed.hash}.*--contents"):
        world_of(record)
    keep_content(tmp_path / "contents", changed.hash, texts)
    assert changed.hash in world_of(record, tmp_path / "contents").library


def test_the_story_has_typed_lines_and_shown_texts_in_order() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.enter(2, "Bert")
    world.type(1, "hit bert", "go in")
    world.run_ms(600)
    world.type(2, "dodge")
    world.run_ms(300)
    turns = [turn.entry for turn in world.turns if turn.entry is not None]
    lines = list(retell(Record(world.host.turns.battle.header, turns), WorldGame(), Look()))
    wanted = [
        "-- turn 1, 0.25 s",
        "Anna is in: Yard",
        "Anna> hit bert",
        "Bert: Anna: blow in 3.0 s [1]",
        "Anna is in: Shed",
        "Bert: You have dodged the attack of Anna.",
    ]
    at = [lines.index(line) for line in wanted]
    assert at == sorted(at)
