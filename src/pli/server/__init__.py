"""The online table: people and bots at one game over the network. Loses nothing, leaks nothing."""
