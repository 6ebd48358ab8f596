"""A long evening of pages, in which a drawing process, a worker and PostgreSQL are killed: what grew, what was lost?"""
