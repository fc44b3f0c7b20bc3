"""turnwright with a small window: a server keeps some kilobytes of a battle in memory for its spectators.

    python -m tests.browser.small_window KILOBYTES WORD ...

With TURNWRIGHT_TEST_NO_RECORD=1 its record cannot be read, like a record on a failed disk.
"""

from __future__ import annotations

import os
import sys

from turnwright.app import battle_server
from turnwright.cli.__main__ import main
from turnwright.net.files.writer import RecordWriter


def run(kilobytes: str, *words: str) -> None:
    """Run a command of turnwright with this limit, and with records that cannot be read if requested."""
    battle_server.HISTORY_BYTES_MAX = int(kilobytes) << 10  # type: ignore[attr-defined]
    if os.environ.get("TURNWRIGHT_TEST_NO_RECORD"):
        RecordWriter.lines = lambda self, battle: None  # type: ignore[method-assign]
    sys.argv[1:] = words
    main()


if __name__ == "__main__":
    run(*sys.argv[1:])
