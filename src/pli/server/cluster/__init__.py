"""Several servers on one database: any of them takes any player, and relays those whose table
another one runs."""
