"""Where everything lies in the memory of the outer library.

In:  nothing.
Out: numbers of cells of `W`, for the library itself and for Python, which fills and reads them.

The first cells say what Python wants and what came of it; tables that differ in size follow from TABLES on,
each where the cell that is named after it says.
"""

from __future__ import annotations

ROOM = 1 << 21
"""Cells in all: a tree of some two hundred thousand nodes."""

SEATS = 0
SCORE, ENDING = 1, 2
"""Slots of the result, or -1."""

# Playing many matches.
NAMES, ROTATIONS = 8, 9
LISTEN = 10
"""1: events are counted."""
MATCHES, FAULTS, TOTAL, SQUARES, LONGEST, LONGEST_MATCH = 16, 17, 18, 19, 20, 21
SHORTEST, FAULT_MATCH, DRAWS = 22, 23, 28
MOVES, MOVE_SQUARES = 29, 30
"""Decisions, and those that only one option was left for; known where events are counted."""
DRAW_FIRST = 31
"""One more than the number of the first match that was drawn."""
GROUPS, GROUP_SUM, GROUP_SQUARES, GROUP_POINTS = 24, 25, 26, 27
"""Matches of one seed, seats exchanged: half points of the first name in them."""
CONTROL, FACE_AT, FACES, OWNER_AT = 32, 33, 34, 35
"""Slots: who leads each actor; the face and the owner of each card."""
SITE_ITEMS, FACE_ITEMS, STATUS_ITEMS, ITEMS = 36, 37, 38, 39
LOADS, LOAD_COUNT = 40, 41
"""Numbers that tell apart what seats play with: slot, first item, values; one after the other."""
ZONE_OPEN = 42
"""A table: 1 for each pile that everybody sees."""
ACTORS = 43
ITEM_AT, MARK_AT, TOUCHED_AT = 44, 45, 46
CARD_ZONES = 47

POLICY_OF = 64
"""The policy of each name, 32 cells."""
NAME_POINTS, NAME_WINS, NAME_DRAWS = 96, 128, 160
SEAT_MATCHES, SEAT_WINS, SEAT_DRAWS = 192, 224, 256
FIRST_MATCHES, FIRST_WINS, FIRST_DRAWS = 288, 320, 352
ENDINGS = 384
ENDING_FIRST = 448
"""One more than the number of the first match that ended so."""
LENGTHS = 512
"""How many matches were how long, in BANDS bands, OCTAVE of them to a doubling."""
BANDS, OCTAVE = 128, 8
SEAT_OF = 640
"""Where each name sits in the present match."""

ITEM = 5
"""Cells of an item: seats that used it, their half points, matches, times, the first match + 1."""

TABLES = 1024

# Sampling: see `sample`.
SAMPLE, CLASSES, SECRETS = 704, 705, 706
TRIES, REJECTED, SAMPLED = 707, 708, 709
ROOT_OFFERS, ROOT_COUNT = 710, 711

# Searching: see `search`.
NODES, NODE_ROOM, NODES_AT = 720, 721, 722
ITERATIONS, FAULTY, DEPTHS, DEEPEST = 723, 724, 725, 726
EXPLORE, CUT, BIAS, FAST, LENGTHEN = 727, 728, 729, 730, 731
VALUE_AT, SQUASH_AT, LOGS_AT = 732, 733, 734
VERB_AT, VERBS = 735, 736
PATH_AT, PATH_ROOM = 737, 738
FOUND_AT = 739
PICKED, WIDE = 740, 741
BEGUN = 742
STRAY = 743
"""Of a thousand playout decisions, how many are taken at random although there is a strategy."""
DOUBT, ROOT_SEAT = 744, 745
"""Of a thousand choices of others in the tree, how many are taken as they play on, not as is best against
what they cannot know: what the one who thinks has in hand is the same in every sampled state."""
RANK = 746
"""The slot of the first seat's rank, or -1 where a book does not rank."""
POINTS, POINTED, LEAST, WIDTH = 747, 748, 749, 750
"""Slots of the numbers that the book gives and of the mark that there are some, or -1; the least number, and
how far it is from there to the greatest."""
DECLARED, WHOLE = 751, 752
"""The number of the book's own value among what `policy` asks, or 0; and what it gives a sure winner."""
SURE, ONE_STATE = 753, 754
"""Whether nothing is hidden, of at most two seats; whether no dice have fallen in the present line either."""
SEAT_POLICY = 768
"""The strategy (from 1) that plays each seat in playouts, or 0: 32 cells."""
UTILITY = 800
"""What the last line was worth to each seat: 32 cells."""

# Laws: see `watch`.
BROKEN, LAW_POLICY, TOSS_POLICY, LAST_POLICY = 896, 897, 898, 902
MADE, MADE_AT, LONGEST_LOOK = 899, 900, 901
"""Choices of the present match, how many and where; how many decisions are looked at."""

# What runs count besides: see `track`.
STAND_AT, TRACK_AT, TRACKS, TRACK_ROWS = 912, 913, 914, 915
"""Sums of ranks and numbers; sums over time; how many numbers are followed, and a row for each."""
CLOCK, IN_PLAY, NOW_AT, FIELD_TRACK, FIELDS, ROW_SITES = 916, 917, 918, 919, 920, 921
"""The site that is one more tick of the clock, or -1; the slot of actor 0 that says who is in play, or -1;
what everybody has at the time that is looked at; which number each field is followed as, or -1; of each site
that is a row of a table the text of its name + 1, or 0."""
STAND = 5
"""Cells of a name or seat: ranks, their squares, numbers, their squares, matches that gave numbers."""
TRACK_ROW = 4
"""Cells of a number that is followed: slot of its first owner, owners, whose it is (OF_MATCH, ..), and where
a table says which of them really have it."""
OF_MATCH, OF_ACTOR, OF_SEAT = 0, 1, 2
MOMENTS, MOMENT = 17, 6
"""Ticks 1, 2, 3, 4, 6, 8, 12, .. 256 and the end. Cells of each: matches that came so far, and of what was
seen in each of them how many (n) and their sum (s): n, s, n * n, n * s, s * s."""

ONE = 65536
"""A whole win."""
NODE = 13
KEY, PLACE, CHILD, NEXT, VISITS, CHANCES, SUM, SQUARE, LAST, PRIOR, DECIDED, CERTAIN = range(12)
"""DECIDED: 0, or 1 with 2 more where the first seat has won for sure and 4 where the second; CERTAIN: what it
is worth to both."""
LOGS = 4096
SQUASHED = 2049
"""Entries of the table that turns a sum into a chance to win; the middle one is a half."""
