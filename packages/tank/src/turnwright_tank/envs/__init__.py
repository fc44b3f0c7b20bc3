"""Tanks for learners: spaces, rewards, and many battles at once. This package needs the extra [learn]."""
