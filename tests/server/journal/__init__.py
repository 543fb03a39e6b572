"""Tests of `pli.server.journal`, and what makes it fail."""
