"""Tests of `pli.server.sprites`: pictures drawn in processes of their own."""
