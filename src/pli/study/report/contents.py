"""What a report says, in one language and before it is a page: the same for HTML and Markdown."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import yaml

from pli.study.plan import Plan
from pli.study.report.answer import answer
from pli.study.report.figures import Figure, figures, title
from pli.study.report.quotes import Texts, failing, filled, in_language
from pli.study.report.results import NoSuchNumber, Part, Results, Section, sections
from pli.study.report.words import Teller


@dataclass(frozen=True)
class Chapter:
    """A game's charts."""

    game: str
    title: str
    fixed: str
    """The options that are the same in all of its cells."""
    figures: Sequence[Figure]


@dataclass(frozen=True)
class Meaning:
    """Of a metric: its name, how it is worked out, what it does not say."""

    name: str
    formula: str
    silent: str


@dataclass(frozen=True)
class Contents:
    language: str
    title: str
    kicker: str
    """Above the title."""
    facts: str
    """Beneath it."""
    answer: str
    conclusion: str
    """Markdown."""
    withheld: str
    chapters: Sequence[Chapter]
    meanings: Sequence[Meaning]
    played: Sequence[str]
    run_about: str
    command: str
    file: str
    """The plan, where one line can't say it."""
    version: str


def contents(results: Results, texts: Texts, language: str, name: str = "") -> Contents:
    """`name` is that of a study which comes with the package."""
    teller = Teller(language)
    found = sections(results)
    written, broken = _written(results, texts, teller)
    chapters = [_chapter(section, teller, texts.figures) for section in found]
    games = ", ".join(dict.fromkeys(teller.game(section.game) for section in found))
    cells = sum(len(part.cells) for part in results.parts)
    asked = in_language(texts.question, language)
    made = answer(found, teller) if results.games else teller("report.nobody")
    command, file = _again(results, name)
    total = teller("report.total", games=teller.count(results.games), cells=cells)
    about = teller("report.run_file" if file else "report.run")
    return Contents(
        language=language,
        title=asked or in_language(texts.title, language) or teller("report.study", game=games),
        kicker=in_language(texts.title, language) or teller("report.kicker"),
        facts=" · ".join([games, total]),
        answer=written["answer"] or made,
        conclusion=written["conclusion"],
        withheld=teller("report.withheld", claim=broken) if broken else "",
        chapters=chapters,
        meanings=_meanings(chapters, teller),
        played=[_played(part, teller) for part in results.parts],
        run_about=about,
        command=command,
        file=file,
        version=teller(
            "report.with_version", version=results.version, rules=_rules(results, teller)
        ),
    )


def _written(results: Results, texts: Texts, teller: Teller) -> tuple[dict[str, str], str]:
    """The texts that people wrote with their numbers; or none, and the claim or number that is not
    in the results."""
    given = {"answer": texts.answer, "conclusion": texts.conclusion}
    try:
        broken = next(iter(failing(texts, results)), "")
        if not broken:
            filled_in = {
                name: filled(in_language(text, teller.language), results, teller).strip()
                for name, text in given.items()
            }
            return filled_in, ""
    except NoSuchNumber as error:
        broken = error.what
    return dict.fromkeys(given, ""), broken


def _chapter(section: Section, teller: Teller, chosen: Sequence[str]) -> Chapter:
    fixed = teller.setting(section.game, section.fixed, section.fixed)
    drawn = figures(section, teller, chosen)
    return Chapter(section.game, title(section, teller), fixed, drawn)


def _meanings(chapters: Sequence[Chapter], teller: Teller) -> list[Meaning]:
    """Of the metrics that are charted, once each."""
    names = dict.fromkeys(figure.metric for chapter in chapters for figure in chapter.figures)
    return [
        Meaning(
            teller.metric(name),
            teller(f"report.metrics.{name}.formula"),
            teller("report.silent", what=teller(f"report.metrics.{name}.silent")),
        )
        for name in names
    ]


def _played(part: Part, teller: Teller) -> str:
    plan = part.plan
    said = teller(
        "report.ladder_played" if part.ladder else "report.bots_played",
        bots=", ".join(teller.bots(each) for each in plan.bots),
        cells=len({msgspec.json.encode(cell.varied) for cell in part.cells})
        // ((len(plan.bots) - 1) if part.ladder else 1),
        games=teller.count(plan.games),
        seed=plan.seed,
    )
    options = {**plan.options, **dict.fromkeys(plan.over)}
    over = " · ".join(
        f"{name}: {', '.join(map(str, plan.over.get(name, [value])))}"
        for name, value in options.items()
    )
    text = f"{teller.game(plan.game)}: {said}" + (f" ({over})." if over else ".")
    if plan.search and not part.ladder:
        judged = min(plan.detailed, plan.games)
        text += " " + teller("report.judged", n=plan.search, games=teller.count(judged))
    return text


def _rules(results: Results, teller: Teller) -> str:
    games = {part.plan.game: part.rules for part in results.parts}
    return ", ".join(
        f"{teller.game(game)}: {teller('report.rules', n=number)}" for game, number in games.items()
    )


def _again(results: Results, name: str) -> tuple[str, str]:
    """The command, and the file that it needs."""
    if name:
        return f"pli study {name} --to DIR", ""
    if len(results.parts) == 1 and not results.parts[0].ladder:
        return command(results.parts[0].plan), ""
    parts = [
        {**plan_values(part.plan), **({"ladder": True} if part.ladder else {})}
        for part in results.parts
    ]
    text = yaml.safe_dump(
        {"parts": parts}, sort_keys=False, allow_unicode=True, default_flow_style=None
    )
    return "pli study study.yaml --to DIR", text


def plan_values(plan: Plan) -> dict[str, object]:
    """What of a plan is not as it is without being said."""
    values = msgspec.to_builtins(plan)
    plain = msgspec.to_builtins(Plan(game=plan.game))
    return {name: each for name, each in values.items() if name == "game" or each != plain[name]}


def command(plan: Plan) -> str:
    """The whole plan as one line."""
    words = ["pli", "study", plan.game]
    for name, values in plan.over.items():
        words += ["--over", f"{name}={','.join(map(str, values))}"]
    for name, value in plan.options.items():
        words += ["--option", f"{name}={value}"]
    plain = Plan(game=plan.game)
    words += ["--bots", ",".join(plan.bots), "--games", str(plan.games), "--seed", str(plan.seed)]
    for option in ("detailed", "search"):
        if getattr(plan, option) != getattr(plain, option):
            words += [f"--{option}", str(getattr(plan, option))]
    return f"{shlex.join(words)} --to DIR"
