"""Clients of the pages' WebSockets: one as honest as a page, and bytes for those that are not."""
