"""A long evening of pages, in which a painter, a worker and PostgreSQL are killed: what grew, what was lost?"""
