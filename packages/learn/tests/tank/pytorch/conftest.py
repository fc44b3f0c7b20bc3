"""Tests of training; only where PyTorch is, see `tests/peers/test_training.py`."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["test_*.py"]
