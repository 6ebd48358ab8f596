"""Event streams: one message is encoded once and written to every reader."""
