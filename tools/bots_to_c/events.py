"""The handlers that a batch calls, and the C function that calls the handlers of a turn's events."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from bots_to_c.source import module
from turnwright_tank.event_table import EVENTS, DeclaredEvent

_BOT = module("bots.bot").items
_OF_ME: dict[str, str] = ast.literal_eval(_BOT["OF_ME"])
_TAKES = {
    node.name: ast.unparse(node.args.args[-1].annotation or node)
    for node in ast.walk(_BOT["Handlers"])
    if isinstance(node, ast.FunctionDef) and node.args.args[1:]
}
_EVENTS = {event.name: event for event in EVENTS}
_TOLD = {name: _EVENTS[_TAKES[name]] for name in ast.literal_eval(_BOT["ORDER"]) if _TAKES[name] in _EVENTS}
del _TOLD["on_death"]  # a dead bot is not asked
HANDLERS = {name: _TAKES[name] for name in ("on_game_started", "on_round_started", *_TOLD, "on_tick")}
"""The handlers in the order of their calls, each with the class of its argument."""


def telling() -> Iterator[str]:
    """Yield the lines of a C function that calls the handlers of a turn's events, in the order of `ORDER`."""
    yield "typedef struct BatchBattle BatchBattle;"
    yield "static const Bullet *bullet_named(const BatchBattle *battle, int64_t id);"
    yield "static BulletState state_of(const Bullet *bullet);\n"
    yield "static void tell_bot(const BatchBattle *battle, const EventRow *event, const EventRow *end,"
    yield "                     int64_t turn, const BotKind *kind, Bot *bot) {"
    yield "  const int64_t seat = bot->me->seat;"
    for name, event in _TOLD.items():
        yield f"  for (const EventRow *said = event; kind->{name} != NULL && said < end; said++) {{"
        yield from (f"    {line};" for line in _body(name, event))
        yield "  }"
    yield "}\n"


def _body(name: str, event: DeclaredEvent) -> Iterator[str]:
    """Yield the statements that call a handler if a row is the handler's event and the bot gets it."""
    yield f"if (said->kind != {event.kind}) continue"
    if event.name in _OF_ME:
        sign = "!=" if _OF_ME[event.name] == name else "=="
        yield f"if (said->{event.fields['victim_id'].split()[-1]} {sign} seat) continue"
    bullets = [key for key in event.fields if "bullet" in key]
    for key in bullets:
        what, column = event.fields[key].split()
        yield f"const Bullet *of_{key} = bullet_named(battle, said->{column})"
        yield f"if (of_{key} == NULL) continue"
        yield f"BulletState {key} = state_of(of_{key})"
        if what == "muzzle":
            yield f"{key}.x = said->x, {key}.y = said->y"
    gets = ["of_bullet->owner" if seat == "owner" else f"said->{seat}" for seat in event.told or ()]
    yield f"if ({' || '.join(f'{seat} == seat' for seat in gets) or 'true'}) {_call(name, event, bullets)}"
    if event.is_mirrored:
        yield f"if (of_hit_bullet->owner == seat) {_call(name, event, bullets[::-1])}"


def _call(name: str, event: DeclaredEvent, bullets: Sequence[str]) -> str:
    values = dict(zip((key for key in event.fields if "bullet" in key), bullets, strict=True))
    for key, source in event.fields.items():
        what, _, column = source.rpartition(" ")
        change = " + 1" if what == "bot" else " != 0" if column == "flag" else ""
        values.setdefault(key, f"said->{column}{change}")
    fields = ", ".join(f".{key} = {value}" for key, value in values.items())
    return f"kind->{name}(bot, &({event.name}){{.turn_number = turn, {fields}}})"
