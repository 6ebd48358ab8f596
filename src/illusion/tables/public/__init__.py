"""Views, events and records for clients. This is the only place that decides what they may know."""
