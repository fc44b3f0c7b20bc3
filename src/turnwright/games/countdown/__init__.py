"""A tiny second game: it keeps the kernel honest, and shows the least that a game can be."""
