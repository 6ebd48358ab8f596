"""A club's evening: who is here, rounds of tables drawn by lot, standings. A log like a table's, in the same store."""
