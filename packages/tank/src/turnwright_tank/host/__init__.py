"""The tank game's part of the server: handshakes and announcements, and the Royale protocol."""
