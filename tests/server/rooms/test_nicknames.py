"""Nicknames: how they are normalized, told apart, and refused when a host does not want them."""

from pathlib import Path
from typing import Any

import pytest

from pli.errors import PliError
from pli.server.protocol.messages import LONGEST_NAME
from pli.server.rooms.nicknames import Unwanted, nickname, read_names, told_apart
from tests.server.client import Running, running


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("李小龙", "李小龙"),
        ("مُحَمَّد", "مُحَمَّد"),
        ("ผู้ใหญ่", "ผู้ใหญ่"),
        ("🦊", "🦊"),
        ("  a \t\n b  ", "a b"),
        ("a\x00\x1b[31mb", "a [31mb"),
        ("\u202eabc\u202c", "abc"),
        ("a\u2066b\u2069\u200b\ufeffc", "abc"),
        ("Z" + "\u0300\u0301\u0302\u0303" * 5, "Z\u0300\u0301"),
        ("<b>x</b>", "<b>x</b>"),
        ("{name} %s", "{name} %s"),
        ("   ", None),
        ("\u3164\u115f\u2800", None),
        ("\u200b\u200d\u2060", None),
        ("\u0301\u0302", None),
        ("\u2028\u2029", None),
        ("", None),
    ],
)
def test_names_can_be_shown_anywhere(given: str, shown: str | None) -> None:
    if shown is not None:
        assert nickname(given) == shown
    else:
        with pytest.raises(PliError, match="letter"):
            nickname(given)


# Two of one name


@pytest.mark.parametrize(
    ("name", "others", "shown"),
    [
        ("Ann", [], "Ann"),
        ("Ann", ["Bob"], "Ann"),
        ("Ann", ["Ann"], "Ann 2"),
        ("Ann", ["Ann", "Ann 2"], "Ann 3"),
        ("Ann", ["Ann 2"], "Ann"),
        ("Ann 2", ["Ann", "Ann 2"], "Ann 2 2"),
        ("ANN", ["Ann"], "ANN 2"),
        ("Ａnn", ["Ann"], "Ａnn 2"),  # noqa: RUF001  alike on purpose
        ("Ann.", ["Ann"], "Ann. 2"),
        ("A n n", ["Ann"], "A n n 2"),
        ("Аnn", ["Ann"], "Аnn 2"),  # noqa: RUF001  alike on purpose
        ("AIi", ["Ali"], "AIi 2"),
        ("Ida", ["ida"], "Ida 2"),
        ("АННА", ["Анна"], "АННА 2"),  # noqa: RUF001  alike on purpose
        ("straße", ["STRASSE"], "straße 2"),
        ("Zoe", ["Zoë"], "Zoe"),
        ("!!!", ["???"], "!!!"),
        ("🦊", ["🦊"], "🦊 2"),
        ("🦊", ["🐻"], "🦊"),
        ("x" * LONGEST_NAME, ["x" * LONGEST_NAME], "x" * (LONGEST_NAME - 2) + " 2"),
    ],
)
def test_a_second_one_of_a_name_has_a_number(name: str, others: list[str], shown: str) -> None:
    assert told_apart(name, others) == shown
    assert len(shown) <= LONGEST_NAME


def test_however_many_have_one_name_all_are_told_apart() -> None:
    taken: list[str] = []
    for _ in range(150):
        taken.append(told_apart("x" * LONGEST_NAME, taken))
    assert len(set(taken)) == 150
    assert max(map(len, taken)) == LONGEST_NAME


def names(table: dict[str, Any]) -> list[str | None]:
    return [seat["name"] for seat in table["seats"]]


async def test_two_people_of_one_name_at_a_table_are_told_apart_for_good(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        made = await server.make("marshmallow", options={"seats": 4})
        path = f"/api/tables/{made['table']}"
        for name in ("Ann", "  ann ", "Bob"):
            await server.sit(made["table"], name)
        told = (await server.get(path))[1]
        assert names(told) == ["Ann", "Ann 2", "ann 3", "Bob"]
    async with running(tmp_path) as server:
        assert names((await server.get(path))[1]) == names(told)


async def test_who_comes_after_the_other_one_left_has_its_name_without_a_number(
    server: Running,
) -> None:
    host, guest = await server.waiting("marshmallow", 3, people=2)
    await guest.send("leave")
    await host.sees(lambda table: table["seats"][1]["kind"] == "empty")
    await server.sit(host.table["id"], "P1")
    await host.sees(lambda table: names(table) == ["Ann", "P1", None])


# Names that are not wanted

LIST = """
# of this server
admin   # plays no cards
ass
grand wizard
*kumquat
1488
🍆
año
"""


@pytest.mark.parametrize(
    "name",
    [
        "admin",
        "ADMIN",
        "the Admin",
        "Admin!",
        "a.d.m.i.n",
        "ad min",
        "@dm1n",
        "4dmin",
        "ａｄｍｉｎ",  # noqa: RUF001  alike on purpose
        "аdmin",  # noqa: RUF001  alike on purpose
        "Bad Ass",
        "a55",
        "big A S S",
        "a$$",
        "Grand Wizard",
        "GrandWizard",
        "the grand-wizard II",
        "Kumquats",
        "xxKUMQUATxx",
        "k u m q u a t 7",
        "kurnkumquat",
        "1488",
        "Bob 🍆",
        "Año",
    ],
)
def test_a_name_is_not_wanted(name: str) -> None:
    with pytest.raises(PliError, match="another name"):
        Unwanted(LIST.splitlines()).check(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "Cassandra",
        "Sadmin",
        "Administrator",
        "As Sung",
        "Grand Bob Wizard",
        "Wizard",
        "Ano",
        "14 88 21",
        "Bass 5",
        "!!!",
    ],
)
def test_a_name_is_wanted_that_only_has_an_unwanted_one_within(name: str) -> None:
    Unwanted(LIST.splitlines()).check(name)


@pytest.mark.parametrize(
    ("line", "name"), [("*hell", "he11"), ("*hill", "h1ll"), ("*hell", "heI|")]
)
def test_a_one_is_an_i_or_an_l(line: str, name: str) -> None:
    with pytest.raises(PliError, match="another name"):
        Unwanted([line]).check(name)


def test_without_a_list_every_name_is_wanted() -> None:
    Unwanted().check("admin")


@pytest.mark.parametrize("line", ["*", "...", "*  # all", " -- "])
def test_a_line_with_nothing_to_compare_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "names.txt"
    file.write_text(f"# names\n\n{line}\n")
    with pytest.raises(PliError, match=r"names\.txt, line 3"):
        read_names(file)


def test_a_list_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(PliError, match=r"nothing\.txt"):
        read_names(tmp_path / "nothing.txt")
    with pytest.raises(PliError, match=str(tmp_path)):
        read_names(tmp_path)
    (tmp_path / "latin.txt").write_bytes("año".encode("latin-1"))
    with pytest.raises(PliError, match=r"latin\.txt"):
        read_names(tmp_path / "latin.txt")


def test_a_list_may_begin_with_a_mark_of_its_encoding(tmp_path: Path) -> None:
    (tmp_path / "marked.txt").write_text("admin\r\n", "utf-8-sig")
    with pytest.raises(PliError, match="another name"):
        read_names(tmp_path / "marked.txt").check("admin")


@pytest.mark.server(unwanted=Unwanted(["admin"]))
async def test_nobody_opens_a_table_or_sits_down_with_an_unwanted_name(server: Running) -> None:
    unwanted = {"game": "plingo", "name": "Adm1n"}
    status, told = await server.post("/api/tables", unwanted)
    assert (status, told["code"]) == (400, "unwanted_name")
    made = await server.make("plingo", name="Administrator", public=True)
    status, told = await server.post(
        f"/api/tables/{made['table']}/seats",
        {"name": "the admin"},
        headers={"Accept-Language": "fr"},
    )
    assert (status, told) == (
        400,
        {"code": "unwanted_name", "text": "Choisissez un autre nom."},
    )
    page = await server.page(made["table"], made["token"])  # who is listed is there
    (listed,) = (await server.get("/api/tables"))[1]["tables"]
    assert listed["names"] == ["Administrator"]
    await server.sit(made["table"], "Bob")
    await page.close()
