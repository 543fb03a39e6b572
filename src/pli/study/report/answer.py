"""The answer in a sentence, where nobody wrote one: from the data, with intervals, and without
more than they say."""

from collections.abc import Sequence

from pli.study.report.figures import row_label, title
from pli.study.report.results import Row, Section
from pli.study.report.words import Teller

DEPTH = ("random", "easy", "medium", "search")
"""Bots from those who think least on; who thinks more mostly plays better."""

LENGTHS = ("minutes", "minutes_estimated", "rounds", "actions")


def answer(sections: Sequence[Section], teller: Teller) -> str:
    """Of each game, what the bots who think most show."""
    return " ".join(_of(section, teller, len(sections) > 1) for section in sections)


def _of(section: Section, teller: Teller, several: bool) -> str:
    told = [each for each in (_seats(section, teller), _length(section, teller)) if each]
    text = " ".join(told) or teller("report.nothing_to_say")
    return f"{title(section, teller)}: {text}" if several else text


def deepest(section: Section) -> list[Row]:
    """The cells of the bots who think most: they say most of what a game is to people."""

    def depth(row: Row) -> tuple[int, int]:
        name, _, number = str(row.facts.get("bots", "")).partition(":")
        place = DEPTH.index(name) if name in DEPTH else len(DEPTH)
        return place, int(number) if number.isdecimal() else 0

    rows = section.having("advantage").rows
    best = max(map(depth, rows), default=(0, 0))
    return [row for row in rows if depth(row) == best]


def _seats(section: Section, teller: Teller) -> str:
    """Whether who begins has more than its share."""
    rows = deepest(section)
    if not rows:
        return ""
    bots = teller.bots(str(rows[0].facts["bots"]))
    uneven = [row for row in rows if not _even(row)]
    if not uneven:
        key = "report.answer.even" if len(rows) == 1 else "report.answer.even_all"
        widest = max(rows, key=lambda row: abs(row.values["advantage"].value))
        return teller(key, **_first(section, widest, teller), bots=bots, n=len(rows))
    most = max(uneven, key=lambda row: abs(row.values["advantage"].value))
    more = most.values["advantage"].value > 0
    said = _first(section, most, teller)
    if len(rows) == 1:
        return teller("report.answer.more" if more else "report.answer.less", bots=bots, **said)
    key = "report.answer.more_of" if more else "report.answer.less_of"
    return teller(key, bots=bots, uneven=len(uneven), all=len(rows), **said)


def _even(row: Row) -> bool:
    value = row.values["advantage"]
    return value.low is None or value.high is None or value.low <= 0 <= value.high


def _first(section: Section, row: Row, teller: Teller) -> dict[str, object]:
    share, off = row.values["place/0"], row.values["advantage"]
    facts = {name: value for name, value in row.facts.items() if name != "bots"}
    names = [name for name in section.varied if name != "bots"]
    label = teller.facts(section.game, facts, names) or teller("report.seats", n=row.seats)
    return {
        "where": label,
        "share": teller.number("place", share.value),
        "interval": teller.interval("place", share),
        "points": teller.number("advantage", abs(off.value), signed=False),
        "games": teller.count(share.games),
    }


def _length(section: Section, teller: Teller) -> str:
    """How long a game is, from the shortest to the longest."""
    for metric in LENGTHS:
        every = section.having(metric).rows
        rows = [row for row in every if row.facts.get("bots") != "random"] or [*every]
        if not rows:
            continue
        rows.sort(key=lambda row: row.values[metric].value)
        name = f"report.answer.{metric}"
        if len(rows) == 1:
            value, interval = _told(metric, rows[0], teller)
            return teller(f"{name}.one", mean=f"{value} ({interval})")
        (least, shortest), (most, longest) = (
            _told(metric, row, teller) for row in (rows[0], rows[-1])
        )
        return teller(
            f"{name}.from_to",
            least=least,
            shortest=f"{row_label(section, rows[0], teller)} · {shortest}",
            most=most,
            longest=f"{row_label(section, rows[-1], teller)} · {longest}",
        )
    return ""


def _told(metric: str, row: Row, teller: Teller) -> tuple[str, str]:
    value = row.values[metric]
    return teller.number(metric, value.value), teller.interval(metric, value)
