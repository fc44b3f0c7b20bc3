"""Runs the commands that only the world has."""
