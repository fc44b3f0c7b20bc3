"""Bytes ⇄ data of the world."""
