"""Tests of `pli.server.rooms`: running tables, over HTTP and WebSockets."""
