"""The secrets of each role, with a limit on wrong guesses. Also the one-time codes and tokens of operators.

An operator's page starts with a one-time code. The server prints the code in the page's address after the #,
because browsers do not send this part to any server. The page exchanges the code for a token, and keeps the
token for reloads. Codes and tokens are random. They become invalid at the latest when this server ends, and
are compared in constant time. Codes, tokens and generated secrets have at least 128 bits, so nobody can guess
them, and guesses need no limit. A secret that people can read aloud, such as the join word of a class, is
shorter. For such secrets, the server limits the wrong guesses of each address.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Callable, Iterable

from turnwright.host.accounts import Attempts
from turnwright.host.protocol import Role

CODE_LIFETIME_NS = 600_000_000_000
"""The time for which a one-time code is valid, in ns."""
CODES_MAX = 8
"""The largest number of unused codes. A further code makes the oldest one invalid."""
TOKENS_MAX = 32
"""The largest number of valid tokens. A further token makes the least recently used one invalid."""
LONG_SECRET_CHARS = 22
"""A secret of at least this many characters (128 bits in Base64) has no limit on wrong guesses."""
WRONG_SECRETS_MAX = 10
"""The number of wrong secrets that one address may send within WRONG_SECRETS_NS. After more, the server
refuses short secrets of this address until the time is over.
"""
WRONG_SECRETS_NS = 60_000_000_000
_BYTES = 18


class Credentials:
    """The secrets of each role, and the codes and tokens of operators.

    If the set of a role is empty, the role needs no secret.

    Args:
        open_to_spectators: whether spectators need no secret. Otherwise they need the operators' secret, as
            on the official server.
    """

    def __init__(
        self, bots: frozenset[str], operators: frozenset[str], *, open_to_spectators: bool = False
    ) -> None:
        self._secrets: dict[Role, frozenset[str]] = {
            "bot": bots,
            "spectator": frozenset() if open_to_spectators else operators,
            "operator": operators,
        }
        self._codes: dict[str, int] = {}
        """Each code with the time at which it was issued."""
        self._tokens: list[str] = []
        """The tokens, the most recently used one last."""
        self._wrong = Attempts(WRONG_SECRETS_MAX, WRONG_SECRETS_NS)

    def fit(self, role: Role, secret: str | None, caller: str = "", now_ns: int = 0) -> bool:
        """Return whether a secret, or a token, is valid for this role.

        A wrong secret counts as a guess of `caller`. After too many guesses, short secrets of this address
        are refused for some time, even if they are right.

        Args:
            caller: the sender's address.
        """
        given, wanted = _bytes(secret or ""), self._secrets[role]
        token = None if role == "bot" else _find(given, self._tokens)
        if token is not None:
            self._tokens.remove(token)
            self._tokens.append(token)
            return True
        found = _find(given, sorted(wanted))
        if not wanted or (found is not None and len(found) >= LONG_SECRET_CHARS):
            return True
        if self.wait_s(caller, now_ns):
            return False
        if given and found is None:
            self._wrong.made(caller, now_ns)
        return found is not None

    def wait_s(self, caller: str, now_ns: int) -> int:
        """Return the number of seconds until short secrets of the address `caller` are accepted again. 0:
        they are accepted now.
        """
        return self._wrong.wait_s(caller, now_ns)

    def would_fit(self, role: Role, secret: str | None) -> bool:
        """Return whether a secret, or a token, is valid for this role.

        The method ignores the limit on guesses. It changes nothing, so any thread may call it.
        """
        given, wanted = _bytes(secret or ""), self._secrets[role]
        return (
            not wanted
            or _find(given, sorted(wanted)) is not None
            or _find(given, list(self._tokens)) is not None
        )

    def issue_code(self, random_bytes: Callable[[int], bytes], now_ns: int) -> str:
        """Return a new one-time code. It consists of 24 letters, digits, - and _."""
        code = _text(random_bytes)
        self._codes[code] = now_ns
        while len(self._codes) > CODES_MAX:
            del self._codes[next(iter(self._codes))]
        return code

    def redeem(self, code: str, random_bytes: Callable[[int], bytes], now_ns: int) -> str | None:
        """Make a code invalid and return a token for it. Return None if the code is wrong, used or too
        old.
        """
        found = _find(_bytes(code), list(self._codes))
        if found is None or now_ns - self._codes.pop(found) >= CODE_LIFETIME_NS:
            return None
        self._tokens = [*self._tokens, _text(random_bytes)][-TOKENS_MAX:]
        return self._tokens[-1]


def _find(given: bytes, known: Iterable[str]) -> str | None:
    """Return the known text that equals `given`, or None. Each is compared in constant time."""
    found = None
    for text in known:
        if hmac.compare_digest(given, text.encode()):
            found = text
    return found


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(random_bytes: Callable[[int], bytes]) -> str:
    return base64.urlsafe_b64encode(random_bytes(_BYTES)).decode()
