"""When a move counts: lag compensation, the order of moves, stale moves. Pure: no clock, no I/O."""
