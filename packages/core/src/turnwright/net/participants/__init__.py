"""Bot directories, seating, starting."""
