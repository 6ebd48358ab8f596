"""Benchmarks: `make bench` prints the figures."""
