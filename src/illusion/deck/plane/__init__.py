"""Plane geometry that gives the same bits everywhere: IEEE + - * / and roots in a fixed order, sums of whole numbers.

No GEOS, no library's sine, no float sum whose order a library chooses, and of `random` only `random()`, which Python
promises to keep. Nothing here may use anything else (`tests/deck/test_same_everywhere.py`).
"""
