"""Lines as they are typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright_world.wire.telnet.events import Notice, TypedLine
from turnwright_world.wire.telnet.lines import LINE_BYTES_MAX, LINE_CHARS_MAX, LineEditor


def lines(data: bytes) -> list[str]:
    return [event.text for event in LineEditor().feed(data) if isinstance(event, TypedLine)]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\0b\r\0", ["a", "b"]),
        (b"a\nb\n", ["a", "b"]),
        (b"a\rb\r", ["a", "b"]),
        (b"a\rb\n", ["a", "b"]),
        (b"\r\n\r\n\n\r", ["", "", "", ""]),
        (b"not ended", []),
        (b"nor\0th\r\n", ["north"]),
        ("grüß dich\r\n".encode(), ["grüß dich"]),
        ("grüß dich\r\n".encode("latin-1"), ["grüß dich"]),
        (b"half \xc3\r\n", ["half \xc3"]),
        (b"nro\x08\x08orth\r\n", ["north"]),
        (b"nro\x7f\x7forth\r\n", ["north"]),
        (b"\x08\x08a\r\n", ["a"]),
        ("schön\x7f\x7fön☃\x08\r\n".encode(), ["schön"]),
        (b"\xbf\x7fa\xbf\x7f\r\n", ["a"]),  # latin-1, looks like the middle of a character
        (b"wrong\x15right\r\n", ["right"]),
        (b"a\tb\x07\x01\x1b[A\x1bOBc\x1b\r\n", ["a bc"]),
        ("x\u202ey\u2066\x85\u2028z\r\n".encode(), ["xyz"]),
        (b"\x1b[1;31mred\x1b[0m\r\n", ["red"]),
    ],
    ids=ascii,
)
def test_typed_bytes_become_these_lines(data: bytes, expected: list[str]) -> None:
    assert lines(data) == expected


def test_the_commands_of_telnet_erase_as_keys_do() -> None:
    editor = LineEditor()
    list(editor.feed(b"one two"))
    editor.erase_character()
    assert list(editor.feed(b"\n")) == [TypedLine("one tw")]
    list(editor.feed(b"wrong"))
    editor.erase_line()
    assert list(editor.feed(b"right\n")) == [TypedLine("right")]


@pytest.mark.parametrize(
    ("letter", "count", "notices", "kept"),
    [
        ("x", LINE_CHARS_MAX - 1, 0, LINE_CHARS_MAX - 1),
        ("x", LINE_CHARS_MAX, 0, LINE_CHARS_MAX),
        ("x", LINE_CHARS_MAX + 1, 1, LINE_CHARS_MAX),
        ("x", 1_000_000, 1, LINE_CHARS_MAX),
        ("𝄞", LINE_CHARS_MAX, 0, LINE_CHARS_MAX),
        ("𝄞", LINE_CHARS_MAX + 1, 1, LINE_CHARS_MAX),
        ("☃", 1_334, 1, LINE_CHARS_MAX),  # cut inside a character
    ],
)
@pytest.mark.parametrize("piece", [7, 4_096])
def test_a_line_is_cut_at_its_limit_with_one_notice(
    letter: str, count: int, notices: int, kept: int, piece: int
) -> None:
    data, editor = (letter * count).encode() + b"\r\nnext\r\n", LineEditor()
    found = []
    for start in range(0, len(data), piece):
        found += list(editor.feed(data[start : start + piece]))
        assert editor.held <= LINE_BYTES_MAX
    assert sum(isinstance(event, Notice) for event in found) == notices
    assert [event for event in found if isinstance(event, TypedLine)] == [
        TypedLine(letter * kept),
        TypedLine("next"),
    ]


def test_a_line_that_never_ends_is_reported_immediately() -> None:
    editor = LineEditor()
    assert [type(event) for event in editor.feed(b"x" * 100_000)] == [Notice]
    assert list(editor.feed(b"x" * 100_000)) == []


@given(st.binary())
def test_any_bytes_give_clean_lines(data: bytes) -> None:
    for line in lines(data + b"\n"):
        assert all(c.isprintable() or ord(c) > 0xA0 for c in line)
        assert len(line) <= LINE_CHARS_MAX


@given(st.lists(st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=20)), st.data())
def test_any_split_gives_the_same_lines(texts: list[str], data: st.DataObject) -> None:
    raw = b"".join(text.encode() + data.draw(st.sampled_from([b"\r\n", b"\r\0", b"\n"])) for text in texts)
    editor, found = LineEditor(), []
    for byte in raw:
        found += list(editor.feed(bytes([byte])))
    assert found == [TypedLine(text) for text in texts]


PIECES = st.sampled_from(
    [b"look\r\n", b"go north\r\n", b"\r\n", b"\n", b"\r", b"lo", b"ok\x7f\r\n", b"\xc3\xa9\r\n", b"a\tb\r\n"]
    + [b"x" * length + b"\r\n" for length in (LINE_CHARS_MAX - 2, LINE_CHARS_MAX, LINE_BYTES_MAX + 1)]
)


@given(st.lists(PIECES, max_size=8))
def test_a_line_that_comes_alone_may_be_taken_by_itself(pieces: list[bytes]) -> None:
    quick, slow = LineEditor(), LineEditor()
    for piece in pieces:
        expected = list(slow.feed(piece))
        plain = quick.take_plain(piece)
        assert (list(quick.feed(piece)) if plain is None else [plain]) == expected


def test_most_lines_are_taken_by_themselves() -> None:
    editor = LineEditor()
    assert [editor.take_plain(line) for line in (b"look\r\n", b"\r\n")] == [TypedLine("look"), TypedLine("")]
    assert list(editor.feed(b"a")) == []
    assert editor.take_plain(b"look\r\n") is None
