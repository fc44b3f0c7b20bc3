"""The command line from dataclasses. click parses it, and `cli.help_text` writes the help.

A command's module has `COMMAND`, a CommandSpec. It contains the dataclasses whose fields are the command's
options (see `app.options`), and the function that runs the command. Only the module of the named command is
imported.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

import click
from click.core import ParameterSource

from turnwright._version import __version__
from turnwright.app.option_fields import DeclaredOption, types_of
from turnwright.catalog import with_parts
from turnwright.cli.commands import CommandRow, commands
from turnwright.cli.help_text import CommandText, HelpPage, ListPage, OptionHelp, sentence
from turnwright.cli.terminal import COLOR, Color
from turnwright.errors import EXIT_BAD_INPUT, EXIT_OK, SetupError

T = TypeVar("T")

_LONG_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")


@dataclass(frozen=True)
class GivenOptions:
    """The values on a command line.

    Attributes:
        values: The values that were given, by name of their fields. All other fields have their defaults.
        typed: By name of a field, the option as it was typed, e.g. "--rounds".
    """

    values: Mapping[str, Any]
    typed: Mapping[str, str] = field(default_factory=dict)

    def make(self, cls: type[T], **more: Any) -> T:
        """Return an instance of the dataclass `cls`, one of the command's, with the given values.

        Args:
            more: values of fields that are not options.

        Raises:
            SetupError: the dataclass refuses a value.
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
        try:
            return cls(**(found | more))
        except SetupError as error:
            name, space, rest = str(error).partition(" ")
            raise SetupError(f"{self.typed.get(name, name)}{space}{rest}") from None

    def as_typed(self, text: str) -> str:
        """Return an error's text in which each option has the name that the user typed, e.g. "-o" instead of
        "--out".
        """
        return _LONG_OPTION.sub(lambda found: self.typed.get(found[0], found[0]), text)


def _collection(cls: type, name: str) -> Callable[[Any], Any]:
    return frozenset if get_origin(types_of(cls)[name][0]) is frozenset else tuple


@dataclass(frozen=True)
class CommandSpec:
    """A command.

    Attributes:
        run: Runs the command and returns the exit code. Errors that it raises are printed by `cli.__main__`.
        description: Paragraphs that follow the summary in the table. Indented lines are not joined.
        takes: The dataclasses whose fields are the options, or a function that takes the words of the command
            line and returns these classes.
        elsewhere: For options that only other commands have, the advice what to do instead.
        examples: Command lines, each with its effect.
        json: The output of `--json`.
        more: A function that takes the words of the command line and returns the texts that the chosen game
            adds, or None.
    """

    run: Callable[[GivenOptions], int]
    description: str
    takes: tuple[type, ...] | Callable[[Sequence[str]], tuple[type, ...]] = ()
    elsewhere: Mapping[str, str] | None = None
    examples: Mapping[str, str] = field(default_factory=dict)
    json: str = ""
    more: Callable[[Sequence[str]], CommandText | None] | None = None

    def classes(self, words: Sequence[str]) -> tuple[type, ...]:
        """Return the dataclasses of the options for a command line with these words."""
        return self.takes(words) if callable(self.takes) else self.takes

    def text(self, words: Sequence[str]) -> CommandText:
        """Return the texts of the command's help, including the texts of the game that the words choose."""
        own = CommandText(self.description, self.examples, self.json, self.elsewhere or {})
        more = None if self.more is None else self.more(words)
        return own if more is None else own + more


@dataclass(frozen=True)
class ParsedCommand:
    """A command with its given options.

    prog: the command as the user calls it, e.g. "turnwright tournament run".
    """

    run: Callable[[GivenOptions], int]
    given: GivenOptions
    prog: str


def parse(words: Sequence[str]) -> ParsedCommand | int:
    """Return the command that the words name. If a help text or the version was printed, return the exit
    code.

    The option --color sets the environment variable TURNWRIGHT_COLOR.

    Raises:
        SetupError: the words cannot be understood. The message has one line.
    """
    columns = shutil.get_terminal_size().columns
    try:
        found: ParsedCommand | int = _CommandGroup("", words).main(
            args=list(words), prog_name="turnwright", standalone_mode=False, terminal_width=columns
        )
    except click.exceptions.NoArgsIsHelpError as error:
        ctx = error.ctx
        assert ctx is not None
        if ctx.parent is not None:
            raise SetupError(_refusal(_missing_command(ctx))) from None
        click.echo(ctx.get_help(), err=True)
        return EXIT_BAD_INPUT
    except click.UsageError as error:
        raise SetupError(_refusal(error)) from None
    except _Asked as text:
        print(text)
        return EXIT_OK
    return found or EXIT_OK


def completion_script(shell: str) -> str:
    """Return the script that lets a shell ("bash", "zsh" or "fish") complete commands and options."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None, shell
    return kind(_CommandGroup("", ()), {}, "turnwright", "_TURNWRIGHT_COMPLETE").source()


def all_commands() -> Iterator[tuple[str, CommandText, list[OptionHelp]]]:
    """Yield name, texts and options of every command, for the reference pages.

    The function imports the modules of all commands.
    """
    for name, row in commands().items():
        if row.module:
            one = _LeafCommand(name, row, ())
            yield name, CommandText(sentence(row.summary)) + one.page.text, one.page.options
        else:
            yield name, CommandText(sentence(row.summary)), []


class _Value(click.ParamType[Any]):
    """The type of a value. `read` makes the value from a text."""

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
    """Return the function that reads a value of a type."""
    if get_origin(kind) is Literal:
        choices = get_args(kind)

        def read(text: str) -> Any:
            if text not in choices:
                near = _did_you_mean(text, choices)
                raise ValueError(f"{text[:40]!r} is not one of {', '.join(choices)}{near}")
            return text

        return read
    readers: dict[Any, Callable[[str], Any]] = {int: _whole_number, float: _number, Path: Path}
    return readers.get(kind, str)


def _did_you_mean(text: str, known: Sequence[str]) -> str:
    near = get_close_matches(text, known, n=1)
    return f": did you mean {near[0]}?" if near else ""


class _Declared:
    """A field of a dataclass as a click parameter, and as help."""

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
        """Return the option as the help prints it."""
        option = self.option
        default = self._field.default
        text = option.help if default is MISSING else option.help.replace("{default}", str(default))
        if option.positional:
            shown = (
                f"{option.metavar}{'...' * option.many}"
                if option.required
                else f"[{option.metavar}]{'...' * option.many}"
            )
            return OptionHelp((), shown, text, "arguments", often=True)
        if option.required:
            text = f"{text[:-1]}; required)" if text.endswith(")") else f"{text} (required)"
        value = "" if self._flag else option.metavar or self._choices()
        shown = f"[={value}]" if option.bare is not None else value
        often = option.often or option.required
        return OptionHelp(self.names, shown, text, option.group, often, option.required)

    def _choices(self) -> str:
        return "|".join(get_args(self.kind)) if get_origin(self.kind) is Literal else "TEXT"


class _LeafCommand(click.Command):
    """A command that click returns as a ParsedCommand instead of running it."""

    def __init__(self, name: str, row: CommandRow, words: Sequence[str]) -> None:
        self.spec: CommandSpec = import_module(row.module).COMMAND
        declared: dict[str, _Declared] = {}
        for cls in self.spec.classes(words):
            for one in fields(cls):
                if "option" in one.metadata:
                    declared.setdefault(one.name, _Declared(cls, one))
        self.page = HelpPage(row.summary, self.spec.text(words), [one.help() for one in declared.values()])
        self._names = {name: one.names for name, one in declared.items() if not one.option.positional}
        self._bare = {name: one.option.bare for one in declared.values() for name in one.names}
        self._elsewhere = {
            expected: f"did you mean {one.names[-1]}, {one.help().text}?"
            for one in declared.values()
            for expected in one.option.expected
        } | dict(self.page.text.elsewhere)
        parameters = [one.parameter() for one in declared.values()]
        super().__init__(name.rpartition(" ")[2], params=[*parameters, _short_help(), *_anywhere()])
        self.allow_extra_args = True

    def get_help_option(self, ctx: click.Context) -> click.Option:
        return _help_option()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        bare = {name: text for name, text in self._bare.items() if text is not None}
        words = [f"{word}={bare[word]}" if word in bare else word for word in args]
        ctx.obj = list(args)
        try:
            super().parse_args(ctx, list(words))
        except click.NoSuchOption as error:
            instead = self._elsewhere.get(error.option_name)
            if instead is None:
                raise
            raise SetupError(f"{ctx.command_path} has no {error.option_name}: {instead}") from None
        except click.MissingParameter:
            raise click.UsageError(self._what_is_missing(ctx, words), ctx) from None
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise
        if ctx.args and not ctx.resilient_parsing:
            raise click.UsageError(f"unexpected argument {ctx.args[0][:40]!r}", ctx)
        return ctx.args

    def _what_is_missing(self, ctx: click.Context, words: list[str]) -> str:
        """Return which required arguments and options are missing in a command line."""
        given, _, _ = self.make_parser(ctx).parse_args(args=words)
        lacking = [
            one
            for one in self.params
            if one.required and (one.name not in given or one.value_is_missing(given[str(one.name)]))
        ]
        *others, last = [_name_of(one) for one in lacking]
        missing = f"{', '.join(others)} and {last} are missing" if others else f"{last} is missing"
        return f"{missing}: {ctx.command_path} {self.page.usage}"

    def invoke(self, ctx: click.Context) -> ParsedCommand:
        given = {
            name: value
            for name, value in ctx.params.items()
            if name not in self._names or ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        }
        typed = {}
        for name in given.keys() & self._names.keys():
            names = self._names[name]
            typed[name] = _as_typed(names, ctx.obj)
            if not typed[name].startswith("--"):
                typed |= dict.fromkeys(names, typed[name])
        return ParsedCommand(self.spec.run, GivenOptions(given, typed), ctx.command_path)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.page.write(ctx.command_path, formatter)


def _as_typed(names: Sequence[str], words: Sequence[str]) -> str:
    """Return the name by which `words` give an option. If they do not contain the option, return the last of
    `names`.
    """
    for word in reversed(words):
        for name in names:
            if word.partition("=")[0] == name or (name[1] != "-" and word.startswith(name)):
                return name
    return names[-1]


class _CommandGroup(click.Group):
    """The commands whose names begin with a prefix."""

    def __init__(self, prefix: str, words: Sequence[str]) -> None:
        self._words = words
        self._prefix = prefix
        below = (name.removeprefix(prefix) for name in commands() if name.startswith(prefix))
        self._names = [name for name in below if " " not in name]
        options = [] if prefix else [_version()]
        super().__init__(prefix.strip() or "turnwright", params=[*options, _short_help(), *_anywhere()])

    @property
    def page(self) -> ListPage:
        """The help of the group."""
        rows = {name: commands()[self._prefix + name] for name in self._names}
        return ListPage(commands()[self._prefix.strip()].summary if self._prefix else None, rows)

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
        if args[0].startswith("-"):
            raise click.NoSuchOption(args[0], ctx=ctx)
        last = args[0].replace("-", " ")
        below = [f"{ctx.command_path} {name}" for name in commands() if f" {name}".endswith(f" {last}")]
        meant = f": did you mean `{below[0]}`?" if below and not self._prefix else ""
        near = meant or _did_you_mean(args[0], self._names)
        raise click.UsageError(f"there is no command {args[0][:40]!r}{near}", ctx)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            if error.ctx is ctx and type(error) is click.UsageError and "no command" not in error.message:
                raise _missing_command(ctx) from None
            raise

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.page.write(ctx.command_path, formatter)


def _missing_command(ctx: click.Context) -> click.UsageError:
    """Return the error of a group that is called without a command."""
    assert isinstance(ctx.command, _CommandGroup)
    return click.UsageError(f"a command is missing: choose {_one_of(ctx.command.list_commands(ctx))}", ctx)


def _one_of(names: Sequence[str]) -> str:
    """Return the names as "a, b or c"."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


class _Asked(Exception):
    """A text that the user asked for, such as the help. Our own code prints it, because click treats a closed
    pipe as a failure.
    """


def _eager(show: Callable[[click.Context], str], *names: str) -> click.Option:
    """Return an option that prints a text and ends the program."""

    def act(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            raise _Asked(show(ctx))

    return click.Option(list(names), is_flag=True, is_eager=True, expose_value=False, callback=act)


def _help_option() -> click.Option:
    return _eager(click.Context.get_help, "--help")


def _short_help() -> click.Option:
    def text(ctx: click.Context) -> str:
        assert isinstance(ctx.command, _LeafCommand | _CommandGroup)
        formatter = ctx.make_formatter()
        ctx.command.page.write_short(ctx.command_path, formatter)
        return formatter.getvalue().rstrip("\n")

    return _eager(text, "-h")


def _version() -> click.Option:
    return _eager(lambda _: version_text(), "-V", "--version")


def _anywhere() -> list[click.Option]:
    """Return the options that may be given before and after any command."""

    def paint(ctx: click.Context, _: click.Parameter, when: str | None) -> None:
        if when is not None and not ctx.resilient_parsing:
            os.environ[COLOR] = when

    return [
        click.Option(["--verbose"], is_flag=True, expose_value=False),
        click.Option(
            ["--color"], type=_Value(_reader(Color)), expose_value=False, callback=paint, metavar="WHEN"
        ),
    ]


def why_interpreted() -> str | None:
    """Return why this installation interprets rules that could be compiled.

    Return "" if it compiles them. Return None if no installed game has rules that can be compiled.
    """
    return next((str(say()) for game in with_parts() if (say := game.part("why_interpreted"))), None)


def version_text() -> str:
    """Return the line that `turnwright --version` prints."""
    line = f"turnwright {__version__} on {platform.python_implementation()} {platform.python_version()}"
    why = why_interpreted()
    return line if why is None else f"{line}, rules: {'interpreted' if why else 'compiled'}"


def _refusal(error: click.UsageError) -> str:
    """Return the error message, in one line, for a command line that click refuses."""
    prog = "turnwright" if error.ctx is None else error.ctx.command_path
    message = error.format_message()
    if isinstance(error, click.NoSuchOption):
        known = [] if error.ctx is None else _option_names(error.ctx.command)
        message = f"there is no option {error.option_name}{_did_you_mean(error.option_name, known)}"
    elif isinstance(error, click.BadParameter):
        words = () if error.ctx is None else error.ctx.obj or ()
        message = f"{_name_of(error.param, words)}: {error.message}"
    elif isinstance(error, click.BadOptionUsage):
        message = f"{error.option_name} needs a value"
    return f"{message} (see `{prog} --help`)"


def _option_names(command: click.Command) -> list[str]:
    return [name for one in command.params for name in (*one.opts, *one.secondary_opts) if name[:1] == "-"]


def _name_of(one: click.Parameter | None, words: Sequence[str] = ()) -> str:
    """Return the name of a parameter for an error message. For an option this is the name in `words`, and for
    an argument its placeholder, e.g. "FILE".
    """
    if one is None:
        return "an argument"
    return _as_typed(one.opts, words) if isinstance(one, click.Option) else str(one.metavar)
