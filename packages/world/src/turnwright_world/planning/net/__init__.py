"""Processes in which creatures plan."""
