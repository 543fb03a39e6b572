"""Tests of `pli.server.history`: games that are over."""
