"""Observations as bytes, written by compiled code."""
