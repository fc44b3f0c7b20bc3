"""Writes the JSON Schemas into the package."""

from schemas import write

write()
