"""Bytes ⇄ data of the tank arena."""
