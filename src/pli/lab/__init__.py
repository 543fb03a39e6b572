"""The lab of the online table: a question to a game, answered more exactly as its games are played,
in a process of its own. It needs no more than playing does.
"""
