"""The connections of those who follow a table: WebSockets of pages, event streams of programs."""
