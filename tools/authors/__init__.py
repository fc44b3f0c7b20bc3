"""The reference for authors of games and of programs around the engine, rendered from docstrings.

After a change, run `PYTHONPATH=tools python -m authors`. A test fails if the page is outdated.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs/reference/authors.md"
INTRO = Path(__file__).with_name("intro.md")
_SECTION = re.compile(r"^(Args|Attributes|Returns|Raises|Yields):$")
_ENTRY = re.compile(r"^([\w*]+(?:, \w+)*): (.*)$")


@dataclass(frozen=True)
class Part:
    """A class or function on the page.

    Attributes:
        place: the class or function.
        groups: headings, each with names of methods. If empty, the page has all public methods.
        methods: whether the page has the methods of a class.
    """

    place: Any
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()
    methods: bool = True


def render() -> str:
    """Return the text of the page (Markdown). This imports the documented modules."""
    from authors.parts import CHAPTERS

    lines: list[str] = []
    for title, parts in CHAPTERS:
        lines.append(f"\n## {title}")
        for part in parts:
            lines += _part(part)
    return INTRO.read_text(encoding="utf-8") + re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def _part(part: Part) -> list[str]:
    place = part.place
    name = f"{place.__module__}.{place.__qualname__}"
    if not inspect.isclass(place):
        return [
            f"\n### {place.__name__}",
            f"\n`{name}{_signature(place)}`",
            "",
            *_text(inspect.getdoc(place)),
        ]
    lines = [f"\n### {place.__name__}", f"\n`{name}`", "", *_text(inspect.getdoc(place))]
    lines += _fields(place)
    named = [name for _, names in part.groups for name in names]
    public = [name for name, it in vars(place).items() if inspect.isfunction(it) and not name.startswith("_")]
    assert set(named) <= set(public), (place, named)
    groups = part.groups or (("", tuple(public)),)
    for heading, names in groups if part.methods else ():
        if heading:
            lines.append(f"\n#### {heading}")
        for method in names:
            it = inspect.unwrap(getattr(place, method))
            lines += [f"\n`{method}{_signature(it)}`", "", *_text(inspect.getdoc(it))]
    return lines


def _signature(it: Any) -> str:
    """Return the signature of a function as the source writes it, but without `self` or `cls`."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(it)))
    function = next(one for one in tree.body if isinstance(one, ast.FunctionDef))
    arguments = function.args
    if arguments.args and arguments.args[0].arg in ("self", "cls"):
        arguments.args.pop(0)
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"({ast.unparse(arguments)}){returns}"


def _fields(place: type) -> list[str]:
    """Return a table of the public attributes that a class declares, each with the text below it. If there
    are none, the list is empty.
    """
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(place))).body
    assert isinstance(tree, ast.ClassDef)
    rows = []
    for statement, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        if statement.target.id.startswith("_"):
            continue
        said = _said(after)
        kind = ast.unparse(statement.annotation)
        default = "" if statement.value is None else ast.unparse(statement.value)
        default = re.sub(r"field\(default_factory=(\w+)\)", r"\1()", default)
        rows.append(
            f"| `{statement.target.id}` | `{kind}`".replace("|", "\\|").replace("\\|", "|", 2).rstrip()
            + f" | {f'`{default}`' if default else ''} | {' '.join(said.split())} |"
        )
    head = ["\n| Attribute | Type | Default | Meaning |", "|---|---|---|---|"]
    return [*head, *rows] if rows else []


def _said(node: ast.stmt | None) -> str:
    """Return the text of a statement that is only a string, or "" for another statement and for None."""
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
    return ""


def _text(text: str | None) -> list[str]:
    """Return a docstring in Google's form as Markdown."""
    lines: list[str] = []
    section, wide = "", False
    for line in (text or "").splitlines():
        if head := _SECTION.match(line):
            section = head[1]
            lines += ["", f"*{section}*", ""]
        elif section and line.startswith("    "):
            entry = _ENTRY.match(line.strip()) if not line.startswith("     ") else None
            if entry and section != "Returns":
                lines.append(f"* `{entry[1]}`: {entry[2]}")
            elif lines[-1]:
                lines[-1] += f" {line.strip()}"
            else:
                lines.append(f"{line.strip()}")
        else:
            if line and section:
                section = ""
            code = line.startswith("    ")
            if code != wide:
                lines.append("```python" if code else "```")
                wide = code
            lines.append(line.removeprefix("    ") if code else line)
    return [*lines, "```"] if wide else lines
