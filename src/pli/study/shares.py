"""Which metrics are parts of something, to be told in per cent."""

SHARES = frozenset(
    (
        "seat",
        "place",
        "advantage",
        "shared",
        "steady",
        "comebacks",
        "forced",
        "stakes",
        "decided",
        "unfinished",
    )
)
