"""Processes and sockets."""
