"""A game as text that a person can read: header, shuffles, actions with their times, result.

    pli record 1
    game marshmallow 2
    options edition=en first_dealer=random seats=4 target=10 tricks_to_go_out=book
    house target
    id k7f3q2-1                                                       c2c5
    commitment 09d1...                                                38e0
    random 0 5b1f...                                                  f4a7
    shuffle 2 0 1 3                                                   5c2e
    shuffle B7 G12 ...                                                91f0
    0:04.210  2  play B7                                              a3d1
    ...
    secret 41aa...                                                    be11
    result winners 2                                                  07be

The line house names the options by which the game departs from the printed rules, in order of the
alphabet; a game by the book has none. The lines id, commitment and random are there if the shuffles
can be verified (`proof`), the line secret once it is published.

Every line ends with a checksum of itself and all lines above it, so that a changed, missing or
added line is detected where it is.
"""

from pli.record.format import clock
from pli.record.reading import Record, read_record, replay
from pli.record.writing import RecordWriter, write_record

__all__ = ["Record", "RecordWriter", "clock", "read_record", "replay", "write_record"]
