#!/usr/bin/env python3
"""A bot for Mind Up!: plays the card whose prize is worth most on average, one turn ahead.

    mindlab check-bot python3 strategies/bots/mind_up.py --game mind-up

It takes the others to play any card of their hands alike. What is known of a hand counts as it is;
a hidden card may be any that this seat has not seen.
"""

import sys

sys.dont_write_bytecode = True  # no files beside this one

from bot import run


def worth(card, tableau, scoring):
    """What a card adds to the score: the value of the column that it goes on, and its points."""
    column = 0
    for cards in tableau:
        # Its colour's column, else the leftmost empty one.
        if not cards or cards[0]["colour"] == card["colour"]:
            break
        column += 1
    return scoring[column] + card["points"]


def choose(game, view):
    deck = {card["number"]: card for card in game["deck"]}
    own, others = game["seat"], [s for s in range(game["players"]) if s != game["seat"]]
    tableau = [[deck[number] for number in column] for column in view["tableaux"][own]]
    # prizes[k] goes to the seat that plays the k-th lowest card.
    prizes = [worth(deck[number], tableau, view["scoring"]) for number in view["row"]]

    seen = set(view["hand"]) | set(view["row"])
    for seat in range(game["players"]):
        seen.update(view["known"][seat])
        for column in view["tableaux"][seat]:
            seen.update(column)
    unseen = [number for number in deck if number not in seen] or [0]
    # Chances are counted in parts of `whole`, so that cards that are equally good are exactly equal.
    whole = len(view["hand"]) * len(unseen)

    def mean(card):
        """The mean worth of the prize that a card gets, times `whole` for each of the others."""
        unseen_below = sum(number < card for number in unseen)
        # odds[k]: the chance that k of the others play below the card, seat by seat.
        odds = [1]
        for seat in others:
            known = view["known"][seat]
            hidden = len(view["hand"]) - len(known)
            below = sum(number < card for number in known) * len(unseen) + hidden * unseen_below
            grown = [0] * (len(odds) + 1)
            for k, chance in enumerate(odds):
                grown[k] += chance * (whole - below)
                grown[k + 1] += chance * below
            odds = grown
        return sum(chance * prize for chance, prize in zip(odds, prizes))

    return {"play": max(view["hand"], key=mean)}


if __name__ == "__main__":
    run("greedy-by-odds", choose=choose)
