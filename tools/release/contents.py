"""The contents of wheel and sdist: exactly the package's files, committed or generated, and true metadata."""

from __future__ import annotations

import re
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from generate import FILES as GENERATED
from packaging.metadata import ExceptionGroup, Metadata

from release.build import DOCS
from release.source import files_of, version_of

WHEEL_BYTES_MAX = 4_000_000
LEFT_OUT = frozenset({"turnwright/viewer/tsconfig.json"})
"""Files of the package that only development needs."""
_BACKENDS = "turnwright/games/tank/backends"
"""In the sdist alone; a wheel has what was built from them."""
EXTENSION = f"{_BACKENDS}/_rules.abi3.so"
"""The compiled rules of a wheel for Linux."""
_INFO = ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "licenses/NOTICE")
_INFO_OPTIONAL = "top_level.txt"
_BESIDE_THE_PACKAGE = (
    "CHANGELOG.md",
    "LICENSE",
    "MANIFEST.in",
    "NOTICE",
    "README.md",
    "pyproject.toml",
    "setup.py",
    "tools/release/description.md",
)
_WRITTEN_BY_SETUPTOOLS = re.compile(r"PKG-INFO|setup\.cfg|src/turnwright\.egg-info/.*")
_LINK = re.compile(r"\]\((?!https?://|mailto:|#)([^)\s]+)|(?:src|href)=\"(?!https?://)([^\"]+)")


def package_files(root: Path) -> set[str]:
    """Return the files that a package has, by their paths below `src`, the documentation included."""
    found = {name.removeprefix("src/") for name in files_of(root) if name.startswith("src/turnwright/")}
    generated = GENERATED if (root / "tools" / "generate.py").is_file() else ()
    made = {name.removeprefix("src/") for name in (DOCS, *generated)}
    return (found | made) - LEFT_OUT


def wheel_files(wheel: Path) -> dict[str, bytes]:
    """Return the content of each file of a wheel, by its path."""
    with zipfile.ZipFile(wheel) as packed:
        return {name: packed.read(name) for name in packed.namelist() if not name.endswith("/")}


def sdist_files(sdist: Path) -> set[str]:
    """Return the files of an sdist, by their paths below its one folder."""
    with tarfile.open(sdist) as packed:
        return {member.name.partition("/")[2] for member in packed if member.isfile()}


def problems_of_wheel(files: Mapping[str, bytes], root: Path) -> list[str]:
    """Return what a wheel has too much or too little; root: the source."""
    info = f"turnwright-{version_of(root)}.dist-info"
    expected = package_files(root) | {EXTENSION} | {f"{info}/{name}" for name in _INFO}
    return _compared("wheel", files, expected, lambda name: name == f"{info}/{_INFO_OPTIONAL}")


def problems_of_sdist(files: Iterable[str], root: Path) -> list[str]:
    """Return what an sdist has too much or too little; root: the source."""
    expected = {f"src/{name}" for name in package_files(root)} | set(_BESIDE_THE_PACKAGE)
    return _compared("sdist", files, expected, lambda name: bool(_WRITTEN_BY_SETUPTOOLS.fullmatch(name)))


def _compared(what, files, expected, is_allowed) -> list[str]:  # type: ignore[no-untyped-def]
    there = set(files)
    stray = sorted(name for name in there - expected if not is_allowed(name))
    return [f"the {what} lacks {name}" for name in sorted(expected - there)] + [
        f"the {what} has {name}, which is not committed or does not belong there" for name in stray
    ]


def metadata_of(files: Mapping[str, bytes]) -> Metadata:
    """Return the metadata of a wheel, by the rules of an index. Raises: ExceptionGroup of what is wrong."""
    (name,) = (name for name in files if name.endswith(".dist-info/METADATA"))
    return Metadata.from_email(files[name], validate=True)


def problems_of_metadata(files: Mapping[str, bytes], root: Path) -> list[str]:
    """Return what an index would refuse, or show wrongly."""
    try:
        metadata = metadata_of(files)
    except ExceptionGroup as group:
        return [f"metadata: {error}" for error in group.exceptions]
    problems = []
    for field, value, expected in (
        ("Version", str(metadata.version), version_of(root)),
        ("Requires-Python", str(metadata.requires_python), ">=3.11"),
        ("License-Expression", metadata.license_expression, "Apache-2.0"),
        ("License-File", metadata.license_files, ["LICENSE", "NOTICE"]),
        ("Description-Content-Type", metadata.description_content_type, "text/markdown"),
    ):
        if value != expected:
            problems.append(f"metadata: {field} is {value!r}, expected {expected!r}")
    for found in _LINK.finditer(metadata.description or ""):
        problems.append(f"metadata: the description links to {found[1] or found[2]}, which no index has")
    if not (metadata.description or "").strip():
        problems.append("metadata: there is no description")
    return problems
