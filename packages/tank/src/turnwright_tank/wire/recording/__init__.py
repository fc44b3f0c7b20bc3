"""Tank Royale's recordings (.battle.gz)."""
