"""The tests of training, in an environment that has PyTorch."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.peers.setup_peers import training_python

pytestmark = [pytest.mark.peer, pytest.mark.timeout(900)]
ROOT = Path(__file__).parents[2]
TESTS = ROOT / "packages" / "learn" / "tests" / "tank" / "pytorch"


def test_all_tests_of_training_pass_where_pytorch_is() -> None:
    found = training_python()
    if found is None:
        pytest.skip("no environment with PyTorch: python tests/peers/setup_peers.py")
    paths = os.pathsep.join([*map(str, sorted(ROOT.glob("packages/*/src"))), str(ROOT)])
    env = {**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1"}  # waiting threads of PyTorch spin
    done = subprocess.run(
        [found, "-m", "pytest", "-q", "-rs", "-c", os.devnull, "--rootdir", ROOT,
         "-o", "consider_namespace_packages=true", "--confcutdir", TESTS, TESTS, "-p", "no:cacheprovider"],
        cwd=ROOT, env=env, capture_output=True, text=True, timeout=880,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    last = done.stdout.strip().splitlines()[-1]
    assert re.search(r"\d\d passed", last)
    assert "skipped" not in last
