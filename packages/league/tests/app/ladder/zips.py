"""Zips as people and attackers make them."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from collections.abc import Callable, Mapping

CRASHES = b"""\
import sys
from turnwright.client import play

def bid(observation):
    if observation["turn"] == 1:
        print("swordfish", file=sys.stderr, flush=True)
        raise ZeroDivisionError("no luck")
    return 2

play(bid)
"""
"""A bot that prints a word and fails in its first turn."""
PLAYS = b"from turnwright.client import play\n\nplay(lambda observation: 2)\n"


def zip_of(files: Mapping[str, bytes | str], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip of files by name."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", kind) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def _special(mode: int, name: str = "Bot/thing", data: str = "/etc/passwd") -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("Bot/Bot.py", PLAYS)
        info = zipfile.ZipInfo(name)
        info.create_system = 3
        info.external_attr = (mode | 0o777) << 16
        archive.writestr(info, data)
    return packed.getvalue()


def _bomb() -> bytes:
    return zip_of({"Bot/Bot.py": PLAYS, "Bot/zeros": b"\0" * (40 << 20)})


def _lying() -> bytes:
    """A zip that says its file has 10 bytes."""
    data = bytearray(_bomb())
    at = data.rfind(b"PK\x01\x02")
    struct.pack_into("<I", data, at + 24, 10)
    return bytes(data)


def _overlapping() -> bytes:
    """A zip whose names all lead to the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Bot/Bot.py", PLAYS)
        archive.writestr("Bot/0", b"\0" * (4 << 20))
        first = archive.filelist[-1]
        for number in range(1, 150):
            info = zipfile.ZipInfo(f"Bot/{number}")
            for name in ("header_offset", "CRC", "compress_size", "file_size", "compress_type"):
                setattr(info, name, getattr(first, name))
            archive.filelist.append(info)
            archive.NameToInfo[info.filename] = info
    return packed.getvalue()


def _encrypted() -> bytes:
    data = bytearray(zip_of({"Bot/Bot.py": PLAYS}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + offset] |= 1
    return bytes(data)


def _nul() -> bytes:
    data = zip_of({"Bot/Bot.py": PLAYS, "Bot/a_b.py": b""})
    return data.replace(b"Bot/a_b.py", b"Bot/a\0b.py")


_BOT = {"Bot/Bot.py": PLAYS}

HOSTILE: Mapping[str, tuple[str, Callable[[], bytes]]] = {
    "empty": ("Bot.zip", lambda: b""),
    "no zip": ("Bot.zip", lambda: b"PK but no more"),
    "cut off": ("Bot.zip", lambda: zip_of(_BOT)[:-30]),
    "broken data": ("Bot.zip", lambda: zip_of(_BOT).replace(zip_of(_BOT)[40:60], b"\xff" * 20)),
    "no file": ("Bot.zip", lambda: zip_of({})),
    "another archive": ("Bot.rar", lambda: b"Rar!\x1a\x07\x01\x00"),
    "a program": ("Bot.exe", lambda: b"MZ\x90\x00"),
    "a path that climbs": ("Bot.zip", lambda: zip_of({**_BOT, "Bot/../../etc/cron.d/x": b""})),
    "an absolute path": ("Bot.zip", lambda: zip_of({**_BOT, "/etc/cron.d/x": b""})),
    "a path of Windows": ("Bot.zip", lambda: zip_of({**_BOT, "C:\\x.py": b""})),
    "a backslash": ("Bot.zip", lambda: zip_of({**_BOT, "Bot\\..\\..\\x.py": b""})),
    "a link": ("Bot.zip", lambda: _special(stat.S_IFLNK)),
    "a device": ("Bot.zip", lambda: _special(stat.S_IFCHR)),
    "a pipe": ("Bot.zip", lambda: _special(stat.S_IFIFO)),
    "a bomb": ("Bot.zip", _bomb),
    "a bomb that lies": ("Bot.zip", _lying),
    "files that overlap": ("Bot.zip", _overlapping),
    "too many files": ("Bot.zip", lambda: zip_of({**_BOT, **{f"Bot/{n}": b"" for n in range(250)}})),
    "too many names": ("Bot.zip", lambda: zip_of({**_BOT, **{f"Bot/.x/{n}": b"" for n in range(5_000)}})),
    "too deep": ("Bot.zip", lambda: zip_of({**_BOT, f"Bot/{'a/' * 30}x": b""})),
    "a long name": ("Bot.zip", lambda: zip_of({**_BOT, f"Bot/{'a' * 300}": b""})),
    "an encrypted one": ("Bot.zip", _encrypted),
    "a strange packing": ("Bot.zip", lambda: zip_of(_BOT, zipfile.ZIP_LZMA)),
    "a NUL": ("Bot.zip", _nul),
    "a name that turns": ("Bot.zip", lambda: zip_of({**_BOT, "Bot/\u202eyp.x": b""})),
    "control characters": ("Bot.zip", lambda: zip_of({**_BOT, "Bot/a\x1b[31m.py": b""})),
    "two of one name": ("Bot.zip", lambda: zip_of({**_BOT, "Bot/A.py": b"", "Bot/a.py": b""})),
    "a file that is a folder": ("Bot.zip", lambda: zip_of({**_BOT, "Bot/a": b"", "Bot/a/b": b""})),
    "an end with a dot": ("Bot.zip", lambda: zip_of({**_BOT, "Bot/a. ": b""})),
    "a name of no letters": ("....py", lambda: PLAYS),
    "a name of markup": ("<img src=x onerror=alert(1)>.py", lambda: PLAYS),
    "letters that look alike": ("B\u043et.py", lambda: PLAYS),
    "a long name of a bot": (f"{'B' * 31}.py", lambda: PLAYS),
}
"""By kind: the file's name and its bytes. None of them is a bot."""
