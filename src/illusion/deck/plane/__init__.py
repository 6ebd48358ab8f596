"""Plane geometry that gives the same bits everywhere: IEEE + - * / and roots in a fixed order, sums of whole numbers.

No GEOS, no library's sine, no float sum whose order a library chooses, and of `random` only `random()`, which Python
guarantees (`tests/deck/test_same_everywhere.py`).
"""
