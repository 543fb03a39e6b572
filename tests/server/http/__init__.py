"""Tests of `pli.server.http`: requests, answers, addresses and the process's sockets."""
