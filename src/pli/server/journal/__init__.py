"""Where entries are kept: the interface, and the engines behind it."""
