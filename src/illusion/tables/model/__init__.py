"""What a table is: its state, its log and its commands. Pure values: no clock, no asyncio, no I/O."""
