from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.messages import says
from turnwright.app.options import BattleOptions, MissedTurnOptions, ServeOptions, short_timeout
from turnwright.app.times import microseconds_of
from turnwright.cli.parser import parse
from turnwright.errors import SetupError
from turnwright.kernel.rng import SEED_MAX
from turnwright_tank.app.options import (
    RulesErrorOptions,
    StartOptions,
    TankOptions,
    TankServeOptions,
    check_seats,
    game_setup,
)
from turnwright_tank.wire.royale.setup import GAME_TYPES

TWO = ("A", "B")


def test_the_defaults_are_classic_as_its_preset_says() -> None:
    options = TankOptions(TWO)
    setup = game_setup(options)
    assert (setup.game_type, setup.arena_width, setup.arena_height) == ("classic", 800, 600)
    assert (setup.number_of_rounds, setup.turn_timeout, setup.ready_timeout) == (10, 30_000, 10_000_000)
    assert (options.pace, options.max_skipped, options.on_skip) == (-1, 30, "repeat")


def test_options_replace_values_of_the_preset() -> None:
    options = TankOptions(
        TWO,
        rounds=3,
        game_type="twinduel",
        turn_timeout_us=1,
        ready_timeout_us=2,
        arena_width=900,
        arena_height=901,
        gun_cooling_rate=0.2,
        max_inactivity_turns=0,
    )
    setup = game_setup(options)
    assert (setup.game_type, setup.number_of_rounds) == ("twinduel", 3)
    assert (setup.turn_timeout, setup.ready_timeout) == (1, 2)
    assert (setup.arena_width, setup.arena_height) == (900, 901)
    assert (setup.gun_cooling_rate, setup.max_inactivity_turns) == (0.2, 0)


def test_a_watched_battle_runs_at_thirty_turns_a_second_by_default() -> None:
    assert TankOptions(TWO, watched=True).pace == 30
    assert TankOptions(TWO, watched=True, tps=-1).pace == -1
    assert TankOptions(TWO, tps=1).pace == 1
    assert TankOptions(TWO, tps=-2).pace == -1


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"bots": ()}, "no bot … 2 or more"),
        ({"bots": ("A",)}, "1 bot … 2 or more"),
        ({"bots": ("A",) * 1001}, "1001 bots … 1000"),
        (
            {"game_type": "chess"},
            f"game type 'chess' … {', '.join(GAME_TYPES)}",
        ),
        ({"rounds": 0}, "rounds is 0: give 1 to"),
        ({"rounds": -5}, "rounds is -5"),
        ({"seed": -1}, "seed is -1 … from 0"),
        ({"seed": SEED_MAX + 1}, f"seed is {SEED_MAX + 1} … 0 to {SEED_MAX}"),
        ({"tps": 1001}, "tps is 1001 … -1 … 0 … 1 to 1000"),
        ({"turn_timeout_us": 0}, "turn_timeout_us is 0s"),
        ({"ready_timeout_us": 0}, "ready_timeout_us is 0"),
        ({"tps": 0}, "tps is 0 … without a spectator … -1 … 1 to 1000"),
        ({"opening_timeout_us": 0}, "opening_timeout_us is 0s: give 1us to 1h"),
        ({"connect_timeout_s": 0.0}, "connect_timeout_s is 0.0"),
        ({"connect_timeout_s": float("nan")}, "connect_timeout_s is nan"),
        ({"opening_timeout_us": 3_600_000_001}, "opening_timeout_us is 3600000001us"),
        ({"max_skipped": -1}, "max_skipped is -1 … 1 to 1,000,000,000 … 0 for never"),
        ({"max_skipped": 1_000_000_001}, "max_skipped is 1000000001"),
        ({"max_silence_us": -1}, "max_silence_us is -1us … 1h … with 0s only missed turns count"),
        ({"max_silence_us": 3_600_000_001}, "max_silence_us is 3600000001us"),
        ({"rounds": "3"}, "rounds is '3' (str) … whole number or None"),
        ({"rounds": True}, "rounds is True (bool) … whole number or None"),
        ({"seed": 1.0}, "seed is 1.0 (float) … whole number or None"),
        ({"max_skipped": None}, "max_skipped is None … whole number"),
        ({"gun_cooling_rate": "hot"}, "gun_cooling_rate is 'hot' (str) … number or None"),
        ({"initial_positions": 1}, "initial_positions is 1 (int) … True or False"),
        ({"game_type": 5}, "game_type is 5 (int)"),
        ({"record": "x.twr"}, "record is 'x.twr' (str) … pathlib.Path or None"),
        ({"on_skip": "wait"}, "on_skip is 'wait' … repeat, idle"),
        ({"on_disconnect": ""}, "on_disconnect … skip, dead, official"),
        ({"on_rules_error": "ignore"}, "on_rules_error … void, continue"),
        ({"arena_width": 0}, "arena_width is 0"),
        ({"arena_height": 10**9}, "arena_height is 1e+09 … 1 to 100,000"),
        ({"gun_cooling_rate": float("nan")}, "gun_cooling_rate is a huge number"),
        ({"max_inactivity_turns": 10**10}, "max_inactivity_turns is 1e+10"),
    ],
)
def test_an_unplayable_battle_is_refused_in_one_line(given: dict[str, Any], words: str) -> None:
    with pytest.raises(SetupError) as caught:
        TankOptions(**{"bots": TWO, **given})
    assert says(str(caught.value), words)
    assert "\n" not in str(caught.value)


def test_a_watched_battle_can_begin_paused() -> None:
    assert TankOptions(TWO, watched=True, tps=0).pace == 0


@pytest.mark.parametrize(("us", "words"), [(30, "is 30us: "), (999, "(999ms are 999 milliseconds)")])
def test_a_timeout_below_a_millisecond_is_explained_in_one_line(us: int, words: str) -> None:
    said = short_timeout("--turn-timeout", us)
    assert said is not None
    assert words in said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("said", "us"), [("30ms", 30_000), ("2m", 120_000_000), ("500us", 500), ("0.5 s", 500_000)]
)
def test_a_time_has_a_unit(said: object, us: int) -> None:
    assert microseconds_of(said) == us


@pytest.mark.parametrize("said", ["", "30", "0", "soon", "0.5us", 30, 0.5, True, None])
def test_a_value_that_is_not_a_time_is_refused(said: object) -> None:
    with pytest.raises(SetupError, match=r"not a time.*unit"):
        microseconds_of(said)


@pytest.mark.parametrize("us", [None, 1000, 30_000])
def test_a_longer_one_needs_no_word(us: int | None) -> None:
    assert short_timeout("--turn-timeout", us) is None


@pytest.mark.parametrize(
    "name", ["seed", "tps", "turn_timeout_us", "opening_timeout_us", "max_skipped", "max_silence_us"]
)
def test_the_ends_of_the_ranges_are_allowed(name: str) -> None:
    ends = {
        "seed": (0, SEED_MAX),
        "tps": (-1, 1000),
        "turn_timeout_us": (1, 3_600_000_000),
        "opening_timeout_us": (1, 3_600_000_000),
        "max_skipped": (0, 1, 1_000_000_000),
        "max_silence_us": (0, 1, 3_600_000_000),
    }
    for value in ends[name]:
        options: dict[str, Any] = {name: value}
        assert getattr(TankOptions(TWO, **options), name) == value


@pytest.mark.parametrize(
    ("game_type", "seats", "words"),
    [
        ("classic", 1, "1 bots .*classic .*at least 2, name more"),
        ("classic", 2, None),
        ("classic", 100, None),
        ("1v1", 1, "1v1 needs exactly 2, name more"),
        ("1v1", 2, None),
        ("1v1", 3, "3 bots .*1v1 .*exactly 2, name fewer"),
        ("melee", 9, "9 bots .*melee .*at least 10"),
        ("melee", 10, None),
        ("twinduel", 4, None),
        ("twinduel", 5, "5 bots .*twinduel .*exactly 4"),
    ],
)
def test_the_game_type_says_how_many_may_play(game_type: str, seats: int, words: str | None) -> None:
    setup = game_setup(TankOptions(TWO, game_type=game_type))
    if words is None:
        check_seats(setup, seats)
        return
    with pytest.raises(SetupError, match=words):
        check_seats(setup, seats)


def test_the_ending_of_a_name_says_which_record_is_wanted() -> None:
    twr, gz, plain = Path("a/x.twr"), Path("y.battle.gz"), Path("z.battle")
    assert TankOptions.sort_records([]) == {}
    assert TankOptions.sort_records([twr]) == {"record": twr}
    assert TankOptions.sort_records([gz, twr]) == {"record": twr, "recording": gz}
    assert TankOptions.sort_records([plain]) == {"recording": plain}


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["x.gz"], r"x\.gz: .* name .*\.twr .*\.battle\.gz .*\.battle"),
        (["x"], "give a name"),
        (["x.twr", "y.twr"], r"x\.twr .*y\.twr: give one"),
        (["x.battle", "y.battle.gz"], "give one file of each format"),
    ],
)
def test_records_of_no_kind_or_twice_of_one_are_refused(names: list[str], words: str) -> None:
    with pytest.raises(SetupError, match=words):
        TankOptions.sort_records(map(Path, names))


SHARED = (
    "on_late",
    "on_skip",
    "max_skipped",
    "max_silence_us",
    "on_disconnect",
    "on_rules_error",
    "initial_positions",
)


def test_battle_and_serve_share_one_declaration_of_their_policies() -> None:
    declared = [one for cls in (MissedTurnOptions, RulesErrorOptions, StartOptions) for one in fields(cls)]
    assert {one.name for one in declared} == set(SHARED)
    for cls in (TankOptions, TankServeOptions):
        found = {one.name: one.metadata for one in fields(cls)}
        assert all(found[one.name] is one.metadata for one in declared)


def test_options_of_every_game_are_inherited() -> None:
    for general, own in ((BattleOptions, TankOptions), (ServeOptions, TankServeOptions)):
        assert issubclass(own, general)


@pytest.mark.parametrize("command", ["battle", "serve"])
def test_each_can_be_chosen(command: str) -> None:
    words = ["--on-late=next", "--on-skip=idle", "--max-skipped=0", "--max-silence=9s"]
    found = parse(
        [
            command,
            *words,
            "--on-disconnect=official",
            "--on-rules-error=continue",
            "-i",
            *TWO * (command == "battle"),
        ]
    )
    assert not isinstance(found, int)
    chosen = ["next", "idle", 0, 9_000_000, "official", "continue", True]
    assert [found.given.values[name] for name in SHARED] == chosen
