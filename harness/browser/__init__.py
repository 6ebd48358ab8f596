"""A real browser, the people in front of it, and checks of what it shows."""
