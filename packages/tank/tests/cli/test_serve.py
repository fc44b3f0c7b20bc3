"""The options of `turnwright serve` that only tanks have."""

from __future__ import annotations

from typing import Any

import pytest

from packages.core.tests.messages import says
from turnwright.cli.__main__ import main
from turnwright.cli.parser import parse
from turnwright.cli.serve import options_of, secrets_of
from turnwright_tank.app.options import TankServeOptions
from turnwright_tank.wire.royale.setup import GAME_TYPES


def options(*words: str) -> TankServeOptions:
    command = parse(["serve", *words])
    assert not isinstance(command, int)
    return options_of(command.given, secrets_of(command.given))


def test_the_defaults_are_those_of_the_official_server() -> None:
    given = options()
    assert (given.port, given.tps, given.host_name) == (7654, 30, "localhost")
    assert set(given.game_types) == set(GAME_TYPES)
    assert not given.initial_positions


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        (["-g", "classic, 1v1"], "game_types", ("classic", "1v1")),
        (["--games=melee"], "game_types", ("melee",)),
        (["-i"], "initial_positions", True),
        (["--enable-initial-position"], "initial_positions", True),
        (["--on-rules-error", "continue"], "on_rules_error", "continue"),
    ],
)
def test_every_option_arrives(words: list[str], name: str, value: Any) -> None:
    assert getattr(options(*words), name) == value


@pytest.mark.parametrize(
    ("words", "said"), [(["-g", "chess"], "game type 'chess'"), (["-g", ","], "no game type")]
)
def test_an_impossible_server_is_refused_in_one_line_with_exit_code_2(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *words]) == 2
    err = capsys.readouterr().err
    assert says(err, said)
    assert err.count("\n") == 1


@pytest.mark.parametrize("option", ["--max-inactivity-turns", "--rounds=3", "--arena"])
def test_an_option_of_a_battle_is_refused_with_the_command_that_has_it(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", option, "500"]) == 2
    err = capsys.readouterr().err
    assert says(
        err, f"turnwright: turnwright serve … {option.partition('=')[0]} … game … `turnwright battle`"
    )
    assert err.count("\n") == 1


def test_the_command_line_of_document_002_is_answered_with_the_names_meant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["serve", "--turn-timeout=30", "--max-inactivity-turns=30"]) == 2
    err = capsys.readouterr().err
    assert says(err, "--max-inactivity-turns … --max-skipped … `turnwright battle`")
    assert err.count("\n") == 1
    assert main(["serve", "--turn-timeout=30", "--max-skipped=30"]) == 2
    assert says(capsys.readouterr().err, "--turn-timeout … 30ms or 30us?")
