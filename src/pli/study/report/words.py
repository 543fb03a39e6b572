"""The numbers, options, bots and metrics of a report in the words of a language."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pli.study.report.results import Value
from pli.study.shares import SHARES
from pli.texts import Words, words

POINTS = {"advantage"}
"""Differences of shares, told in points of a hundred with their sign."""

ELO = {"gain", "elo"}

SIGNED = POINTS | ELO

THIN = "\u202f"
MINUS = "\u2212"


@dataclass(frozen=True)
class Teller:
    """One language's way to write things. Games have words of their own."""

    language: str

    def __call__(self, key: str, /, **values: object) -> str:
        return self.of(None)(key, **values)

    def of(self, game: str | None) -> Words:
        return words(self.language, game)

    def game(self, game: str) -> str:
        return self.of(game)("name")

    # Numbers

    def count(self, number: int) -> str:
        return f"{number:,}".replace(",", "," if self.language == "en" else THIN)

    def decimal(self, value: float, digits: int, signed: bool = False) -> str:
        text = f"{value:{'+' if signed else ''},.{digits}f}"
        if not text.strip("+-0.,"):  # zero has no sign
            text = text.lstrip("+-")
        if self.language != "en":
            text = text.replace(",", THIN).replace(".", ",")
        return text.replace("-", MINUS)

    def number(self, metric: str, value: float, unit: bool = True, signed: bool = True) -> str:
        """A value of a metric, with per cent where it is a share and `unit`."""
        name = metric.partition("/")[0]
        if name in POINTS:
            return self.decimal(100 * value, 1, signed)
        if name in ELO:
            return self.decimal(value, 0, signed)
        if name in SHARES:
            space = "" if self.language == "en" else THIN
            return self.decimal(100 * value, 1) + (f"{space}%" if unit else "")
        if name == "evenness":
            return self.decimal(value, 3)
        size = abs(value)
        return self.decimal(value, 0 if size >= 100 else 1 if size >= 10 else 2)

    def interval(self, metric: str, found: Value, signed: bool = True) -> str:
        """Its ends; nothing where the metric has none."""
        if found.low is None and found.high is None:
            return ""
        low, high = (
            "…" if end is None else self.number(metric, end, unit=False, signed=signed)
            for end in (found.low, found.high)
        )
        wide = metric.partition("/")[0] in SIGNED
        return self("report.between" if wide else "report.interval", low=low, high=high)

    # Names

    def bots(self, spec: str) -> str:
        """In a sentence: `sound players (medium)`; what is no bot of ours as it is written."""
        return self._bots("report.bots", spec)

    def level(self, spec: str) -> str:
        """At a chart: `medium`."""
        return self._bots("report.level", spec)

    def _bots(self, kind: str, spec: str) -> str:
        name, colon, number = spec.partition(":")
        key = f"{kind}.{name}"
        if key not in self.of(None) or (colon and not number.isdecimal()):
            return spec
        return self(key, n=self.count(int(number)) if colon else "")

    def option(self, game: str, name: str, value: object) -> str:
        """An option with its value; as they are written, where a game has no words for it."""
        if name == "bots":
            return self.level(str(value))
        if name == "seats":
            return self("report.seats", n=value)
        said = self.of(game)
        for key in (f"varied.{name}.{value}", f"varied.{name}.n"):
            if key in said:
                return said(key, n=value)
        return f"{name} {value}"

    def option_name(self, game: str, name: str) -> str:
        if name in ("seats", "bots"):
            return self(f"report.{name}_name")
        key, said = f"varied.{name}.name", self.of(game)
        return said(key) if key in said else name

    def setting(self, game: str, facts: Mapping[str, object], names: Iterable[str]) -> str:
        """Several options in a sentence of their own: `With 4 seats, sound players (medium).`"""
        named = [
            self.bots(str(facts[name])) if name == "bots" else self.option(game, name, facts[name])
            for name in names
        ]
        return self("report.fixed", facts=", ".join(named)) if named else ""

    def facts(self, game: str, facts: Mapping[str, object], names: Iterable[str]) -> str:
        """Several options in a row: `4 seats, pairs, with the auction`."""
        return ", ".join(self.option(game, name, facts[name]) for name in names if name in facts)

    def metric(self, metric: str) -> str:
        return self(f"report.metrics.{metric.partition('/')[0]}.name")
