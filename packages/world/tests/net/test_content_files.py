"""Content folders on the disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from turnwright.errors import SetupError
from turnwright_world.content.read import FILES_MAX, read_content
from turnwright_world.net.content_files import DEMO, keep_content, kept_content, read_folder, stamp_of


def test_the_demo_world_is_read_by_names_with_slashes() -> None:
    texts = read_folder(DEMO)
    assert {"settings.toml", "verbs/movement.py", "minds/wolf.py"} <= set(texts)
    assert len(stamp_of(DEMO)) == len(texts)


def test_hidden_files_caches_and_links_outwards_are_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "world"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "__pycache__" / "a.py").write_text("")
    (folder / ".hidden.toml").write_text("")
    (folder / "a.toml").write_text("x")
    (tmp_path / "secret.toml").write_text("secret")
    (folder / "link.toml").symlink_to(tmp_path / "secret.toml")
    assert read_folder(folder) == {"a.toml": "x"}


def test_a_folder_without_content_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="not a folder"):
        read_folder(tmp_path / "none")
    with pytest.raises(SetupError, match="no content"):
        read_folder(tmp_path)
    (tmp_path / "a.toml").write_bytes(b"ab\xff")
    with pytest.raises(SetupError, match=r"a.toml: byte 2 is not UTF-8"):
        read_folder(tmp_path)


@pytest.mark.timeout(10)
def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("x")
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(SetupError, match=r"pipe.toml: .*not a plain file"):
        read_folder(tmp_path)


def test_a_folder_with_far_too_many_files_is_the_wrong_one(tmp_path: Path) -> None:
    for k in range(4 * FILES_MAX + 1):
        (tmp_path / f"{k}.txt").touch()
    with pytest.raises(SetupError, match="right folder"):
        read_folder(tmp_path)


def test_content_is_saved_by_hash_and_found_again(tmp_path: Path) -> None:
    texts = read_folder(DEMO)
    content = read_content(texts)
    keep_content(tmp_path / "kept", content.hash, texts)
    keep_content(tmp_path / "kept", content.hash, texts)
    kept = kept_content(tmp_path / "kept", content.hash)
    assert kept is not None
    assert kept.rules.land == content.rules.land


def test_saved_content_that_does_not_match_its_name_is_ignored(tmp_path: Path) -> None:
    content = read_content(texts := read_folder(DEMO))
    other = "0" * 32
    keep_content(tmp_path, other, texts)
    (tmp_path / f"{'1' * 32}.json").write_text("[1")
    (tmp_path / f"{'2' * 32}.json").write_text("[" * 100_000)
    assert kept_content(tmp_path, other) is None
    assert kept_content(tmp_path, "1" * 32) is None
    assert kept_content(tmp_path, "2" * 32) is None
    assert kept_content(tmp_path, content.hash) is None
    keep_content(tmp_path, content.hash, texts)
    assert kept_content(tmp_path / "below", f"../{content.hash}") is None
