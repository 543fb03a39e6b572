"""A server that is killed again and again while tables play: `make crash`."""
