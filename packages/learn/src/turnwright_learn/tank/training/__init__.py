"""Training of policies by reinforcement learning; it needs the extra [train]."""
