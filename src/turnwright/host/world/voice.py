"""What is said to each session: text for terminals, packages for programs, and a prompt when it was said.

Text of one call leaves as one effect, so a turn is one write for each connection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from turnwright.games.world.threats import Reaction
from turnwright.host.world import effects as fx
from turnwright.host.world import gmcp_out, rendering
from turnwright.host.world.buffer import QUEUE_MAX
from turnwright.host.world.sessions import Session
from turnwright.wire.world.clock import TimeSegment

__all__ = ["Voice"]

_LOOKS_KEPT = 1_024
_SAVES_NOT = (
    "(The world cannot be saved at the moment. It goes on; what happens from now on is lost if the server"
    " stops before it can.)"
)
_SAVES = "(The world is saved again, with all that has happened.)"


class Voice:
    """Says things. emit: takes effects."""

    def __init__(self, emit: Callable[[fx.Effect], None]) -> None:
        self._emit = emit
        self._unsaid: dict[int, Session] = {}
        self._answers: rendering.Answers = rendering.answers_of(())
        self._saves = True

    def meets(self, reactions: Iterable[Reaction]) -> None:
        """From now on these reactions are told with every blow that they meet."""
        self._answers = rendering.answers_of(reactions)

    def say(self, session: Session, text: str) -> None:
        """Show a line, or several, at the end of this call."""
        if session.stage == "gone":
            return
        if session.reads_text:
            session.said.append(text)
            self._unsaid[session.conn] = session
        else:
            self._emit(fx.Package(session.conn, "Game.Text", {"text": text}))

    def ask(self, session: Session, question: str) -> None:
        """Show a question at once; the answer is a line."""
        if session.reads_text:
            self._flush_text(session)
            self._emit(fx.Prompt(session.conn, question))
        session.prompted = True

    def unprompted(self, session: Session) -> None:
        """Note that something was typed, so that a prompt is due."""
        session.prompted = False
        self._unsaid[session.conn] = session

    def package(self, session: Session, name: str, data: Any) -> None:
        """Send a message to its program, if it takes any."""
        if session.packages and session.stage != "gone":
            self._emit(fx.Package(session.conn, name, data))

    def look(self, session: Session) -> rendering.Look:
        """Return how its terminal wants text."""
        return _look(session.width, session.colours, session.screen_reader)

    def segment(self, session: Session, segment: TimeSegment) -> None:
        """Tell how game time runs from now on."""
        data = {"g": segment.g, "w": segment.w, "rate": segment.rate}
        self.package(session, "Time.Segment", data)

    def turn(self, session: Session, view: dict[str, Any], heard: Sequence[Mapping[str, Any]]) -> None:
        """Tell what a turn has brought. heard: what it was not told before."""
        moved = session.place != view["place"]["id"]
        session.view, session.place = view, view["place"]["id"]
        if session.carrier == "program":
            other = [message for message in heard if message.get("kind") not in gmcp_out.FIGHT]
            whole = {**view, "heard": other, "queue": session.buffer.lines()}
            self.package(
                session, "Turn", gmcp_out.turn_changes(session.sent, whole) if session.changes else whole
            )
            self._fight(session, view, heard)
        elif session.packages:
            for name, data in gmcp_out.changed(session.sent, view):
                self.package(session, name, data)
            self._fight(session, view, heard)
        if session.awaits_turn:
            session.awaits_turn = False
            self._unsaid[session.conn] = session
        if session.reads_text:
            for line in self._lines(session, view, heard, moved):
                self.say(session, line)

    def _lines(
        self, session: Session, view: dict[str, Any], heard: Sequence[Mapping[str, Any]], moved: bool
    ) -> list[str]:
        """Return a turn as text. Whoever has come to a place reads of it before what is said to it there."""
        heard = _in_words(session, heard)
        look, there = self.look(session), dict[bool, list[Mapping[str, Any]]]({False: [], True: []})
        for message in heard:
            there[moved and "arrived" in message.get("data", ())].append(message)
        lines = rendering.heard_lines(there[False], view, look, answers=self._answers)
        if moved:
            lines.append(rendering.room(view, look))
        return lines + rendering.heard_lines(there[True], view, look, answers=self._answers)

    def early(self, session: Session, heard: Sequence[Mapping[str, Any]], now_us: int) -> None:
        """Tell what has happened inside the open turn."""
        for name, data in gmcp_out.told(heard):
            self.package(session, name, self._with_lead(session, name, data))
        if session.reads_text and session.view:
            view = {**session.view, "now_us": now_us}
            for line in rendering.heard_lines(
                _in_words(session, heard), view, self.look(session), answers=self._answers
            ):
                self.say(session, line)

    def greet_program(self, session: Session) -> None:
        """Tell a program all that it would know had it been there from the beginning."""
        session.sent.clear()
        for name, data in gmcp_out.changed(session.sent, session.view):
            self.package(session, name, data)
        for name, data in gmcp_out.whole_queue(session.view):
            self.package(session, name, data)

    def queue(self, session: Session) -> None:
        """Tell what waits, if that has changed."""
        if session.packages and session.sent.get("Char.Queue") != session.buffer.version and session.playing:
            session.sent["Char.Queue"] = session.buffer.version
            commands = session.buffer.lines()
            self.package(session, "Char.Queue", {"commands": commands, "max": QUEUE_MAX})

    def builders(self, sessions: Iterable[Session], text: str) -> None:
        """Tell those who can change the content, who sit at this machine, what went wrong with it."""
        for session in sessions:
            if session.loopback:
                self.say(session, self.look(session).paint("dim", f"(builder) {rendering.clean(text)}"))

    def saved(self, sessions: Iterable[Session], *, works: bool) -> None:
        """Tell players that the world cannot be saved, or can again; `warn` tells who comes in meanwhile."""
        self._saves = works
        for session in sessions:
            self.say(session, _SAVES if works else _SAVES_NOT)

    def warn(self, session: Session) -> None:
        """Tell who comes in what everybody else was told before."""
        if not self._saves:
            self.say(session, _SAVES_NOT)

    def flush(self) -> None:
        """Let out what was said, with a prompt behind it."""
        unsaid, self._unsaid = self._unsaid, {}
        for session in unsaid.values():
            if session.stage == "gone":
                continue
            self.queue(session)
            if not session.reads_text or not (session.said or not (session.prompted or session.awaits_turn)):
                continue
            self._flush_text(session)
            if session.stage == "playing" and session.view:
                waiting = len(session.buffer)
                self._emit(
                    fx.Prompt(session.conn, rendering.prompt(session.view, waiting, self.look(session)))
                )
                session.prompted = True

    def last_words(self, session: Session) -> None:
        """Let out what was said to somebody who is about to go."""
        self._flush_text(session)
        self._unsaid.pop(session.conn, None)

    def _flush_text(self, session: Session) -> None:
        if not session.said:
            return
        text, session.said = "\n".join(session.said), []
        fresh = "\n" if session.prompted and session.entered else ""
        self._emit(fx.Text(session.conn, f"{fresh}{text}\n"))
        session.prompted = False

    def _fight(self, session: Session, view: dict[str, Any], heard: Sequence[Mapping[str, Any]]) -> None:
        """Tell a program of threats and reactions, each once; who has just come gets the whole queue."""
        if not session.entered:
            for name, data in gmcp_out.whole_queue(view):
                self.package(session, name, data)
            heard = [message for message in heard if message.get("kind") != "threat"]
        for name, data in gmcp_out.told(heard):
            self.package(session, name, self._with_lead(session, name, data))

    def _with_lead(self, session: Session, name: str, data: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a reaction with how early it came, by which a client steers its lead."""
        if name == "Combat.Result" and data["at"] in session.early_us:
            return {**data, "early_us": session.early_us.pop(data["at"])}
        return data


def _in_words(session: Session, heard: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return what is told in words: a page that has packed messages writes of its threats itself."""
    if session.carrier != "packed":
        return heard
    return [message for message in heard if message.get("kind") != "threat"]


@lru_cache(_LOOKS_KEPT)
def _look(width: int, colours: bool, screen_reader: bool) -> rendering.Look:
    return rendering.Look(width, colours, screen_reader)
