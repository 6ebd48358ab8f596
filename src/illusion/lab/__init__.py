"""The lab: bots against bots by the thousand, and an environment to train in. It plays without tables."""
