"""An author's mistakes in a game: each is reported with the line that the page on games gives for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.cli.playing import turnwright
from packages.core.tests.messages import says
from turnwright import run_battle
from turnwright.app.verify import verify_file
from turnwright.cli.__main__ import main
from turnwright.errors import TurnwrightError
from turnwright.net import rules_watchdog

PAGE = Path(__file__).parents[2] / "docs/add-a-game.md"
_ROW = re.compile(r"^\| ([^|`]+) \| `([^`]+)` \|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake in the folder of `turnwright new game guess`: the wrong text and the right one.

    Attributes:
        file: the file with the mistake.
        settings: the settings of the battle.
    """

    right: str
    wrong: str
    file: str = "game.py"
    settings: tuple[tuple[str, Any], ...] = ()


RESOLVED = "        state.turn += 1\n"
PARTS = """\
from turnwright.game_package import GamePackage

GAME = GamePackage(rules=".game:Guess", bots=".bots:BOTS", protocol=".bots:Gues")
"""
MISTAKES = {
    "a syntax error": Mistake(RESOLVED, "        state.turn +=\n"),
    "an import that fails": Mistake("import msgspec\n", "import msgspex as msgspec\n"),
    "no class with the rules": Mistake("class Guess(Game[State, Number])", "class Guess"),
    "two classes with rules": Mistake("class Guess(", "class Other(Game[State, int]): pass\n\nclass Guess("),
    "a missing method": Mistake("def observe(", "def look("),
    "a class without a name": Mistake('name, defaults = "guess", ', "defaults = "),
    "the name of another game": Mistake('name, defaults = "guess"', 'name, defaults = "snake"'),
    "defaults that are not settings": Mistake('{"turns": 20}', '{"turns": {20}}'),
    "a version that is not a number": Mistake("    name, d", '    behaviour_version = "2"\n    name, d'),
    "an unknown setting": Mistake("", "", settings=(("turn", 3),)),
    "a setting that is refused": Mistake("", "", settings=(("turns", "many"),)),
    "setup does not check the type of a setting": Mistake(
        'if not isinstance(settings["turns"], int) or settings["turns"] < 1',
        'if settings["turns"] < 1',
        settings=(("turns", "many"),),
    ),
    "a state of another type": Mistake("return State(", "return vars(State)("),
    "a function in the state": Mistake("turn: int = 0", "turn: int = 0\n    log: object = print"),
    "seats that are not numbers": Mistake(
        "return [seat for seat, retired", "return [str(seat) for seat, retired"
    ),
    "an observation that is not JSON": Mistake('return {"turn": state.turn', 'return {"state": object'),
    "an observation that is too long": Mistake('{"turn": state.turn', '{"map": "x" * 2_000_000'),
    "a turn without events": Mistake("return [{", "return None and [{"),
    "a method raises an exception": Mistake(
        RESOLVED, f"{RESOLVED}        state.points[len(state.points)] += 1\n"
    ),
    "a call that does not end": Mistake(RESOLVED, f"{RESOLVED}        while state.turn: pass\n"),
    "scores that are not numbers": Mistake("map(float, state.points)", 'map(float, ["nan"] * 2)'),
    "too few scores": Mistake("map(float, state.points)", "map(float, state.points[1:])"),
    "too few scores during the battle": Mistake("return state.points", "return state.points[1:]"),
    "scores during the battle that are not numbers": Mistake("return state.points", 'return "12"'),
    "read_intent raises an exception other than ValueError": Mistake(
        "msgspec.convert(data, Number)", 'data["number"]'
    ),
    "read_intent returns None": Mistake("        return number\n", ""),
    "write_intent cannot write an intent": Mistake(
        "        return number\n", "        return complex(number)\n"
    ),
    "no BOTS in bots.py": Mistake("BOTS =", "ROBOTS =", "bots.py"),
    "a BOTS that is not a dictionary": Mistake("BOTS = {", 'BOTS = ["Middle"] or {', "bots.py"),
    "a part that does not exist": Mistake("Number = Annotated", f"{PARTS}Number = Annotated"),
    "an error in bots.py": Mistake("BOTS =", "BOTS = 1 / 0 and", "bots.py"),
}


def told() -> dict[str, str]:
    """The lines of the page, by mistake."""
    return dict(_ROW.findall(PAGE.read_text(encoding="utf-8")))


def new_game(at: Path, mistake: Mistake | None = None) -> str:
    """Write the folder of a new game with a mistake; return its path."""
    at.parent.mkdir(exist_ok=True)
    assert main(["new", "game", at.name, "--out", str(at.parent)]) == 0
    if mistake is not None and mistake.right:
        file = at / mistake.file
        code = file.read_text(encoding="utf-8")
        assert code.count(mistake.right) == 1, mistake.right
        file.write_text(code.replace(mistake.right, mistake.wrong), encoding="utf-8")
    return str(at)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_met_with_the_line_of_the_page(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rules_watchdog, "CALL_S_MAX", 0.3)
    game = new_game(tmp_path / "guess", MISTAKES[name])
    with pytest.raises(TurnwrightError) as caught:
        run_battle(
            "Middle", "Echo", game=game, record=tmp_path / "g.twr", settings=dict(MISTAKES[name].settings)
        )
    line = str(caught.value)
    assert says(line, told()[name]), line
    assert "\n" not in line


CHANCE = "random numbers that are not from streams"
ORDER = "rules that depend on the order of a set or on hash()"
OTHERS = (CHANCE, ORDER)


def test_the_page_has_a_line_for_each_mistake_and_no_other() -> None:
    assert set(told()) == {*MISTAKES, *OTHERS}


def test_a_game_that_is_not_deterministic_is_found_by_verify(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = '1 + streams.stream("secret", state.turn).below(100)'
    game = new_game(tmp_path / "guess", Mistake(drawn, "__import__('random').randint(1, 10**9)"))
    record = tmp_path / "g.twr"
    run_battle("Middle", "Echo", game=game, record=record)
    capsys.readouterr()
    assert main(["verify", "--game", game, str(record)]) == 4
    (line,) = capsys.readouterr().out.splitlines()
    assert says(line, told()[CHANCE]), line
    assert verify_file(record, game=game).to_data()["deterministic"] is False


@pytest.mark.process
def test_a_game_that_depends_on_hashes_is_found_by_verify_in_another_process(tmp_path: Path) -> None:
    drawn = '1 + streams.stream("secret", state.turn).below(100)'
    game = new_game(tmp_path / "guess", Mistake(drawn, "hash('secret') % 10**9"))
    record = tmp_path / "g.twr"
    words = ("battle", "--game", game, "Middle", "Echo", "--record", record)
    assert turnwright(*words, environ={"PYTHONHASHSEED": "1"}).finish().code == 0
    run = turnwright("verify", "--game", game, record, environ={"PYTHONHASHSEED": "2"}).finish()
    assert run.code == 4
    (line,) = run.out.splitlines()
    assert says(line, told()[ORDER]), line


def test_rules_that_were_changed_are_not_called_chance(tmp_path: Path) -> None:
    game = new_game(tmp_path / "guess")
    run_battle("Middle", "Echo", game=game, record=tmp_path / "g.twr")
    other = new_game(tmp_path / "other" / "guess", Mistake(".below(100)", ".below(99)"))
    found = verify_file(tmp_path / "g.twr", game=other)
    assert found.differs
    assert found.deterministic
