"""Begins every Python process of `make test-portable`, see other_system.py.

PYTHONPATH names this folder, so children have it too.
"""

import os

if os.environ.get("TURNWRIGHT_PORTABLE") == "1":
    import other_system

    other_system.hide()
