"""The project speaks only of itself: no paths of a workplace, no hosts, no names of tools that wrote it."""

from __future__ import annotations

import re

from house.source import ROOT, committed_files

_FORBIDDEN = (
    # Written in two parts, so that this file does not find itself.
    r"/wo" r"rk/(main|shared|\.)",
    r"/tmp/pl" r"an",
    r"\bsub" r"-?agents?\b",
    r"\bCla" r"ude\b",
    r"\bAnth" r"ropic\b",
    r"\bOpen" r"AI\b",
    r"\bChat" r"GPT\b",
    r"\bCo-Authored" r"-By\b",
    r"\blanguage mo" r"del\b",
    r"\bpyp" r"i\.org\b",
    r"\bpythonho" r"sted\.org\b",
    r"\brepo1?\.mav" r"en\b",
    r"\bregistry\.np" r"mjs\b",
    r"\bcrat" r"es\.io\b",
    r"\bindex" r"-url\b",
    r"\bnug" r"et\.org\b",
    r"\bproxy\.gol" r"ang\.org\b",
    r"\bdeb\.deb" r"ian\.org\b",
)
_TEXT_SUFFIXES_NOT = (".gz", ".png", ".jar", ".whl", ".twr", ".bin")
_FILE_BYTES_MAX = 1_000_000


def test_committed_files_speak_only_of_the_project() -> None:
    pattern = re.compile("|".join(_FORBIDDEN), re.IGNORECASE)
    wrong = []
    for name in committed_files():
        if name.endswith(_TEXT_SUFFIXES_NOT):
            continue
        text = (ROOT / name).read_text(encoding="utf-8", errors="replace")
        wrong += [
            f"{name}:{number}: {found.group()}"
            for number, line in enumerate(text.splitlines(), 1)
            if (found := pattern.search(line))
        ]
    assert not wrong, "\n".join(wrong)


def test_no_committed_file_is_large() -> None:
    wrong = [
        f"{name}: {size:,} bytes"
        for name in committed_files()
        if (size := (ROOT / name).stat().st_size) > _FILE_BYTES_MAX
    ]
    assert not wrong, "\n".join(wrong)


def test_no_committed_file_is_made_by_a_run() -> None:
    made = re.compile(r"(^|/)(__pycache__|\.venv|\.hypothesis|node_modules|build|dist)/|\.(pyc|twr|nbi|nbc)$")
    kept = re.compile(r"^tests/")  # records and inputs of fixed defects
    wrong = [name for name in committed_files() if made.search(name) and not kept.search(name)]
    assert not wrong, "\n".join(wrong)
