"""Makes the C file of the bots. It has a table of the bots, and everything that their handlers need."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from rules_source.expressions import WHOLE, Text
from rules_source.types import Known, Refused
from rules_to_c.program import translated_rules, tuples_of
from rules_to_c.statements import parts_struct, spaced
from rules_to_c.types import BY_VALUE, to_c, value_type

from bots_to_c.events import HANDLERS, telling
from bots_to_c.expressions import BotTranslator
from bots_to_c.source import Class, Module, class_of, module, origin
from bots_to_c.statements import BotWriter
from turnwright_tank.backends.sources import BOT_FILES, hash_of_bots

_ROWS = {"TankState": "Tank"}
"""Classes that are rows of the rules in C, with fields of the same names."""
_BY_HAND = frozenset({"Letters"})
"""Classes that are written by hand, in `bot_parts.h`."""
_HEAD = """\
/*
 * The built-in bots that play in batches. GENERATED from turnwright_tank/bots: change those,
 * never this file.
 */
#ifndef TURNWRIGHT_BOTS_H
#define TURNWRIGHT_BOTS_H

#include "bot_parts.h"
"""


@dataclass(frozen=True)
class Signature:
    """A function in C.

    Attributes:
        names, takes: the names and types of the parameters without `self`.
        defaults: the C texts of default values, by name of the parameter.
        is_handler: whether the first parameter is a `Bot`, as for all handlers.
        defined_in: the name of the class whose body contains the function, or "".
        signature: the head of the function in C.
    """

    name: str
    names: tuple[str, ...]
    takes: tuple[str, ...]
    returns: str
    defaults: dict[str, str] = field(default_factory=dict)
    is_handler: bool = False
    defined_in: str = ""
    signature: str = ""


class Program:
    """Collects everything that the bots need. While a function is translated, what it uses is added.

    Methods raise Refused for a construct that cannot be translated, if they do not list another error.
    """

    def __init__(self) -> None:
        self._rules = translated_rules()
        self.rows: dict[str, dict[str, str]] = {}
        self.known = Known(self.rows)
        self.classes: dict[str, Class] = {}
        self.modules: set[str] = set()
        self._tuples: set[str] = set()
        self._structs: list[str] = []
        self._constants: dict[str, tuple[str, str]] = {}
        self._functions: dict[str, Signature] = {}
        self._waiting: list[tuple[Module, ast.FunctionDef, Signature, Class | None]] = []

    def render(self) -> str:
        """Return the text of the file. Call it once.

        Raises:
            ValueError: a function cannot be translated (the message names its module), or BOT_FILES lacks a
                module.
            Refused: a class, or the head of a function, cannot be translated.
        """
        names = ast.literal_eval(module("bots.house").items["IN_BATCHES"])
        table = [self._row_of(name) for name in names]
        bodies = self.bodies()
        if extra := self.modules - set(BOT_FILES):
            raise ValueError(f"BOT_FILES lacks {', '.join(sorted(extra))}")
        kinds = "".join(
            f"  void (*{name})(Bot *, {to_c(self.kind(module('bots.bot'), ast.Name(takes)))});\n"
            for name, takes in HANDLERS.items()
        )
        parts = [
            _HEAD,
            f'#define BOTS_HASH "{hash_of_bots()}"',
            *sorted((text for _, text in self._constants.values()), key=lambda text: text[0] != "#"),
            *map(parts_struct, sorted(self._tuples - tuples_of(self._rules))),
            "",
            *self._structs,
            *(f"{said.signature};" for said in self._functions.values()),
            "",
            bodies,
            f"/* A bot: its size and handlers. */\ntypedef struct {{\n  size_t bytes;\n{kinds}}} BotKind;\n",
            *telling(),
            f"/* By player, as IN_BATCHES of bots/house numbers them. */\n"
            f"static const BotKind BOT_KINDS[] = {{\n  {{0}},\n{''.join(table)}}};\n"
            f"#define BOTS {len(table) + 1}\n",
            "#endif\n",
        ]
        return "\n".join(parts)

    def bodies(self) -> str:
        """Return the C text of the functions that are not written yet, and of the functions that they call.

        Raises:
            ValueError: a function cannot be translated. The message names its module.
        """
        texts = []
        while self._waiting:
            home, function, said, me = self._waiting.pop(0)
            try:
                texts.append(BotWriter(self, home, function, said, me).written() + "\n")
            except Refused as error:
                raise ValueError(f"{home.name}: {error}") from error
        return "\n".join(texts)

    def _row_of(self, name: str) -> str:
        """Return the row of a bot in the table of bots."""
        duellists = ast.literal_eval(module("bots.house").items["DUELLISTS"])
        home, name = duellists.get(name, (f"bots.house.{name.lower()}", name))
        found = class_of(module(home), name)
        assert found is not None
        self.register(found)
        cells = [f"sizeof({name})"]
        for handler in HANDLERS:
            there = found.method(handler)
            wanted = there is not None and there[1] not in ("Bot", "Handlers")
            cells.append(self.method(there[2], found, handler).name if wanted and there else "NULL")
        return f"  {{{', '.join(cells)}}},\n"

    # ---- types -------------------------------------------------------------------------------------------

    def kind(self, home: Module, node: ast.expr) -> str:
        """Return the type that an annotation in the module `home` names. If it is a class, add the class."""
        if isinstance(node, ast.Constant) and node.value is None:
            return "None"
        if isinstance(node, ast.Name):
            if node.id in ("int", "float", "bool"):
                return node.id
            if (found := class_of(home, node.id)) is not None:
                return self.register(found)
        if isinstance(node, ast.BinOp) and ast.unparse(node.right) == "None":
            return self.kind(home, node.left) + "?"
        if isinstance(node, ast.Subscript):
            outer, inner = ast.unparse(node.value), node.slice
            if outer == "Annotated" and isinstance(inner, ast.Tuple):
                return self.kind(home, inner.elts[0])
            if outer == "list":
                return f"[{self.kind(home, inner)}]"
            if outer == "dict" and ast.unparse(inner) == "(int, float)":
                return "{float}"
            if outer == "tuple" and isinstance(inner, ast.Tuple):
                kind = f"({', '.join(self.kind(home, part) for part in inner.elts)})"
                self._tuples.add(kind)
                return kind
        raise Refused(node, "this annotation is not known")

    def register(self, found: Class) -> str:
        """Add the fields and the structure of a class, unless it was added before. Return its type.

        A NamedTuple is also added to `BY_VALUE`.
        """
        name = found.name
        if name in self.classes:
            if self.classes[name].bases[0][1] is not found.bases[0][1]:
                raise Refused(found.bases[0][1], f"there are two classes {name}")
            return name
        self.classes[name] = found
        self.rows[name] = {}
        if found.is_tuple:
            BY_VALUE.add(name)
        if name in _BY_HAND:
            return name
        if name in _ROWS:
            self.rows[name] = self._rules.rows[_ROWS[name]]
            self._structs.append(f"typedef {_ROWS[name]} {name};\n")
            return name
        lines, bases = [], found.bases
        if name != "Bot" and (bot := self._bot_of(found)) is not None:
            self.register(bot)
            self.rows[name] |= self.rows["Bot"]
            lines, bases = ["  Bot bot;"], bases[: -len(bot.bases)]
        for home, base in reversed(bases):
            for item in base.body:
                if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                    lines += self._field(name, home, item.target.id, item.annotation)
        if name == "Bot":
            lines.append("  Chance chance;\n  int32_t colors[COLORS];\n  bool painted;")
        self._structs.append("typedef struct {\n" + "\n".join(lines) + f"\n}} {name};\n")
        return name

    def _bot_of(self, found: Class) -> Class | None:
        return next((class_of(home, "Bot") for home, base in found.bases if base.name == "Bot"), None)

    def _field(self, owner: str, home: Module, name: str, annotation: ast.expr) -> list[str]:
        """Add a field. Return its lines in the structure, or no lines if its type cannot be translated."""
        try:
            kind = self.kind(home, annotation)
        except Refused:
            return []
        bound = annotation.slice if isinstance(annotation, ast.Subscript) else None
        if kind.startswith("["):
            if ast.unparse(annotation).startswith("list") or not isinstance(bound, ast.Tuple):
                return []
            most = BotTranslator(self, home, {}, None, "").translate(bound.elts[1])
            lines = [f"  struct {{ {value_type(kind[1:-1])} row[{most.text}]; int64_t length; }} {name};"]
        elif kind.startswith("{"):
            lines = [f"  struct {{ double row[NUMBERS]; }} {name};"]
        elif self.is_inside(kind):
            lines = [f"  {kind} {name};"]
        else:
            lines = [f"  {spaced(to_c(kind))}{name};"]
            if kind.endswith("?") and kind[:-1] in self.rows:
                lines.append(f"  {kind[:-1]} {name}_kept;")
        self.rows[owner][name] = kind
        return lines

    def is_inside(self, kind: str) -> bool:
        """Return whether a field of that type is an object inside the structure."""
        return kind in self.rows and kind not in _ROWS and kind not in BY_VALUE

    def path_of(self, owner: str, name: str) -> str:
        """Return the path from a structure to a field. The fields of `Bot` are in the field `bot`."""
        found = self.classes[owner]
        is_of_bot = owner != "Bot" and self._bot_of(found) is not None and name in self.rows["Bot"]
        return f"bot.{name}" if is_of_bot else name

    # ---- constants and functions -------------------------------------------------------------------------

    def constant(self, node: ast.AST, home: Module, name: str) -> Text:
        """Return the C name and the type of the constant that a name means in a module. Add the constant."""
        home, name = origin(home, name)
        value = home.items.get(name)
        if not isinstance(value, ast.expr):
            raise Refused(node, "this name is not known")
        said = f"{home.name.replace('.', '_')}_{name}"
        if said not in self._constants:
            self.modules.add(home.name)
            translator = BotTranslator(self, home, {}, None, "")
            if isinstance(value, ast.Tuple):
                parts = [translator.translate(part) for part in value.elts]
                kind, texts = f"[{parts[0].kind}]", ", ".join(part.text for part in parts)
                table = f"struct {{ {to_c(parts[0].kind)} row[{len(parts)}]; int64_t length; }}"
                text = f"static const {table} {said} = {{{{{texts}}}, {len(parts)}}};"
            else:
                number = translator.translate(value)
                kind, text = number.kind, f"#define {said} ({number.text})"
            self._constants[said] = kind, text
        return Text(said, WHOLE, self._constants[said][0])

    def function(self, node: ast.AST, home: Module, name: str) -> Signature:
        """Return the function that a name means in a module. Add the function."""
        home, name = origin(home, name)
        found = home.items.get(name)
        if not isinstance(found, ast.FunctionDef):
            raise Refused(node, "this function is not known")
        return self._wanted(home, found, f"{home.name.replace('.', '_')}_{name}", None, "")

    def method(self, node: ast.AST, of: Class, name: str, after: str = "") -> Signature:
        """Return a method of a class. Add the method, unless it is a bot's `fire`, which is written by hand.

        Args:
            after: the name of the class that calls `super()`, or "".
        """
        if name == "fire" and self._bot_of(of) is not None:
            return Signature("fire_with", ("firepower",), ("float",), "None", is_handler=True)
        found = of.method(name, after)
        if found is None:
            raise Refused(node, f"{of.name} has no method {name}")
        home, defined_in, function = found
        said = "_".join([of.name, *([defined_in] if after else []), name])
        return self._wanted(home, function, said, of, defined_in)

    def _wanted(
        self, home: Module, node: ast.FunctionDef, name: str, me: Class | None, defined_in: str
    ) -> Signature:
        if name in self._functions:
            return self._functions[name]
        self.modules.add(home.name)
        plain = node.args.args[1:] if me is not None else node.args.args
        names = tuple(each.arg for each in plain)
        takes = tuple(self.kind(home, each.annotation or ast.Constant(None)) for each in plain)
        returns = self.kind(home, node.returns or ast.Constant(None))
        translator = BotTranslator(self, home, {}, None, "")
        last = zip(names[len(names) - len(node.args.defaults) :], node.args.defaults, strict=True)
        defaults = {key: translator.translate(value).text for key, value in last}
        is_handler = me is not None and self._bot_of(me) is not None and node.name in HANDLERS
        first = [] if me is None else ["Bot *bot" if is_handler else f"{me.name} *self"]
        parameters = [f"{spaced(to_c(kind))}{each}" for each, kind in zip(names, takes, strict=True)]
        if me is not None and node.name == "__init__":
            returns = me.name
        gives = spaced(to_c(returns))
        signature = f"static {gives}{name}({', '.join([*first, *parameters]) or 'void'})"
        said = Signature(name, names, takes, returns, defaults, is_handler, defined_in, signature)
        if me is not None and me.name in _BY_HAND:
            return said
        self._functions[name] = said
        plain_node = ast.FunctionDef(**{key: getattr(node, key) for key in node._fields})
        plain_node.decorator_list = []
        plain_node.args = ast.arguments([], node.args.args, None, [], [], None, [])
        self._waiting.append((home, ast.copy_location(plain_node, node), said, me))
        return said


def render() -> str:
    """Return the text of bots.h.

    Raises:
        ValueError, Refused: see `Program.render`.
    """
    return Program().render()
