"""From `Play now` on the home page to the first picture at the table."""
