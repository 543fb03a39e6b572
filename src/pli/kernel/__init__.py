"""What every game's rules are written in: records, card sets, the contract, compile or plain.

Nothing here knows a game. Numba is imported only when something is compiled (`native`, `compiler`).
"""
