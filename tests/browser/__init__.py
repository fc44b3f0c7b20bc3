"""The viewer in a real browser: Debian's Chromium, driven by Playwright, 127.0.0.1 only."""
