"""The documentation site of this installation. It is an archive that is read into memory."""

from __future__ import annotations

import tarfile
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath

from turnwright.errors import SetupError
from turnwright.net.http.viewer_files import CONTENT_TYPES, PACKAGE, StaticFile

ARCHIVE = PACKAGE / "docs.tar.xz"
"""The archive with the documentation site. `make docs` writes it. A wheel contains it."""
SITE_INDEX = "index.html"
SITE_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of the site. It allows inline scripts and styles, because the theme puts them
into its pages.
"""
_DAMAGE: tuple[type[Exception], ...] = (OSError, EOFError, tarfile.TarError)
with suppress(ImportError):  # a Python without lzma
    from lzma import LZMAError

    _DAMAGE += (LZMAError,)
_TEXT = "text/plain; charset=utf-8"


def read_site(archive: Path = ARCHIVE) -> dict[str, bytes]:
    """Return the files of the site by their paths, e.g. "docs/README.html".

    Raises:
        SetupError: this installation has no site, the site is damaged, or this Python cannot unpack it.
    """
    try:
        with tarfile.open(archive, "r:xz") as packed:
            members = [member for member in packed if member.isfile()]
            return {member.name: _content(packed, member) for member in members}
    except FileNotFoundError:
        raise SetupError(
            "this installation has no documentation site: wheels have one, and a clone after `make docs`;"
            " its docs/README.md lists the same pages"
        ) from None
    except tarfile.CompressionError:
        raise SetupError(
            "this Python was built without lzma, which unpacks the documentation: use another Python"
        ) from None
    except _DAMAGE as error:
        raise SetupError(
            f"{archive} cannot be read ({error or 'its end is missing'}): install turnwright again"
        ) from None


def _content(packed: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    stream = packed.extractfile(member)
    assert stream is not None  # it is a file
    return stream.read()


def pages_of_site(files: Mapping[str, bytes]) -> dict[str, StaticFile]:
    """Return the files of a site in the form in which a server shows pages."""
    return {
        name: StaticFile(
            content,
            CONTENT_TYPES.get(PurePosixPath(name).suffix, _TEXT),
            f'"{sha256(content).hexdigest()[:32]}"',
        )
        for name, content in files.items()
    }
