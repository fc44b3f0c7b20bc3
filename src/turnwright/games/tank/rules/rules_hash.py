"""The hash of the source of the rules; written by `make golden`, never by hand."""

from __future__ import annotations

__all__ = ["RULES_HASH"]

RULES_HASH = "48f82bf68d132564"
