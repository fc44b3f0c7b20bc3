"""The command line from dataclasses: click parses it, and the help is ours.

A command's module has `COMMAND`: a CommandSpec with the dataclasses whose fields are its options (see
`app.options`) and the function that gets what was given. Only the module of the command that is named is
imported.
"""

from __future__ import annotations

import platform
import shutil
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

import click
from click.core import ParameterSource

from turnwright._version import __version__
from turnwright.app.option_fields import OFFICIAL, DeclaredOption, types_of
from turnwright.catalog import with_parts
from turnwright.cli.commands import HEADINGS, CommandRow, commands, renamed
from turnwright.errors import MEANINGS, SetupError

T = TypeVar("T")

_HANGING = " " * 6
_GROUPS = ("arguments", "options", OFFICIAL, "network", "game", "time", "bots", "records")
"""Groups of options, in order; others follow them."""
_NAMES_COLUMNS = 26
"""Columns of the names of options in help, at most; longer ones have a line of their own."""


@dataclass(frozen=True)
class GivenOptions:
    """The values on a command line, by name of their fields.

    Others have the default of their field.
    """

    values: Mapping[str, Any]

    def make(self, cls: type[T], **more: Any) -> T:
        """Return an instance of one of the command's dataclasses.

        more: fields that are no options.

        Raises: SetupError, by the dataclass.
        """
        found: dict[str, Any] = {}
        for one in fields(cls):  # type: ignore[arg-type]  # mypy knows no bound for dataclasses
            declared: DeclaredOption | None = one.metadata.get("option")
            if declared is None or one.name not in self.values:
                continue
            value = self.values[one.name]
            if declared.fills:
                found |= dict(zip(declared.fills, value, strict=True))
            else:
                found[one.name] = _collection(cls, one.name)(value) if declared.many else value
        return cls(**(found | more))


def _collection(cls: type, name: str) -> Callable[[Any], Any]:
    return frozenset if get_origin(types_of(cls)[name][0]) is frozenset else tuple


@dataclass(frozen=True)
class CommandSpec:
    """A command. run: does it and returns the exit code.

    description: its paragraphs, after the summary of the table; lines that are indented stay lines. takes:
    the dataclasses whose fields are its options, or a function of the words that returns them. elsewhere: for
    options that others have and it has not, what to do instead.
    """

    run: Callable[[GivenOptions], int]
    description: str
    takes: tuple[type, ...] | Callable[[Sequence[str]], tuple[type, ...]] = ()
    elsewhere: Mapping[str, str] | None = None

    def classes(self, words: Sequence[str]) -> tuple[type, ...]:
        """Return the dataclasses for a command line of these words."""
        return self.takes(words) if callable(self.takes) else self.takes


@dataclass(frozen=True)
class ParsedCommand:
    """A command with its given options.

    prog: as it is called, e.g. "turnwright world demo".
    """

    run: Callable[[GivenOptions], int]
    given: GivenOptions
    prog: str


@dataclass(frozen=True)
class OptionHelp:
    """An option as help and the reference page print it."""

    names: tuple[str, ...]
    value: str
    text: str
    group: str


def parse(words: Sequence[str]) -> ParsedCommand | int:
    """Return the command that the words name, or an exit code.

    The exit code of a help text or version that was printed.

    Raises: SetupError, in one line, for what cannot be understood.
    """
    columns = shutil.get_terminal_size().columns
    try:
        found: ParsedCommand | int = _CommandGroup("", words).main(
            args=list(words), prog_name="turnwright", standalone_mode=False, terminal_width=columns
        )
    except click.UsageError as error:
        raise SetupError(_refusal(error)) from None
    return found or 0


def all_commands() -> Iterator[tuple[str, str, list[OptionHelp]]]:
    """Yield name, description and options of every command, for the reference page.

    It imports them all.
    """
    for name, row in commands().items():
        if row.module:
            one = _LeafCommand(name, row, ())
            yield name, one.description, one.options
        else:
            yield name, f"{_sentence(row.summary)}\n", []


class _Value(click.ParamType[Any]):
    """The type of a value: `read` makes it from a text."""

    name = "value"

    def __init__(self, read: Callable[[str], Any]) -> None:
        self._read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return self._read(value)
        except ValueError as error:
            raise click.BadParameter(str(error), ctx, param) from None


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{text[:40]!r} is not a whole number") from None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{text[:40]!r} is not a number") from None


def _reader(kind: Any) -> Callable[[str], Any]:
    """Return what reads a value of a type."""
    if get_origin(kind) is Literal:
        choices = get_args(kind)

        def read(text: str) -> Any:
            if text not in choices:
                near = _did_you_mean(text, choices)
                raise ValueError(f"{text[:40]!r} is none of {', '.join(choices)}{near}")
            return text

        return read
    readers: dict[Any, Callable[[str], Any]] = {int: _whole_number, float: _number, Path: Path}
    return readers.get(kind, str)


def _did_you_mean(text: str, known: Sequence[str]) -> str:
    near = get_close_matches(text, known, n=1)
    return f": did you mean {near[0]}?" if near else ""


class _Declared:
    """A field of a dataclass as a parameter of click's, and as help."""

    def __init__(self, cls: type, one: Field[Any]) -> None:
        self.option: DeclaredOption = one.metadata["option"]
        self.kind, optional = types_of(cls)[one.name]
        if self.option.many:
            self.kind = get_args(self.kind)[0]
        self._flag = self.kind is bool
        self._field = one
        self.names = self.option.names or (f"--{one.name.replace('_', '-')}",)
        self._two_ways = self._flag and (optional or one.default is True)
        if self._two_ways:
            self.names = (*self.names, f"--no-{self.names[-1].removeprefix('--')}")

    def parameter(self) -> click.Parameter:
        """Return the parameter for click."""
        option, name = self.option, self._field.name
        value = _Value(option.read or _reader(self.kind))
        if option.positional:
            many = -1 if option.many else 1
            return click.Argument(
                [name], nargs=many, required=option.required, type=value, metavar=option.metavar
            )
        if self._two_ways:
            *yes, no = self.names
            return click.Option([name, *yes[:-1], f"{yes[-1]}/{no}"], default=None)
        if self._flag:
            return click.Option([name, *self.names], is_flag=True)
        return click.Option([name, *self.names], type=value, multiple=option.many, required=option.required)

    def help(self) -> OptionHelp:
        """Return the help text of the option."""
        option = self.option
        default = self._field.default
        text = option.help if default is MISSING else option.help.replace("{default}", str(default))
        if option.positional:
            return OptionHelp((), f"{option.metavar}{' ...' * option.many}", text, "arguments")
        value = "" if self._flag else option.metavar or self._choices()
        return OptionHelp(self.names, f"[={value}]" if option.bare is not None else value, text, option.group)

    def _choices(self) -> str:
        return "|".join(get_args(self.kind)) if get_origin(self.kind) is Literal else "TEXT"


class _LeafCommand(click.Command):
    """A command that, once it is parsed, is returned as a ParsedCommand."""

    def __init__(self, name: str, row: CommandRow, words: Sequence[str]) -> None:
        self.spec: CommandSpec = import_module(row.module).COMMAND
        declared: dict[str, _Declared] = {}
        for cls in self.spec.classes(words):
            for one in fields(cls):
                if "option" in one.metadata:
                    declared.setdefault(one.name, _Declared(cls, one))
        self.options = [one.help() for one in declared.values()]
        self.description = f"{_sentence(row.summary)}\n\n{self.spec.description}".strip()
        self._bare = {name: one.option.bare for one in declared.values() for name in one.names}
        self._elsewhere = {
            expected: f"did you mean {one.names[-1]}, {one.help().text}?"
            for one in declared.values()
            for expected in one.option.expected
        } | dict(self.spec.elsewhere or {})
        self._positional = {name for name, one in declared.items() if one.option.positional}
        parameters = [one.parameter() for one in declared.values()]
        super().__init__(name.rpartition(" ")[2], params=[*parameters, _verbose()])
        self.allow_extra_args = True

    def get_help_option(self, ctx: click.Context) -> click.Option:
        return _help_option()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        bare = {name: text for name, text in self._bare.items() if text is not None}
        words = [f"{word}={bare[word]}" if word in bare else word for word in args]
        try:
            super().parse_args(ctx, words)
        except click.NoSuchOption as error:
            instead = self._elsewhere.get(error.option_name)
            if instead is None:
                raise
            raise SetupError(f"{ctx.command_path} has no {error.option_name}: {instead}") from None
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise
        if ctx.args and not ctx.resilient_parsing:
            raise click.UsageError(f"unexpected argument {ctx.args[0][:40]!r}", ctx)
        return ctx.args

    def invoke(self, ctx: click.Context) -> ParsedCommand:
        given = {
            name: value
            for name, value in ctx.params.items()
            if name in self._positional or ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        }
        return ParsedCommand(self.spec.run, GivenOptions(given), ctx.command_path)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        arguments = [one.value for one in self.options if not one.names]
        formatter.write_usage(ctx.command_path, " ".join(["[OPTIONS]", *arguments]), prefix="usage: ")
        formatter.write(f"\n{_filled(self.description, formatter.width)}\n")
        groups: dict[str, list[tuple[str, str]]] = {}
        for one in self.options:
            groups.setdefault(one.group, []).append((_label(one), one.text))
        groups.setdefault("options", []).append(("--help", "show this help"))
        for title in (*_GROUPS, *groups):
            if rows := groups.pop(title, None):
                with formatter.section(title):
                    formatter.write_dl(rows, col_max=_NAMES_COLUMNS)


def _label(one: OptionHelp) -> str:
    """Return how an option is written: "-n, --rounds N"."""
    if not one.names:
        return one.value
    joined = one.value if one.value.startswith("[=") else f" {one.value}"
    return ", ".join(one.names) + joined.rstrip()


class _CommandGroup(click.Group):
    """The commands whose names begin with a prefix."""

    def __init__(self, prefix: str, words: Sequence[str]) -> None:
        self._words = words
        self._prefix = prefix
        below = (name.removeprefix(prefix) for name in commands() if name.startswith(prefix))
        self._names = [name for name in below if " " not in name]
        options = [] if prefix else [_version()]
        super().__init__(
            prefix.strip() or "turnwright", params=[*options, _verbose()], invoke_without_command=True
        )

    def get_help_option(self, ctx: click.Context) -> click.Option:
        return _help_option()

    def list_commands(self, ctx: click.Context) -> list[str]:
        return self._names

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._names:
            return None
        name = self._prefix + cmd_name
        row = commands()[name]
        return _LeafCommand(name, row, self._words) if row.module else _CommandGroup(f"{name} ", self._words)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        found = self.get_command(ctx, args[0])
        if found is not None:
            return args[0], found, args[1:]
        name = self._prefix + args[0]
        if name in renamed():
            raise SetupError(f"`turnwright {name}` is now `turnwright {renamed()[name]}`: give that name")
        if args[0].startswith("-"):
            raise click.NoSuchOption(args[0], ctx=ctx)
        near = _did_you_mean(args[0], self._names)
        raise click.UsageError(f"there is no command {args[0][:40]!r}{near}", ctx)

    def invoke(self, ctx: click.Context) -> Any:
        if ctx.args or ctx._protected_args:
            return super().invoke(ctx)
        if self._prefix:
            raise click.UsageError(f"a command is missing: {' or '.join(self._names)}", ctx)
        click.echo(ctx.get_help(), err=True)
        return 2

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, "COMMAND ...", prefix="usage: ")
        table = {name: commands()[self._prefix + name] for name in self._names}
        text = _sentence(commands()[self._prefix.strip()].summary) if self._prefix else _ABOUT
        formatter.write(f"\n{_filled(text, formatter.width)}\n")
        headings = dict.fromkeys([*HEADINGS, *(row.heading for row in table.values())])
        for heading in headings:
            if rows := [(name, row.summary) for name, row in table.items() if row.heading == heading]:
                with formatter.section(heading):
                    formatter.write_dl(rows)
        if not self._prefix:
            with formatter.section("options"):
                formatter.write_dl([("--version", "print the version"), ("--verbose", _VERBOSE)])
            with formatter.section("exit codes"):
                formatter.write_dl([(str(code), meaning) for code, meaning in MEANINGS.items()])


_ABOUT = (
    "A turn engine and game server for games whose players are programs. `turnwright COMMAND --help` lists"
    " the options of a command."
)
_VERBOSE = "show tracebacks of internal errors"


def _verbose() -> click.Option:
    return click.Option(["--verbose"], is_flag=True, expose_value=False, help=_VERBOSE)


def _help_option() -> click.Option:
    def show(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            print(ctx.get_help())
            ctx.exit()

    return click.Option(["--help", "-h"], is_flag=True, is_eager=True, expose_value=False, callback=show)


def why_interpreted() -> str | None:
    """Return why the rules are interpreted here, of the game that has two speeds.

    "": they are compiled. None: there is no such game.
    """
    return next((str(say()) for game in with_parts() if (say := game.part("why_interpreted"))), None)


def version_text() -> str:
    """Return the line that `turnwright --version` prints."""
    line = f"turnwright {__version__} on {platform.python_implementation()} {platform.python_version()}"
    why = why_interpreted()
    return line if why is None else f"{line}, rules: {'interpreted' if why else 'compiled'}"


def _version() -> click.Option:
    def show(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            print(version_text())
            ctx.exit()

    return click.Option(["--version"], is_flag=True, is_eager=True, expose_value=False, callback=show)


def _refusal(error: click.UsageError) -> str:
    """Return one line for what click refuses."""
    prog = "turnwright" if error.ctx is None else error.ctx.command_path
    message = error.format_message()
    if isinstance(error, click.NoSuchOption):
        known = [] if error.ctx is None else _option_names(error.ctx.command)
        message = f"there is no option {error.option_name}{_did_you_mean(error.option_name, known)}"
    elif isinstance(error, click.MissingParameter):
        message = f"{_name_of(error.param)} is missing"
    elif isinstance(error, click.BadParameter):
        message = f"{_name_of(error.param)}: {error.message}"
    elif isinstance(error, click.BadOptionUsage):
        message = f"{error.option_name} needs a value"
    return f"{message} (see `{prog} --help`)"


def _option_names(command: click.Command) -> list[str]:
    return [name for one in command.params for name in (*one.opts, *one.secondary_opts) if name[:1] == "-"]


def _name_of(one: click.Parameter | None) -> str:
    """Return how a parameter is called in an error: "-n/--rounds" or "FILE"."""
    if one is None:
        return "an argument"
    return "/".join(one.opts) if isinstance(one, click.Option) else str(one.metavar)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _filled(text: str, width: int) -> str:
    """Return paragraphs as wide as the terminal; indented lines stay lines of their own."""
    return "\n\n".join(_paragraph(one, width) for one in text.split("\n\n"))


def _paragraph(text: str, width: int) -> str:
    lines = text.splitlines()
    if not any(line.startswith("  ") for line in lines):
        return textwrap.fill(text, width)
    return "\n".join(textwrap.fill(line, width, subsequent_indent=_HANGING) for line in lines)
