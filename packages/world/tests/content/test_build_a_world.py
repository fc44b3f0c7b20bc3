"""The examples of packages/world/docs/build-a-world.md are content, and they run."""

from __future__ import annotations

import re

import msgspec
import pytest

from packages.world.tests.demo.playing import Demo
from tests.house.source import ROOT
from turnwright_world.content.read import FILES_MAX, read_content
from turnwright_world.kit.queues import merged, queue_of
from turnwright_world.kit.schema import ATTRIBUTES, DIRECTIONS, QueueRow
from turnwright_world.net.content_files import DEMO, read_folder

PAGE = (ROOT / "packages/world/docs/build-a-world.md").read_text(encoding="utf-8")


def files_of_the_page() -> dict[str, str]:
    """Return the files that the page shows, with the demo's verbs."""
    shown = re.findall(r"```(?:toml|python)\n# myworld/(\S+)\n(.*?)```", PAGE, re.DOTALL)
    verbs = {name: text for name, text in read_folder(DEMO).items() if name.startswith("verbs/")}
    return {**verbs, **dict(shown)}


def test_the_world_of_the_page_is_content_without_a_mistake() -> None:
    files = files_of_the_page()
    assert {"harbour.toml", "verbs/dancing.py", "minds/gull.py"} <= set(files)
    content = read_content(files)
    assert content.warnings == ()
    assert "dance" in content.rules.verbs


def test_one_can_dance_there_and_the_gulls_lose_their_patience() -> None:
    demo = Demo(content=read_content(files_of_the_page()))
    assert any("planks ring" in text for text in demo.do("dance"))
    assert demo.body.stamina == 90
    demo.do_one("dance")
    assert any("one leg" in text for text in demo.do_one("stop"))
    for _ in range(200):
        demo.wait(1)
        if demo.body.threats:
            break
    assert demo.body.threats
    assert demo.troubles == []


def test_the_windows_of_the_timer_document_are_four_numbers() -> None:
    shown = re.search(r"```toml\n# 0\.5 s at instinct.*?\n(.*?)```", PAGE, re.DOTALL)
    assert shown is not None
    queue = msgspec.toml.decode(shown[1])["settings"]["queue"]
    window = queue_of(merged(msgspec.convert(queue, QueueRow))).window
    windows = [window.of({"instinct": points}) for points in (-100, 0, 100)]
    assert windows == [500_000, 1_000_000, 1_500_000]
    attack_ms = re.search(r"`window_ms = (\d+)` has a window of (\S+) seconds", PAGE)
    assert attack_ms is not None
    assert windows[1] * int(attack_ms[1]) // 3_000 == pytest.approx(float(attack_ms[2]) * 1e6, abs=500)


def test_the_page_names_every_key_and_direction() -> None:
    from turnwright_world.kit import schema as rows

    types = (
        rows.Settings,
        rows.PlaceRow,
        rows.KindRow,
        rows.ItemRow,
        rows.Quest,
        rows.QueueRow,
        rows.ReactionRow,
        rows.Spawn,
    )
    missing = [name for row in types for name in row.__struct_fields__ if f"`{name}`" not in PAGE]
    assert missing == []
    assert all(word in PAGE for word in (*DIRECTIONS, *ATTRIBUTES, str(FILES_MAX)))
