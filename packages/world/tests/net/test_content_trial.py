"""Content is first loaded in a separate process, so hostile content does its harm only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from turnwright_world.net.content_files import DEMO, ContentWatch, load_content, read_folder
from turnwright_world.net.content_trial import why_not

pytestmark = pytest.mark.process

HOSTILE = {
    "import os\nos._exit(3)\n": "verbs/zz.py: it ends the process while it is loaded (exit code 3)",
    "import os\nos.abort()\n": "verbs/zz.py:2: it ends the process while it is loaded (signal SIGABRT)",
    "raise KeyboardInterrupt\n": "verbs/zz.py:1: it ends the process while it is loaded (signal SIGINT)",
    "raise GeneratorExit\n": "verbs/zz.py:1: it ends the process while it is loaded (exit code 1)",
    "import time\n\ntime.sleep(10**6)\n": "verbs/zz.py:3: it was not loaded within 2 s",
    "\nsum(range(10**12))\n": "verbs/zz.py:2: it was not loaded within 2 s",
    "import re\nre.match('(a+)+$', 'a' * 40 + 'b')\n": "verbs/zz.py:2: it was not loaded within 2 s",
    "import os, time\nif os.fork() == 0:\n    time.sleep(60)\nos.wait()\n": (
        "verbs/zz.py:4: it was not loaded within 2 s"
    ),
    "while True:\n    pass\n": "verbs/zz.py:1: Endless: a loop has more than 100,000 rounds",
    "class Zap:\n    pass\n": "verbs/zz.py:1: class Zap is not a Verb",
}
"""Text of a file, and the message that its author gets."""


@pytest.mark.long
@pytest.mark.parametrize("source", HOSTILE)
def test_whatever_a_file_does_while_it_is_loaded_it_does_elsewhere_and_is_named(source: str) -> None:
    problem = why_not({**read_folder(DEMO), "verbs/zz.py": source}, 2.0)
    assert problem is not None
    assert HOSTILE[source] in problem


def test_good_content_passes_whatever_it_prints() -> None:
    assert (
        why_not({**read_folder(DEMO), "verbs/zz.py": "print('{}')\nimport os\nos.write(1, b'{}')\n"}) is None
    )


def test_a_file_that_ends_the_process_is_a_mistake_and_the_server_continues(tmp_path: Path) -> None:
    folder, told = tmp_path / "world", list[str]()
    (folder / "verbs").mkdir(parents=True)
    for name, text in read_folder(DEMO).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    first = load_content(folder)
    applied = list[object]()
    watch = ContentWatch(folder, first.hash, applied.append, told.append)
    for source in ("import os\nos._exit(3)\n", ""):
        (folder / "verbs/zz.py").write_text(source)
        watch.take(watch.look())
    assert not missing(told[0], "verbs/zz.py", "ends the process")
    assert len(applied) == 1
