"""The site of a ladder server: pages, logins, uploads and commands of the teacher.

A request that changes something must be a POST with the header X-Turnwright, which no page of another site
can send, and must come from the page's own origin (admission). Logins are tokens in cookies that scripts
cannot read.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import threading
from collections.abc import Callable, Mapping
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from time import monotonic_ns
from typing import Any
from urllib.parse import parse_qs, unquote

from turnwright.app.lan.starter import StarterPages
from turnwright.errors import SetupError
from turnwright.net.http.bodies import MEMORY_BYTES_MAX, BodyPlan
from turnwright.net.http.pages import fresh
from turnwright.net.http.request import HttpRequest, HttpResponse, text
from turnwright.net.http.room_front import PATH
from turnwright_league.app.ladder.files import OWN
from turnwright_league.app.ladder.folder import LadderFolder
from turnwright_league.app.ladder.people import People, Refusal, token_hash
from turnwright_league.app.ladder.take_home import pack_home
from turnwright_league.app.ladder.uploads import UPLOAD_BYTES_MAX
from turnwright_league.app.ladder.views import LadderViews
from turnwright_league.app.page.server import TournamentPages
from turnwright_league.tournament.battle_spec import BATTLE_ID_DIGITS

HOME = "/ladder"
LADDER_PAGE = {"ladder": "viewer/ladder/index.html"}
COOKIE = "turnwright-ladder"
TEACHER_COOKIE = "turnwright-teacher"
MARK_HEADER = "x-turnwright"
_JSON = "application/json"
_COOKIE_S = 30 * 86_400
_TEACHERS_MAX = 20
_TOKEN_BYTES = 24
_FILE_CHARS_MAX = 200
_BATTLE = re.compile(rf"[0-9a-f]{{{BATTLE_ID_DIGITS}}}")
_OVERVIEW_NS = 500_000_000


class LadderSite:
    """Answers the requests of a ladder server. All threads may call it.

    Args:
        pages: the pages of the ladder.
        tournament_pages: returns the pages of a tournament by its number, or None.
        teacher_secrets: the secrets of the teachers.
    """

    def __init__(
        self,
        ladder_folder: LadderFolder,
        views: LadderViews,
        pages: TournamentPages,
        tournament_pages: Callable[[int], TournamentPages | None],
        teacher_secrets: frozenset[str],
        starter: StarterPages,
    ) -> None:
        self._ladder_folder, self._views, self._pages, self._tournament_pages = (
            ladder_folder,
            views,
            pages,
            tournament_pages,
        )
        self._secrets = sorted(teacher_secrets)
        self._starter = starter
        self._teachers: list[str] = []
        self._packing = threading.Lock()
        self._overview_lock = threading.Lock()
        self._overview_body, self._overview_due_ns = b"", 0
        self._posts: Mapping[str, Callable[[dict[str, Any], str, str], HttpResponse]] = {
            "/api/register": self._register,
            "/api/login": self._login,
            "/api/logout": self._logout,
            "/api/teacher/login": self._teacher_login,
            "/api/teacher": self._teach,
        }

    @property
    def people(self) -> People:
        """The accounts of the ladder server."""
        return self._ladder_folder.people

    # ---- GET ---------------------------------------------------------------------------------------------

    def respond(self, method: str, path: str, headers: Mapping[str, str]) -> HttpResponse:
        """Return the answer to a request without a body. Only GET and HEAD are allowed."""
        if method not in ("GET", "HEAD"):
            return text(405, "only GET and HEAD work here", Allow="GET, HEAD")
        page = path.partition("?")[0]
        found = self._shown(path, page, headers)
        return text(404, f"There is no page {page[:80]!a} here: see {HOME}") if found is None else found

    def _shown(self, path: str, page: str, headers: Mapping[str, str]) -> HttpResponse | None:
        if path == "/":
            return text(302, "the ladder server has its own page", Location=HOME)
        if page == "/projector":
            return text(302, "the standings for a projector", Location="/tournament?big=1")
        if page == "/healthz":
            return text(200, "ok")
        if page == "/api/ladder":
            return fresh(self._overview(), headers)
        if page == "/api/start":
            return _answer(self._starter.overview())
        if page == "/api/me":
            return self._me(headers)
        if page == "/api/teacher":
            return _answer(self._views.teacher()) if self._is_teacher(headers) else _for_the_teacher()
        if page == "/api/home.zip":
            return self._home(headers)
        if page.startswith(PATH):
            return self._live(page, headers)
        if page.startswith("/tournaments/"):
            return self._started(path, headers)
        found = self._starter.respond(path) or self._pages.pages.show(page, headers)
        return (self._deleted(page) if page.startswith("/records/") else None) if found is None else found

    def _deleted(self, page: str) -> HttpResponse | None:
        """Return the answer that the record of a battle was deleted, or None if it was not deleted.

        Args:
            page: the path, which ends with the battle's id.
        """
        battle = _BATTLE.search(page)
        if battle is None or not self._views.is_record_deleted(battle[0]):
            return None
        return text(410, "the record of this battle was deleted to make room. Its result stays")

    def _overview(self) -> bytes:
        """Return the public view. It is made at most twice per second, because many pages ask for it."""
        with self._overview_lock:
            now_ns = monotonic_ns()
            if now_ns >= self._overview_due_ns:
                self._overview_body = _encoded(self._views.overview())
                self._overview_due_ns = now_ns + _OVERVIEW_NS
            return self._overview_body

    def _me(self, headers: Mapping[str, str]) -> HttpResponse:
        folded = self.people.who(_cookie(headers, COOKIE))
        me = {"name": None} if folded is None else self._views.person(folded)
        return fresh(_encoded({**me, "teacher": self._is_teacher(headers)}), headers)

    def _live(self, page: str, headers: Mapping[str, str]) -> HttpResponse | None:
        """Return the viewer of a running battle, or redirect to its replay once it is over.

        If the path has no battle's id, return None.
        """
        battle, slash, rest = page.removeprefix(PATH).partition("/")
        if not _BATTLE.fullmatch(battle):
            return None
        is_played = self._views.is_played(battle)
        if rest == "analysis":
            found = self._pages.pages.show(f"/analysis/{battle}.twr", headers)
            return text(202, "this battle is running. It is analysed when it is over") if is_played else found
        if rest:
            return self._pages.pages.show(f"/{rest}", headers)
        if is_played and slash:
            return self._pages.pages.show("/", headers)
        if is_played:
            return text(308, "the address of this page must end with a slash", Location=f"{page}/")
        if self._ladder_folder.record(battle) is None:
            return self._deleted(page) or text(
                404, f"this battle is not running and has no record; see {HOME}"
            )
        return text(302, "this battle is over: this is its replay", Location=self._views.replay_of(battle))

    def _started(self, path: str, headers: Mapping[str, str]) -> HttpResponse | None:
        number, _, rest = path.removeprefix("/tournaments/").partition("/")
        if not (number.isascii() and number.isdigit()) or len(number) > 6:
            return None
        if not rest:
            return text(302, "the tournament has its own page", Location=f"/tournaments/{number}/tournament")
        pages = self._tournament_pages(int(number))
        if pages is None:
            return text(404, "no battle of this tournament was played yet")
        return pages.pages.show("/" + rest.partition("?")[0], headers)

    def _home(self, headers: Mapping[str, str]) -> HttpResponse | None:
        if not self._is_teacher(headers):
            return _for_the_teacher()
        try:
            stream = self._packed.open("rb")
        except OSError:
            return None
        stream.seek(0, 2)
        size = stream.tell()
        stream.seek(0)
        name = (
            "".join(one for one in self._ladder_folder.title if one.isascii() and one.isalnum()) or "ladder"
        )
        shown = {"Content-Disposition": f'attachment; filename="{name}.zip"'}
        return HttpResponse(200, b"", "application/zip", shown, file=stream, file_bytes=size)

    @property
    def _packed(self) -> Path:
        return self._ladder_folder.places.path / OWN / "home.zip"

    # ---- POST --------------------------------------------------------------------------------------------

    def take_body(self, request: HttpRequest, address: str) -> BodyPlan | HttpResponse:
        """Return the plan for the body of a POST, or the answer that refuses the request."""
        page, _, query = request.path.partition("?")
        if MARK_HEADER not in request.headers:
            return text(
                403,
                "only the ladder server's page, and programs that send the header X-Turnwright, may do this",
            )
        if page == "/api/upload":
            return self._begin_upload(request.headers, query)
        act = self._posts.get(page)
        if act is None:
            known = ", ".join(("/api/upload", *self._posts))
            return text(
                404, f"nothing can be sent to {page[:80]!a}: the ladder server takes POSTs at {known}"
            )
        return BodyPlan(MEMORY_BYTES_MAX, lambda body: self._acted(act, body, request.headers, address))

    def _acted(
        self,
        act: Callable[[dict[str, Any], str, str], HttpResponse],
        body: bytes,
        headers: Mapping[str, str],
        address: str,
    ) -> HttpResponse:
        try:
            given = json.loads(body or b"{}")
        except (ValueError, RecursionError):
            return _error(400, "the request is not JSON")
        if not isinstance(given, dict):
            return _error(400, "the request is not a JSON object")
        token = _cookie(headers, TEACHER_COOKIE if act == self._teach else COOKIE)
        try:
            return act(given, token, address)
        except Refusal as refused:
            return _error(refused.status, refused.text)
        except SetupError as error:
            return _error(507, str(error))

    def _register(self, given: dict[str, Any], _: str, address: str) -> HttpResponse:
        name, word, code = _texts(given, "name", "word", "code")
        person, token = self.people.register(name, word, code, address)
        return _with_cookie(_answer({"name": person.name}, 201), COOKIE, token)

    def _login(self, given: dict[str, Any], _: str, address: str) -> HttpResponse:
        name, word = _texts(given, "name", "word")
        person, token = self.people.login(name, word, address)
        return _with_cookie(_answer({"name": person.name}), COOKIE, token)

    def _logout(self, _: dict[str, Any], token: str, address: str) -> HttpResponse:
        self.people.logout(token)
        return _with_cookie(_answer({"name": None}), COOKIE, "")

    # ---- uploads -----------------------------------------------------------------------------------------

    def _begin_upload(self, headers: Mapping[str, str], query: str) -> BodyPlan | HttpResponse:
        folded = self.people.who(_cookie(headers, COOKIE))
        if folded is None:
            return _error(401, "log in first")
        name = (parse_qs(query).get("name") or [""])[0][:_FILE_CHARS_MAX]
        try:
            self._ladder_folder.check_upload(folded)
        except Refusal as refused:
            return _error(refused.status, refused.text)
        part = self._ladder_folder.places.part()
        return BodyPlan(UPLOAD_BYTES_MAX, lambda _: self._take_upload(folded, name, part), part)

    def _take_upload(self, folded: str, name: str, part: Path) -> HttpResponse:
        try:
            with part.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            one = self._ladder_folder.take_upload(folded, name, part, digest)
        except Refusal as refused:
            return _error(refused.status, refused.text)
        except (OSError, SetupError) as error:
            part.unlink(missing_ok=True)
            return _error(507, f"the upload was not saved: {error}: try again later")
        return _answer({"upload": one.id}, 202)

    # ---- the teacher -------------------------------------------------------------------------------------

    def _is_teacher(self, headers: Mapping[str, str]) -> bool:
        return self._knows_teacher(_cookie(headers, TEACHER_COOKIE))

    def _knows_teacher(self, token: str) -> bool:
        return bool(token) and token_hash(token) in self._teachers

    def _teacher_login(self, given: dict[str, Any], _: str, address: str) -> HttpResponse:
        (secret,) = _texts(given, "secret")
        fits = [hmac.compare_digest(secret.strip().encode(), one.encode()) for one in self._secrets]
        if not any(fits):
            raise Refusal("wrong teacher's secret: it was printed when the ladder server was started", 403)
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._teachers = [*self._teachers, token_hash(token)][-_TEACHERS_MAX:]
        return _with_cookie(_answer({"teacher": True}), TEACHER_COOKIE, token)

    def _teach(self, given: dict[str, Any], token: str, address: str) -> HttpResponse:
        if not self._knows_teacher(token):
            return _for_the_teacher()
        ladder_folder = self._ladder_folder
        match given.get("do"):
            case "freeze":
                ladder_folder.freeze(frozen=True)
            case "unfreeze":
                ladder_folder.freeze(frozen=False)
            case "remove":
                ladder_folder.remove(_number(given, "upload"))
            case "reset":
                (folded,) = _texts(given, "person")
                return _answer({"word": self.people.new_passphrase(folded)})
            case "start":
                (name,) = _texts(given, "name")
                return _answer(
                    {"tournament": ladder_folder.tournaments.start(name, _number(given, "battles")).id}
                )
            case "stop":
                ladder_folder.tournaments.stop()
            case "pack":
                return self._pack()
            case "logout":
                self._teachers = [one for one in self._teachers if one != token_hash(token)]
                return _with_cookie(_answer({"teacher": False}), TEACHER_COOKIE, "")
            case other:
                return _error(400, f"{str(other)[:40]!a} is not possible here")
        return _answer({"done": True})

    def _pack(self) -> HttpResponse:
        if not self._packing.acquire(blocking=False):
            return _error(409, "a zip is already being created: wait a moment")
        try:
            pack_home(self._ladder_folder, self._packed)
        except OSError as error:
            return _error(507, f"the zip cannot be created: {error.strerror}: free some space")
        finally:
            self._packing.release()
        return _answer({"url": "/api/home.zip"})


# ---- requests and answers ----------------------------------------------------------------------------------


def _encoded(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")


def _answer(data: object, status: int = 200) -> HttpResponse:
    return HttpResponse(status, _encoded(data), _JSON)


def _error(status: int, why: str) -> HttpResponse:
    return _answer({"error": why}, status)


def _for_the_teacher() -> HttpResponse:
    return _error(
        403, "this is for the teacher: open the address that was printed when the ladder server was started"
    )


def _texts(given: Mapping[str, Any], *names: str) -> list[str]:
    """Return the first 1,000 characters of texts of a request. A value of another type becomes ""."""
    values = [given.get(name) for name in names]
    return [value[:1_000] if isinstance(value, str) else "" for value in values]


def _number(given: Mapping[str, Any], name: str) -> int:
    value = given.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Refusal(f"{name} is not a whole number")
    return value


def _cookie(headers: Mapping[str, str], name: str) -> str:
    """Return a cookie, or the token of "Authorization: Bearer", or "" if there is none."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and token:
        return unquote(token.strip())
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _with_cookie(response: HttpResponse, name: str, token: str) -> HttpResponse:
    age = _COOKIE_S if token else 0
    value = f"{name}={token}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict"
    return HttpResponse(
        response.status, response.body, response.content_type, {**response.headers, "Set-Cookie": value}
    )
