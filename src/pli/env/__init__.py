"""The games in the forms of environments that tools for learning agents expect (docs/agents.md):
`pli.env.pettingzoo`, `pli.env.gymnasium`, `pli.env.openspiel`.

Each needs a package that only one of pip's extras brings, so nothing is imported here.
"""
