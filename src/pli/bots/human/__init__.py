"""Bots with a person's reaction times and mistakes, for games in which time matters."""
