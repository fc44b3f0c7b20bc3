"""Translates expressions of the rules to C."""

from __future__ import annotations

from collections.abc import Sequence

from rules_source.expressions import PRODUCT, UNARY, WHOLE, Text, Translator

from rules_to_c.types import parts_type


class CTranslator(Translator):
    """Translates the expressions of one function to C."""

    def divided(self, left: Text, right: Text) -> str:
        """Return the quotient of two numbers. Whole numbers are divided as doubles."""
        above = f"(double){left.within(UNARY)}" if left.kind == right.kind == "int" else left.within(PRODUCT)
        return f"{above} / {right.within(PRODUCT + 1)}"

    def divided_down(self, left: Text, right: Text) -> Text:
        """Return the quotient of two whole numbers, rounded down. C's own division rounds towards 0."""
        return Text(f"divided_down({left.text}, {right.text})", WHOLE, "int")

    def field(self, owner: Text, name: str) -> str:
        """Return a field of a row."""
        return f"{owner.within(WHOLE)}->{name}"

    def item(self, table: Text, place: Text) -> Text:
        """Return the number at a place of a table, or the address of the row there."""
        kind, text = table.kind[1:-1], f"{table.within(WHOLE)}.row[{place.text}]"
        return Text(f"&{text}", UNARY, kind) if kind in self.known.rows else Text(text, WHOLE, kind)

    def length(self, table: Text) -> str:
        """Return the length of a table."""
        return f"{table.within(WHOLE)}.length"

    def cut(self, number: Text) -> str:
        """Return a float without its fraction, as a whole number."""
        return f"(int64_t){number.within(UNARY)}"

    def parts(self, texts: Sequence[Text], kind: str) -> str:
        """Return a tuple as a structure."""
        return f"ROW({parts_type(kind)}, {', '.join(text.text for text in texts)})"
