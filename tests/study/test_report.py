"""Reports: their numbers are the metrics', their texts agree with the data, and their files need
nothing from outside."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pli.errors import BadOption, PliError
from pli.study import Results, Study, Texts, create, make_plan, read_results, sweep
from pli.study.collection import open_collection
from pli.study.metrics import METRICS
from pli.study.plan import BadStudy, Plan, read
from pli.study.report.answer import answer
from pli.study.report.charts import Axis, Group, Point, along, in_rows, nice_ticks
from pli.study.report.contents import command, contents
from pli.study.report.figures import figures
from pli.study.report.page import page
from pli.study.report.quotes import filled, holds
from pli.study.report.results import CellResult, Part, Value, sections
from pli.study.report.words import Teller
from pli.study.study_file import read_study
from pli.texts import LANGUAGES
from tests.cli.command import complaint, pli

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("study")
    over = {"seats": "2,4", "auction": ["on", "off"]}
    bots = "random,medium"
    return sweep("plingo", over, bots, games=12, to=folder, detailed=2, search=30, processes=1)


@pytest.fixture(scope="module")
def results(study: Study) -> Results:
    pages = study.report()
    return read_results(pages["en"].parent / "results.json")


class Tables(HTMLParser):
    """The numbers in the tables of a page, and what its tags point to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.numbers: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._inside = tag == "td"
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "srcset")]

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.numbers.append(data)
            self._inside = False


@in_every_language
def test_every_number_at_a_chart_is_one_of_the_metrics(study: Study, language: str) -> None:
    say = Teller(language)
    known: set[str] = set()
    for row in study.metrics().to_dicts():
        value = Value(row["value"], row["low"], row["high"], row["games"])
        known.add(say.number(row["metric"], value.value))
        known |= {say.interval(row["metric"], value), say.count(row["games"])}
    known.add(say("report.unknown"))
    text = study.report()[language].read_text(encoding="utf-8").replace("\u2060", "")
    found = Tables(text).numbers
    assert len(found) > 100
    assert set(found) <= known
    # and the charts say no number that their tables don't
    told = re.findall(r'class="value">([^<]*)<', text) + re.findall(r'class="soft">([^<]*)<', text)
    assert told
    assert set(told) <= set(found)


def test_results_are_the_metrics_in_short(study: Study, results: Results) -> None:
    (part,) = results.parts
    assert results.games == 8 * 12
    assert part.plan == study.plan
    for row in study.metrics().to_dicts():
        name = f"{row['metric']}/{row['key']}" if row["key"] else row["metric"]
        found = part.cells[row["cell"]].values[name]
        assert found.value == pytest.approx(row["value"], rel=1e-5, abs=1e-12)
        assert found.games == row["games"]


@in_every_language
def test_a_page_is_whole_in_itself(results: Results, language: str) -> None:
    text = page(contents(results, Texts(), language))
    found = Tables(text)
    assert found.links == []
    assert not {"script", "link", "iframe", "img", "form", "object"} & set(found.tags)
    assert not re.findall(r"\sstyle=|\son\w+=|@import|javascript:", text)
    assert {each[:5] for each in re.findall(r"url\(['\"]?([^)]{5})", text)} == {"data:"}
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert policy
    assert style
    digest = b64encode(sha256(style[1].encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in policy[1]
    assert policy[1].startswith("default-src 'none';")
    assert f'<html lang="{language}">' in text


@in_every_language
def test_charts_as_files_are_svg_and_markdown_shows_them(study: Study, language: str) -> None:
    study.report()
    text = (study.folder / f"report.{language}.md").read_text(encoding="utf-8")
    shown = re.findall(r"\]\((plots/[^)]*\.svg)\)", text)
    assert shown
    for each in shown:
        drawing = ElementTree.fromstring((study.folder / each).read_text(encoding="utf-8"))
        assert drawing.tag.endswith("svg")
        title, description = drawing[0], drawing[1]
        assert title.text
        assert description.text
        assert float(drawing.attrib["height"]) > 64


def test_a_chart_of_a_single_game_is_drawn_and_says_that_it_knows_little(tmp_path: Path) -> None:
    study = sweep("plingo", {"seats": "2"}, "random", games=1, to=tmp_path)
    for language, each in study.report().items():
        assert Teller(language)("report.unknown") in Tables(each.read_text("utf-8")).numbers


@in_every_language
def test_a_study_that_nobody_has_played_has_a_report(language: str, tmp_path: Path) -> None:
    study = create(make_plan("plingo", {"seats": "2,3"}, question="Who?"), tmp_path)
    text = study.report()[language].read_text("utf-8")
    assert Teller(language)("report.nobody") in text
    assert "Who?" in text
    assert "pli study plingo" in text


def test_ticks_hold_what_is_shown() -> None:
    assert nice_ticks(0, 0.9) == [0.0, 0.25, 0.5, 0.75, 1.0]
    for low, high in ((-0.013, 0.021), (3, 3), (0, 0), (812.0, 4000.0), (-7, -6.9)):
        ticks = nice_ticks(low, high)
        assert ticks[0] <= low
        assert high <= ticks[-1]
        assert 2 <= len(ticks) <= 7


def test_marks_lie_where_their_values_are() -> None:
    axis = Axis(0.0, 10.0, [(0.0, "0"), (10.0, "10")])
    point = Point("a", 5.0, 4.0, 7.0, "5", "4-7")
    rows = in_rows([Group("", [point])], axis, None)
    assert '<svg x="50%"' in rows.svg
    assert 'class="interval s0" x1="40.4%"' in rows.svg
    lines = along([("b", [(1.0, point), (3.0, point)])], axis, [(1.0, "1"), (3.0, "3")], "turns", 0)
    (y,) = set(re.findall(r'<svg x="[\d.]+%" y="([\d.]+)"', lines.svg))
    assert float(y) == pytest.approx((22 + 204) / 2)  # in the middle between top and foot


def test_long_names_have_lines_of_their_own() -> None:
    axis = Axis(0.0, 10.0, [(0.0, "0"), (10.0, "10")])
    short = Point("a", 5.0, 4.0, 7.0, "5", "4-7")
    long = Point("a name that is far too long", 5.0, 4.0, 7.0, "5", "4-7")
    before = in_rows([Group("one, two", [short])], axis, None)
    name = "a setting that is long, with another one"
    after = in_rows([Group(name, [short, long])], axis, None)
    assert ">a setting that is long,<" in after.svg
    assert ">with another one<" in after.svg
    assert after.height == before.height + 40 + 2 * 19


# Texts


def cell(value: float, low: float, high: float, bots: str = "medium", seats: int = 4) -> CellResult:
    share, even = Value(value, low, high, 900), 1 / seats
    above = Value(value - even, low - even, high - even, 900)
    return CellResult(
        varied={"seats": seats, "bots": bots},
        seats=seats,
        values={"place/0": share, "advantage": above, "minutes": Value(12.345, 12.0, 13.0, 900)},
    )


def made(*cells: CellResult) -> Results:
    plan = read_study_text("game: marshmallow\nover: {seats: [3, 4]}\nbots: [medium]\ngames: 900")
    return Results(version="0", parts=[Part(plan=plan, rules=2, cells=[*cells])])


def read_study_text(text: str) -> Plan:

    return read(text)


def test_the_answer_says_no_more_than_the_data() -> None:
    say = Teller("en")
    sure = answer(sections(made(cell(0.271, 0.263, 0.279))), say)
    assert "27.1% (26.3\u201327.9)" in sure
    assert "2.1 points more than an even share" in sure
    unsure = answer(sections(made(cell(0.271, 0.248, 0.295))), say)
    assert "more than" not in unsure
    assert "don\u2019t tell that from an even share" in unsure
    less = answer(sections(made(cell(0.271, 0.263, 0.279), cell(0.2, 0.18, 0.22, seats=3))), say)
    assert "in 2 of 2 cases" in less
    assert "3 seats, 20.0%" in less
    strong = made(cell(0.271, 0.263, 0.279, "random"), cell(0.25, 0.24, 0.26, "search:50"))
    assert "players who search (50 iterations)" in answer(sections(strong), say)


def test_texts_take_their_numbers_from_the_results() -> None:
    found = made(cell(0.271, 0.263, 0.279), cell(0.2, 0.18, 0.22, seats=3))
    text = "It is {place/0 seats=4}, {advantage seats=3 :plain} less, {minutes seats=3 :value}."
    assert filled(text, found, Teller("en")) == "It is 27.1% (26.3\u201327.9), 13.3 less, 12.3."
    assert filled("{advantage seats=4}", found, Teller("fr")) == "+2,1 (+1,3 à +2,9)"
    assert filled("{place/0 seats=4 :range}", found, Teller("es")) == "26,3\u201327,9"
    assert filled("{games}", found, Teller("en")) == "1,800"
    for wrong in ("{place/0}", "{place/0 seats=5}", "{luck seats=4}", "{place/0 seats}"):
        with pytest.raises(BadStudy):
            filled(wrong, found, Teller("en"))


def test_claims_hold_where_intervals_are_apart() -> None:
    found = made(cell(0.271, 0.263, 0.279), cell(0.2, 0.18, 0.28, seats=3))
    assert holds("advantage seats=4 > 0", found)
    assert not holds("advantage seats=4 < 0", found)
    assert holds("advantage seats=3 < 0", found)
    assert not holds("advantage seats=4 > 0.02", found)
    assert holds("advantage seats=4 ~ 0.02", found)
    assert holds("place/0 seats=3 ~ place/0 seats=4", found)
    assert not holds("place/0 seats=3 < place/0 seats=4", found)
    with pytest.raises(BadStudy):
        holds("advantage seats=4", found)


@in_every_language
def test_a_conclusion_is_shown_while_its_claims_hold(language: str) -> None:
    found = made(cell(0.271, 0.263, 0.279))
    texts = Texts(answer="So it is.", conclusion="- **Do** this", claims=["advantage seats=4 > 0"])
    shown = page(contents(found, texts, language))
    assert "So it is." in shown
    assert "<strong>Do</strong>" in shown
    for claim in ("advantage seats=4 < 0", "advantage seats=9 > 0"):
        broken = Texts(answer="So it is.", conclusion="- **Do** this", claims=[claim])
        withheld = contents(found, broken, language)
        assert "So it is." not in withheld.answer
        assert withheld.answer
        assert withheld.conclusion == ""
        assert claim.split(" <")[0].split(" >")[0] in withheld.withheld


def test_what_people_write_is_text_and_no_markup() -> None:
    evil = "<script>alert(1)</script>"
    texts = Texts(title=evil, question=evil, answer=evil, conclusion=evil)
    found = contents(made(cell(0.271, 0.263, 0.279)), texts, "en")
    assert "<script" not in page(found)


@in_every_language
def test_numbers_are_written_as_in_the_language(language: str) -> None:
    say = Teller(language)
    value = Value(0.0214, 0.0131, -0.0004, 1)
    assert say.number("advantage", -0.0214) == {"en": "\u22122.1"}.get(language, "\u22122,1")
    assert say.number("advantage", -0.0001) == {"en": "0.0"}.get(language, "0,0")
    assert say.interval("advantage", value).startswith({"en": "+1.3"}.get(language, "+1,3"))
    assert say.count(1234567) == {"en": "1,234,567"}.get(language, "1\u202f234\u202f567")
    assert say.number("place/0", 0.5) == {"en": "50.0%"}.get(language, "50,0\u202f%")
    assert say.bots("mine:Bot") == "mine:Bot"


@in_every_language
def test_every_metric_and_every_option_of_a_shipped_game_has_words(language: str) -> None:

    say = Teller(language)
    for metric in [*(each.name for each in METRICS), "gain", "elo"]:
        assert say.metric(metric)
        assert say(f"report.metrics.{metric}.formula")
    assert say.option("plingo", "teams", "pairs") != "teams pairs"
    assert say.option("plingo", "first_master", 2) == "first_master 2"  # as it is written


@in_every_language
def test_every_metric_can_be_charted_and_no_other_one(language: str, results: Results) -> None:
    (section,) = sections(results)
    names = [metric.name for metric in METRICS if metric.name not in ("seat", "place")]
    found = figures(section, Teller(language), names)
    known = {figure.metric for figure in found}
    assert known == {each for each in names if each != "minutes"}  # no time passes in Plingo
    with pytest.raises(BadOption):
        figures(section, Teller(language), ["luck"])


def test_a_numeric_option_is_an_axis() -> None:
    def at(target: int, seats: int) -> CellResult:
        values = {"minutes": Value(target / 2 + seats, target / 2, target + 9.0, 9)}
        varied: dict[str, int | str] = {"seats": seats, "target": target, "bots": "medium"}
        return CellResult(varied=varied, seats=seats, values=values)

    plan = read_study_text("game: marshmallow\nover: {seats: [3, 4], target: [5, 10, 20]}")
    cells = [at(target, seats) for seats in (3, 4) for target in (5, 10, 20)]
    found = Results(version="0", parts=[Part(plan=plan, rules=2, cells=cells)])
    (section,) = sections(found)
    (figure,) = figures(section, Teller("en"), ["minutes"])
    assert figure.chart.kind == "lines"
    assert "Points to win" in figure.chart.svg
    assert figure.chart.svg.count("<svg") == 6
    assert [row[0] for row in figure.table] == ["3 seats"] * 3 + ["4 seats"] * 3


# Files and commands


def test_the_command_of_a_report_is_the_plan(study: Study, tmp_path: Path) -> None:
    words = command(study.plan).split()
    assert words[:2] == ["pli", "study"]
    words[words.index("DIR")] = str(tmp_path / "again")
    done = pli(*words[1:], "--threads", 1)
    assert done.returncode == 0, done.stderr
    again = open_collection(tmp_path / "again")
    assert again.studies[0].plan == study.plan
    assert again.results().parts == [study.part()]
    assert (tmp_path / "again" / "report.en.html").is_file()


PARTS = """
question: {en: Who?, fr: Qui ?, es: ¿Quién?}
conclusion: {en: 'It lasts {rounds game=plingo bots=medium :value} rounds.'}
figures: [rounds, elo]
parts:
  - {game: plingo, options: {seats: 3}, bots: [random, medium], games: 4}
  - {game: marshmallow, options: {seats: 2}, bots: [random], games: 4}
  - {game: plingo, options: {seats: 3}, bots: [random, medium], games: 2, ladder: true}
"""


def test_several_plans_and_ladders_are_one_report(tmp_path: Path) -> None:
    file = tmp_path / "plans.yaml"
    file.write_text(PARTS, encoding="utf-8")
    done = pli("study", file, "--to", tmp_path / "s", "--threads", 1, "--lang", "fr")
    assert done.returncode == 0, done.stderr
    assert str(tmp_path / "s" / "report.fr.html") in done.stdout
    opened = open_collection(tmp_path / "s")
    assert [part.ladder for part in opened.results().parts] == [False, False, True]
    found = contents(opened.results(), opened.texts, "fr")
    assert found.title == "Qui ?"
    plingo, marshmallow = found.chapters
    assert [figure.name for figure in plingo.figures] == ["plingo-rounds", "plingo-elo"]
    assert [figure.name for figure in marshmallow.figures] == ["marshmallow-rounds"]
    assert re.match(r"It lasts [\d,]+ rounds", found.conclusion)  # nobody wrote it in French
    # The file that the report shows is the same plan; its texts may change.
    (tmp_path / "again.yaml").write_text(found.file, encoding="utf-8")
    again = read_study(tmp_path / "again.yaml")
    assert again.parts == read_study(file).parts
    resumed = pli("study", tmp_path / "again.yaml", "--to", tmp_path / "s", "--resume")
    assert resumed.returncode == 0, resumed.stderr
    assert open_collection(tmp_path / "s").texts == Texts()


@pytest.mark.parametrize(
    "text",
    [
        "parts: []",
        "parts: 3",
        "parts: [3]",
        "parts: [{game: plingo}]\ngame: plingo",
        "game: plingo\nladder: 2",
        "game: plingo\nclaims: {a: b}",
        "game: plingo\nanswer: [a]",
        "game: plingo\nanswer: {de: Ja.}",
        "game: plingo\nanswer: 'It is {rounds seats}.'",
        "game: plingo\nclaims: ['rounds seats=4']",
        "game: plingo\nfigures: [luck]",
        "3",
    ],
)
def test_a_file_that_is_none_is_told(text: str, tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(PliError):
        read_study(file)


def test_a_report_is_opened(study: Study) -> None:
    done = pli("study", "open", study.folder, "--lang", "es")
    assert done.returncode == 0, done.stderr
    assert str(study.folder / "report.es.html") in done.stdout


@pytest.mark.parametrize(
    ("arguments", "language"),
    [
        ((), "en"),
        (("open",), "fr"),
        (("open", "nowhere"), "es"),
        (("plingo",), "fr"),
        (("plingo", "merci", "--to", "DIR"), "es"),
    ],
)
def test_what_is_missing_is_said_in_a_line(arguments: tuple[str, ...], language: str) -> None:
    said = complaint("study", *arguments, "--lang", language)
    assert said
    assert "errors." not in said
