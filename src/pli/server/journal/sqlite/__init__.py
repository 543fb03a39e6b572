"""The journal in an embedded SQLite database."""
