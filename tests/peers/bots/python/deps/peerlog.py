"""Log of a bot's battle, one JSON object a line, in the folder that PEER_LOG names (none: no log).

A class lists `Logged` before `Bot`; its own handlers of these events call `super()` first.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback


def log(kind: str, **fields: object) -> None:
    """Append one line to this process's file. Without PEER_LOG, do nothing."""
    folder = os.environ.get("PEER_LOG")
    if not folder:
        return
    line = json.dumps({"kind": kind, "bot": os.path.basename(os.getcwd()), **fields})
    with open(os.path.join(folder, f"{os.getpid()}.jsonl"), "a", encoding="utf-8") as file:
        file.write(line + "\n")


def _log_error(kind, value, trace) -> None:
    log("error", text="".join(traceback.format_exception(kind, value, trace))[-2000:])
    sys.__excepthook__(kind, value, trace)


sys.excepthook = _log_error
threading.excepthook = lambda hook: _log_error(hook.exc_type, hook.exc_value, hook.exc_traceback)


class Logged:
    """Records the life of a battle as this bot receives it."""

    def on_game_started(self, event) -> None:
        log("game_started", id=event.my_id, timeout=event.game_setup.turn_timeout)

    def on_round_started(self, event) -> None:
        log("round_started", round=event.round_number)

    def on_round_ended(self, event) -> None:
        log("round_ended", round=event.round_number, turn=event.turn_number)

    def on_game_ended(self, event) -> None:
        log("game_ended", rounds=event.number_of_rounds)

    def on_skipped_turn(self, event) -> None:
        log("skipped", turn=event.turn_number)

    def on_won_round(self, event) -> None:
        log("won", turn=event.turn_number)

    def on_death(self, event) -> None:
        log("died", turn=event.turn_number)

    def on_connection_error(self, event) -> None:
        log("connection_error", text=str(getattr(event, "error", event))[-2000:])
