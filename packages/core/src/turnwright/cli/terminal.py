"""Terminal output: tables, live displays, progress bars, a screen and keys.

Only changed lines are written, so that a picture needs little data on a slow connection.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import logging
import os
import re
import select
import shutil
import signal
import sys
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Protocol, TextIO

from turnwright.kernel.failure import FailureReason
from turnwright.net.portability import IS_LINUX
from turnwright.wire.escape import escaped_json

if TYPE_CHECKING:
    from tqdm import tqdm

    from turnwright.app.results import BattleResult, Progress, ResultRow, Standing
    from turnwright.kernel.printed import PrintedLine

_ENTER = "\033[?1049h\033[?25l\033[2J"
_LEAVE = "\033[?25h\033[?1049l"
_NAMES = {b"A": "up", b"B": "down", b"C": "right", b"D": "left", b"H": "home", b"F": "end",
          b"1~": "home", b"7~": "home", b"4~": "end", b"8~": "end",
          b"5~": "page up", b"6~": "page down"}  # fmt: skip
_KEY = re.compile(rb"\033[\[O]([0-?]*[ -/]*[@-~])|(.)", re.DOTALL)
_READ_BYTES = 256


class Screen:
    """A terminal's alternate screen, which is shown from `enter` to `leave`.

    Calling `enter` or `leave` a second time has no effect.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shown: list[str] = []
        self._shown_size = (0, 0)
        self._entered = False

    @property
    def size(self) -> tuple[int, int]:
        """The current number of columns and lines."""
        columns, lines = shutil.get_terminal_size()
        return columns, lines

    def enter(self) -> None:
        """Show an empty screen without a cursor."""
        if not self._entered:
            self._entered = True
            self._write(_ENTER)

    def leave(self) -> None:
        """Restore the former content of the terminal."""
        if self._entered:
            self._entered = False
            self._shown = []
            self._write(_LEAVE)

    def show(self, lines: Sequence[str]) -> None:
        """Draw `lines` from the top of the screen, as far as they fit. Clear the rest of the screen."""
        size = self.size
        wanted = list(lines[: size[1]])
        before = self._shown if size == self._shown_size else []
        text = "" if before else "\033[2J"
        for at, line in enumerate(wanted):
            if at >= len(before) or before[at] != line:
                text += f"\033[{at + 1};1H{line}\033[0m\033[K"
        if len(before) > len(wanted):
            text += f"\033[{len(wanted) + 1};1H\033[J"
        self._shown, self._shown_size = wanted, size
        if text:
            self._write(text)

    def forget(self) -> None:
        """Make the next `show` draw all lines again, because the terminal may have changed."""
        self._shown = []

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def keys_in(data: bytes) -> Iterator[str]:
    """Yield the names of the keys whose codes are in `data`, the input from a terminal.

    A name is one character, or "space", "up", "down", "left", "right", "home", "end", "page up" or "page
    down".

    Other keys whose code has more than one character are ignored.
    """
    for found in _KEY.finditer(data):
        sequence, letter = found.groups()
        if sequence is not None:
            name = _NAMES.get(sequence)
            if name is not None:
                yield name
        elif letter != b"\033":
            text = letter.decode("ascii", "replace")
            yield "space" if text == " " else text


class Keys:
    """The keys of a terminal, one at a time, without waiting for Enter.

    If the input is not a terminal, or the system is not Linux, no keys are reported.
    """

    def __init__(self, stream: TextIO) -> None:
        self._number: int | None = None
        self._before: list[Any] | None = None
        if IS_LINUX and getattr(stream, "isatty", lambda: False)():
            self._number = stream.fileno()

    def enter(self) -> None:
        """Let the terminal pass on each key immediately. Ctrl-C still interrupts."""
        if self._number is not None:
            import termios
            import tty

            self._before = termios.tcgetattr(self._number)
            tty.setcbreak(self._number, termios.TCSANOW)

    def leave(self) -> None:
        """Restore the terminal's former mode."""
        if self._number is not None and self._before is not None:
            import termios

            termios.tcsetattr(self._number, termios.TCSANOW, self._before)
            self._before = None

    def wait(self, timeout_s: float) -> list[str]:
        """Wait for a key for at most `timeout_s` seconds. Return the pressed keys as soon as there are any,
        or an empty list. At the end of the input, return ["q"].
        """
        if self._number is None:
            time.sleep(timeout_s)
            return []
        ready, _, _ = select.select([self._number], [], [], timeout_s)
        if not ready:
            return []
        data = os.read(self._number, _READ_BYTES)
        if not data:
            self._number = None
            return ["q"]
        return list(keys_in(data))


@contextmanager
def restoring(screen: Screen, keys: Keys | None = None) -> Iterator[None]:
    """Enter the screen, and leave it at the end of the context even after an error. Within the context,
    SIGTERM acts like Ctrl-C.
    """

    def stop(number: int, _: object) -> None:
        raise KeyboardInterrupt

    def resumed(number: int, _: object) -> None:
        screen.forget()

    handlers = {signal.SIGTERM: stop}
    if sys.platform == "linux":
        handlers[signal.SIGCONT] = resumed
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        if keys is not None:
            keys.enter()
        screen.enter()
        yield
    finally:
        screen.leave()
        if keys is not None:
            keys.leave()
        for number, handler in before.items():
            signal.signal(number, handler)


# helpers for the output of commands: tables, colours, readable numbers


_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34",
          "magenta": "35", "cyan": "36"}  # fmt: skip


COLOR = "TURNWRIGHT_COLOR"
"""The environment variable that says when to use colours."""
Color = Literal["auto", "always", "never"]


class Style:
    """Adds colours to text for one stream.

    By default, the text has colours only on a terminal, and only if NO_COLOR is not set
    (https://no-color.org). The option --color overrides this.

    Attributes:
        terminal: whether the stream is a terminal.
        colours: whether `paint` adds colours.
    """

    def __init__(self, stream: TextIO, environ: Mapping[str, str] = os.environ) -> None:
        plain = bool(environ.get("NO_COLOR")) or environ.get("TERM") == "dumb"
        self.terminal = bool(getattr(stream, "isatty", lambda: False)())
        when = environ.get(COLOR, "auto")
        self.colours = when == "always" or (when != "never" and self.terminal and not plain)

    def paint(self, text: str, *names: str) -> str:
        """Return the text in these styles, or unchanged if `colours` is False.

        The styles are bold, dim, red, green, yellow, blue, magenta and cyan.
        """
        if not self.colours or not text:
            return text
        return f"\033[{';'.join(_CODES[name] for name in names)}m{text}\033[0m"


def width(text: str) -> int:
    """Return the width of a text in terminal columns."""
    columns = 0
    for letter in text:
        if unicodedata.combining(letter) or unicodedata.category(letter) in ("Cf", "Me"):
            continue
        columns += 2 if unicodedata.east_asian_width(letter) in ("W", "F") else 1
    return columns


def clean(text: str) -> str:
    """Return an untrusted text as one line. Characters that are not printable are replaced by U+FFFD."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def cut(text: str, columns: int) -> str:
    """Return the text, shortened with an ellipsis to at most this number of columns."""
    if width(text) <= columns:
        return text
    kept, used = "", 0
    for letter in text:
        used += width(letter)
        if used > columns - 1:
            break
        kept += letter
    return kept + "…" if columns > 0 else ""


def table(
    headers: Sequence[str], rows: Iterable[Sequence[str]], align: str, style: Style | None = None
) -> list[str]:
    """Return the lines of a table. A `style` with colours makes the header bold.

    Args:
        align: one character for each column, "<" for left or ">" for right.
    """
    body = [list(row) for row in rows]
    widths = [max(map(width, column)) for column in zip(headers, *body, strict=True)]
    lines = [_line(row, widths, align) for row in (headers, *body)]
    if style is not None:
        lines[0] = style.paint(lines[0], "bold")
    return lines


def _line(cells: Sequence[str], widths: Sequence[int], align: str) -> str:
    padded = []
    for cell, columns, side in zip(cells, widths, align, strict=True):
        space = " " * (columns - width(cell))
        padded.append(space + cell if side == ">" else cell + space)
    return "  ".join(padded).rstrip()


def duration(us: float) -> str:
    """Return a duration, given in µs, as people write it.

    Examples: 850 µs, 1.25 ms, 30 ms, 4.2 s, 3 min 5 s.
    """
    if us < 999.5:
        return f"{us:.0f} µs"
    for unit, size in (("ms", 1_000.0), ("s", 1_000_000.0)):
        amount = us / size
        if amount < (1_000 if unit == "ms" else 60):
            return f"{amount:.3g} {unit}" if amount < 100 else f"{amount:.0f} {unit}"
    minutes, seconds = divmod(round(us / 1_000_000), 60)
    return f"{minutes} min {seconds} s"


def count(number: int) -> str:
    """Return a number with separators: 12,345."""
    return f"{number:,}"


def print_json(data: Any) -> None:
    """Print JSON values on one line of stdout.

    Characters that stdout cannot encode are escaped.
    """
    text = escaped_json(json.dumps(data, ensure_ascii=False))
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        text = json.dumps(data)
    print(text, flush=True)


def join_some(words: Sequence[str], most: int = 3) -> str:
    """Return at most `most` of the words, separated by commas.

    If there are more words, their number follows.
    """
    shown = ", ".join(words[:most])
    return shown if len(words) <= most else f"{shown} and {len(words) - most} more"


# results in a terminal: the ranked table, the table of answer times, one line of a running battle


STANDINGS_MAX = 20
"""The largest number of bots in the live display. If there are more, a line shows the number of the
others.
"""

_RESULT_HEADERS = ("", "Name", "Version")
_LATENCY_HEADERS = ("Name", "p50", "p95", "p99", "max", "Missed", "Late", "Late by", "Malformed")
_LEVEL_FULL = 100.0
_LEVEL_CELLS = 10
_NAME_COLUMNS_MAX = 40


def battle_report(result: BattleResult, style: Style, columns: Mapping[str, str]) -> list[str]:
    """Return the report of a finished battle.

    Args:
        columns: the heading of each column of the results, by the column's name.
    """
    played = f"{result.game_type}, {_plural(result.rounds, 'round')}, {_plural(result.turns, 'turn')}"
    lines = [*result_table(result, style, columns), "", *latency_table(result, style), ""]
    lines.append(f"{played}, seed {result.seed}")
    if result.turn_timeout_us is None:
        lines.append("no time limit for a turn: all bots ran in this process, one after the other")
    if result.sandbox != "none":
        lines.append(f"sandbox {result.sandbox}: each bot directory ran in its own sandbox")
    if result.server_late_turns:
        late = _plural(result.server_late_turns, "turn")
        lines.append(f"the server itself was late in {late}; no bot was penalised for that")
    held = [f"{name} {duration(row.held_us)}" for name, row in result.latency.items() if row.held_us]
    if held:
        lines.append(f"the battle waited for late answers, which cost no other bot a turn: {', '.join(held)}")
    lines += _missed_lines(result)
    lines += _failure_lines(result)
    if result.record is not None:
        lines.append(f"record: {result.record}")
    if result.recording is not None:
        lines.append(f"recording: {result.recording}")
    return lines


def result_table(result: BattleResult, style: Style, columns: Mapping[str, str]) -> list[str]:
    """Return the ranked results as a table with these columns (name and heading)."""
    rows = []
    for row in result.results:
        scores = [_amount(row.columns.get(name)) for name in columns]
        marks = {
            "never answered a turn": row.never_answered,
            "disqualified": row.disqualified,
            "left": row.columns.get("left"),
        }
        failure = row.failure
        said = "" if failure is None else failure.text
        if failure is not None and failure.reason is FailureReason.SILENT and not failure.is_refused:
            said = f"never answered a turn, {said}" if row.never_answered and row.disqualified else said
        said = said or ", ".join(mark for mark, holds in marks.items() if holds)
        said = said or _out_of_rounds(result, row)
        name = _name(row.name) + (f" ({said})" if said else "")
        rows.append((str(row.rank), name, clean(row.version), *scores))
    return table((*_RESULT_HEADERS, *columns.values()), rows, "><<" + ">" * len(columns), style)


_SKIP_REASONS = {
    "late": "it answered too late",
    "behind": "it answered an older turn",
    "no answer": "it gave no answer in time",
    "withheld": "it got no observation, because it had not answered older ones",
    "refused": "it gave an invalid answer",
    "left": "it had left",
}
"""Descriptions of the reasons of missed turns."""


def _missed_lines(result: BattleResult) -> list[str]:
    """Return a line for each bot that missed turns, with the reasons."""
    return [
        f"{_name(name)} missed {_plural(row.skipped, 'turn')}: "
        + ", ".join(
            f"in {count(row.skip_reasons[why])} {text}" if len(row.skip_reasons) > 1 else text
            for why, text in _SKIP_REASONS.items()
            if why in row.skip_reasons
        )
        for name, row in result.latency.items()
        if row.skip_reasons
    ]


def _out_of_rounds(result: BattleResult, row: ResultRow) -> str:
    """Return, in a few words, the rounds in which the bot or team of a row was disqualified, and why. Return
    "" if there are none.
    """
    names = [result.names[seat] for seat in row.seats[:1]]
    rounds: dict[str, list[str]] = {}
    for one in (one for name in names for one in result.disqualifications.get(name, ())):
        if one.round in row.disqualified_rounds:
            rounds.setdefault(one.why_out, []).append(str(one.round))
    told = ", ".join(f"round {join_some(places)}: {why}" for why, places in rounds.items())
    return f"disqualified in {told}" if told else ""


def _amount(value: Any) -> str:
    """Return a value of a column in readable form."""
    if isinstance(value, int | float) and value == int(value):
        return count(int(value))
    return f"{value:,.6g}" if isinstance(value, float) else "–" if value is None else clean(str(value))


def latency_table(result: BattleResult, style: Style) -> list[str]:
    """Return the answer times of each bot as a table."""
    rows = [
        (
            _name(name),
            *map(duration, (row.p50_us, row.p95_us, row.p99_us, row.max_us)),
            *map(count, (row.skipped, row.late)),
            duration(row.late_max_us) if row.late else "–",
            count(row.malformed),
        )
        for name, row in result.latency.items()
    ]
    return table(_LATENCY_HEADERS, rows, "<" + ">" * 8, style)


def _failure_lines(result: BattleResult) -> list[str]:
    """Return lines about bots that were disqualified, failed or printed an error. For a failed bot, they have
    the reason, the advice, and the last lines that the bot printed.
    """
    lines = []
    for name, ones in result.disqualifications.items():
        lines += [f"{_name(name)} was {clean(one.full_text)}" for one in ones if name not in result.failures]
    for name, failure in result.failures.items():
        printed = result.last_lines.get(name, ())
        lines.append(f"{_name(name)} {clean(failure.full_text)}")
        lines.append(f"  to do: {failure.advice}; {'its last lines:' if printed else 'it printed nothing'}")
        lines += [f"    {clean(line)}" for line in printed]
    lines += [f"{_name(name)} {clean(one.text)}" for name, one in result.printed_errors.items()]
    if result.no_bot_answered:
        refused = any(failure.is_refused for failure in result.failures.values())
        what = "gave a valid answer" if refused else "answered a turn"
        lines.append(f"no bot ever {what}: these results say nothing about the bots")
    return lines


def progress_text(progress: Progress) -> str:
    """Return the progress of a battle in one line, without colours."""
    if progress.stage == "starting":
        if progress.waiting_for:
            return f"waiting for {join_some([_name(name) for name in progress.waiting_for])}"
        return "starting"
    if progress.waiting_for:
        names = join_some([_name(name) for name in progress.waiting_for])
        return f"waiting for the first answer of {names}"
    totals = {one.team or one.name: one.score for one in progress.standings if one.score is not None}
    best = sorted(totals.items(), key=lambda total: -total[1])
    scores = join_some([f"{_name(name)} {_amount(score)}" for name, score in best])
    where = f"round {progress.round} of {progress.rounds}"
    return f"{where}, {_plural(progress.turns, 'turn')}" + (f": {scores}" if scores else "")


def standing_lines(standings: Sequence[Standing], columns: int, style: Style) -> list[str]:
    """Return a line for each bot, best first, each at most `columns` wide. If there are more than
    STANDINGS_MAX bots, the last line has the number of the others.
    """
    best = sorted(standings, key=lambda standing: -(standing.score or 0))
    shown = best[:STANDINGS_MAX]
    longest = min(_NAME_COLUMNS_MAX, max((width(_name(standing.name)) for standing in shown), default=0))
    lines = [_standing_line(standing, longest, columns, style) for standing in shown]
    if len(best) > len(shown):
        lines.append(cut(f"  and {len(best) - len(shown)} more", columns))
    return lines


def _standing_line(standing: Standing, longest: int, columns: int, style: Style) -> str:
    name = cut(_name(standing.name), longest)
    padded = name + " " * (longest - width(name))
    score = f"{'' if standing.score is None else _amount(standing.score):>8}"
    if not standing.alive:
        return style.paint(cut(f"  {padded}  {'out':<16}{score}", columns), "dim")
    line = cut(f"  {padded}  {_level(standing.level):<16}{score}", columns)
    return line + style.paint("  slow", "yellow") if standing.slow and width(line) + 6 <= columns else line


def _level(level: float | None) -> str:
    """Return a level as a bar and a number."""
    if level is None:
        return "playing"
    cells = max(0, min(_LEVEL_CELLS, round(level / _LEVEL_FULL * _LEVEL_CELLS)))
    return "█" * cells + "·" * (_LEVEL_CELLS - cells) + f" {level:5.1f}"


def _name(name: str) -> str:
    return cut(clean(name), _NAME_COLUMNS_MAX)


def _plural(number: int, what: str) -> str:
    return f"{count(number)} {what}{'' if number == 1 else 's'}"


def printed_text(name: str, line: PrintedLine) -> str:
    """Return a line that a bot printed, after the bot's name, round and turn."""
    error = " error" if line.is_error else ""
    return f"{clean(name)} {line.round}.{line.turn}{error}: {clean(line.text.expandtabs(4))}"


# the live display of a battle on stderr: redrawn in place on a terminal, otherwise one line for each round


REDRAW_S = 0.1
"""The shortest time between two redraws of the display, in seconds. More frequent redraws would slow down the
battle.
"""

_CLEAR_BELOW = "\033[J"


class InPlace:
    """Lines on a terminal that are drawn again in the same place."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._style = stream, Style(stream)
        self._lines = 0

    @property
    def columns(self) -> int:
        """The largest width of a line."""
        return shutil.get_terminal_size().columns - 1

    def draw(self, lines: Sequence[str]) -> None:
        """Draw these lines instead of the earlier lines. Lines for which there is no room are left out."""
        shown = lines[: max(1, shutil.get_terminal_size().lines - 1)]
        back = f"\033[{self._lines}F" if self._lines else ""
        self._stream.write(back + _CLEAR_BELOW + "\n".join(shown) + "\n")
        self._stream.flush()
        self._lines = len(shown)

    def note(self, text: str) -> None:
        """Print a line that stays, in place of the drawn lines. The next `draw` draws below it."""
        self.close()
        print(text, file=self._stream, flush=True)

    def close(self) -> None:
        """Remove the drawn lines. A second call has no effect."""
        if self._lines:
            self._stream.write(f"\033[{self._lines}F{_CLEAR_BELOW}")
            self._stream.flush()
            self._lines = 0


class LiveDisplay(InPlace):
    """Shows the progress of a battle on a stream.

    Call `show` with every `Progress`. On a terminal, the display redraws at most ten times per second.
    Otherwise it prints a line at the end of each round.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(stream)
        self._clock = clock
        self._since: tuple[float, int] | None = None
        self._drawn_at: float | None = None
        self.playing = False

    def show(self, progress: Progress) -> None:
        """Take the newest progress, and show it if it is due."""
        self.playing = progress.stage != "starting"
        if self._style.terminal:
            now = self._clock()
            if self._drawn_at is None or now - self._drawn_at >= REDRAW_S or progress.stage == "over":
                self._drawn_at = now
                head = cut(_headline(progress, self._rate(progress, now), self.columns), self.columns)
                self.draw([head, *standing_lines(progress.standings, self.columns, self._style)])
        elif progress.stage == "round over":
            print(progress_text(progress), file=self._stream, flush=True)

    def _rate(self, progress: Progress, now: float) -> float:
        """Return the turns per second since the first turn that was shown."""
        if progress.stage == "starting":
            return 0.0
        if self._since is None:
            self._since = (now, progress.turns)
        start, turns = self._since
        return (progress.turns - turns) / (now - start) if now > start else 0.0


def _headline(progress: Progress, rate: float, columns: int) -> str:
    """Return the first line of the display. It names the bots for which the battle waits, or it shows a bar
    of the rounds played.
    """
    if progress.stage == "starting":
        return progress_text(progress)
    from tqdm import tqdm

    done = progress.rounds if progress.stage == "over" else max(0, progress.round - 1)
    text = f"round {progress.round}/{progress.rounds}, turn {progress.turn}, {rate:,.0f} turns/s"
    bar: str = tqdm.format_meter(
        done, progress.rounds, 0.0, ncols=columns, bar_format="{percentage:3.0f}% |{bar}| " + text
    )
    return bar


class NoteDisplay(Protocol):
    """A display that can print notes. playing: whether the battle is running."""

    playing: bool

    def note(self, text: str) -> None: ...


class DisplayHandler(logging.Handler):
    """Prints errors of the log above the display. While the battle is running, it also prints warnings."""

    def __init__(self, display: NoteDisplay) -> None:
        super().__init__(logging.WARNING)
        self._display = display

    def emit(self, record: logging.LogRecord) -> None:
        """Print an entry of the log above the display. If the output is closed, the battle continues."""
        if record.levelno >= logging.ERROR or self._display.playing:
            with contextlib.suppress(OSError):
                self._display.note(self.format(record))


# a progress bar on stderr for long work: only on a terminal, and only after a moment


SHOWN_AFTER_S = 0.5
"""The time after which a progress bar appears, in seconds."""


class Bar:
    """A progress bar, shown inside a `with` block.

    about: the text before the bar. wanted: whether to show the bar, if stderr is a terminal.
    """

    def __init__(self, about: str = "", *, wanted: bool = True) -> None:
        self._about = about
        self._wanted = wanted and sys.stderr.isatty()
        self._unit = ""
        self._bar: tqdm[NoReturn] | None = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def reach(self, done: int, whole: int, unit: str) -> None:
        """Show that `done` of `whole` steps are finished.

        Args:
            unit: the name of a step, e.g. "turns". With a different name, the bar starts again.
        """
        if not self._wanted:
            return
        if self._bar is None or unit != self._unit:
            self._begin(whole, unit)
        assert self._bar is not None
        self._bar.update(done - self._bar.n)

    def _begin(self, whole: int, unit: str) -> None:
        from tqdm import tqdm

        if self._bar is not None:
            self._bar.close()
        self._unit = unit
        self._bar = tqdm(
            total=whole,
            desc=self._about or None,
            unit=f" {unit}",
            unit_scale=True,
            file=sys.stderr,
            leave=False,
            delay=SHOWN_AFTER_S,
        )


# replacements of the same width for characters that a terminal cannot show


_HANDLER = "turnwright.letters"
_LIKE = {
    "µ": "u", "…": "~", "→": ">", "←": "<", "↑": "^", "↓": "v", "↗": "/", "↙": "/", "↖": "\\", "↘": "\\",
    "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+", "●": "o", "·": ".",
} | dict.fromkeys("█▉▊▋▌▍", "#") | dict.fromkeys("▎▏", "-")  # fmt: skip
_BRAILLE = range(0x2801, 0x2900)
"""The characters of the Braille block, from which the text display of a battle is drawn."""


def degrade(stream: TextIO) -> None:
    """Let `stream` replace characters that it cannot encode."""
    codecs.register_error(_HANDLER, _handle)
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors=_HANDLER)


def _handle(error: UnicodeError) -> tuple[str, int]:
    """Return the replacement for characters that a codec cannot encode (see `codecs.register_error`)."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_like, error.object[error.start : error.end])), error.end


def _like(letter: str) -> str:
    return "." if ord(letter) in _BRAILLE else _LIKE.get(letter, "?")
