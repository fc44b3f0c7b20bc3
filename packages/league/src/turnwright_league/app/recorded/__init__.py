"""The records of single battles: checked against their results, told as events."""
