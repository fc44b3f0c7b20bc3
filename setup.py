"""Builds the compiled rules of the tank arena with the package, where there is a C compiler.

Everything else is in pyproject.toml.
"""

from __future__ import annotations

import hashlib
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

PLACE = "src/turnwright/games/tank/backends/c"
STABLE = not sysconfig.get_config_var("Py_GIL_DISABLED")
"""Whether this Python has the stable ABI, for which one build serves all later versions.

Free-threaded Python has none: there the rules are interpreted.
"""


class BuildRules(build_ext):
    """Compiles without any shortcut in floating point: every result has the same bits as Python's."""

    def build_extension(self, ext: Extension) -> None:
        """Compile one extension with the options of this compiler."""
        if self.compiler.compiler_type == "msvc":
            ext.extra_compile_args = ["/O2", "/fp:precise", "/std:c11", "/utf-8"]
        else:
            ext.extra_compile_args = [
                "-O3",
                "-g0",
                "-std=c11",
                "-ffp-contract=off",
                "-fno-fast-math",
                "-fvisibility=hidden",
            ]
        super().build_extension(ext)


def c_hash() -> str:
    """Return the hash of the C files, as `extension.hash_of_c` does."""
    found = hashlib.blake2b(digest_size=8)
    for path in sorted(Path(PLACE).glob("*.[ch]")):
        source = path.read_bytes().replace(b"\r\n", b"\n")
        found.update(len(source).to_bytes(8, "little") + source)
    return found.hexdigest()


rules = Extension(
    "turnwright.games.tank.backends._rules",
    [f"{PLACE}/module.c"],
    depends=[f"{PLACE}/{name}.h" for name in ("floats", "observations", "powers", "rules")],
    define_macros=[("C_HASH", f'"{c_hash()}"')],
    py_limited_api=True,
    optional=True,
)
setup(
    ext_modules=[rules] if STABLE else [],
    cmdclass={"build_ext": BuildRules},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE else {},
)
