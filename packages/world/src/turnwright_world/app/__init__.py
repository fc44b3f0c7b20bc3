"""Runs the commands of the text world."""
