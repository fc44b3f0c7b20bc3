from __future__ import annotations

import json
from pathlib import Path

import pytest

from packages.core.tests.messages import says
from turnwright.errors import SetupError
from turnwright.net.participants.config import CONFIG_SIZE_MAX, read_config

FULL = {
    "name": "My Bot",
    "version": "1.2",
    "authors": ["Ann", "Bo"],
    "base": "Main",
    "license": "MIT",
    "description": "line one\nline two",
    "homepage": "",
    "countryCodes": ["dk"],
    "gameTypes": ["classic", "1v1"],
    "platform": "Python",
    "programmingLang": "Python 3",
    "initialPosition": "50,50, 90",
    "country_codes": 7,
}


def written(tmp_path: Path, content: object) -> Path:
    path = tmp_path / "Bot.json"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_every_field_is_read_and_unknown_ones_are_ignored(tmp_path: Path) -> None:
    config = read_config(written(tmp_path, FULL))
    assert config.name == "My Bot"
    assert config.version == "1.2"
    assert config.authors == ("Ann", "Bo")
    assert config.base == "Main"
    assert config.license == "MIT"
    assert config.description == "line one\nline two"
    assert config.homepage == ""
    assert config.country_codes == ("dk",)
    assert config.game_types == ("classic", "1v1")
    assert config.platform == "Python"
    assert config.programming_lang == "Python 3"
    assert config.initial_position == "50,50, 90"
    assert config.team_members == ()


def test_three_keys_are_enough(tmp_path: Path) -> None:
    config = read_config(written(tmp_path, {"name": "N", "version": "1", "authors": []}))
    assert (config.base, config.country_codes, config.game_types) == (None, None, None)


def test_a_text_in_place_of_a_list_is_its_one_item(tmp_path: Path) -> None:
    config = read_config(written(tmp_path, {**FULL, "authors": "Ann", "countryCodes": "pl"}))
    assert (config.authors, config.country_codes) == (("Ann",), ("pl",))
    with pytest.raises(SetupError, match="authors"):
        read_config(written(tmp_path, {**FULL, "authors": "a\0b"}))


def test_null_is_like_absent(tmp_path: Path) -> None:
    config = read_config(written(tmp_path, {**FULL, "platform": None, "countryCodes": None}))
    assert (config.platform, config.country_codes) == (None, None)


def test_team_members_keep_their_order_and_repeats(tmp_path: Path) -> None:
    config = read_config(written(tmp_path, {**FULL, "teamMembers": ["Lead", "Droid", "Droid"]}))
    assert config.team_members == ("Lead", "Droid", "Droid")


def test_a_byte_order_mark_and_letters_beyond_ascii_are_read(tmp_path: Path) -> None:
    text = json.dumps({"name": "Blå 坦克", "version": "1", "authors": ["Ø"]}, ensure_ascii=False)
    assert read_config(written(tmp_path, b"\xef\xbb\xbf" + text.encode())).name == "Blå 坦克"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"name": "N"\n  "version": "1"}', "line 2, column 3 … JSON … ','"),
        ("", "line 1, column 1 … JSON"),
        ("[]", "object … name, version and authors … list"),
        ('"text"', "object … string"),
        ('{"name": "N"}', "version … authors … missing"),
        ({**FULL, "name": None}, "name missing"),
        ({**FULL, "name": 5}, '"name" … string … number'),
        ({**FULL, "version": 1.0}, '"version" … string … number'),
        ({**FULL, "authors": 7}, '"authors" … list of strings … number'),
        ({**FULL, "authors": ["Ann", True]}, '"authors" … list of strings … boolean'),
        ({**FULL, "teamMembers": {}}, '"teamMembers" … list of strings … object'),
        ({**FULL, "initialPosition": [1, 2, 3]}, '"initialPosition" … string … list'),
        ({**FULL, "name": "a\0b"}, '"name" … character'),
        ({**FULL, "authors": ["\ud800"]}, '"authors" … character'),
        (b'{"name": "\xff"}', "byte 10 … UTF-8"),
        ("[" * 100_000, "nested"),
        (b" " * (CONFIG_SIZE_MAX + 1), "1048576"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line_that_names_it(
    tmp_path: Path, content: object, words: str
) -> None:
    path = written(tmp_path, content)
    with pytest.raises(SetupError) as caught:
        read_config(path)
    message = str(caught.value)
    assert says(message, words)
    assert message.startswith(str(path))
    assert "\n" not in message


def test_the_largest_allowed_file_is_read(tmp_path: Path) -> None:
    text = json.dumps(FULL).encode()
    path = written(tmp_path, text + b" " * (CONFIG_SIZE_MAX - len(text)))
    assert read_config(path).name == "My Bot"


def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="cannot be read"):
        read_config(tmp_path / "gone.json")
