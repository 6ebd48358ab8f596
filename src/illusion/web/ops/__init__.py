"""For operators: health, metrics and logs."""
