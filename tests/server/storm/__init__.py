"""Several servers on one PostgreSQL, of which anything may die at any moment."""
