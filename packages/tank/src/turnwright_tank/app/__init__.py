"""Runs the commands that only the tank arena has."""
