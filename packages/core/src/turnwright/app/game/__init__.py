"""Games with all their parts: the game's own parts, or the defaults in this package."""
