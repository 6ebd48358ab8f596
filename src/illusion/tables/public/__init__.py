"""What leaves the server. This is the only place that decides what clients may know."""
