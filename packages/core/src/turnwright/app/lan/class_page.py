"""The page /get of a class, which leads from a new laptop to a bot in three steps.

    /get                the page; ?word=WORD fills in the join word
    /get/bot?name&word  a bot's program, for people who know the join word
    /get/NAME.whl       the bot library

The page uses the viewer's style sheets. Its only script chooses between the dark and the light style. In its
examples, the page uses the server name from the browser's address, because a machine may have several names.
"""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Callable, Mapping
from html import escape
from urllib.parse import parse_qs, quote

from turnwright.app.lan.bot_templates import BotTemplates, class_bot
from turnwright.app.lan.bot_wheel import bot_wheel
from turnwright.catalog import FoundGame
from turnwright.net.http.request import HttpResponse

GET_PATH = "/get"
_BOT = f"{GET_PATH}/bot"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,29}")
_TAKEN = frozenset({"Bot", "Player", "Target", "play", "os", "main", "turnwright", "msgspec"})
_AUTHORITY = re.compile(r"[A-Za-z0-9.\-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?")
_CHARS_MAX = 100
_HTML, _PYTHON, _WHEEL = (
    "text/html; charset=utf-8",
    "text/x-python; charset=utf-8",
    "application/octet-stream",
)
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)


class ClassPages:
    """Answers the requests below /get.

    Args:
        fits: returns whether a join word is right. The page's form also calls it with an empty word.
    """

    def __init__(self, game: FoundGame, fits: Callable[[str], bool]) -> None:
        self._templates = BotTemplates.of(game)
        self._fits = fits
        self._wheel = bot_wheel(game.package.bot_library)

    def respond(self, path: str, headers: Mapping[str, str]) -> HttpResponse | None:
        """Return the answer to a request, or None if there is no such page or the Host header is invalid.

        Args:
            path: the path with its query.
            headers: the headers, with names in lower case.
        """
        page, _, query = path.partition("?")
        host = headers.get("host", "")
        if not (page == GET_PATH or page.startswith(f"{GET_PATH}/")) or not _AUTHORITY.fullmatch(host):
            return None
        said = {name: values[0].strip()[:_CHARS_MAX] for name, values in parse_qs(query).items()}
        if page in (GET_PATH, f"{GET_PATH}/"):
            return self._page(200, host, said)
        if page == _BOT:
            return self._bot(host, said)
        if page.endswith(".whl"):
            return self._library(page.rpartition("/")[2])
        return None

    def _library(self, name: str) -> HttpResponse | None:
        if name.replace("%2B", "+").replace("%2b", "+") != self._wheel.name:
            return None
        return HttpResponse(200, self._wheel.content, _WHEEL)

    def _bot(self, host: str, said: Mapping[str, str]) -> HttpResponse:
        name, word = said.get("name", ""), said.get("word", "")
        if (problem := bot_name_problem(name)) is not None:
            return self._page(400, host, said, problem)
        if not self._fits(word):
            wrong = "is not the join word of this class" if word else "The join word is missing"
            what = f"{word!r} {wrong}" if word else wrong
            return self._page(403, host, said, f"{what}: ask your teacher, it is on the teacher's screen.")
        program = class_bot(self._templates, name, f"ws://{host}", word)
        return bot_file(name, program)

    def _page(self, status: int, host: str, said: Mapping[str, str], problem: str = "") -> HttpResponse:
        wheel = f"http://{host}{GET_PATH}/{quote(self._wheel.name)}"
        name, word = said.get("name", ""), said.get("word", "")
        told = f'<ul class="problems"><li role="alert">{escape(problem)}</li></ul>' if problem else ""
        file = f"{name}.py" if bot_name_problem(name) is None else "NAME.py"
        body = _PAGE.format(
            host=escape(host),
            wheel=escape(wheel),
            name=escape(name, quote=True),
            word=escape(word, quote=True),
            told=told,
            file=file,
        )
        return HttpResponse(status, body.encode(), _HTML, policy=_POLICY)


def bot_file(name: str, program: str) -> HttpResponse:
    """Return the program of a bot as a file to download.

    Args:
        name: a name for which `bot_name_problem` returns None.
    """
    headers = {"Content-Disposition": f'attachment; filename="{name}.py"'}
    return HttpResponse(200, program.encode(), _PYTHON, headers)


def bot_name_problem(name: str) -> str | None:
    """Return why the file and the class of a bot cannot have this name, or None if they can."""
    if not _NAME.fullmatch(name):
        return (
            f"{name!r} cannot be a bot's name: use letters a to z, digits and _, a letter first, at most 30."
        )
    if keyword.iskeyword(name) or name in sys.stdlib_module_names or name in _TAKEN:
        return f"{name!r} means something else in Python: choose another name."
    return None


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>Play with your own bot</title>
<link rel="icon" href="/viewer/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/viewer/app.css">
<link rel="stylesheet" href="/viewer/document.css">
<link rel="stylesheet" href="/viewer/lan/site.css">
<script type="module" src="/viewer/lan/get.js"></script>
</head>
<body class="document arena-page">
<header id="head">
<h1 id="title">Play with your own bot</h1>
<p id="about">On a laptop: three steps. You need Python 3.11 or newer, and this network.
On a phone: <a href="/">watch the battles</a>.</p>
</header>
<main>
<div>
<section class="part">
<h2>1. Install the bot library</h2>
<p>Open a terminal (on Windows: PowerShell) and run one line.</p>
<p>Windows:</p>
<pre class="printed command">py -m pip install {wheel}</pre>
<p>macOS and Linux:</p>
<pre class="printed command">python3 -m pip install {wheel}</pre>
<p><span class="hint">If pip reports <b>externally-managed-environment</b>, first run
<code>python3 -m venv bots</code> and then <code>. bots/bin/activate</code>. Then run the line again. In each
new terminal, run the second command first. If there is no pip, ask your teacher.</span></p>
</section>
<section class="part">
<h2>2. Get your bot</h2>
{told}
<form action="/get/bot" method="get">
<p class="field"><label>Name of your bot <input name="name" value="{name}" required maxlength="30"
 pattern="[A-Za-z][A-Za-z0-9_]*" title="letters a to z, digits and _, a letter first" autocomplete="off"
 placeholder="TurboBot"></label></p>
<p class="field"><label>Join word <input name="word" value="{word}" required maxlength="100"
 autocomplete="off" autocapitalize="none" spellcheck="false"
 placeholder="it is on the teacher's screen"></label></p>
<p class="buttons"><button class="main">Download my bot</button></p>
</form>
<p><span class="hint">The file contains the address of this server and the join word.</span></p>
</section>
<section class="part">
<h2>3. Run it</h2>
<p>In the terminal, in the folder with the file (usually <code>cd Downloads</code>).</p>
<p>Windows:</p>
<pre class="printed command">py {file}</pre>
<p>macOS and Linux:</p>
<pre class="printed command">python3 {file}</pre>
<p>It waits until the teacher starts a battle: <a href="/">watch it here</a>. Then change the file, stop
the bot with Ctrl-C, and run it again.</p>
</section>
</div>
<div>
<section class="part">
<h2>If it does not work</h2>
<p><b>no server at …</b>: is the laptop in the network of the class? The server is <code>{host}</code>.</p>
<p><b>the join word is wrong</b>: get your bot again here, with the word on the teacher's screen.</p>
<p><b>a bot named … is here already</b>: stop the other one with Ctrl-C, or take another name.</p>
<p><b>SyntaxError</b>: Python names the line; undo what you changed there.</p>
</section>
</div>
</main>
</body>
</html>
"""
