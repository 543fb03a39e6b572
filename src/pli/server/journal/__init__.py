"""The journal of entries: the interface, and its storage engines."""
