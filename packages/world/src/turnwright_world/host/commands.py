"""Players' commands: carried out immediately, queued for a turn, or refused.

Looking, talking to players elsewhere, help and leaving are immediate commands and do not change the world.
Every other command acts in the world and waits for its turn. Verbs have their own help texts. The help texts
of immediate commands and reactions are in this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache

from turnwright.host.accounts import fold
from turnwright_world.host import effects as fx
from turnwright_world.host import text as rendering
from turnwright_world.host.host_context import HostContext
from turnwright_world.host.intents import (
    DIRECTIONS,
    press,
    press_of_line,
    short_of,
    split,
    way_of,
)
from turnwright_world.host.login import Login
from turnwright_world.host.minds.commands import do_mind
from turnwright_world.host.minds.service import MindService
from turnwright_world.host.output import hindrances
from turnwright_world.host.pace import STANDS
from turnwright_world.host.sessions import QUEUE_MAX, Session
from turnwright_world.rules.entities import Action
from turnwright_world.rules.naming import begun, coins, stands_in, the
from turnwright_world.rules.seen_map import seen_map
from turnwright_world.rules.threats import Reaction
from turnwright_world.rules.verbs import LookingAct, Rules, Verb
from turnwright_world.rules.view import DARK, ShownCreature, ShownItem, ShownPlace, ViewData
from turnwright_world.wire.map_text import map_drawn, map_words
from turnwright_world.wire.messages import React
from turnwright_world.wire.server_messages import Channel, ChannelText, Offer, Offers

TALK_CHARS_MAX = 500
_START_MIN = 2
"""The fewest letters that abbreviate a command."""
WORD_SHOWN_MAX = 40
"""The most characters of an unknown command that its answer repeats."""
_ALIKE = 0.6
SEEN_MAX = 20
"""The most names of creatures, and of items, that are suggested when a word matches none."""
_WORDS_KEPT = 1_024
_WAYS = "north (or n; also east, south, west, up, down, in, out): go that way"
_POLITE = frozenset(("please", "now", "please now", "!"))
"""Words that may follow a direction without changing its meaning."""

AT_ONCE: Mapping[str, str] = {
    "look": "look, or look NAME: this place, or what is in it",
    "exits": "exits: the ways that lead out of here, and what you know to be behind them",
    "map": "map: the places that you have seen, and the ways between them",
    "reactions": "reactions: which are ready, and why others would do nothing now; help NAME: what one stops",
    "say": "say TEXT (or 'TEXT): to players who are here",
    "chat": "chat TEXT: to all players",
    "tell": "tell NAME TEXT, then reply TEXT: to one player, wherever that is",
    "who": "who: the players",
    "inventory": "inventory: what you have",
    "score": "score: how you are",
    "brief": "brief on, or off: leave out descriptions of places where you arrive; look shows them",
    "queue": "queue: the commands that wait for their turn",
    "stop": "stop: empties the queue at once and interrupts what you do at your next turn",
    "time": "time: the turn, and how long one takes",
    "keep": "keep: choose a passphrase; then your character waits for you",
    "mind": "mind: a Python file that acts for you while you are away, or a companion; mind help tells how",
    "quit": "quit: leave at once; your body stays for a while, as after a lost connection",
}
"""Commands that work immediately, and what they do."""
_TAKES = {
    "all": "everything that is coming at you",
    "first": "the next attack",
    "id": "one attack, by its number, or else the next",
}


GROUPS = ("moving", "looking", "fighting", "talking", "things", "minds", "settings", "other")
"""The groups of help, in order."""
_GROUP_OF: Mapping[str, str] = {
    **dict.fromkeys(("look", "exits", "map", "inventory", "score", "who", "time"), "looking"),
    **dict.fromkeys(("say", "chat", "tell"), "talking"),
    **dict.fromkeys(("brief", "queue", "stop", "keep", "quit"), "settings"),
    **{"mind": "minds", "go": "moving", "reactions": "fighting"},
}


class PlayerCommands:
    """Carries out players' commands immediately, queues them for a turn, or refuses them."""

    def __init__(self, context: HostContext, login: Login, minds: MindService) -> None:
        self.context = context
        self.login = login
        self.minds = minds

    def line(self, session: Session, text: str) -> None:
        """Handle a line that a player has typed."""
        if not text.strip():
            return
        context = self.context
        word, rest = split(text, context.rules)
        if (way := way_of(word, context.rules)) and rest:
            if fold(rest) not in _POLITE:
                short = f" (or {letter})" if (letter := short_of(way)) else ""
                context.say(session, f"To go {way}, type {way} alone{short}.")
                return
            word, rest, text = "go", way, way
        _, threat = press_of_line(word, rest)
        is_short = not rest or threat is not None
        threatened = is_short and self._is_threatened(session)
        if reaction := reaction_of(word, context.rules, threatened=threatened):
            press(context.turns, session, React(reaction, None, threat), context.now_ns)
            return
        if is_short and (doubt := doubtful(context.rules, word)):
            context.say(session, rendering.wrapped(doubt, session.width))
            return
        immediate = immediate_of(word, context.rules)
        if immediate is not None:
            immediate(self, session, rest)
            return
        verb = context.rules.verb(word)
        if verb is None:
            context.say(session, rendering.wrapped(no_command(context.rules, word), session.width))
            return
        if verb.at_once:
            self._look_up(session, verb, rest)
            return
        if verb.urgent:
            self._clear_for_urgent(session)
        if (refused := session.queue.put(text.strip())) is not None:
            context.say(session, refused)
        elif len(session.queue) == 1:
            self._first_in_queue(session)

    def _look_up(self, session: Session, verb: Verb, rest: str) -> None:
        """Answer a verb that only reads the world. If the content's code fails, the world stays as it is."""
        context, body = self.context, self.context.body(session)
        if body is None:
            return
        act = LookingAct(context.turns.state.world, context.rules, body, rest)
        try:
            why = verb.check(act)
            if why is None:
                verb.finish(act)
        except Exception as error:
            context.emit(fx.Log("error", f"the verb {verb.name} failed: {type(error).__name__}: {error}"))
            why = f"{verb.name} does not work now."
        context.say(
            session, "\n".join(rendering.wrapped(one, session.width) for one in (why, *act.told) if one)
        )

    def _first_in_queue(self, session: Session) -> None:
        """Expect that the next turn takes the only line in the queue.

        If the body is busy or time is paused, tell the player that the line waits.
        """
        action = self._action_of(session)
        stands = self.context.turns.pace.control.stands
        session.awaits_turn = (action is None or session.stop) and not stands
        if stands:
            self.context.say(session, f"{STANDS} That waits.")
            return
        if action is not None and not session.stop and session.reads_text:
            self.context.say(session, waits(action.verb))

    def _action_of(self, session: Session) -> Action | None:
        creature = self.context.turns.state.world.creatures.get(session.body or 0)
        return None if creature is None else creature.action

    def _is_threatened(self, session: Session) -> bool:
        creature = self.context.turns.state.world.creatures.get(session.body or 0)
        return creature is not None and bool(creature.threats)

    def _clear_for_urgent(self, session: Session) -> None:
        """Empty the queue and interrupt the body's action, because an urgent command came."""
        session.stop |= self._action_of(session) is not None
        if dropped := len(session.queue.purge()):
            self.context.say(session, f"{dropped_words(dropped)}.")


Immediate = Callable[[PlayerCommands, Session, str], None]
"""Carries out an immediate command. Called with the session and the text after the command's word."""


def immediate_of(word: str, rules: Rules) -> Immediate | None:
    """Return the immediate command that a word names, or None.

    The first two or more letters are enough if no other command begins with them. A verb of the world with
    the same name comes first, except for the commands in ALWAYS.
    """
    if word in IMMEDIATE:
        return IMMEDIATE[word] if word in ALWAYS or not rules.names(word) else None
    if len(word) < _START_MIN or rules.names(word):
        return None
    if any(name.startswith(word) for name in (*rules.verbs, *rules.threats.reactions)):
        return None
    starting = [name for name in IMMEDIATE if name.startswith(word)]
    return IMMEDIATE[starting[0]] if len(starting) == 1 else None


def reaction_of(word: str, rules: Rules, *, threatened: bool) -> str:
    """Return the reaction that a word or its beginning names, or "".

    A beginning of two or more letters that only one reaction has means that reaction while a threat is
    coming. At other times it means the reaction only if no other command has the same beginning. The full
    name of a command always means that command.

    Args:
        threatened: whether a threat to the speaker is coming.
    """
    reactions = rules.threats.reactions
    if word in reactions:
        return word
    if len(word) < _START_MIN or word in IMMEDIATE or rules.names(word):
        return ""
    meant = [name for name in reactions if name.startswith(word)]
    if len(meant) != 1:
        return ""
    others = any(name.startswith(word) for name in (*rules.verbs, *IMMEDIATE))
    return meant[0] if threatened or not (others or rules.verb(word)) else ""


def doubtful(rules: Rules, word: str) -> str:
    """Return the answer to a word that begins both a reaction and an alias, or "" for any other word.

    Without a threat, the server carries out neither the reaction nor the command. The player may have meant
    the reaction, and may have typed it too late.
    """
    verb, reaction = rules.verb(word), reaction_of(word, rules, threatened=True)
    is_name = word in rules.threats.reactions or any(name.startswith(word) for name in rules.verbs)
    if verb is None or is_name or not reaction:
        return ""
    alias = next(name for name in verb.aliases if name.startswith(word))
    return (
        f"{word!r} is {reaction} while something is coming at you. Nothing is; type more of it for"
        f" {reaction} or {alias}."
    )


def rules_of(rules: Rules) -> Offers:
    """Return the verbs and reactions that a client offers its player."""
    reactions = [
        Offer(
            name=reaction.name,
            clears=reaction.clears,
            stamina=reaction.stamina,
            lockout_us=reaction.lockout_us,
            band_us=reaction.band_us,
            kinds=list(reaction.kinds),
            why=reaction.why,
            short=_beginnings(reaction.name, rules, threatened=False),
            short_threatened=_beginnings(reaction.name, rules, threatened=True),
        )
        for reaction in rules.threats.reactions.values()
    ]
    return Offers(list(rules.verbs), reactions, rules.threats.react_us)


def _beginnings(reaction: str, rules: Rules, *, threatened: bool) -> list[str]:
    """Return the abbreviations that mean a reaction, without its full name."""
    begins = [reaction[:size] for size in range(_START_MIN, len(reaction))]
    return [one for one in begins if reaction_of(one, rules, threatened=threatened) == reaction]


def talk(
    room: PlayerCommands, channel: Channel, talker: str, text: str, heard_by: Iterable[Session], shown: str
) -> None:
    """Send speech to its listeners.

    Programs that accept messages get `text` in a message. Terminals show `shown`.
    """
    message = ChannelText(channel, talker, rendering.clean(text))
    painted: dict[rendering.Look, str] = {}
    for listener in heard_by:
        room.context.package(listener, message)
        if listener.reads_text:
            look = room.context.look(listener)
            if look not in painted:
                painted[look] = look.paint("talk", rendering.wrapped(shown, look.width))
            room.context.say(listener, painted[look])


def _look(room: PlayerCommands, session: Session, rest: str) -> None:
    view = room.context.view(session)
    if not rest:
        room.context.say(session, rendering.room(view, room.context.look(session)))
        return
    wanted = rest.lower().removeprefix("at ").strip().removeprefix("the ")
    if wanted in ("", "at"):
        room.context.say(session, rendering.wrapped(f"Look at what? {_seen(view)}", session.width))
        return
    for other in view["here"]:
        if _is_named(other, wanted):
            kind = room.context.rules.kinds.get(other["kind"])
            text = kind.text if kind is not None and kind.text else f"{other['name']}, a {other['kind']}."
            text += f" {begun(the(other['name']))} is {other['state']}."
            room.context.say(session, rendering.wrapped(begun(text), session.width))
            return
    things = [*view["items"], *view["place"]["items"]]
    found = next((thing for thing in things if _is_named(thing, wanted)), None)
    if found is not None:
        shown = (
            room.context.rules.item_text(found["kind"])
            or f"You see nothing special about {the(found['name'])}."
        )
    elif scenery := _scenery(room, view["place"], wanted):
        shown = scenery
    elif way := next((way for way in view["place"]["exits"] if way.startswith(wanted)), ""):
        shown = f"There is a way {way}. Go and see."
    elif stands_in(wanted, view["place"]["text"]):
        shown = f"You see nothing special about the {wanted}."
    else:
        shown = f"You see no {wanted[:WORD_SHOWN_MAX]} here. {_seen(view)}"
    room.context.say(session, rendering.wrapped(shown, session.width))


def _is_named(thing: ShownCreature | ShownItem, wanted: str) -> bool:
    """Return whether the thing's name, or a word of the name, begins with `wanted`."""
    name: str = thing["name"].lower()
    return name.startswith(wanted) or any(word.startswith(wanted) for word in name.split())


def _seen(view: ViewData) -> str:
    """Return a sentence with the names of things here, or the advice to type look if there are none."""
    things = [*view["here"][:SEEN_MAX], *view["place"]["items"][:SEEN_MAX]]
    names = list(dict.fromkeys(rendering.clean(thing["name"]) for thing in things))
    return f"Here: {', '.join(names)}." if names else "Type look to see this place."


def _scenery(room: PlayerCommands, place: ShownPlace, wanted: str) -> str:
    """Return the description of a part of a place, or "" if the player sees no such part."""
    return "" if place["text"] == DARK else room.context.rules.scenery_text(place["id"], wanted)


def _exits(room: PlayerCommands, session: Session, rest: str) -> None:
    place, ways = room.context.view(session)["place"], room.context.output.ways(session)
    lines = [rendering.exits_line(place)]
    for way in place["exits"] if session.body is not None else ():
        door = ways.doors.get(way)
        shut = f", {door.name} {'shut' if door.shut else 'open'}" if door else ""
        lines.append(f"{way}: {ways.names.get(way, 'not seen yet')}{shut}")
    room.context.say(session, rendering.wrapped("\n".join(lines), session.width))


def _map(room: PlayerCommands, session: Session, rest: str) -> None:
    """Show the map of what the character has seen, as a drawing or as words for a screen reader."""
    body = room.context.body(session)
    if body is None:
        return
    seen = seen_map(room.context.turns.state.world, body)
    if session.screen_reader or not session.reads_text:
        room.context.say(session, rendering.wrapped(map_words(seen), session.width))
    else:
        room.context.say(session, rendering.wrapped(map_drawn(seen, session.width), session.width))


def _reactions(room: PlayerCommands, session: Session, rest: str) -> None:
    """Show for each reaction whether it would stop an attack now, or why not."""
    body, state = room.context.body(session), room.context.turns.state
    now_us, lines = state.world.reached_us, []
    for one in hindrances(state.rules, body, now_us) if body is not None else ():
        why = [f"{block.text}{seconds_left(block.until_us, now_us)}" for block in one.blocks]
        lines.append(f"{one.name}: {'; '.join(why) or 'ready'}.")
    room.context.say(session, "\n".join(rendering.wrapped(line, session.width) for line in lines))


def seconds_left(until_us: int, now_us: int) -> str:
    """Return the remaining time, for example " (0.8 s)", or "" for a state that does not end by itself."""
    return f" ({max(0, until_us - now_us) / 1e6:.1f} s)" if until_us else ""


def _inventory(room: PlayerCommands, session: Session, rest: str) -> None:
    view = room.context.view(session)
    names = rendering.names(view["items"]) or "nothing"
    text = f"You have {names}, and {coins(view['vitals']['money'])}."
    room.context.say(session, rendering.wrapped(text, session.width))


def _score(room: PlayerCommands, session: Session, rest: str) -> None:
    view = room.context.view(session)
    vitals = view["vitals"]
    parts = [f"{name} {value}" for name, value in sorted(view["me"]["attributes"].items())]
    text = (
        f"{session.name}: {vitals['hp']}/{vitals['maxhp']} health, {vitals['sp']}/{vitals['maxsp']} stamina."
    )
    text += f" {', '.join(parts)}." if parts else ""
    room.context.say(session, rendering.wrapped(text, session.width))


def _who(room: PlayerCommands, session: Session, rest: str) -> None:
    names = sorted(rendering.clean(player.name) for player in room.context.sessions.players())
    room.context.say(
        session,
        rendering.wrapped(
            f"{len(names)} player{'s' if len(names) != 1 else ''} online: {', '.join(names)}.", session.width
        ),
    )


def _tell(room: PlayerCommands, session: Session, rest: str) -> None:
    name, _, text = rest.partition(" ")
    _tell_to(room, session, name, text)


def _reply(room: PlayerCommands, session: Session, rest: str) -> None:
    if not session.talker:
        room.context.say(session, "Nobody has told you anything.")
        return
    _tell_to(room, session, session.talker, rest)


def _tell_to(room: PlayerCommands, session: Session, name: str, text: str) -> None:
    other, text = room.context.sessions.find(name), text.strip()[:TALK_CHARS_MAX]
    if other is None or not text:
        room.context.say(
            session,
            f"No player is called {name!r}. Type who to see the players."
            if name and text
            else "Tell whom what? Type: tell NAME TEXT",
        )
        return
    other.talker = session.name
    talk(room, "tell", session.name, text, [other], f"{session.name} tells you: {text}")
    room.context.say(session, rendering.wrapped(f"You tell {other.name}: {text}", session.width))


def _chat(room: PlayerCommands, session: Session, rest: str) -> None:
    text = rest.strip()[:TALK_CHARS_MAX]
    if not text:
        room.context.say(session, "Chat what? Type: chat TEXT")
        return
    talk(room, "chat", session.name, text, room.context.sessions.players(), f"[chat] {session.name}: {text}")


def _say(room: PlayerCommands, session: Session, rest: str) -> None:
    """Say something to the players in the same place, in a world without its own verb `say`."""
    text = rest.strip()[:TALK_CHARS_MAX]
    if not text:
        room.context.say(session, "Say what? Type: say TEXT")
        return
    talk(room, "say", session.name, text, room.context.sessions.near(session), f"{session.name} says: {text}")
    room.context.say(session, rendering.wrapped(f"You say: {text}", session.width))


def _brief(room: PlayerCommands, session: Session, rest: str) -> None:
    """Turn descriptions of places off or on. Without an argument, switch the setting."""
    asked = fold(rest.strip())
    if asked not in ("", "on", "off"):
        room.context.say(session, "Type: brief on, or brief off")
        return
    brief = not session.brief if not asked else asked == "on"
    room.login.set_brief(session, brief)
    kept = "" if session.account is not None else " Type keep to have it remembered."
    shown = "only when you type look" if brief else "whenever you arrive"
    room.context.say(session, f"Descriptions of places are shown {shown}.{kept}")


def _queue(room: PlayerCommands, session: Session, rest: str) -> None:
    lines = session.queue.lines()
    numbered = "\n".join(f"{k}. {rendering.clean(line)}" for k, line in enumerate(lines, 1))
    room.context.say(session, f"{numbered}\n{len(lines)} of {QUEUE_MAX} wait." if lines else "Nothing waits.")


def _stop(room: PlayerCommands, session: Session, rest: str) -> None:
    """Empty the queue and interrupt the action. Tell the player now, and again when the action has ended."""
    dropped = len(session.queue.purge())
    session.stop = True
    waited = dropped_words(dropped) if dropped else "Nothing waited"
    room.context.say(session, f"{waited}; you stop with the next turn.")


_FAREWELL_ACTS = "Farewell. Your mind acts for you until you are back."
_FAREWELL_RESTS = "Farewell. Your mind acts while others play; without players the world rests."


def _quit(room: PlayerCommands, session: Session, rest: str) -> None:
    """Leave the world immediately.

    The body stays for a while, as after a lost connection, so quitting does not save it from a fight.
    """
    context = room.context
    stays_s = context.join_events.lose_session(session) * context.turns.state.world.dt_us / 1e6
    if room.minds.acts(session):
        alone = all(other is session for other in context.sessions.players())
        rests = alone and not context.config.lives
        context.end(session, _FAREWELL_RESTS if rests else _FAREWELL_ACTS)
        return
    context.end(session, f"Farewell. Your body stays here for {stays_s:g} seconds.")


def _keep(room: PlayerCommands, session: Session, rest: str) -> None:
    room.login.begin_account(session, room.context.now_ns)


def _mind(room: PlayerCommands, session: Session, rest: str) -> None:
    do_mind(room.minds, session, rest)


def _save(room: PlayerCommands, session: Session, rest: str) -> None:
    room.context.say(
        session, "Every turn is saved by itself. Type keep to come back under your own passphrase."
    )


def _time(room: PlayerCommands, session: Session, rest: str) -> None:
    turns = room.context.turns
    world, pace_s = turns.state.world, turns.pace.turn_us / 1e6
    text = f"Turn {world.turn}, game time {world.now_us / 1e6:.1f} s; a turn takes {pace_s:g} s."
    room.context.say(session, f"{text} {STANDS}" if turns.pace.control.stands else text)


def _commands(room: PlayerCommands, session: Session, rest: str) -> None:
    room.context.say(session, help_text(room.context.rules, "", session.width))


def _help(room: PlayerCommands, session: Session, rest: str) -> None:
    room.context.say(session, help_text(room.context.rules, rest, session.width))


IMMEDIATE: Mapping[str, Immediate] = {
    "look": _look,
    "l": _look,
    "exits": _exits,
    "map": _map,
    "reactions": _reactions,
    "inventory": _inventory,
    "i": _inventory,
    "score": _score,
    "who": _who,
    "tell": _tell,
    "whisper": _tell,
    "reply": _reply,
    "chat": _chat,
    "say": _say,
    "brief": _brief,
    "queue": _queue,
    "stop": _stop,
    "quit": _quit,
    "keep": _keep,
    "mind": _mind,
    "save": _save,
    "time": _time,
    "help": _help,
    "?": _help,
    "commands": _commands,
}
"""Immediate commands by word. A verb of the world with the same name comes first, except for ALWAYS."""
ALWAYS = frozenset(("stop", "quit", "queue", "help", "look", "who", "tell", "chat"))
"""Immediate commands that verbs of the world cannot replace."""


def help_text(rules: Rules, asked: str, width: int) -> str:
    """Return the help on a word.

    Without a word, list all commands on one screen. For a group or `all`, return all its help texts.
    """
    word = asked.strip().lower()
    if not word:
        return _screen(rules, width)
    grouped = _grouped(rules)
    if word in grouped and rules.verb(word) is None:
        parts = list(grouped[word].values())
    elif word == "all":
        parts = [*(verb.help or verb.name for verb in rules.verbs.values()), *_at_once(rules).values()]
        parts += [_reaction(one) for one in rules.threats.reactions.values()]
    else:
        parts = [_of(rules, word)]
    return "\n".join(rendering.wrapped(part, width) for part in parts)


def no_command(rules: Rules, word: str) -> str:
    """Return the answer to a word that is not a command.

    The answer suggests commands that the player may have meant, or the list of commands.
    """
    known = {*rules.verbs, *_at_once(rules), *rules.threats.reactions}
    if len(begins := sorted(name for name in known if name.startswith(word))) > 1:
        *others, last = begins
        return f"{word!r} may be {', '.join(others)} or {last}: type more of it."
    known |= set(DIRECTIONS) if "go" in rules.verbs else set()
    known |= {alias for verb in rules.verbs.values() for alias in verb.aliases}
    alike = _alike(word[:WORD_SHOWN_MAX], frozenset(known))
    what = f"Did you mean {alike}?" if alike else "Type help for a list of commands."
    return f"{word[:WORD_SHOWN_MAX]!r} is not a command. {what}"


@lru_cache(_WORDS_KEPT)
def _alike(word: str, known: frozenset[str]) -> str:
    """Return the known word that is most similar to `word`, or "" if none is similar."""
    return next(iter(get_close_matches(word, sorted(known), 1, _ALIKE)), "")


def waits(doing: str) -> str:
    """Return the message that a command waits until the body's present action is done."""
    return f"You are {rendering.doing(doing)}; that waits until you are done. (stop ends what you do.)"


def dropped_words(count: int) -> str:
    """Return the message that `count` commands were dropped from the queue. `count` is 1 or more."""
    return f"{count} waiting command{'s are' if count > 1 else ' is'} dropped"


def _screen(rules: Rules, width: int) -> str:
    """Return all commands, one line for each group."""
    grouped = _grouped(rules)
    lines = [f"{begun(group)}: {', '.join(grouped[group])}." for group in grouped]
    lines.append(
        "help GROUP lists its commands, help COMMAND explains one, help all explains all. Abbreviations work,"
        " and n, e, s, w, u, d for directions. Commands may be typed ahead; stop drops them."
    )
    return "\n".join(rendering.wrapped(line, width) for line in lines)


def _grouped(rules: Rules) -> dict[str, dict[str, str]]:
    """Return the help line of each command, by group and name. Groups are in order, and none is empty."""
    found: dict[str, dict[str, str]] = {group: {} for group in GROUPS}
    if "go" in rules.verbs:
        found["moving"]["north"] = _WAYS
    for name, verb in rules.verbs.items():
        group = verb.group if verb.group in found else _GROUP_OF.get(name, "other")
        found[group][name] = verb.help or f"{name}: not described"
    for name, reaction in rules.threats.reactions.items():
        found["fighting"][name] = _reaction(reaction)
    for name, line in _at_once(rules).items():
        found[_GROUP_OF.get(name, "other")][name] = line
    return {group: lines for group, lines in found.items() if lines}


def _at_once(rules: Rules) -> dict[str, str]:
    return {word: text for word, text in AT_ONCE.items() if word not in rules.verbs}


def _of(rules: Rules, word: str) -> str:
    at_once, reactions = _at_once(rules), rules.threats.reactions
    verb = rules.verb(word)
    if way_of(word, rules):
        return _WAYS
    if word in at_once and not rules.names(word):
        return at_once[word]
    if word in reactions:
        return _reaction(reactions[word])
    if verb is not None:
        return verb.help or f"{verb.name}: nobody has described it."
    return f"There is no command {word[:WORD_SHOWN_MAX]!r}. Type help for a list of commands."


def _reaction(one: Reaction) -> str:
    """Return what a reaction stops and costs, e.g. "parry: stops the next attack (blade, bite); …"."""
    takes = _TAKES.get(one.clears, f"what lands within {one.band_us / 1e6:g} s")
    kinds = f" ({', '.join(one.kinds)})" if one.kinds else ""
    back = f" It returns {one.returned} % of the damage." if one.returned else ""
    return (
        f"{one.name}: stops {takes}{kinds}; costs {one.stamina} stamina, and for {one.lockout_us / 1e6:g} s"
        f" nothing else is possible.{back}"
    )
