"""What every game's rules are written in: the contract, state records, card sets, the compiler;
and what runs over any rules: random playouts and search.

Nothing here knows a game. Numba is imported only when something is compiled (`native`, `compiler`).
"""
