"""The compiled rules give the same bits as the interpreted ones. A wrong version of them is refused."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from packages.core.tests.messages import missing
from packages.tank.tests.battles import digests, play, sights
from tests.parts import few
from turnwright.errors import SetupError
from turnwright.kernel.state_checks import fields
from turnwright_tank.backends import extension
from turnwright_tank.game import TankGame, new_game
from turnwright_tank.rules import stages
from turnwright_tank.rules.rows import ARENA, TANK

INTERPRETED = TankGame("interpreted")
BATTLES = 2_000
CHUNK = 100
MODULE = "turnwright_tank.backends._rules"
built = pytest.mark.skipif(not extension.available(), reason=extension.why_missing())


@pytest.fixture
def asked_anew() -> Iterator[None]:
    """Search for the extension again in this test and in later ones."""
    extension.why_missing.cache_clear()
    yield
    extension.why_missing.cache_clear()


@pytest.fixture
def not_built(monkeypatch: pytest.MonkeyPatch, asked_anew: None) -> None:
    """The package was built without a compiler."""
    monkeypatch.setitem(sys.modules, MODULE, None)


@built
@pytest.mark.parametrize("number", few(range(1000, 1060), 20, 30))
def test_both_speeds_have_the_same_digests(number: int) -> None:
    assert digests(INTERPRETED, number) == digests(TankGame("compiled"), number)


@built
@pytest.mark.parametrize("number", range(1060, 1070))
def test_both_speeds_give_the_same_observations(number: int) -> None:
    encode = msgspec.json.encode
    assert sights(INTERPRETED, number, encode, turns=60) == sights(
        TankGame("compiled"), number, encode, turns=60
    )


@built
def test_both_speeds_name_the_same_parts_of_the_state() -> None:
    compiled = TankGame("compiled")
    (one, _), (two, _) = list(play(INTERPRETED, 5))[-1], list(play(compiled, 5))[-1]
    parts = list(fields(INTERPRETED, one))
    assert parts == list(fields(compiled, two))
    assert b"".join(value for _, value in parts) == compiled.snapshot(two)


@built
@pytest.mark.long
@pytest.mark.parametrize("first", few(range(0, BATTLES, CHUNK), 1, 2))
def test_a_hundred_battles_have_the_same_digests(first: int) -> None:
    for number in range(first, first + CHUNK):
        assert digests(INTERPRETED, number) == digests(TankGame("compiled"), number), number


@pytest.mark.usefixtures("not_built")
def test_a_package_without_the_extension_plays_interpreted_with_advice() -> None:
    assert TankGame().speed == new_game(tolerant=False).speed == "interpreted"
    assert not missing(extension.why_missing(), "not built", "C compiler")
    with pytest.raises(SetupError, match="C compiler"):
        TankGame("compiled")


@built
@pytest.mark.usefixtures("asked_anew")
@pytest.mark.parametrize(("hashed", "what"), [("sources", "other rules"), ("bots", "other bots")])
def test_an_extension_of_other_sources_is_refused(
    monkeypatch: pytest.MonkeyPatch, hashed: str, what: str
) -> None:
    monkeypatch.setattr(extension, f"hash_of_{hashed}", lambda: "0123456789abcdef")
    assert TankGame().speed == "interpreted"
    assert not missing(extension.why_missing(), what)


@built
@pytest.mark.usefixtures("asked_anew")
def test_rules_without_their_sources_are_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> str:
        raise FileNotFoundError("rows.py")

    monkeypatch.setattr(extension, "hash_of_sources", gone)
    assert extension.available()


def test_the_hash_covers_the_translated_sources_whatever_their_line_ends(tmp_path: Path) -> None:
    place = Path(str(stages.__file__)).parent
    rules = shutil.copytree(place, tmp_path / "rules")
    before = extension.hash_of_sources(rules)
    assert before == extension.hash_of_sources()
    (rules / "gun.py").write_bytes((place / "gun.py").read_bytes().replace(b"\n", b"\r\n"))
    assert extension.hash_of_sources(rules) == before
    (rules / "gun.py").write_bytes((place / "gun.py").read_bytes() + b"\n# other\n")
    assert extension.hash_of_sources(rules) != before


@built
@pytest.mark.parametrize(
    ("table", "bytes_"),
    [(0, 8), (0, 2 * ARENA.all_struct.size), (1, TANK.all_struct.size + 8), (2, 0), (7, 4)],
)
def test_tables_of_wrong_size_are_refused(table: int, bytes_: int) -> None:
    extension_module = extension.load()
    tables = [bytearray(n) for n in _sizes()]
    extension_module.Turn(*tables)
    tables[table] = bytearray(bytes_)
    with pytest.raises(ValueError, match=r"expected"):
        extension_module.Turn(*tables)


@built
def test_tables_are_held_as_long_as_their_turn_lives() -> None:
    tables = [bytearray(n) for n in _sizes()]
    turn = extension.load().Turn(*tables)
    with pytest.raises(BufferError):
        tables[2].extend(b"more")
    del turn
    tables[2].extend(b"more")


@built
def test_a_value_that_is_not_a_table_is_refused() -> None:
    compiled = extension.load()
    with pytest.raises(TypeError):
        compiled.Turn(*[None] * 9)
    with pytest.raises(TypeError, match="9 tables"):
        compiled.Turn(bytearray(8))
    with pytest.raises((TypeError, BufferError)):
        compiled.Turn(*[bytes(n) for n in _sizes()])


def _sizes() -> list[int]:
    from turnwright_tank.rules.rows import BULLET, CONTACT, DUEL, EVENT

    kinds = (ARENA, TANK, BULLET, EVENT, CONTACT, DUEL)
    return [*(kind.all_struct.size for kind in kinds), 8, 8, 8]
