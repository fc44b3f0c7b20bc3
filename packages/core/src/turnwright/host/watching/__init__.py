"""Data for spectators in battles whose turns do not wait for spectators."""
