"""Print every figure we keep."""

from bench import rules

rules.main()
