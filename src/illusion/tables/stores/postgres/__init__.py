"""The shared store: PostgreSQL, any number of processes."""
