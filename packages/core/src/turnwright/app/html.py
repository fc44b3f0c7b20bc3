"""Makes one HTML file that contains a page of the viewer with a battle or a tournament.

The page contains one script and one style sheet. The page's security policy allows only these two, by their
hashes, and no use of the network.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from turnwright.errors import SetupError
from turnwright.net.files.new_file import write_file
from turnwright.net.http.viewer_files import StaticFile, bundle

RECORD_ID = "embedded-record"
"""The id of the element that contains the record in Base64. The element's `data-name` is the name of the
record's file.
"""

ANALYSIS_ID = "embedded-analysis"
"""The id of the element that contains the output of `turnwright trace` for the record, in JSON."""

_INDEX = "viewer/index.html"
_STYLE = re.compile(r'[ \t]*<link rel="stylesheet" href="([^"]+)">\n?')
_FIRST = re.compile(r'[ \t]*<script src="([^"]+)"></script>\n?')
_SCRIPT = re.compile(r'[ \t]*<script type="module" src="([^"]+)"></script>\n?')
_ICON = re.compile(r'(<link rel="icon" href=")([^"]+)"')
_LOADS = re.compile(r'(?:src|href)="(?!#|data:)[^"]*"')
_LEAVES_STYLE = re.compile(r"</style|@import|url\((?!['\"]?(?:data:|#))", re.IGNORECASE)
_LEAVES_SCRIPT = re.compile(r"</script|<!--", re.IGNORECASE)


def one_page(
    files: Mapping[str, StaticFile], name: str, record: bytes, analysis: bytes | None = None
) -> bytes:
    """Return an HTML page that plays a record without a server.

    Without an analysis, the page displays a note that there is none.

    Args:
        files: the files of the viewer.
        name, record: the name and the content of the record's file.
        analysis: the analysis of the record as JSON, or None.

    Raises:
        ValueError: the viewer's files cannot be combined into one.
    """
    data = base64.b64encode(record).decode()
    told = "" if analysis is None else embedded_json(ANALYSIS_ID, analysis)
    embedded = (
        f'<script type="application/octet-stream" id="{RECORD_ID}" data-name="{html.escape(name)}">{data}'
        f"</script>\n{told}"
    )
    return page_in_one(files, _INDEX, embedded)


def page_in_one(files: Mapping[str, StaticFile], index: str, embedded: str) -> bytes:
    """Return a page that contains its styles, script and data.

    Args:
        files: the files of the viewer.
        index: the page among these files.
        embedded: the HTML elements with the page's data. The function puts them before the script.

    Raises:
        ValueError: the files cannot be combined into one.
    """
    texts = {path: file.content.decode() for path, file in files.items() if path.endswith((".js", ".css"))}
    page = files[index].content.decode()
    style = _checked("the styles", "\n".join(texts[path] for path in _STYLE.findall(page)), _LEAVES_STYLE)
    entry = "".join(_SCRIPT.findall(page))
    script = _checked("the script", bundle(texts, entry), _LEAVES_SCRIPT)
    first = {path: _checked("a script", texts[path], _LEAVES_SCRIPT) for path in _FIRST.findall(page)}
    before = "".join(f"{_unplaced(path)}{text}</script>\n" for path, text in first.items())
    tail = f'{embedded}{before}<script type="module">{script}</script>\n'
    page = _ICON.sub(lambda found: f'{found[1]}{_as_data(files[found[2]])}"', page)
    page = _FIRST.sub("", _SCRIPT.sub("", _STYLE.sub("", page)))
    loads = _LOADS.search(page)
    if loads is not None:
        raise ValueError(f"the page would load {loads[0]}")
    page = _insert(
        page,
        '<meta charset="utf-8">',
        after=f"\n{_policy([*first.values(), script], style)}\n<style>{style}</style>",
    )
    page = _insert(page, "</body>", before=tail)
    for path in first:
        page = _placed(page, path)
    return page.encode()


def _unplaced(path: str) -> str:
    return f'<script data-file="{path}" data-line="">'


def _placed(page: str, path: str) -> str:
    """Return the page with the number of the script's first line in the script's tag. With this number, the
    page's error messages can count lines from the start of the script.
    """
    tag = _unplaced(path)
    line = page.count("\n", 0, page.index(tag)) + 1
    return page.replace(tag, f'<script data-file="{path}" data-line="{line}">', 1)


def embedded_json(name: str, told: bytes) -> str:
    """Return a script element that contains the JSON text `told`. Special characters are escaped, so no text
    can end the element.
    """
    text = told.decode().replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>\n'


def write_page(path: Path, page: bytes, *, force: bool) -> None:
    """Write `page` to the file `path`.

    Raises:
        SetupError: the file already exists and `force` is False, or the file cannot be written.
    """
    if path.exists() and not force:
        raise SetupError(f"--html {path}: the file already exists: give another name, or add --force")
    try:
        write_file(path, page)
    except OSError as error:
        raise SetupError(f"--html {path} cannot be written: {error.strerror}") from None


def _policy(scripts: Sequence[str], style: str) -> str:
    content = (
        f"default-src 'none'; script-src {' '.join(map(_hashed, scripts))}; style-src {_hashed(style)}; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    return f'<meta http-equiv="Content-Security-Policy" content="{content}">'


def _hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


def _as_data(file: StaticFile) -> str:
    return f"data:{file.content_type};base64,{base64.b64encode(file.content).decode()}"


def _checked(what: str, text: str, leaves: re.Pattern[str]) -> str:
    """Return `text` unchanged. Raise ValueError if it could end the HTML element that contains it."""
    found = leaves.search(text)
    if found is not None:
        raise ValueError(f"{what} of the viewer cannot be put into a page: they contain {found[0]!r}")
    return text


def _insert(page: str, where: str, *, before: str = "", after: str = "") -> str:
    if page.count(where) != 1:
        raise ValueError(f"the viewer's index has not exactly one {where}")
    return page.replace(where, f"{before}{where}{after}")
