"""Snake: several snakes on one grid; rules, bots and a view."""
