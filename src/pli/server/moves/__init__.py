"""When a move counts: lag allowances, the order of moves, moves that were overtaken. Pure."""
