"""`turnwright docs`: shows the documentation of this installation in the browser."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from turnwright.app.option_fields import option
from turnwright.cli.choice import OpenChoice, PortChoice
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.watch import open_or_print
from turnwright.errors import EXIT_OK, SetupError

_DESCRIPTION = """\
The command shows tutorials, how-to pages, reference and explanations, with a search, until Ctrl-C. The
pages come from this machine, so no network is needed. With --out the command writes the pages into a new
folder instead, e.g. so that a teacher can give them to students. The written pages work from a disk and on
any web server."""


@dataclass(frozen=True)
class DocsOptions:
    """The settings of `turnwright docs`."""

    out: Path | None = option(None, "write the pages into this new folder", "-o", "--out", metavar="DIR")


def run(given: GivenOptions) -> int:
    """Show the documentation until Ctrl-C, or write it into a folder.

    Raises:
        SetupError: this installation has no documentation, the port is taken, or the folder cannot be
            written.
    """
    from turnwright.net.http.docs_site import SITE_INDEX, read_site
    from turnwright.net.http.ports import check_port

    options, port = given.make(DocsOptions), given.make(PortChoice).port
    check_port(port)
    if options.out is not None and port:
        raise SetupError("--out writes files and needs no --port; leave one of the two out")
    files = read_site()
    if options.out is not None:
        _write(options.out, files)
        print(f"{options.out / SITE_INDEX}: {len(files)} files; open it in a browser")
        return EXIT_OK
    return _show(files, port, opened=given.make(OpenChoice).open)


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """Write the files into a new folder.

    Raises:
        SetupError: the folder exists already, or it cannot be written.
    """
    from turnwright.net.files.new_file import whole_folder, write_file

    try:
        with whole_folder(folder) as part:
            for name, content in files.items():
                path = part / name
                path.parent.mkdir(parents=True, exist_ok=True)
                write_file(path, content)
    except FileExistsError:
        raise SetupError(f"{folder} exists already: choose another folder, or remove it first") from None
    except OSError as error:
        raise SetupError(f"{folder} cannot be written: {error.strerror}; choose another folder") from None


def _show(files: dict[str, bytes], port: int, *, opened: bool | None) -> int:
    from turnwright.app.replay import show_pages
    from turnwright.net.http.docs_site import SITE_INDEX, SITE_POLICY, pages_of_site
    from turnwright.net.http.pages import Pages

    def listening(url: str) -> None:
        shown = open_or_print(url, wanted=opened)
        where = "in your browser" if shown else "at this address"
        print(f"the documentation is shown {where} until Ctrl-C", file=sys.stderr, flush=True)

    show_pages(Pages(pages_of_site(files), index=SITE_INDEX, policy=SITE_POLICY), port, listening)
    return EXIT_OK


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (DocsOptions, OpenChoice, PortChoice),
    examples={"": "show the documentation in the browser", "--out site": "write it into a folder"},
)
