"""HTML pages, rendered on the server."""
