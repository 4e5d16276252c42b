"""Search: a tree of what seats may choose, grown by playing on from sampled states.

In:  the tables of `sample`; how to play on (a strategy for each seat, or chance), how far, and what a
     position is worth then.
Out: nodes in W; Python reads those below the root.

The tree is open loop: a node is a line of choices, not a state, so chance needs no nodes and what a seat
cannot know is averaged over. A choice is told by where in the rules it is made, by whom, and by what it
says, cards by their faces; so the seat's own choices are the same node in every sampled state. Everyone
chooses what is best for himself.

Where nothing is hidden and no dice have fallen since the root, a node is one state, and what is certain is
known to be: a node is decided where the match ends, where whoever chooses has a choice that wins for sure,
or where all that can be chosen is decided. Nothing below it is played again.
"""

from __future__ import annotations

from rulewright.ir.program import DECISION, DECISIONS, ENDED, PC, RNG_HI, RNG_LO, SEAT
from rulewright.ir.subset import W, rnd
from rulewright.native.outer.map import (
    BEGUN,
    BIAS,
    CERTAIN,
    CHANCES,
    CHILD,
    CUT,
    DECIDED,
    DEEPEST,
    DEPTHS,
    DOUBT,
    EXPLORE,
    FACE_AT,
    FAST,
    FOUND_AT,
    ITERATIONS,
    KEY,
    LAST,
    LOGS,
    LOGS_AT,
    NEXT,
    NODE,
    NODE_ROOM,
    NODES,
    NODES_AT,
    ONE,
    ONE_STATE,
    PATH_AT,
    PATH_ROOM,
    PICKED,
    PLACE,
    PRIOR,
    ROOT_SEAT,
    SEAT_POLICY,
    SEATS,
    SQUARE,
    STRAY,
    SUM,
    SURE,
    UTILITY,
    VERB_AT,
    VERBS,
    VISITS,
    WIDE,
)
from rulewright.native.outer.names import (
    advance,
    answering,
    choose,
    offer,
    offers,
    peek,
    playout,
    policy,
    root,
)
from rulewright.native.outer.sample import sample
from rulewright.native.outer.worth import judge, result


def search(count: int) -> int:
    """Grow the tree by so many lines, or until the root is decided; how many there were."""
    done = 0
    while done < count and W[W[NODES_AT] + DECIDED] == 0:
        if sample() == 0:
            return done
        line()
        W[ITERATIONS] += 1
        done += 1
    return done


def pick() -> int:
    """What the strategy takes in a sampled state, into W[PICKED]; 1 when there was such a state."""
    if sample() == 0:
        return 0
    W[PICKED] = usual_choice(peek(SEAT), offers())
    return 1


def attempt(index: int) -> int:
    """One line that begins with this option and is played on from there; 1 when there was one. With the same
    chance another option is tried in the same sampled state, and meets the same dice."""
    if sample() == 0:
        return 0
    W[BEGUN] = peek(DECISIONS)
    status = -1
    if choose(index) >= 0:
        status = advance()
    if status == DECISION:
        status = roll_on()
    judge(status)
    W[ITERATIONS] += 1
    return 1


def line() -> int:
    """One line: down the tree, one step beyond it, on to an end or a cut, and back up."""
    W[BEGUN] = peek(DECISIONS)
    W[ONE_STATE] = W[SURE]
    low = peek(RNG_LO)
    high = peek(RNG_HI)
    node = W[NODES_AT]
    depth = 0
    status = DECISION
    fresh = 0
    while status == DECISION and not fresh and depth < W[PATH_ROOM]:
        seat = peek(SEAT)
        child = select(node, seat)
        if W[node + DECIDED]:
            break
        if choose(W[PICKED]) < 0:
            status = -1
        else:
            status = advance()
        if peek(RNG_LO) != low or peek(RNG_HI) != high:
            W[ONE_STATE] = 0
        node = child
        if child == 0:
            break
        W[W[PATH_AT] + 2 * depth] = child
        W[W[PATH_AT] + 2 * depth + 1] = seat
        depth += 1
        fresh = W[child + VISITS] == 0
    if node > 0 and W[node + DECIDED]:
        recall(node)
    else:
        ended = status == ENDED
        if status == DECISION:
            status = roll_on()
        judge(status)
        if ended and node > 0 and W[ONE_STATE]:
            decide(node)
    W[DEPTHS] += depth
    if depth > W[DEEPEST]:
        W[DEEPEST] = depth
    W[W[NODES_AT] + VISITS] += 1
    while depth > 0:
        depth -= 1
        learn(W[W[PATH_AT] + 2 * depth], W[UTILITY + W[W[PATH_AT] + 2 * depth + 1]])
    return 0


def learn(node: int, worth: int) -> int:
    """Add what a line was worth to the one who chose this node."""
    W[node + VISITS] += 1
    W[node + SUM] += worth
    W[node + SQUARE] += worth * worth // ONE
    return 0


def decide(node: int) -> int:
    """Remember what is certain where the match ends: what it is worth, and who has won."""
    won = 1
    seat = 0
    while seat < W[SEATS]:
        W[node + CERTAIN + seat] = W[UTILITY + seat]
        if result(seat) == ONE:
            won += 2 + 2 * seat
        seat += 1
    W[node + DECIDED] = won
    return 0


def recall(node: int) -> int:
    """What is certain at a decided node, into W[UTILITY]."""
    seat = 0
    while seat < W[SEATS]:
        W[UTILITY + seat] = W[node + CERTAIN + seat]
        seat += 1
    return 0


def take_over(node: int, child: int) -> int:
    """What is certain at a node is what is certain at this one below it."""
    W[node + DECIDED] = W[child + DECIDED]
    W[node + CERTAIN] = W[child + CERTAIN]
    W[node + CERTAIN + 1] = W[child + CERTAIN + 1]
    return 0


def certain(node: int, seat: int, many: int) -> int:
    """Whether a node is decided by its options, which `select` has found: one wins, or all are decided."""
    best = 0
    every = many == offers()
    i = 0
    while i < many:
        child = W[W[FOUND_AT] + i]
        if child > 0 and W[child + DECIDED]:
            if (W[child + DECIDED] - 1) // (2 + 2 * seat) % 2:
                return take_over(node, child) + 1
            if best == 0 or W[child + CERTAIN + seat] > W[best + CERTAIN + seat]:
                best = child
        else:
            every = 0
        i += 1
    if every and best > 0:
        return take_over(node, best) + 1
    return 0


def option_key(index: int) -> int:
    """What an option says, as a number: its verb and things, cards by their faces."""
    verb = offer(index, 0)
    mask = 0
    if verb >= 0 and verb < W[VERBS]:
        mask = W[W[VERB_AT] + verb]
    a = thing(offer(index, 1), mask % 2)
    b = thing(offer(index, 2), mask // 2 % 2)
    c = thing(offer(index, 3), mask // 4)
    return (verb & 4095) + a * 4096 + b * 268435456 + c * 17592186044416


def thing(number: int, is_card: int) -> int:
    """A thing of an option in 16 bits."""
    if is_card and number >= 0:
        number = 32768 + peek(W[FACE_AT] + number)
    return number & 65535


def find(node: int, key: int, place: int, hint: int) -> int:
    """The child of a node, or 0. Looked for from `hint` on: options mostly come in the same order."""
    child = hint
    while child > 0:
        if W[child + KEY] == key and W[child + PLACE] == place:
            return child
        child = W[child + NEXT]
    child = W[node + CHILD]
    while child > 0 and child != hint:
        if W[child + KEY] == key and W[child + PLACE] == place:
            return child
        child = W[child + NEXT]
    return 0


def select(node: int, seat: int) -> int:
    """Choose an option into W[PICKED]; its node, or 0 when there is no room for one."""
    many = offers()
    if many > W[WIDE]:
        many = W[WIDE]
    place = peek(PC) * 32 + seat
    total = 0
    visits = 0
    hint = W[node + CHILD]
    found = W[FOUND_AT]
    keys = found + W[WIDE]
    i = 0
    while i < many:
        key = option_key(i)
        child = find(node, key, place, hint)
        W[found + i] = child
        W[keys + i] = key
        if child > 0:
            W[child + CHANCES] += 1
            total += W[child + SUM]
            visits += W[child + VISITS]
            hint = W[child + NEXT]
        i += 1
    if W[ONE_STATE] and certain(node, seat, many):
        return 0
    if visits == 0:
        W[PICKED] = first_choice(node, seat, many)
    elif W[DOUBT] > 0 and seat != W[ROOT_SEAT] and rnd(1000) < W[DOUBT]:
        W[PICKED] = usual_choice(seat, many)
    else:
        W[PICKED] = best_choice(node, many, total // visits, visits)
    child = W[found + W[PICKED]]
    if child == 0:
        child = new_child(node, W[keys + W[PICKED]], place)
    return child


def first_choice(node: int, seat: int, many: int) -> int:
    """Where nothing is known yet: what the strategy takes, or anything."""
    pick = -1
    if W[SEAT_POLICY + seat] > 0:
        pick = policy(W[SEAT_POLICY + seat])
    if pick < 0 or pick >= many:
        return rnd(many)
    W[node + PRIOR] = W[W[FOUND_AT] + W[WIDE] + pick] + 1
    return pick


def usual_choice(seat: int, many: int) -> int:
    """As it is played on: what the strategy takes, or anything."""
    pick = -1
    if W[SEAT_POLICY + seat] > 0:
        pick = policy(W[SEAT_POLICY + seat])
    if pick < 0 or pick >= many:
        return rnd(many)
    return pick


def best_choice(node: int, many: int, mean: int, visits: int) -> int:
    """The option that promises most: worth so far, and more the less it was tried."""
    found = W[FOUND_AT]
    keys = found + W[WIDE]
    best = -1
    top = 0
    equal = 0
    unseen = mean + W[EXPLORE] * root(logarithm(visits + 1) * ONE) // ONE
    i = 0
    while i < many:
        child = W[found + i]
        tried = 0
        score = unseen
        if child > 0:
            tried = W[child + VISITS]
            score = W[child + SUM] // tried
            if W[child + DECIDED]:
                score = W[child + CERTAIN + W[child + PLACE] % 32]
            else:
                score += W[EXPLORE] * root(logarithm(W[child + CHANCES]) * ONE // tried) // ONE
        if W[BIAS] > 0 and W[keys + i] + 1 == W[node + PRIOR]:
            score += W[BIAS] // (tried + 1)
        if best < 0 or score > top:
            best = i
            top = score
            equal = 1
        elif score == top:
            equal += 1
            if rnd(equal) == 0:
                best = i
        i += 1
    return best


def new_child(node: int, key: int, place: int) -> int:
    """Room for one more node, last among its siblings."""
    if W[NODES] >= W[NODE_ROOM]:
        return 0
    child = W[NODES_AT] + NODE * W[NODES]
    W[NODES] += 1
    i = 0
    while i < NODE:
        W[child + i] = 0
        i += 1
    W[child + KEY] = key
    W[child + PLACE] = place
    W[child + CHANCES] = 1
    if W[node + CHILD] == 0:
        W[node + CHILD] = child
    else:
        W[W[node + LAST] + NEXT] = child
    W[node + LAST] = child
    return child


def logarithm(number: int) -> int:
    """The natural logarithm, ONE times."""
    more = 0
    while number >= LOGS:
        number = number // 2
        more += 45426
    return W[W[LOGS_AT] + number] + more


def roll_on() -> int:
    """Play on from where the tree ends; the status there."""
    if W[CUT] == 0 and W[STRAY] == 0:
        answering(W[FAST])
        status = playout()
        answering(0)
        return status
    left = W[CUT]
    status = DECISION
    while status == DECISION:
        if W[CUT] > 0 and left == 0:
            return status
        left -= 1
        pick = -1
        which = W[SEAT_POLICY + peek(SEAT)]
        if which > 0 and (W[STRAY] == 0 or rnd(1000) >= W[STRAY]):
            pick = policy(which)
        if pick < 0 or pick >= offers():
            pick = rnd(offers())
        if choose(pick) < 0:
            return -1
        status = advance()
    return status
