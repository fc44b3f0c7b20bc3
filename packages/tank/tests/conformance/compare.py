"""Compare two runs of one scenario, except for the choices that the protocol leaves open.

Canonical form: bot ids become names. A bullet id becomes owner#k (the k-th of that owner in the round). Bots,
bullets, participants, results and the events of a tick are sorted. Session ids and addresses are dropped.
BotListUpdate and ServerHandshake are not compared. SkippedTurnEvent, TPS, pause and resume messages are taken
out of the sequence and compared by themselves, because the official server sends them from another thread.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any

from packages.tank.tests.conformance.player import Message, Run

TOLERANCE = 1e-9
DIFFERENCES_MAX = 5
BOT_ID_KEYS = {"myId", "victimId", "botId", "ownerId", "scannedByBotId", "scannedBotId", "senderId"}
NOT_COMPARED_KEYS = {"sessionId", "host", "port"}
SORTED_KEYS = {"botStates", "bulletStates", "participants", "events"}
SORT_BY = (
    "type",
    "id",
    "bulletId",
    "botId",
    "victimId",
    "bullet",
    "scannedByBotId",
    "scannedBotId",
    "message",
)
NOT_COMPARED_TYPES = {"BotListUpdate", "ServerHandshake"}
ASIDE_TYPES = {
    "SkippedTurnEvent",
    "TpsChangedEvent",
    "GamePausedEventForObserver",
    "GameResumedEventForObserver",
}
TICKS = ("TickEventForBot", "TickEventForObserver")
NOT_COMPARED_CLIENT = "observer-late"


def load_official(folder: Path) -> Run:
    """Return the official server's answers: a file for each client, with a line for each message."""
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    run = Run(ids={name: id_ for name, id_ in meta["ids"].items() if id_ is not None})
    run.finished = meta["finished"]
    for file in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            entries = [json.loads(line) for line in lines]
        run.received[file.name.removesuffix(".jsonl.gz")] = [e["msg"] for e in entries if e["dir"] == "in"]
    return run


class Names:
    """Names for the ids of one run.

    Args:
        left_out: keys that are not compared.
    """

    def __init__(self, run: Run, left_out: Container[str] = NOT_COMPARED_KEYS) -> None:
        self.left_out = left_out
        self.bots = {id_: name for name, id_ in run.ids.items()}
        self.bullets: dict[tuple[int, int], str] = {}
        fired: dict[tuple[int, int], int] = {}
        for message in run.received.get("observer") or run.received["controller"]:
            if message["type"] != "TickEventForObserver":
                continue
            bullets = [e["bullet"] for e in message["events"] if e["type"] == "BulletFiredEvent"]
            for bullet in sorted(bullets, key=lambda bullet: bullet["ownerId"]):
                owner = (message["roundNumber"], bullet["ownerId"])
                fired[owner] = fired.get(owner, 0) + 1
                name = f"{self.bots.get(owner[1], owner[1])}#{fired[owner]}"
                self.bullets[(owner[0], bullet["bulletId"])] = name

    def canonical(self, value: Any, round_number: int) -> Any:
        """Return a message, or a part of one, in canonical form."""
        if isinstance(value, list):
            return [self.canonical(item, round_number) for item in value]
        if not isinstance(value, dict):
            return value
        return {
            key: self._field(value, key, item, round_number)
            for key, item in value.items()
            if key not in self.left_out
        }

    def _field(self, owner: Message, key: str, value: Any, round_number: int) -> Any:
        if key in BOT_ID_KEYS or (key == "id" and not owner.get("isTeam")):
            return f"@{self.bots.get(value, value)}"
        if key == "teammateIds":
            return sorted(f"@{self.bots.get(item, item)}" for item in value or [])
        if key == "bulletId":
            return self.bullets.get((round_number, value), value)
        canonical = self.canonical(value, round_number)
        if key in SORTED_KEYS or (key == "results" and isinstance(value, list)):
            return sorted(canonical, key=_sort_key)
        return canonical


def _sort_key(item: Message) -> tuple[str, ...]:
    first = []
    for key in SORT_BY:
        value = item.get(key, "")
        first.append(str(value.get("bulletId", "") if isinstance(value, dict) else value))
    return (*first, json.dumps(item, sort_keys=True))


def _sequence(run: Run, client: str, turns_max: int | None) -> tuple[list[Message], dict[str, list[Message]]]:
    """Return a client's messages in canonical form: those in sequence, and by type those set aside."""
    names, round_number = Names(run), 0
    in_sequence: list[Message] = []
    aside: dict[str, list[Message]] = {}
    for message in run.received.get(client, []):
        kind = message["type"]
        round_number = message.get("roundNumber", round_number)
        if kind in NOT_COMPARED_TYPES:
            continue
        if kind in ASIDE_TYPES:
            aside.setdefault(kind, []).append(names.canonical(message, round_number))
            continue
        past_the_end = kind in TICKS and message["turnNumber"] > (turns_max or message["turnNumber"])
        if past_the_end or (turns_max and kind == "GameAbortedEvent"):
            continue
        in_sequence.append(names.canonical(message, round_number))
    return in_sequence, aside


def unequal(a: Any, b: Any, path: str = "") -> Iterator[str]:
    """Yield where two canonical values differ. Numbers are equal within TOLERANCE."""
    numbers = all(isinstance(x, int | float) and not isinstance(x, bool) for x in (a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(a.keys() | b.keys()):
            if key not in a or key not in b:
                whose = "ours" if key in b else "official"
                yield f"{path}.{key}: only {whose}: {b.get(key, a.get(key))!r:.80}"
            else:
                yield from unequal(a[key], b[key], f"{path}.{key}")
    elif isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            yield f"{path}: length {len(a)} != {len(b)}: {json.dumps(a):.300} | {json.dumps(b):.300}"
            return
        for index, (x, y) in enumerate(zip(a, b, strict=True)):
            yield from unequal(x, y, f"{path}[{index}]")
    elif numbers:
        if abs(a - b) > TOLERANCE:
            yield f"{path}: {a!r} != {b!r}"
    elif a != b:
        yield f"{path}: {a!r:.200} != {b!r:.200}"


def _label(message: Message) -> tuple[Any, Any]:
    return message["type"], message.get("turnNumber")


def _unequal_sequences(official: list[Message], ours: list[Message]) -> Iterator[str]:
    """Yield where two sequences differ, until they are out of step."""
    for index, (a, b) in enumerate(zip(official, ours, strict=False)):
        if _label(a) != _label(b):
            yield f"message {index}: {_label(a)} != {_label(b)}"
            return
        where = f"{a['type']} round {a.get('roundNumber')} turn {a.get('turnNumber')}"
        yield from (f"{where}: {text}" for text in unequal(a, b))
    if len(official) != len(ours):
        shorter, longer = sorted((official, ours), key=len)
        extra = longer[len(shorter)]
        yield f"message {len(shorter)}: only {'ours' if longer is ours else 'official'}: {_label(extra)}"


def _unequal_asides(official: dict[str, list[Message]], ours: dict[str, list[Message]]) -> Iterator[str]:
    for kind in sorted(ASIDE_TYPES):
        a, b = official.get(kind, []), ours.get(kind, [])
        if kind == "SkippedTurnEvent":
            a = sorted(a, key=lambda event: event["turnNumber"])
            b = sorted(b, key=lambda event: event["turnNumber"])
        if any(unequal(a, b)):
            yield f"{kind}: {json.dumps(a):.300} != {json.dumps(b):.300}"


def differences(scenario: Message, official: Run, ours: Run) -> list[str]:
    """Return a line for each difference. For each client, up to DIFFERENCES_MAX are about its sequence."""
    found = [] if ours.finished == official.finished else [f"finished in time: {ours.finished}"]
    for client in sorted(official.received.keys() | ours.received.keys()):
        if client == NOT_COMPARED_CLIENT:
            continue
        a, a_aside = _sequence(official, client, scenario.get("compareTurns"))
        b, b_aside = _sequence(ours, client, scenario.get("compareTurns"))
        lines = [*_unequal_sequences(a, b)][:DIFFERENCES_MAX]
        found += [f"{client}: {line}" for line in [*lines, *_unequal_asides(a_aside, b_aside)]]
    return found
