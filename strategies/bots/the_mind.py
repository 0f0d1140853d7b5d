#!/usr/bin/env python3
"""A bot for The Mind: waits a second for each number between its lowest card and the pile.

    mindlab check-bot python3 strategies/bots/the_mind.py --game the-mind

It agrees to a star when its lowest card is close to the pile and many cards are out.
"""

from bot import run

PACE = 1.0  # seconds a number


def gap(view):
    """How far the lowest card of the hand is from the top of the pile; an empty pile is 0."""
    return view["playable"][0] - (view["tops"]["number"] or 0)


def intend(game, view):
    if view["blind"]["number"]:
        # What lies on a blind pile is not known: count from where the level began.
        return {"play": view["playable"][0], "wait": max(0.0, PACE * view["playable"][0] - view["clock"])}
    return {"play": view["playable"][0], "wait": PACE * max(0, gap(view))}


def star(game, view):
    if view["blind"]["number"] or not view["hand"]:
        return {"star": False}
    out = sum(view["sizes"]) - len(view["hand"])
    return {"star": gap(view) <= 1 and out >= 2 * game["players"]}


if __name__ == "__main__":
    run("linear", stars=True, intend=intend, star=star)
