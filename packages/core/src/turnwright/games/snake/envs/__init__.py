"""Snake for learners. It needs the extra [learn]."""
