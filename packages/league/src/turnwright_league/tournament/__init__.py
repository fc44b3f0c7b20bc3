"""Tournaments as data: specifications of battles, results and standings. All functions are pure."""
