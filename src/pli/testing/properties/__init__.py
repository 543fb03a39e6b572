"""What holds of every game, one module a property."""
