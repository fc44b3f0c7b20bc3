"""Tanks for learners: spaces, rewards, and many battles at once.

It needs the extra [learn].
"""
