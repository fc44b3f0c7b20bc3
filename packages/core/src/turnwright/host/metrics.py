"""A host's counters in Prometheus' text format, without session ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turnwright.host.battle_room import BattleRoom
from turnwright.host.latency import Histogram
from turnwright.host.lobby import Lobby
from turnwright.host.protocol import Role

_QUANTILES = (50.0, 95.0, 99.0)
_ROLE_LABELS: Mapping[Role | None, str] = {
    "bot": "bot",
    "spectator": "observer",
    "operator": "controller",
    None: "stranger",
}
"""The value of the metrics' label `role` for each role. None means that the connection has sent no handshake
yet."""


def render(room: BattleRoom, lobby: Lobby, messages_total: int, faults_total: Mapping[str, int]) -> str:
    """Return all metrics of a host. Durations are in seconds, as is usual in Prometheus."""
    lines: list[str] = []
    roles = [client.role for client in lobby.clients.values()]
    family(
        lines,
        "turnwright_connections",
        "gauge",
        "Open connections by role.",
        [({"role": label}, roles.count(role)) for role, label in _ROLE_LABELS.items()],
    )
    family(lines, "turnwright_phase", "gauge", "The room's phase.", [({"phase": room.phase.value}, 1)])
    _add_pace(lines, room)
    family(lines, "turnwright_turns_total", "counter", "Turns resolved.", [({}, room.turns_total)])
    family(
        lines,
        "turnwright_battles_total",
        "counter",
        "Battles by how they ended.",
        [({"ending": e}, n) for e, n in room.battles_over.items()],
    )
    family(lines, "turnwright_messages_total", "counter", "Messages read.", [({}, messages_total)])
    family(
        lines,
        "turnwright_faults_total",
        "counter",
        "Participants' mistakes by kind.",
        [({"code": c}, n) for c, n in sorted(faults_total.items())],
    )
    family(
        lines,
        "turnwright_server_late_turns",
        "gauge",
        "Turns of this battle in which the server's own loop was late. No seat misses a turn for that.",
        [({}, room.timing.late_turns)],
    )
    _summary(
        lines,
        "turnwright_phase_seconds",
        "Time of each phase of a turn in this battle.",
        [({"phase": name}, h) for name, h in room.timing.phases.items()],
    )
    _summary(
        lines,
        "turnwright_turn_lateness_seconds",
        "Delay between a turn's due time and its resolution.",
        [({}, room.timing.lateness)],
    )
    _summary(
        lines,
        "turnwright_send_spread_seconds",
        "Time between the first and the last observation of a turn.",
        [({}, room.timing.spread)],
    )
    _seats(lines, room)
    return "\n".join(lines) + "\n"


def _add_pace(lines: list[str], room: BattleRoom) -> None:
    family(lines, "turnwright_tps", "gauge", "The chosen turns per second.", [({}, room.tps)])
    family(
        lines,
        "turnwright_pacing",
        "gauge",
        "Whether turns wait for the pace (together) or not (apart), now or in the next battle.",
        [({"pacing": room.pacing_now}, 1)],
    )


def _seats(lines: list[str], room: BattleRoom) -> None:
    battle = room.battle
    if battle is None:
        return
    seats = range(battle.seats)
    who = [{"seat": str(s), "bot": battle.header.seats[s].name} for s in seats]
    _summary(
        lines,
        "turnwright_answer_seconds",
        "Time between writing an observation to a seat's socket and reading its intent.",
        [(w, t.answers) for w, t in zip(who, room.seat_timing, strict=True)],
    )
    faults = battle.referee.skips.seats
    for name, text, values in (
        ("skipped_turns", "Turns that the seat missed.", [f.skipped for f in faults]),
        ("late_intents", "Intents that arrived after the seat's deadline.", [f.late for f in faults]),
        (
            "held_seconds",
            "Time for which the battle has waited for late answers of the seat.",
            [battle.collecting.late_rule.held_ns.get(s, 0) / 1e9 for s in seats],
        ),
        ("malformed_messages", "Messages with a mistake.", [t.malformed for t in room.seat_timing]),
    ):
        rows = list(zip(who, values, strict=True))
        family(lines, f"turnwright_{name}", "gauge", text, rows)


def family(
    lines: list[str], name: str, kind: str, text: str, rows: Sequence[tuple[dict[str, str], float]]
) -> None:
    """Append one metric, with its help text, its type, and a row for each set of labels."""
    lines += (f"# HELP {name} {text}", f"# TYPE {name} {kind}")
    lines += (f"{name}{_labels(labels)} {value}" for labels, value in rows)


def _summary(lines: list[str], name: str, text: str, rows: list[tuple[dict[str, str], Histogram]]) -> None:
    lines += (f"# HELP {name} {text}", f"# TYPE {name} summary")
    for labels, histogram in rows:
        for percent in _QUANTILES:
            quantile = {**labels, "quantile": f"{percent / 100:g}"}
            lines.append(f"{name}{_labels(quantile)} {histogram.percentile_ns(percent) / 1e9:.9f}")
        lines.append(f"{name}_sum{_labels(labels)} {histogram.total_ns / 1e9:.9f}")
        lines.append(f"{name}_count{_labels(labels)} {histogram.count}")


def _labels(labels: dict[str, str]) -> str:
    if not labels:
        return ""
    return "{" + ",".join(f'{k}="{_escape(v)}"' for k, v in labels.items()) + "}"


def _escape(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
