"""The help of commands: a short page for `-h` and a full page for `--help`."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

import click

from turnwright.app.option_fields import OFFICIAL
from turnwright.cli.commands import HEADINGS, RARE, CommandRow
from turnwright.errors import MEANINGS

SHORT_MAX = 10
"""The largest number of options on a short page."""
EXAMPLES_SHORT = 2
_HANGING = " " * 6
_GROUPS = ("arguments", "options", OFFICIAL, "network", "game", "time", "bots", "records")
"""The groups of options, in order. Other groups come after them."""
_NAMES_COLUMNS = 26
"""The largest width of option names in help, in columns. An option with longer names gets a separate line for
them.
"""
_ABOUT = "a turn engine and game server for games whose players are programs"
_ANYWHERE = (
    ("-h", "show the options that most people need"),
    ("--help", "show all options"),
    ("--color auto|always|never", "colours. auto: on a terminal, unless NO_COLOR is set (default: auto)"),
    ("--verbose", "show tracebacks of internal errors"),
)
"""Options of every command."""
_WHOLE = ("-V, --version", "print the version")


@dataclass(frozen=True)
class CommandText:
    """The texts of a command's help.

    Attributes:
        description: Paragraphs. Indented lines are not joined.
        examples: Command lines, each with its effect.
        json: The output of `--json`. Only the reference page has it.
        elsewhere: For options that the command does not have, what to do instead.
    """

    description: str = ""
    examples: Mapping[str, str] = field(default_factory=dict)
    json: str = ""
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    def __add__(self, other: CommandText) -> CommandText:
        """Return both texts as one. The examples of `other` come first."""
        return CommandText(
            "\n\n".join(filter(None, (self.description, other.description))),
            {**other.examples, **self.examples},
            "\n\n".join(filter(None, (self.json, other.json))),
            {**self.elsewhere, **other.elsewhere},
        )


@dataclass(frozen=True)
class OptionHelp:
    """An option as help and the reference page print it.

    Attributes:
        names: the names of the option. A positional argument has none.
        value: the placeholder of the value, or "" for a switch.
        often: whether most people need the option. In a long list, only such options are on the short page.
        required: whether the command needs the option.
    """

    names: tuple[str, ...]
    value: str
    text: str
    group: str
    often: bool = False
    required: bool = False

    @property
    def label(self) -> str:
        """The option as it is typed: "-n, --rounds N"."""
        if not self.names:
            return self.value
        joined = self.value if self.value.startswith("[=") else f" {self.value}"
        return ", ".join(self.names) + joined.rstrip()


@dataclass(frozen=True)
class HelpPage:
    """The help of a command that is not a group."""

    summary: str
    text: CommandText
    options: list[OptionHelp]

    @property
    def usage(self) -> str:
        """The words that follow the command's name, e.g. "--data DIR [OPTIONS]"."""
        required = [f"{one.names[-1]} {one.value}" for one in self.options if one.names and one.required]
        return " ".join([*required, "[OPTIONS]", *(one.value for one in self.options if not one.names)])

    def write(self, prog: str, formatter: click.HelpFormatter) -> None:
        """Write the full page, for --help."""
        self._write_head(prog, formatter, len(self.text.examples))
        if self.text.description:
            formatter.write(f"\n{filled(self.text.description, formatter.width)}\n")
        if self.text.json:
            said = "The page reference/json of `turnwright docs` describes what --json prints."
            formatter.write(f"\n{filled(said, formatter.width)}\n")
        groups: dict[str, list[tuple[str, str]]] = {}
        for one in self._ordered:
            groups.setdefault(one.group, []).append((one.label, one.text))
        groups["of every command"] = list(_ANYWHERE)
        for title in (*_GROUPS, *groups):
            _write_section(formatter, title, groups.pop(title, []))

    def write_short(self, prog: str, formatter: click.HelpFormatter) -> None:
        """Write the short page, for -h: two examples and the options that most people need."""
        self._write_head(prog, formatter, EXAMPLES_SHORT)
        named = [one for one in self._ordered if one.names]
        often = [one for one in named if one.often] if len(named) > SHORT_MAX else named
        for title, shown in (
            ("arguments", [one for one in self.options if not one.names]),
            ("options", often),
        ):
            _write_section(formatter, title, [(one.label, one.text) for one in shown[:SHORT_MAX]])
        formatter.write(f"\nAll options: {prog} --help\n")

    @property
    def _ordered(self) -> list[OptionHelp]:
        """The options, required options first. In a long list, options that most people need come next."""
        is_long = len(self.options) > SHORT_MAX
        return sorted(self.options, key=lambda one: (not one.required, is_long and not one.often))

    def _write_head(self, prog: str, formatter: click.HelpFormatter, examples: int) -> None:
        formatter.write(f"{filled(sentence(self.summary), formatter.width)}\n\n")
        formatter.write_usage(prog, self.usage, prefix="usage: ")
        rows = [(f"{prog} {words}".rstrip(), what) for words, what in self.text.examples.items()][:examples]
        if rows:
            formatter.write("\nexamples:\n")
            for words, what in rows:
                formatter.write(
                    f"  {words}\n{textwrap.indent(filled(what, formatter.width - 6), _HANGING)}\n"
                )


@dataclass(frozen=True)
class ListPage:
    """The help of a group of commands.

    Attributes:
        summary: The summary of the group. None means that this is the program's own page.
        rows: The commands of the group. The key is the last word of a command's name.
    """

    summary: str | None
    rows: Mapping[str, CommandRow]

    def write(self, prog: str, formatter: click.HelpFormatter) -> None:
        """Write all commands. The program's own page has a heading for each kind of command."""
        self._write_head(prog, formatter)
        kinds = [row.heading for row in self.rows.values() if row.heading != RARE]
        for heading in dict.fromkeys([*HEADINGS, *kinds]) if self.summary is None else ():
            self._write_rows(formatter, heading, {heading})
        if self.summary is not None:
            self._write_rows(formatter, "commands", set(kinds))
        self._write_rows(formatter, RARE, {RARE})
        version = [_WHOLE] if self.summary is None else []
        _write_section(formatter, "options", [*version, *_ANYWHERE])
        if self.summary is None:
            _write_section(
                formatter, "exit codes", [(str(code), meaning) for code, meaning in MEANINGS.items()]
            )

    def write_short(self, prog: str, formatter: click.HelpFormatter) -> None:
        """Write the commands that most people need, in the order of use."""
        self._write_head(prog, formatter)
        placed = {name: row for name, row in self.rows.items() if row.place is not None}
        shown = placed or {name: row for name, row in self.rows.items() if row.heading != RARE}
        _write_section(formatter, "commands", [(name, row.summary) for name, row in shown.items()])
        formatter.write(f"\nOptions of a command: {prog} COMMAND -h. All commands: {prog} --help\n")

    def _write_head(self, prog: str, formatter: click.HelpFormatter) -> None:
        formatter.write(f"{filled(sentence(self.summary or _ABOUT), formatter.width)}\n\n")
        formatter.write_usage(prog, "COMMAND ...", prefix="usage: ")

    def _write_rows(self, formatter: click.HelpFormatter, title: str, headings: Set[str]) -> None:
        rows = [(name, row.summary) for name, row in self.rows.items() if row.heading in headings]
        _write_section(formatter, title, rows)


def _write_section(formatter: click.HelpFormatter, title: str, rows: Sequence[tuple[str, str]]) -> None:
    if rows:
        with formatter.section(title):
            formatter.write_dl(rows, col_max=min(_NAMES_COLUMNS, formatter.width * 3 // 8))


def sentence(text: str) -> str:
    """Return a summary with a capital letter at its start and a full stop at its end."""
    return f"{text[:1].upper()}{text[1:]}."


def filled(text: str, width: int) -> str:
    """Return the paragraphs of `text` with lines of at most `width` columns. Indented lines stay separate."""
    return "\n\n".join(_paragraph(one, width) for one in text.split("\n\n"))


def _paragraph(text: str, width: int) -> str:
    lines = text.splitlines()
    if not any(line.startswith("  ") for line in lines):
        return textwrap.fill(text, width)
    return "\n".join(textwrap.fill(line, width, subsequent_indent=_HANGING) for line in lines)
