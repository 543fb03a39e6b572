"""A report as Markdown, with its charts as files beside it."""

from collections.abc import Iterator

from pli.study.report.contents import Contents
from pli.study.report.figures import Figure
from pli.study.report.page import spaced
from pli.study.report.words import Teller


def markdown(found: Contents, plots: str) -> str:
    return spaced("\n\n".join(_blocks(found, plots)) + "\n", found.language)


def _blocks(found: Contents, plots: str) -> Iterator[str]:
    say = Teller(found.language)
    yield f"# {found.title}"
    yield found.facts
    yield f"**{say('report.the_answer')}.** {found.answer}"
    if found.withheld:
        yield f"> {found.withheld}"
    if found.conclusion:
        yield f"## {say('report.conclusion')}"
        yield found.conclusion
    for chapter in found.chapters:
        yield f"## {chapter.title if len(found.chapters) > 1 else say('report.numbers')}"
        if chapter.fixed:
            yield chapter.fixed
        for figure in chapter.figures:
            yield f"### {figure.title}"
            yield figure.about
            yield f"![{figure.description}]({plots}/{figure.name}.svg)"
            yield _table(figure)
    yield f"## {say('report.method')}"
    yield "\n".join(f"- {each}" for each in found.played)
    yield say("report.who")
    yield "\n".join(f"- **{e.name}**: {e.formula}. {e.silent}" for e in found.meanings)
    yield say("report.intervals")
    yield f"### {say('report.again')}"
    yield found.run_about
    yield f"```sh\n{found.command}\n```"
    if found.file:
        yield f"```yaml\n{found.file.strip()}\n```"
    yield found.version


def _table(figure: Figure) -> str:
    rule = ["---"] * figure.facts + ["---:"] * (len(figure.header) - figure.facts)
    rows = [figure.header, rule, *figure.table]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
