"""Evenings of people: four pages a table, every new card's picture fetched, a move every few seconds."""
