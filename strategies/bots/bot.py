"""The part that all bots share: lines of JSON in and out. docs/bots.md has the protocol.

A bot gives a function for each question that it answers:

    run("my-bot", choose=choose)

Each gets two things: `game`, what stays the same during a game (players, rules, seat, seed, and
`memory`, an empty dictionary for the bot's own use), and `view`, what the seat sees now. It returns
the answer for that one game.
"""

import json
import sys


def run(name, stars=False, **answers):
    """Answers requests until mindlab closes the input.

    `stars` says whether the bot is to be asked for stars (the Minds).
    """
    games = {}
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            # `batch`: one line may ask for many games, which saves time.
            reply = {"type": "hello", "protocol": 1, "name": name, "batch": True, "stars": stars}
        elif kind == "new_games":
            common = {key: message[key] for key in message if key not in ("type", "games")}
            for new in message["games"]:
                games[new["game"]] = dict(common, seed=new["seed"], memory={})
            continue  # nothing is asked
        elif kind == "end_games":
            for number in message["games"]:
                del games[number]
            continue
        else:
            answer = answers[kind]
            given = [answer(games[asked["game"]], asked["view"]) for asked in message["games"]]
            reply = {"id": message["id"], "answers": given}
        # Without the flush the line would wait in a buffer, and mindlab for the line.
        print(json.dumps(reply), flush=True)
