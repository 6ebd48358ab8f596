"""A club evening: people, rounds of randomly drawn tables, standings. A log like a table's, in the same store."""
