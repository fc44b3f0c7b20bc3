"""Serve the viewer on films of demo_frames.py, for development.

    python tests/games/tank/view/demo.py FOLDER [--port N]

FOLDER holds NAME.json files; the page shows one with /?film=NAME, as if live with &live, without panels
with &bare.
"""

from __future__ import annotations

import argparse
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

HERE = Path(__file__).parent
PACKAGE = HERE.parents[3] / "src/turnwright"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Handler(SimpleHTTPRequestHandler):
    """The viewer's files, with the policy of the real server."""

    extensions_map: ClassVar[dict[str, str]] = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
    }

    def __init__(self, films: Path, *args: object, **kwargs: object) -> None:
        self.films = films
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]

    def translate_path(self, path: str) -> str:
        """Return the file of an address."""
        name = path.split("?")[0].lstrip("/")
        if name == "viewer/main.js":
            return str(HERE / "demo_main.js")
        if name.startswith("frames/"):
            return str(self.films / Path(name).name)
        return str(PACKAGE / (name or "viewer/index.html"))

    def end_headers(self) -> None:
        """Add the policy."""
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("films", type=Path)
    parser.add_argument("--port", type=int, default=8123)
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", options.port), partial(Handler, options.films))
    print(f"http://127.0.0.1:{server.server_port}/?film=NAME", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
