"""Verifies the shuffles of a record against its proof, and the proof against what a player saw."""

from collections.abc import Iterable

from pli.errors import NotProved
from pli.game import Shuffle
from pli.record.proof import commit, shuffler
from pli.record.reading import Record


def verify(
    record: Record,
    commitment: str | None = None,
    contributions: Iterable[tuple[int, str]] = (),
) -> int:
    """The number of shuffles that were verified; NotProved says where it fails.

    The record was replayed when it was read, so it is a legal game. A commitment that was shown
    before the game, and the contributions of some seats, must be in it if they are given.
    """
    proof = record.proof
    if proof is None:
        raise NotProved("no_proof")
    promised = record.first_line - len(proof.contributions) - 1  # the line of the commitment
    if commitment is not None and commitment != proof.commitment:
        raise NotProved("other_commitment", line=promised)
    places = {seat: line for line, seat in enumerate(sorted(proof.contributions), promised + 1)}
    for seat, added in contributions:
        if seat not in places:
            raise NotProved("no_contribution", seat=seat)
        if proof.contributions[seat] != added:
            raise NotProved("other_contribution", line=places[seat], seat=seat)
    if proof.secret is None:
        raise NotProved("no_secret")
    if commit(proof.game_id, proof.secret) != proof.commitment:
        last = record.first_line + len(record.inputs)
        raise NotProved("wrong_commitment", line=promised, secret_line=last)
    shuffle = shuffler(proof.game_id, proof.secret, proof.contributions)
    count = 0
    for line, given in enumerate(record.inputs, record.first_line):
        if isinstance(given, Shuffle):
            if shuffle(count, len(given.order)) != list(given.order):
                raise NotProved("wrong_shuffle", line=line, shuffle=count)
            count += 1
    return count
