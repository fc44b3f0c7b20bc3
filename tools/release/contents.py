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

WHEELS_BYTES_MAX = 4_000_000
LEFT_OUT = frozenset({"turnwright/viewer/tsconfig.json"})
"""Files of packages that only development needs."""
EXTENSION = "turnwright_tank/backends/_rules.abi3.so"
"""The compiled rules in a wheel for Linux. The other wheels are for any system."""
_INFO = ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "licenses/NOTICE")
_INFO_OPTIONAL = "top_level.txt"
_BESIDE_THE_PACKAGE = ("LICENSE", "MANIFEST.in", "NOTICE", "README.md", "pyproject.toml")
_BESIDE = {
    "turnwright": ("CHANGELOG.md", "tools/release/description.md"),
    "turnwright-tank": ("setup.py",),
}
_WRITTEN_BY_SETUPTOOLS = re.compile(r"PKG-INFO|setup\.cfg|(src/)?turnwright\w*\.egg-info/.*")
_LINK = re.compile(r"\]\((?!https?://|mailto:|#)([^)\s]+)|(?:src|href)=\"(?!https?://)([^\"]+)")


def package_files(root: Path, name: str) -> set[str]:
    """Return the files that a distribution has, by their paths below its `src`, generated ones included."""
    start = f"packages/{name.partition('-')[2]}/src/"
    generated = (DOCS, *(GENERATED if (root / "tools" / "generate.py").is_file() else ()))
    found = {file.removeprefix(start) for file in (*files_of(root), *generated) if file.startswith(start)}
    return found - LEFT_OUT


def wheel_files(wheel: Path) -> dict[str, bytes]:
    """Return the content of each file of a wheel, by its path."""
    with zipfile.ZipFile(wheel) as packed:
        return {name: packed.read(name) for name in packed.namelist() if not name.endswith("/")}


def sdist_files(sdist: Path) -> set[str]:
    """Return the files of an sdist, by their paths below its one folder."""
    with tarfile.open(sdist) as packed:
        return {member.name.partition("/")[2] for member in packed if member.isfile()}


def problems_of_wheel(files: Mapping[str, bytes], root: Path, name: str) -> list[str]:
    """Return the files that a wheel lacks, and the files that do not belong in it.

    Args:
        root: the source.
        name: the name of the distribution.
    """
    info = f"{name.replace('-', '_')}-{version_of(root)}.dist-info"
    ours = package_files(root, name) | ({EXTENSION} if name == "turnwright-tank" else set())
    expected = ours | {f"{info}/{one}" for one in _INFO}
    return _compared(f"wheel of {name}", files, expected, lambda one: one == f"{info}/{_INFO_OPTIONAL}")


def problems_of_sdist(files: Iterable[str], root: Path, name: str) -> list[str]:
    """Return the files that an sdist lacks, and the files that do not belong in it.

    Args:
        root: the source.
        name: the name of the distribution.
    """
    beside = {*_BESIDE_THE_PACKAGE, *_BESIDE.get(name, ())}
    expected = {f"src/{one}" for one in package_files(root, name)} | beside
    return _compared(
        f"sdist of {name}", files, expected, lambda one: bool(_WRITTEN_BY_SETUPTOOLS.fullmatch(one))
    )


def _compared(what, files, expected, is_allowed) -> list[str]:  # type: ignore[no-untyped-def]
    there = set(files)
    stray = sorted(name for name in there - expected if not is_allowed(name))
    return [f"the {what} lacks {name}" for name in sorted(expected - there)] + [
        f"the {what} has {name}, which is not committed or does not belong there" for name in stray
    ]


def metadata_of(files: Mapping[str, bytes]) -> Metadata:
    """Return the metadata of a wheel, by the rules of an index.

    Raises:
        ExceptionGroup: the metadata has mistakes, one exception for each.
    """
    (name,) = (name for name in files if name.endswith(".dist-info/METADATA"))
    return Metadata.from_email(files[name], validate=True)


def problems_of_metadata(files: Mapping[str, bytes], root: Path) -> list[str]:
    """Return the mistakes in the metadata that an index would refuse or show incorrectly."""
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
        problems.append("metadata: the description is missing")
    return problems
