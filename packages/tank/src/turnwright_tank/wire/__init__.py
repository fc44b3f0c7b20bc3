"""Conversion between bytes and data of the tank game."""
