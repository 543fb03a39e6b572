"""The journal in an embedded SQLite database: a writer thread with group commit, WAL,
migrations."""
