"""Tanks for learners: spaces, rewards, and many battles at a time. This package needs the extra [learn]."""
