#!/usr/bin/env python3
"""A bot for The Mind Extreme: plays the card that is nearer to its pile, a second for each number.

    mindlab check-bot python3 strategies/bots/the_mind_extreme.py --game the-mind-extreme

White rises from 1 to 50, red falls from 50 to 1. A blind pile is taken to be as far as the clock:
who waits a second for each number is there by then.
"""

import sys

sys.dont_write_bytecode = True  # no files beside this one

from bot import run

PACE = 1.0  # seconds a number


def rank(card):
    """How many steps a card is from the empty pile: w3 is 3, r50 is 1."""
    number = int(card[1:])
    return number if card[0] == "w" else 51 - number


def wait(view, card):
    """The seconds from now at which a card is due."""
    pile = "white" if card[0] == "w" else "red"
    if view["blind"][pile]:
        return max(0.0, PACE * rank(card) - view["clock"])
    top = view["tops"][pile]
    return PACE * max(0, rank(card) - (rank(top) if top else 0))


def nearest(view):
    """The playable card that is due first; `playable` has one for each pile, white first."""
    return min(view["playable"], key=lambda card: wait(view, card))


def intend(game, view):
    card = nearest(view)
    return {"play": card, "wait": wait(view, card)}


def star(game, view):
    out = sum(view["sizes"]) - len(view["hand"])
    # A close call: its card is due at once, and the others hold two each or more.
    return {"star": wait(view, nearest(view)) <= 2 and out >= 2 * (game["players"] - 1)}


def discard(game, view):
    # Asked only where there is a choice: a playable card on both piles.
    return {"discard": nearest(view)}


if __name__ == "__main__":
    run("linear", stars=True, intend=intend, star=star, discard=discard)
