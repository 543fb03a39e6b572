"""Tests of `pli.server.moves`: when a move counts."""
