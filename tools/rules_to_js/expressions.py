"""Translates expressions of the rules to JavaScript. Its doubles equal Python's whole numbers below 2**53."""

from __future__ import annotations

from collections.abc import Sequence

from rules_source.expressions import PRODUCT, UNARY, WHOLE, Text, Translator


class JsTranslator(Translator):
    """Translates the expressions of one function to JavaScript."""

    def comparison(self, sign: str) -> str:
        """Return the sign of a comparison. JavaScript compares with === and !==, which convert nothing."""
        return f"{sign}=" if sign in ("==", "!=") else sign

    def divided(self, left: Text, right: Text) -> str:
        """Return the quotient of two numbers."""
        return f"{left.within(PRODUCT)} / {right.within(PRODUCT + 1)}"

    def divided_down(self, left: Text, right: Text) -> Text:
        """Return the quotient of two whole numbers, rounded down. It is exact below 2**53."""
        return Text(f"Math.floor({left.within(PRODUCT)} / {right.within(UNARY)})", WHOLE, "int")

    def field(self, owner: Text, name: str) -> str:
        """Return a field of a row."""
        return f"{owner.within(WHOLE)}.{name}"

    def item(self, table: Text, place: Text) -> Text:
        """Return the value at a place of a table."""
        return Text(f"{table.within(WHOLE)}[{place.text}]", WHOLE, table.kind[1:-1])

    def length(self, table: Text) -> str:
        """Return the length of a table."""
        return f"{table.within(WHOLE)}.length"

    def cut(self, number: Text) -> str:
        """Return a float without its fraction, as a whole number."""
        return f"whole({number.text})"

    def parts(self, texts: Sequence[Text], kind: str) -> str:
        """Return a tuple as an array."""
        return f"[{', '.join(text.text for text in texts)}]"
