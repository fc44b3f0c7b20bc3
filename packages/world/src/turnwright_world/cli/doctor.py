"""`turnwright world doctor`: prints the state of a running world."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from turnwright.app.option_fields import option
from turnwright.cli.choice import JsonChoice
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.terminal import Style, print_json, table
from turnwright.errors import EXIT_OK

_DESCRIPTION = """\
The command asks the world's server for its state. It prints the limits of turns and plans, how long turns
took, how late turns were, and the worst turns with their slowest plans. It also prints which minds missed
turns and why, and how accurate the players' clocks are."""
_JSON = """\
The object is the same as the server's page /world.json."""

_SHOWN_MAX = 20


@dataclass(frozen=True)
class WorldDoctorOptions:
    """The world whose state is printed."""

    port: int = option(7654, "port of the world's server (default: {default})", "-p", "--port", metavar="N")


def run(given: GivenOptions) -> int:
    """Print the state of the world."""
    from turnwright.net.http.ports import check_port
    from turnwright_world.net.status import ask

    arguments = given.make(WorldDoctorOptions)
    check_port(arguments.port)
    status = ask(arguments.port)
    if given.make(JsonChoice).json:
        print_json(status)
    else:
        print("\n".join(_lines(status, Style(sys.stdout))))
    return EXIT_OK


def _lines(status: dict[str, Any], style: Style) -> list[str]:
    late, used = status["late_ms"], status["used_ms"]
    lines = [
        f"{status['name']}: turn {status['turn']}, {status['players']} players,"
        f" {status['creatures']} creatures; a turn takes {status['pace_ms']:g} ms",
        *[_duration(one) for one in status["durations"]],
        *_planning(status.get("planning") or {}),
        f"turns end late by  {_spread(late)}",
        f"and take           {_spread(used)}",
        f"overruns           {status['overruns']} of {status['turns']} turns; {status['skipped']} skipped",
    ]
    if status["trouble"] is not None:
        lines.append(f"not stored         {status['trouble']}; the world continues")
    worst = [
        (str(one["turn"]), f"{one['late_ms']:.1f}", _parts(one["used_ms"]), _plans(one["slowest"]))
        for one in status["worst"]
    ]
    lines += _table(("Turn", "ms late", "Time used", "Slowest plans"), worst, "<><<", style)
    misses = [
        (one["mind"], one["owner"], one["reason"], str(one["count"])) for one in status["misses"][:_SHOWN_MAX]
    ]
    lines += _table(("Mind", "Owner", "Reason", "Turns missed"), misses, "<<<>", style)
    clients = [
        (one["name"], one["carrier"], _ms(one["rtt_ms"]), _ms(one["error_ms"]), _ms(one["lead_ms"]))
        for one in status["clients"][:_SHOWN_MAX]
    ]
    headings = ("Player", "Connection", "Round trip ms", "Clock error at most ms", "Lead ms")
    return lines + _table(headings, clients, "<<>>>", style)


def _table(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]], sides: str, style: Style) -> list[str]:
    return ["", *table(headings, rows, sides, style)] if rows else []


def _duration(one: dict[str, Any]) -> str:
    name = f"{one['name']} time".ljust(18)
    if one["min_ms"] == one["max_ms"]:
        return f"{name} {one['ms']:g} ms, fixed"
    bounds = f"within {one['min_ms']:g} to {one['max_ms']:g} ms"
    return f"{name} {one['ms']:g} ms, {bounds}; raised {one['raised']} times, lowered {one['lowered']} times"


def _planning(figures: dict[str, float]) -> list[str]:
    """Return a line with the limits of plans, if the server reports them."""
    if not figures:
        return []
    speed = f"a plan takes {figures['slowness']:g} times as long as on a reference processor"
    return [f"plans              {figures['slots']:g} at once, {figures['plan_ms']:g} ms each; {speed}"]


def _spread(values: dict[str, float]) -> str:
    return f"median {values['p50']:.2f}, 99 of 100 {values['p99']:.2f}, at most {values['max']:.2f} ms"


def _parts(used: dict[str, float]) -> str:
    return ", ".join(f"{name} {ms:.1f} ms" for name, ms in used.items())


def _plans(slowest: list[dict[str, Any]]) -> str:
    return ", ".join(f"{one['mind']} {one['body']}: {one['ms']:.0f} ms" for one in slowest) or "none"


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (WorldDoctorOptions, JsonChoice),
    examples={"": "print the state of the world on this machine"},
    json=_JSON,
)
