"""Attacks on a server, beside people who play there: `make attack`.

The server is a real `pli serve` process, the attackers are processes of their own at one address of
this machine, the people who play (victims) are at others. Nothing outlives it, and nothing grows
without bounds: whatever a server lets happen, an attack is broken off in time.
"""
