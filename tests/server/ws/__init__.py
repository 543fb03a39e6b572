"""Tests of `pli.server.ws`: WebSocket connections and what is sent over them."""
