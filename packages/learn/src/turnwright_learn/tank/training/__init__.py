"""Training of policies by reinforcement learning. It needs the extra [train]."""
