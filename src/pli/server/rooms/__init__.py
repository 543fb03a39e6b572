"""Running tables: the lobby, rooms, and what listens to their commits."""
