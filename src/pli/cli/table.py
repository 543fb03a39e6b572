"""A table drawn in a terminal: cards in colour with their letters, seats, trick, hand."""

from collections.abc import Sequence
from typing import Any

import msgspec
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pli.board import Board, Note
from pli.cards import TrickCard
from pli.game import Event, MotifLookup, Seat
from pli.texts import Words

STYLES = {
    "B": "bold #ffffff on #2b66d9",
    "G": "bold #ffffff on #1f7a4f",
    "Y": "bold #241a00 on #e9ae1f",
    "P": "bold #ffffff on #c23a7c",
    "O": "bold #241000 on #e8722a",
}
FRENCH_STYLES = {
    "C": "bold #10151a on #f2efe6",
    "D": "bold #b3261e on #f2efe6",
    "H": "bold #b3261e on #f2efe6",
    "S": "bold #10151a on #f2efe6",
}
OTHER_STYLE = "bold"
LYING = {"B": "#6c9bf5", "G": "#3fae7c", "Y": "#d9a520", "P": "#e06aa6", "O": "#e8722a"}
FAINT = "dim"
SIGNS = "●○■□▲△◆◇★☆♥♣"
MOTIF_TINTS = tuple(LYING.values())


def card_text(card: str, playable: bool = True) -> Text:
    """A card as a small coloured tile; one that can't be played now is only written in colour."""
    styles = STYLES | FRENCH_STYLES if playable else LYING
    return Text(f" {card} ", style=styles.get(card[0], OTHER_STYLE if playable else FAINT))


def seat_name(seat: int, me: Seat, say: Words) -> str:
    return say("seats.you") if seat == me else say("seats.other", seat=seat)


def noted(note: Note, say: Words) -> str:
    values = {k: noted(v, say) if isinstance(v, Note) else v for k, v in note.values.items()}
    return say(note.key, **values)


def draw(
    board: Board,
    seen: Any,
    playable: Sequence[str],
    say: Words,
    colourless: bool = False,
    motif_of: MotifLookup | None = None,
) -> RenderableType:
    """The whole table as the viewer sees it; `playable` are the cards that may be played, in
    brackets where there are no colours to tell."""
    parts: list[RenderableType] = [
        Text("  ·  ".join(noted(note, say) for note in board.headline), style="bold"),
        _seats(board, seen, say),
        Text(),
    ]
    if board.last_trick:
        shown = _cards(board.last_trick, seen.seat, say)
        if board.last_winner is not None:
            to = say("play.taken_by", seat=seat_name(board.last_winner, seen.seat, say))
            shown.append(f"  {to}")
        parts.append(_labelled(say("play.last_trick"), shown, FAINT))
    if board.trick:
        parts.append(_labelled(say("play.trick"), _cards(board.trick, seen.seat, say)))
    if board.hand:
        hand = Text(" ").join(
            Text(f"[{card}]")
            if colourless and card in playable
            else card_text(card, card in playable)
            for card in board.hand
        )
        parts.append(_labelled(say("play.hand"), hand))
    if board.faces and motif_of is not None:
        parts.append(Columns([_face(face, motif_of(face)) for face in board.faces], padding=(0, 2)))
    return Padding(Group(*parts), (1, 0, 1, 1))


def _face(face: str, motif: int) -> Text:
    """A motif as a pair of signs: equal motifs have equal pairs, and many look alike."""
    first, second = divmod(motif, len(SIGNS))
    tint = MOTIF_TINTS[motif % len(MOTIF_TINTS)]
    return Text.assemble((f"{face[:-1]:>3} ", FAINT), (SIGNS[first] + SIGNS[second], tint))


def hand_of(seat: int, hand: Sequence[str], say: Words) -> Text:
    """Any seat's hand, for viewers that may see all."""
    return _labelled(seat_name(seat, None, say), Text(" ").join(map(card_text, hand)))


def _labelled(label: str, content: Text, style: str = "") -> Text:
    return Text.assemble((f"{label:>12}  ", style or "bold"), content)


def _cards(trick: Sequence[TrickCard], me: Seat, say: Words) -> Text:
    parts = [
        Text.assemble(f"{seat_name(each.seat, me, say)} ", card_text(each.card)) for each in trick
    ]
    return Text("  ").join(parts)


def _seats(board: Board, seen: Any, say: Words) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style=FAINT)
    table.add_column("")
    table.add_column("")
    for column in board.columns:
        table.add_column(say(column), no_wrap=True, overflow="ignore")
    laid = {each.seat: each.card for each in board.trick}
    table.add_column("")
    for seat, row in enumerate(board.rows):
        cells = [noted(cell, say) if isinstance(cell, Note) else cell for cell in row]
        on_turn = seat == seen.turn
        style = "bold" if on_turn else ""
        card = card_text(laid[seat]) if seat in laid else Text("")
        name = f"{seat_name(seat, seen.seat, say)} {board.marks[seat]}".strip()
        table.add_row("▸" if on_turn else " ", name, *cells, card, style=style)
    return table


TRANSLATED = {"colour": "colours", "word": "words", "back": "backs", "level": "levels"}
"""Values of events that have words of their own, and where these stand."""


def tell(event: Event, me: Seat, say: Words) -> Text | None:
    """An event as a sentence, its cards in colour; None if the game has no words for it."""
    values: dict[str, Any] = msgspec.structs.asdict(event)
    key = f"events.{event.__struct_config__.tag}"
    if "seat" in values:
        key += ".you" if values["seat"] == me else ".other"
    if key not in say:
        return None
    if "backs" in values:
        values["n"] = len(values["backs"])
    tiles: dict[str, str] = {}
    said = {name: _worded(name, value, me, say, tiles) for name, value in values.items()}
    sentence = say(key, **said)
    if "reason" in values:
        sentence += " " + say(f"reasons.{values['reason'] or 'none'}")
    return _coloured(sentence, tiles)


def _worded(name: str, value: Any, me: Seat, say: Words, tiles: dict[str, str]) -> object:
    """A value of an event in words. Cards with colours become marks, to be replaced by tiles."""
    if name in ("seat", "mate", "victim"):
        return seat_name(value, me, say)
    if name == "seats":
        return ", ".join(seat_name(each, me, say) for each in value)
    if name in TRANSLATED:
        return say(f"{TRANSLATED[name]}.{value}")
    if name == "card" and isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        return value
    if name not in ("card", "cards") or any(isinstance(each, int) for each in value):
        return ", ".join(map(str, value))
    names = [each.card if isinstance(each, TrickCard) else each for each in value]
    tiles |= {f"<{each}>": each for each in names}
    return " ".join(f"<{each}>" for each in names) or "-"


def _coloured(sentence: str, cards: dict[str, str]) -> Text:
    """Puts card tiles where the sentence names them."""
    text = Text()
    while sentence:
        start, mark, rest = sentence.partition("<")
        text.append(start)
        if not mark:
            break
        name, _, sentence = rest.partition(">")
        text.append_text(card_text(cards[f"<{name}>"]))
    return text


def console() -> Console:
    out = Console(highlight=False, emoji=False)
    return out if out.width > 0 else Console(highlight=False, emoji=False, width=80)


def is_colourless(out: Console) -> bool:
    return out.no_color or out.color_system is None
