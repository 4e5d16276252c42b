"""OpenSpiel's C++ search, to be measured beside ours: runs in an environment of its own.

In:  lines of JSON: {"simulations": N, "history": [columns]}.
Out: for each a line: {"action": column, "seconds": processor time it took}.

`tools/classics.py` starts it with the Python of build/spiel (`pip install open_spiel`).
"""

from __future__ import annotations

import json
import sys
import time

import pyspiel  # pyright: ignore[reportMissingImports]


def main() -> None:
    """Answer until the input ends."""
    game = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 7)
    for number, line in enumerate(sys.stdin):
        wish = json.loads(line)
        state = game.new_initial_state()
        for column in wish["history"]:
            state.apply_action(column)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, wish["simulations"], 500, True, number + 1, False)
        began = time.process_time()
        action = bot.step(state)
        print(json.dumps({"action": action, "seconds": time.process_time() - began}), flush=True)


main()
