#!/usr/bin/env python3
"""A bot for The Mind: waits a second for each number between its lowest card and the pile.

    mindlab check-bot python3 strategies/bots/the_mind.py --game the-mind

It agrees to a star when its lowest card is close to the pile and the others hold two each or more.
"""

import sys

sys.dont_write_bytecode = True  # no files beside this one

from bot import run

PACE = 1.0  # seconds a number


def gap(view):
    """How far the lowest card of the hand is from the top of the pile; an empty pile is 0."""
    return view["playable"][0] - (view["tops"]["number"] or 0)


def intend(game, view):
    card = view["playable"][0]
    if view["blind"]["number"]:
        # What lies on a blind pile is not known: who waits a second for each number is there by now.
        return {"play": card, "wait": max(0.0, PACE * card - view["clock"])}
    return {"play": card, "wait": PACE * max(0, gap(view))}


def star(game, view):
    if view["blind"]["number"] or not view["hand"]:
        return {"star": False}
    out = sum(view["sizes"]) - len(view["hand"])
    return {"star": gap(view) <= 2 and out >= 2 * (game["players"] - 1)}


if __name__ == "__main__":
    run("linear", stars=True, intend=intend, star=star)
