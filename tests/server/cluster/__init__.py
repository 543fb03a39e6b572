"""Several servers on one PostgreSQL database."""
