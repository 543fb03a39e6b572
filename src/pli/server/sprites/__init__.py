"""Sprite sheets of card faces that are compared by eye, and the process pool that renders them."""
