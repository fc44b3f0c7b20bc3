"""Data for spectators when turns do not wait for them."""
