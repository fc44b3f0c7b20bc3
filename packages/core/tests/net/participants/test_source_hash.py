from __future__ import annotations

import re
from pathlib import Path

import pytest

from packages.core.tests.net.bot_directories import make_bot
from turnwright.net.participants import source_hash as sourcehash
from turnwright.net.participants.source_hash import source_hash


def test_equal_directories_have_equal_hashes_wherever_they_are(tmp_path: Path) -> None:
    one = make_bot(tmp_path / "x", "Bot", {"Bot.py": "a", "data": "b"})
    two = make_bot(tmp_path / "y", "Bot", {"data": "b", "Bot.py": "a"})
    assert re.fullmatch("[0-9a-f]{32}", source_hash(one) or "")
    assert source_hash(one) == source_hash(two)


@pytest.mark.parametrize(
    "files",
    [
        {"Bot.py": "A", "data": "b"},
        {"Bot.py": "a", "Data": "b"},
        {"Bot.py": "a"},
        {"Bot.py": "ab", "data": ""},
        {"Bot.py": "a", "data": "b", "more": ""},
    ],
)
def test_any_other_name_or_byte_changes_the_hash(tmp_path: Path, files: dict[str, str]) -> None:
    one = make_bot(tmp_path / "x", "Bot", {"Bot.py": "a", "data": "b"})
    two = make_bot(tmp_path / "y", "Bot", files)
    assert source_hash(one) != source_hash(two)


def test_generated_and_hidden_files_do_not_count(tmp_path: Path) -> None:
    directory = make_bot(tmp_path, "Bot", {"Bot.py": "a"})
    before = source_hash(directory)
    for name in ("__pycache__", ".git", "bin", "obj", "node_modules"):
        (directory / name).mkdir()
        (directory / name / "made").write_text("x")
    (directory / ".hidden").touch()
    assert source_hash(directory) == before


def test_a_folder_below_counts(tmp_path: Path) -> None:
    directory = make_bot(tmp_path, "Bot", {"Bot.py": "a"})
    before = source_hash(directory)
    (directory / "part").mkdir()
    (directory / "part" / "x.py").touch()
    assert source_hash(directory) != before


def test_a_link_counts_by_its_target_and_is_not_followed(tmp_path: Path) -> None:
    directory = make_bot(tmp_path, "Bot", {"Bot.py": "a"})
    (directory / "loop").symlink_to(directory)
    first = source_hash(directory)
    (directory / "loop").unlink()
    (directory / "loop").symlink_to(tmp_path)
    assert first is not None
    assert source_hash(directory) != first


@pytest.mark.parametrize(("size", "hashed"), [(99, True), (100, True), (101, False)])
def test_a_directory_over_the_size_has_no_hash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, hashed: bool
) -> None:
    monkeypatch.setattr(sourcehash, "SOURCE_SIZE_MAX", 100)
    directory = make_bot(tmp_path, "Bot", {"Bot.py": b"x" * size}, with_config=False)
    assert (source_hash(directory) is not None) == hashed


@pytest.mark.parametrize(("count", "hashed"), [(4, True), (5, True), (6, False)])
def test_a_directory_of_too_many_files_has_no_hash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, hashed: bool
) -> None:
    monkeypatch.setattr(sourcehash, "SOURCE_FILES_MAX", 5)
    directory = make_bot(tmp_path, "Bot", [f"f{number}" for number in range(count)], with_config=False)
    assert (source_hash(directory) is not None) == hashed


def test_a_directory_that_is_gone_has_no_hash(tmp_path: Path) -> None:
    assert source_hash(tmp_path / "gone") is None


def test_a_directory_of_many_folders_in_each_other_has_a_hash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = make_bot(tmp_path, "Bot", {"Bot.py": "a"})
    before = source_hash(bot)
    monkeypatch.chdir(bot)
    for _ in range(1_500):
        Path("d").mkdir()
        monkeypatch.chdir("d")
    assert source_hash(bot) == before
    Path("deep").write_text("b")
    assert source_hash(bot) not in (None, before)
    Path("deep").unlink()
    for _ in range(1_500):  # pytest removes no folder as deep as that
        monkeypatch.chdir("..")
        Path("d").rmdir()
