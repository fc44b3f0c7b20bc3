"""A room of tanks in a file has the options of a server of tanks."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from turnwright.app.rooms import RoomSetup
from turnwright.cli.parser import parse
from turnwright.cli.serve import rooms_of, secrets_of
from turnwright.errors import SetupError
from turnwright_tank.app.options import TankServeOptions


def described(folder: Path, text: str) -> dict[str, RoomSetup]:
    """Return the rooms of a file, by name."""
    file = folder / "class.toml"
    file.write_text(text, encoding="utf-8")
    command = parse(["serve", "--rooms", str(file)])
    assert not isinstance(command, int)
    return {room.name: room for room in rooms_of(command.given, secrets_of(command.given))}


def test_a_room_that_names_no_game_has_tanks_and_their_options(tmp_path: Path) -> None:
    (duel,) = described(tmp_path, '[duel]\ngames = "classic,1v1"').values()
    assert isinstance(duel.options, TankServeOptions)
    assert duel.options.game_types == ("classic", "1v1")


def test_settings_by_name_are_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(SetupError) as caught:
        described(tmp_path, "[a]\nsettings = {x = 1}")
    assert not missing(str(caught.value), "room a", "--set", "operator")
    assert "\n" not in str(caught.value)
