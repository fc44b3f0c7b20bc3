"""Builds the compiled rules of the tank arena with the package, where there is a C compiler.

Everything else is in pyproject.toml.
"""

from __future__ import annotations

import runpy
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

GENERATOR = Path(__file__).parents[2] / "tools" / "generate.py"
if GENERATOR.exists():  # an sdist has what it writes
    runpy.run_path(str(GENERATOR), run_name="__main__")

BACKENDS = "src/turnwright_tank/backends"
PLACE = f"{BACKENDS}/c"
hash_of_c = runpy.run_path(f"{BACKENDS}/sources.py")["hash_of_c"]
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


rules = Extension(
    "turnwright_tank.backends._rules",
    [f"{PLACE}/module.c"],
    depends=sorted(map(str, Path(PLACE).glob("*.h"))),
    define_macros=[("C_HASH", f'"{hash_of_c()}"')],
    py_limited_api=True,
    optional=True,
)
setup(
    ext_modules=[rules] if STABLE else [],
    cmdclass={"build_ext": BuildRules},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE else {},
)
