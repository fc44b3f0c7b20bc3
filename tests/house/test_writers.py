"""Whatever writes a file does so through net/files/new_file.py, so that a full disk destroys nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.house.source import PURE_LAYERS, Module, modules

HELPER = "net/files/new_file.py"
ALLOWED = {
    ("net/files/battle_record.py", "copyfile"): "into a folder that gets its name when all is in it",
    (
        "turnwright_tank/app/recordings.py",
        "touch",
    ): "takes a name that nobody else has; the recording is a NewFile",
    ("net/sandbox/launcher.py", "open"): "small files in a sandbox's memory, without our modules",
    ("net/sandbox/level.py", "touch"): "an empty decoy in a temporary folder",
    ("net/files/lock.py", "os.open"): "a lock's file, which stays empty",
    ("net/files/lock.py", "touch"): "the same",
    ("turnwright_league/app/clusters/archives.py", "write_text"): "a size in a lock's file, under that lock",
    (
        "turnwright_league/app/clusters/archives.py",
        "os.open",
    ): "files of a folder that gets its name when all is in it",
    (
        "turnwright_league/app/ladder/store.py",
        "touch",
    ): "a database that only its owner may read; SQLite writes it",
    (
        "net/http/bodies.py",
        "open",
    ): "an upload that grows in a file of its own and gets its name when it is whole",
    (
        "turnwright_learn/tank/training/run.py",
        "open",
    ): "adds lines; a line that was cut is dropped by the next run",
    (
        "turnwright_world/net/database.py",
        "os.open",
    ): "a database that only its owner may read; SQLite writes it",
}
"""Path and call: the reason why it need not."""

_WRITES = frozenset({"write_text", "write_bytes", "touch", "copyfile", "copy", "copy2", "move", "copytree"})


def writing_calls(module: Module) -> Iterator[str]:
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        last = name.rpartition(".")[2]
        owner = name.rpartition(".")[0]
        if last in ("open", "fdopen") and owner != "os":
            modes = [
                one.value
                for one in [*node.args, *(word.value for word in node.keywords)][:3]
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            ]
            if any(set(mode) <= set("rwxab+t") and set(mode) & set("wxa+") for mode in modes):
                yield last
        elif name == "os.open" and "O_CREAT" in ast.unparse(node):
            yield name
        elif last in _WRITES and (owner == "shutil" or last.startswith(("write", "touch"))):
            yield last


def test_files_are_written_by_one_helper() -> None:
    found = {
        (module.path, call)
        for module in modules()
        for call in writing_calls(module)
        if module.path != HELPER and module.layer not in PURE_LAYERS  # those touch no file
    }
    assert found == set(ALLOWED)
