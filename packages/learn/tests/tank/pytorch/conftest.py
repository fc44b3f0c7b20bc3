"""Collects the tests of training if PyTorch is installed, see `tests/peers/test_training.py`."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["test_*.py"]
