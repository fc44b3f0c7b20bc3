"""The compiled writer of floats writes the shortest decimals, as msgspec does."""

from __future__ import annotations

import random
import struct
from fractions import Fraction

import msgspec
import pytest

from tests.house.source import ROOT
from turnwright_tank.backends import extension

encode = msgspec.json.Encoder().encode
PATTERNS = 50_000
"""Random bit patterns in one test; a million were compared by hand."""
FLOAT_BYTES_MAX = 25

pytestmark = pytest.mark.skipif(not extension.available(), reason=extension.why_missing())


def float_of(bits: int) -> float:
    (number,) = struct.unpack("<d", bits.to_bytes(8, "little"))
    assert isinstance(number, float)
    return number


def written(number: float) -> bytes:
    text = extension.load().float_bytes(number)
    assert isinstance(text, bytes)
    return text


def edges() -> list[float]:
    """Numbers at which an algorithm or a format changes its behaviour."""
    numbers = [0.0, 5e-324, 2.2250738585072014e-308, 2.225073858507201e-308, 1.7976931348623157e308]
    numbers += [1e-5, 9.999999999999999e-6, 1e16, 9999999999999998.0, 1e15, 1e22, 1e23, 9.5e-323]
    numbers += [2.0**53 + k for k in range(-8, 9, 2)] + [0.1, 0.3, 2 / 3, 123.456, 9007199254740993.0]
    numbers += [2.0**k for k in range(-1074, 1024)] + [float(f"1e{k}") for k in range(-323, 309)]
    numbers += [float_of(k) for k in range(1, 200)] + [k / 10 for k in range(400)]
    return numbers + [-number for number in numbers]


def random_numbers(chance: random.Random, count: int) -> list[float]:
    """Bit patterns of all kinds, and numbers like those of an arena."""
    numbers = [float_of(chance.getrandbits(64)) for _ in range(count // 2)]
    numbers += [chance.uniform(-5000, 5000) for _ in range(count // 4)]
    return numbers + [round(chance.uniform(0, 400), chance.randrange(12)) for _ in range(count // 4)]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (3.0, b"3.0"),
        (-0.0, b"-0.0"),
        (0.00001, b"0.00001"),
        (0.0000015, b"1.5e-6"),
        (1e-7, b"1e-7"),
        (9007199254740992.0, b"9007199254740992.0"),
        (1e16, b"1e16"),
        (1.5e300, b"1.5e300"),
        (5e-324, b"5e-324"),
        (float("nan"), b"null"),
        (float("-inf"), b"null"),
    ],
)
def test_each_form_of_a_number_is_written_as_msgspec_does(number: float, text: bytes) -> None:
    assert written(number) == text == encode(number)


def test_extreme_floats_are_written_like_msgspec_within_their_room() -> None:
    for number in edges():
        assert written(number) == encode(number), number.hex()
    assert max(len(written(number)) for number in edges()) <= FLOAT_BYTES_MAX


def test_random_numbers_are_written_as_msgspec_does() -> None:
    for number in random_numbers(random.Random(1), PATTERNS):
        assert written(number) == encode(number), number.hex()


def test_a_written_float_reads_back_as_the_same_number() -> None:
    for number in random_numbers(random.Random(2), 4000):
        if number - number == 0.0:
            assert float(written(number)) == number


@pytest.mark.parametrize("k", [-292, -27, 0, 27, 28, 324])
def test_powers_of_ten_are_rounded_up_to_128_bits(k: int) -> None:
    powers = ROOT / "packages/tank/src/turnwright_tank/backends/c/powers.h"
    (line,) = [line for line in powers.read_text().splitlines() if line.endswith(f"/* {k} */")]
    high, low = (int(part.partition("(")[2].rstrip(",) "), 16) for part in line.split("), ")[:2])
    power, exact = high << 64 | low, Fraction(10) ** k
    assert power.bit_length() == 128
    assert any(power - 1 < exact * Fraction(2) ** shift <= power for shift in range(-1100, 1100))
