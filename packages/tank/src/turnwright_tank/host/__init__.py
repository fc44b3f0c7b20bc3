"""The tank's half of the server: announcements, seats answered from a record."""
