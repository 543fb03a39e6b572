"""A report as one HTML file: no script, no request, all that it needs inside."""

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

from pli.study.report.contents import Chapter, Contents
from pli.study.report.figures import Figure
from pli.study.report.words import Teller

HERE = Path(__file__).parent

CHART_WIDTH = 640
"""Of a chart as a file of its own, in pixels."""

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def page(found: Contents) -> str:
    say = Teller(found.language)
    style = _style()
    policy = f"default-src 'none'; style-src 'sha256-{_hash(style)}'; font-src data:; img-src data:"
    body = "".join(
        [
            _header(found),
            "<main>",
            _answer(found, say),
            *(
                _chapter(each, say, len(found.chapters) > 1, first=not number)
                for number, each in enumerate(found.chapters)
            ),
            _method(found, say),
            "</main>",
            f"<footer><p>{escape(say('report.made'))}</p></footer>",
        ]
    )
    game = found.chapters[0].game if len(found.chapters) == 1 else ""
    title = spaced(escape(found.title), found.language)
    return f"""<!doctype html>
<html lang="{found.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body{f' class="{escape(game)}"' if game else ""}>
{spaced(body, found.language)}
</body>
</html>
"""


JOINER = "\u2060"
"""Holds together what is beside it."""

_DASH = re.compile("(?<=\\d)\u2013(?=\\d)")
_FRENCH = re.compile("(?<=[\\w\u2019»)%]) (?=[:;?!»](?!\\w))|(?<=«) ")


def spaced(text: str, language: str) -> str:
    """Intervals stay on their line; and French has a narrow space before some signs, which must not
    begin one."""
    text = _DASH.sub(f"{JOINER}\u2013{JOINER}", text)
    return _FRENCH.sub("\u202f", text) if language == "fr" else text


@cache
def _style() -> str:
    fonts = {
        name: b64encode((HERE / "fonts" / f"{name}.woff2").read_bytes()).decode()
        for name in ("display", "plain")
    }
    text = (HERE / "page.css").read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/\s*", "", text, flags=re.DOTALL)
    return text.replace("DISPLAY", fonts["display"]).replace("PLAIN", fonts["plain"])


def _hash(style: str) -> str:
    return b64encode(sha256(style.encode()).digest()).decode()


EMBLEM = (
    '<svg class="emblem" viewBox="0 0 64 64" width="44" height="44" aria-hidden="true">'
    '<rect x="7" y="12" width="34" height="46" rx="6" transform="rotate(-10 24 35)" class="e1"/>'
    '<rect x="22" y="8" width="34" height="46" rx="6" transform="rotate(8 39 31)" class="e2"/>'
    '<path d="M36 18c8 7 10 14 6 20-2 4-8 5-11 1-4-5-2-13 5-21Z" transform="rotate(8 38 31)" '
    'class="e3"/></svg>'
)


def _header(found: Contents) -> str:
    kicker = escape(found.kicker)
    return (
        f'<header><div>{EMBLEM}<p class="kicker">{kicker}</p><h1>{escape(found.title)}</h1>'
        f'<p class="facts">{escape(found.facts)}</p></div></header>'
    )


def _answer(found: Contents, say: Teller) -> str:
    parts = [
        f'<section class="answer" aria-labelledby="answer"><h2 id="answer">'
        f"{escape(say('report.the_answer'))}</h2>{_MARKDOWN.render(found.answer)}</section>"
    ]
    if found.withheld:
        parts.append(f'<p class="withheld" role="note">{escape(found.withheld)}</p>')
    if found.conclusion:
        parts.append(
            f'<section class="conclusion prose"><h2>{escape(say("report.conclusion"))}</h2>'
            f"{_MARKDOWN.render(found.conclusion)}</section>"
        )
    return "".join(parts)


def _chapter(chapter: Chapter, say: Teller, several: bool, first: bool) -> str:
    title = chapter.title if several else say("report.numbers")
    parts = [f'<section class="chapter {escape(chapter.game)}"><h2>{escape(title)}</h2>']
    about = " ".join(filter(None, [chapter.fixed, say("report.read_it") if first else ""]))
    if about:
        parts.append(f'<p class="about">{escape(about)}</p>')
    drawn = "".join(_figure(each, chapter, say) for each in chapter.figures)
    parts.append(f'<div class="figures">{drawn}</div>')
    return "".join([*parts, "</section>"])


def _figure(figure: Figure, chapter: Chapter, say: Teller) -> str:
    name = escape(figure.name)
    topic = say(f"report.topics.{figure.topic}")
    numbers = f"<summary>{escape(say('report.numbers'))}</summary>{_table(figure, chapter)}"
    return (
        f'<figure id="{name}" class="{figure.chart.kind}"><figcaption>'
        f'<span class="topic">{escape(topic)}</span><strong>{escape(figure.title)}</strong> '
        f"<span>{escape(figure.about)}</span></figcaption>{_svg(figure)}"
        f"<details>{numbers}</details></figure>"
    )


def _svg(figure: Figure) -> str:
    name, height = escape(figure.name), figure.chart.height
    return (
        f'<svg class="chart" width="100%" height="{height}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{escape(figure.title)}</title>'
        f'<desc id="{name}-desc">{escape(figure.description)}</desc>{figure.chart.svg}</svg>'
    )


def _table(figure: Figure, chapter: Chapter) -> str:
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in figure.header)
    rows = "".join(_table_row(row, figure.facts) for row in figure.table)
    label = escape(f"{figure.title}, {chapter.title}")
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{label}"><table>'
        f"<caption>{escape(figure.title)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def _table_row(row: Sequence[str], facts: int) -> str:
    cells = [
        f'<th scope="row">{escape(each)}</th>' if place < facts else f"<td>{escape(each)}</td>"
        for place, each in enumerate(row)
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _method(found: Contents, say: Teller) -> str:
    def title(key: str) -> str:
        return escape(say(f"report.{key}"))

    played = "".join(f"<li>{escape(each)}</li>" for each in found.played)
    meanings = "".join(
        f"<div><dt>{escape(each.name)}</dt><dd>{escape(_sentence(each.formula))} "
        f"<em>{escape(each.silent)}</em></dd></div>"
        for each in found.meanings
    )
    about = _MARKDOWN.renderInline(found.run_about)
    return (
        f'<section class="method prose"><h2>{title("method")}</h2>'
        f"<h3>{title('played')}</h3><ul>{played}</ul><p>{escape(say('report.who'))}</p>"
        f"<h3>{title('meaning')}</h3><dl>{meanings}</dl><p>{escape(say('report.intervals'))}</p>"
        f"<h3>{title('again')}</h3><p>{about}</p>{_code(found.command)}{_code(found.file)}"
        f"<p>{escape(found.version)}</p></section>"
    )


def _code(text: str) -> str:
    return f'<pre tabindex="0"><code>{escape(text)}</code></pre>' if text else ""


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


# Charts as files


def svg_file(figure: Figure) -> str:
    """In plain colours, for programs that know no variables."""
    style = (HERE / "chart.css").read_text(encoding="utf-8")
    style = re.sub(r"/\*.*?\*/\s*", "", style, flags=re.DOTALL)
    name = escape(figure.title)
    height = figure.chart.height
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{CHART_WIDTH}" height="{height + 64}" '
        f'role="img" aria-labelledby="t d"><title id="t">{name}</title>'
        f'<desc id="d">{escape(figure.description)}</desc><style>{style}</style>'
        '<rect class="paper" width="100%" height="100%"/>'
        f'<text class="title" x="20" y="32">{name}</text>'
        f'<svg x="20" y="48" width="{CHART_WIDTH - 40}" height="{height}" overflow="visible">'
        f"{figure.chart.svg}</svg></svg>\n"
    )
