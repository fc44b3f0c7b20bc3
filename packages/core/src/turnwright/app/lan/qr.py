"""A QR code of a short text, as modules and as lines of half-block characters.

Byte mode, level M, versions 1 to 6: what an address in a local network needs (docs/decisions/0055).
Source: ISO/IEC 18004:2015.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

_BLOCKS = {1: (10, 1, 16), 2: (16, 1, 28), 3: (26, 1, 44), 4: (18, 2, 32), 5: (24, 2, 43), 6: (16, 4, 27)}
"""Version: bytes of correction in a block, blocks, bytes of data in a block, all at level M (table 9)."""
TEXT_BYTES_MAX = 106
"""The longest text in UTF-8, bytes."""
_BYTE_MODE = 4
_PADDING = (0xEC, 0x11)
_QUIET = 4
"""Light modules around the code (§9.1)."""
_FIELD, _FORMAT, _FORMAT_MASK = 0x11D, 0x537, 0x5412
_MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda y, x: (y + x) % 2 == 0,
    lambda y, x: y % 2 == 0,
    lambda y, x: x % 3 == 0,
    lambda y, x: (y + x) % 3 == 0,
    lambda y, x: (y // 2 + x // 3) % 2 == 0,
    lambda y, x: y * x % 2 + y * x % 3 == 0,
    lambda y, x: (y * x % 2 + y * x % 3) % 2 == 0,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2 == 0,
)
_LIKE_A_FINDER = ("10111010000", "00001011101")

Grid = list[list[int | None]]
"""Modules by row and column: 1 dark, 0 light, None: not set yet."""


def qr_modules(text: str) -> list[list[bool]]:
    """Return the modules, row by row, True for dark ones, without the quiet zone.

    Raises: ValueError for a text longer than TEXT_BYTES_MAX.
    """
    data = text.encode()
    fitting = (v for v, (_, blocks, size) in _BLOCKS.items() if len(data) + 2 <= blocks * size)
    version = next(fitting, None)
    if version is None:
        raise ValueError(f"{len(data)} bytes, expected at most {TEXT_BYTES_MAX}")
    bits = [byte >> place & 1 for byte in _codewords(data, version) for place in range(7, -1, -1)]
    made = [_masked(version, bits, mask) for mask in range(len(_MASKS))]
    return min(made, key=_penalty)


def qr_lines(text: str, *, colored: bool) -> list[str]:
    """Return the code as lines of a terminal, two rows of modules a line.

    colored: black on white by escape sequences; else for light letters on a dark ground.
    """
    rows = [[False] * _QUIET + row + [False] * _QUIET for row in qr_modules(text)]
    light = [False] * len(rows[0])
    rows = [light] * _QUIET + rows + [light] * _QUIET
    rows += [light] * (len(rows) % 2)
    glyphs = " ▄▀█" if colored else "█▀▄ "
    lines = [
        "".join(glyphs[2 * upper + lower] for upper, lower in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    ]
    return [f"\x1b[30;107m{line}\x1b[0m" for line in lines] if colored else lines


# ---- bytes with their correction -------------------------------------------------------------------------


def _codewords(data: bytes, version: int) -> list[int]:
    """Return the bytes of the code: data and correction, with their blocks interleaved (§7.6)."""
    correction, blocks, size = _BLOCKS[version]
    room = blocks * size
    bits = _BYTE_MODE << 8 | len(data)
    number = (bits << 8 * len(data) | int.from_bytes(data)) << 4
    whole = list(number.to_bytes(len(data) + 2))
    whole += [_PADDING[place % 2] for place in range(room - len(whole))]
    parts = [whole[start : start + size] for start in range(0, room, size)]
    checks = [_remainder(part, _generator(correction)) for part in parts]
    return [byte for row in (*zip(*parts, strict=True), *zip(*checks, strict=True)) for byte in row]


def _times(a: int, b: int) -> int:
    """Return the product in the field of 256 elements."""
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a = a << 1 ^ (_FIELD if a & 128 else 0)
        b >>= 1
    return product


def _generator(degree: int) -> list[int]:
    """Return the generator polynomial of Reed and Solomon, without its leading 1."""
    found, root = [0] * (degree - 1) + [1], 1
    for _ in range(degree):
        for place in range(degree):
            following = found[place + 1] if place + 1 < degree else 0
            found[place] = _times(found[place], root) ^ following
        root = _times(root, 2)
    return found


def _remainder(data: Sequence[int], generator: Sequence[int]) -> list[int]:
    rest = [0] * len(generator)
    for byte in data:
        factor = byte ^ rest.pop(0)
        rest.append(0)
        rest = [one ^ _times(factor, by) for one, by in zip(rest, generator, strict=True)]
    return rest


# ---- modules ---------------------------------------------------------------------------------------------


def _masked(version: int, bits: Sequence[int], mask: int) -> list[list[bool]]:
    """Return the code under one of the masks."""
    grid = _patterns(version)
    _write_format(grid, mask)
    left = iter(bits)
    for y, x in _way(len(grid)):
        if grid[y][x] is None:
            grid[y][x] = next(left, 0) ^ _MASKS[mask](y, x)
    return [[module == 1 for module in row] for row in grid]


def _patterns(version: int) -> Grid:
    """Return the modules that each code of a version has (§6.3)."""
    size = 4 * version + 17
    grid: Grid = [[None] * size for _ in range(size)]
    for place in range(size):
        grid[6][place] = grid[place][6] = 1 - place % 2
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        _draw(grid, top + 3, left + 3, 4, lambda distance: distance not in (2, 4))
    if version > 1:
        _draw(grid, size - 7, size - 7, 2, lambda distance: distance != 1)
    return grid


def _draw(grid: Grid, y: int, x: int, reach: int, is_dark: Callable[[int], bool]) -> None:
    """Draw rings around a module. is_dark: by the distance from it."""
    for row in range(max(0, y - reach), min(len(grid), y + reach + 1)):
        for column in range(max(0, x - reach), min(len(grid), x + reach + 1)):
            grid[row][column] = int(is_dark(max(abs(row - y), abs(column - x))))


def _write_format(grid: Grid, mask: int) -> None:
    """Write the level, which is 0 for M, and the mask, twice (§7.9)."""
    rest = mask << 10
    for place in range(14, 9, -1):
        rest ^= _FORMAT << place - 10 if rest >> place & 1 else 0
    bits, size = (mask << 10 | rest) ^ _FORMAT_MASK, len(grid)
    for place in range(15):
        bit = bits >> place & 1
        around = (place, place + 1, size - 15 + place)[(place > 5) + (place > 7)]
        across = (size - 1 - place, 15 - place, 14 - place)[(place > 7) + (place > 8)]
        grid[around][8] = grid[8][across] = bit
    grid[size - 8][8] = 1


def _way(size: int) -> Iterator[tuple[int, int]]:
    """Yield the places of data: pairs of columns from the right, up and down in turns (§7.7.3)."""
    upwards = True
    for right in [*range(size - 1, 6, -2), 5, 3, 1]:
        for step in range(size):
            y = size - 1 - step if upwards else step
            yield y, right
            yield y, right - 1
        upwards = not upwards


def _penalty(code: Sequence[Sequence[bool]]) -> int:
    """Return how hard a code is to read (§7.8.3)."""
    size = len(code)
    lines = ["".join("01"[module] for module in row) for row in (*code, *zip(*code, strict=True))]
    runs = (len(run) for line in lines for run in line.replace("01", "0 1").replace("10", "1 0").split(" "))
    score = sum(run - 2 for run in runs if run >= 5)
    score += sum(
        40 for line in lines for like in _LIKE_A_FINDER for at in range(size) if line[at:].startswith(like)
    )
    score += sum(
        3
        for y in range(size - 1)
        for x in range(size - 1)
        if code[y][x] == code[y][x + 1] == code[y + 1][x] == code[y + 1][x + 1]
    )
    return score + 10 * (abs(20 * sum(map(sum, code)) - 10 * size * size) // (size * size))
