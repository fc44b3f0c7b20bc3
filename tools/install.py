"""Install packages into another virtual environment.

    python tools/install.py INTERPRETER ARGUMENT…

The arguments are those of `pip install`. uv installs in a third of pip's processor time, so it comes first.
pip is the fallback, because on some machines only pip knows where the packages are.
"""

from __future__ import annotations

import subprocess
import sys


def main(interpreter: str, *arguments: str) -> int:
    """Install with uv, or with pip if uv fails. Return the exit code of the last program."""
    uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", interpreter, *arguments]
    pip = [sys.executable, "-m", "pip", "--python", interpreter, "--disable-pip-version-check"]
    if subprocess.run(uv).returncode == 0:
        return 0
    return subprocess.run([*pip, "install", "--quiet", *arguments]).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
