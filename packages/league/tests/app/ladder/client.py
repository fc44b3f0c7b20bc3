"""A client of a ladder server's page: real requests, with one connection each."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from turnwright.host.accounts import fold
from turnwright_league.app.ladder.files import LadderPlaces
from turnwright_league.app.ladder.people import token_hash
from turnwright_league.app.ladder.site import COOKIE
from turnwright_league.app.ladder.store import LadderStore, Person

PATIENCE_S = 400.0
"""A limit against a hang."""
WORD = "three green apples"


def enroll(folder: Path, *names: str) -> None:
    """Give people accounts before the server of this folder starts. It needs no time to hash passphrases."""
    store = LadderStore(LadderPlaces(folder).database)
    for name in names:
        store.put_person(Person(name, fold(name), "no passphrase matches this"))
        store.put_login(token_hash(name), fold(name), 0)
    store.close()


class LadderClient:
    """Sends the requests of a page, with the cookies that the server has set.

    Args:
        name: a person whom `enroll` gave an account. The client is logged in as this person.
    """

    def __init__(self, page: str, name: str = "") -> None:
        parts = urlsplit(page)
        self.host, self.secret = parts.netloc, parts.fragment.partition("=")[2]
        self.cookies = {COOKIE: name} if name else {}

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, bytes, dict[str, str]]:
        """Return status, body and headers of an answer."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE_S)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            data = answer.read()
        finally:
            connection.close()
        found = {name.lower(): value for name, value in answer.getheaders()}
        if "set-cookie" in found:
            name, _, value = found["set-cookie"].partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, data, found

    def upgraded(self, path: str, **headers: str) -> bool:
        """Return whether a request becomes a WebSocket, which is then closed."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE_S)
        try:
            connection.request("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})
            return connection.getresponse().status == 101
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        """Return the JSON at a path."""
        status, data, _ = self.ask("GET", path)
        assert status == 200, data
        return json.loads(data)

    def post(self, path: str, **data: Any) -> tuple[int, Any]:
        """Send a request and return status and JSON."""
        status, said, _ = self.ask("POST", path, json.dumps(data).encode(), X_Turnwright="1")
        return status, json.loads(said)

    def register(self, name: str, word: str = WORD, code: str = "") -> None:
        """Make an account."""
        status, said = self.post("/api/register", name=name, word=word, code=code)
        assert status == 201, said

    def upload(self, data: bytes, name: str) -> tuple[int, Any]:
        """Send a bot."""
        path = f"/api/upload?name={quote(name)}"
        status, said, _ = self.ask("POST", path, data, X_Turnwright="1")
        return status, json.loads(said)

    def be_teacher(self) -> None:
        """Log in as the teacher, with the secret of the address."""
        status, said = self.post("/api/teacher/login", secret=self.secret)
        assert status == 200, said

    def me(self) -> Any:
        """Return the data of this person's page."""
        return self.get("/api/me")

    def until(self, what: str, found: Callable[[], Any], pause_s: float = 0.05) -> Any:
        """Ask until `found` returns something, and return that."""
        limit = time.monotonic() + PATIENCE_S
        while time.monotonic() < limit:
            if (value := found()) is not None and value is not False:
                return value
            time.sleep(pause_s)
        raise AssertionError(f"waited in vain until {what}: {self.me()}")

    def state_of(self, upload: int) -> str:
        """Return the state of an upload."""
        return str(next(one["state"] for one in self.me()["uploads"] if one["id"] == upload))

    def until_settled(self, upload: int, pause_s: float = 0.05) -> Any:
        """Wait until an upload was checked and has played, and return it."""
        self.until("it is settled", lambda: self.state_of(upload) not in ("received", "checked"), pause_s)
        return next(one for one in self.me()["uploads"] if one["id"] == upload)
