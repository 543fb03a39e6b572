"""Tests of what the messages of `pli.server.protocol` tell, and to whom."""
