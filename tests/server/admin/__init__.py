"""Tests of `pli.server.admin`: what an operator does, through `pli admin`."""
