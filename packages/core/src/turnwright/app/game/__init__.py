"""Games with all their parts: own ones, or the defaults that are here."""
