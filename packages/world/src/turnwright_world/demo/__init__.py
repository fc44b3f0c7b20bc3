"""The demo world: a town, a wood and a mine."""
