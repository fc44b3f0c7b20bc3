from __future__ import annotations

import random
import struct
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from turnwright.games.tank.backends import compile as compiled
from turnwright.games.tank.wire.royale_fast import floats, ticks
from turnwright.games.tank.wire.royale_fast.floats import (
    FLOAT_BYTES_MAX,
    POWERS,
    shortest,
    write_count,
    write_float,
)

encode = msgspec.json.Encoder().encode
PATTERNS = 50_000
"""Random bit patterns in one test; a million were compared by hand."""


def bits_of(number: float) -> int:
    return int.from_bytes(struct.pack("<d", number), "little")


def float_of(bits: int) -> float:
    (number,) = struct.unpack("<d", bits.to_bytes(8, "little"))
    assert isinstance(number, float)
    return number


def written(number: float) -> bytes:
    out = bytearray(FLOAT_BYTES_MAX + 1)
    return bytes(out[: write_float(out, 0, bits_of(number))])


def edges() -> list[float]:
    """Numbers at which an algorithm or a format changes its mind."""
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


def test_interpreted_edges_are_written_as_msgspec_does() -> None:
    for number in edges():
        assert written(number) == encode(number), number.hex()


def test_interpreted_random_numbers_are_written_as_msgspec_does() -> None:
    for number in random_numbers(random.Random(1), 4000):
        assert written(number) == encode(number), number.hex()


def test_no_number_is_longer_than_the_room_that_is_asked_for() -> None:
    assert max(len(written(number)) for number in edges()) <= FLOAT_BYTES_MAX


def test_the_shortest_digits_read_back_as_the_same_number() -> None:
    for number in random_numbers(random.Random(2), 400):
        bits = bits_of(abs(number))
        if number == 0.0 or bits >> 52 == 0x7FF:
            continue
        digits, e = shortest(bits & ((1 << 52) - 1), bits >> 52)
        assert float(f"{digits}e{e}") == abs(number)


@pytest.mark.parametrize("k", [-292, -27, 0, 27, 28, 324])
def test_powers_of_ten_are_rounded_up_to_128_bits(k: int) -> None:
    at = 2 * (k + 292)
    power, exact = POWERS[at] << 64 | POWERS[at + 1], Fraction(10) ** k
    assert power.bit_length() == 128
    assert any(power - 1 < exact * Fraction(2) ** shift <= power for shift in range(-1100, 1100))


@pytest.mark.parametrize("number", [0, 7, 10, 99, 100, 9999, 10**8 - 1, 10**8, 10**15, 10**16, 10**18 - 1])
def test_whole_numbers_are_written_with_all_their_digits(number: int) -> None:
    out = bytearray(20)
    assert bytes(out[: write_count(out, 0, number)]) == str(number).encode()


@pytest.fixture(scope="module")
def compiled_texts() -> Callable[[list[float]], list[bytes]]:
    if not compiled.available():
        pytest.skip("numba is not installed")
    import numba
    import numpy

    write = compiled.twins_of([floats], ticks.constant)[floats.write_float]

    @numba.njit(error_model="python")  # type: ignore[untyped-decorator]  # numba has no types
    def write_all(bits: Any, out: Any, ends: Any) -> None:
        at = 0
        for k in range(len(bits)):
            at = write(out, at, bits[k])
            ends[k] = at

    def texts(numbers: list[float]) -> list[bytes]:
        ends = numpy.zeros(len(numbers), numpy.int64)
        out = numpy.zeros(len(numbers) * FLOAT_BYTES_MAX, numpy.uint8)
        write_all(numpy.array(numbers).view(numpy.uint64), out, ends)
        data = out.tobytes()
        return [data[a:b] for a, b in zip([0, *ends], ends, strict=False)]

    return texts


def test_compiled_random_numbers_are_written_as_msgspec_does(
    compiled_texts: Callable[[list[float]], list[bytes]],
) -> None:
    numbers = [*edges(), *random_numbers(random.Random(3), PATTERNS)]
    assert compiled_texts(numbers) == [encode(number) for number in numbers]
