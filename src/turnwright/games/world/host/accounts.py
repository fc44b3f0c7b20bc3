"""Names of players, and accounts with hashed passphrases.

A passphrase is kept as its scrypt hash (RFC 7914, OpenSSL's, in Python's standard library): 32 MiB and some
150 ms each, so `net` computes it on a thread of its own, one at a time. Source: OWASP's cheat sheet on
storing passwords, its third choice of cost for scrypt.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import unicodedata
from dataclasses import dataclass

__all__ = [
    "NAME_CHARS_MAX",
    "NAME_CHARS_MIN",
    "PASSPHRASE_CHARS_MAX",
    "PASSPHRASE_CHARS_MIN",
    "SALT_BYTES",
    "Account",
    "check_name",
    "check_passphrase",
    "fold",
    "hash_passphrase",
    "matches",
]

NAME_CHARS_MIN, NAME_CHARS_MAX = 2, 20
PASSPHRASE_CHARS_MIN, PASSPHRASE_CHARS_MAX = 8, 200
SALT_BYTES = 16
_COST, _BLOCK, _PARALLEL = 1 << 15, 8, 3
_MEMORY_BYTES = 64 << 20
_HASH_BYTES = 32
_RESERVED = frozenset(
    (
        *("admin", "all", "anybody", "anyone", "chat", "commands", "connect", "create", "everybody"),
        *("everyone", "exit", "exits", "gate", "god", "guest", "help", "inventory", "login", "logout"),
        *("new", "no", "play", "register", "save", "say", "score", "start", "tell", "who", "yes"),
        *("here", "it", "look", "me", "moderator", "nobody", "none", "nothing", "operator", "queue"),
        *("quit", "root", "self", "server", "somebody", "someone", "staff", "stop", "system", "watch", "you"),
    )
)


@dataclass(frozen=True, slots=True)
class Account:
    """A name that is kept.

    hashed: its passphrase's; body: its creature's id, None before it has one.

    origin: a keyed hash of the address from which its owner came in last, "" = not known.
    """

    name: str
    hashed: str
    body: int | None = None
    origin: str = ""


def fold(name: str) -> str:
    """Return what is equal for names that look or sound the same to a computer."""
    return unicodedata.normalize("NFKC", name).casefold()


def check_name(text: str) -> tuple[str, str | None]:
    """Return (name, None), or ("", why not) for what cannot be a name.

    Letters, and - or ' between them.
    """
    name = unicodedata.normalize("NFC", text.strip())
    letters = name.replace("-", "").replace("'", "")
    if not NAME_CHARS_MIN <= len(name) <= NAME_CHARS_MAX:
        return "", f"A name has {NAME_CHARS_MIN} to {NAME_CHARS_MAX} letters."
    if not all(unicodedata.category(c)[0] == "L" for c in letters) or not letters:
        return "", "A name has letters only (and - or ' between them)."
    if not (name[0].isalpha() and name[-1].isalpha()):
        return "", "A name begins and ends with a letter."
    if len({_script(c) for c in letters}) > 1:
        return "", "A name has the letters of one script."
    if fold(name) in _RESERVED:
        return "", f"Nobody can be called {name}. Any other name will do, or guest."
    return name[0].upper() + name[1:], None


def check_passphrase(text: str, name: str) -> str | None:
    """Return why a passphrase will not do, or None."""
    if not PASSPHRASE_CHARS_MIN <= len(text) <= PASSPHRASE_CHARS_MAX:
        return f"A passphrase has {PASSPHRASE_CHARS_MIN} to {PASSPHRASE_CHARS_MAX} characters."
    if fold(name) in fold(text) and len(text) < len(name) + PASSPHRASE_CHARS_MIN:
        return "A passphrase is more than your name."
    return "A passphrase has more than one character over and over." if len(set(text)) < 3 else None


def hash_passphrase(passphrase: str, salt: bytes) -> str:
    """Return a hash to keep. salt: SALT_BYTES random bytes. It takes about 150 ms."""
    key = _scrypt(passphrase, salt, _COST, _BLOCK, _PARALLEL)
    parts = (base64.b64encode(part).decode("ascii") for part in (salt, key))
    return "$".join(("scrypt", str(_COST), str(_BLOCK), str(_PARALLEL), *parts))


def matches(passphrase: str, hashed: str) -> bool:
    """Return whether a passphrase is the one of a hash.

    False for a hash that cannot be read.
    """
    try:
        kind, cost, block, parallel, salt, key = hashed.split("$")
        wanted = base64.b64decode(key, validate=True)
        if kind != "scrypt":
            return False
        found = _scrypt(
            passphrase, base64.b64decode(salt, validate=True), int(cost), int(block), int(parallel)
        )
    except (ValueError, binascii.Error):
        return False
    return hmac.compare_digest(found, wanted)


def _scrypt(passphrase: str, salt: bytes, cost: int, block: int, parallel: int) -> bytes:
    secret = unicodedata.normalize("NFKC", passphrase).encode("utf-8", "surrogatepass")
    return hashlib.scrypt(
        secret, salt=salt, n=cost, r=block, p=parallel, maxmem=_MEMORY_BYTES, dklen=_HASH_BYTES
    )


def _script(letter: str) -> str:
    """Return the first word of a letter's name: LATIN, GREEK, CYRILLIC …"""
    return unicodedata.name(letter, "?").split(" ")[0].split("-")[0]
