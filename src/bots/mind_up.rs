//! A bot's seat at Mind Up!.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::counts::Refused;
use super::seat::{Asked, Seat, Table};
use super::wire::{answer, illegal};
use crate::cpu::Portable;
use crate::error::PlayError;
use crate::games::GameId;
use crate::games::mind_up::player::{self, Request};
use crate::games::mind_up::{Card, Deck, Options, Rules, View};
use crate::rng::{GameKey, below};

/// A bot on a seat of a block of games.
pub(super) struct Player {
    seat: Seat,
    keys: Vec<GameKey>,
}

impl Player {
    pub(super) fn new(seat: Seat) -> Player {
        Player { seat, keys: Vec::new() }
    }
}

impl player::Player for Player {
    fn begin(&mut self, keys: &[GameKey]) {
        self.keys = keys.to_vec();
        self.seat.begin(keys);
    }

    fn choose(&mut self, request: Request<'_>) -> Result<(), PlayError> {
        let Request { rules, seat, public, hands, rngs, plays } = request;
        let games = (0..public.len()).filter(|&slot| !self.seat.lost()[slot]);
        let asked: Vec<Asked> = games
            .map(|slot| {
                let view = View::new(rules, &public[slot], hands[slot], seat, Portable);
                Asked { slot, seed: self.keys[slot].bot_seed(seat), view: seen(&view) }
            })
            .collect();
        let describe = || describe(rules);
        let table = Table { game: GameId::MindUp, seat, describe: &describe };
        let read = |place: usize, value: &Value| {
            let asked: &Asked = &asked[place];
            play(rules.deck(), hands[asked.slot], value)
        };
        let answers = self.seat.ask(&table, "choose", &asked, read)?;
        let mut answers = asked.iter().zip(answers).peekable();
        for (slot, (play, rng)) in plays.iter_mut().zip(rngs).enumerate() {
            let given = answers.next_if(|(asked, _)| asked.slot == slot);
            *play = match given.and_then(|(_, answer)| answer) {
                Some(card) => card,
                // Somebody has to play a lost game to its end, for the others.
                None => any_of(hands[slot], rng),
            };
        }
        Ok(())
    }

    fn forfeits(&self) -> &[bool] {
        self.seat.lost()
    }
}

fn any_of(hand: u64, rng: &mut crate::rng::Rng) -> Card {
    let place = below(rng, hand.count_ones().max(1));
    Deck::cards(hand).nth(place as usize).unwrap_or_default()
}

/// `{"play": 12}`.
fn play(deck: &Deck, hand: u64, value: &Value) -> Result<Card, Refused> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Play {
        play: u64,
    }
    let Play { play } = answer(value)?;
    match deck.card(play).filter(|&card| hand >> card & 1 == 1) {
        Some(card) => Ok(card),
        None => Err(illegal("this card is not in the hand", value)),
    }
}

/// What does not change during a game.
fn describe(rules: &Rules) -> Map<String, Value> {
    let deck = rules.deck();
    let cards = Deck::cards(Deck::ALL).map(|card| {
        let colour = &deck.colours()[deck.colour_of(card)];
        json!({"number": deck.number(card), "colour": colour, "points": deck.points(card)})
    });
    let pool = rules.pool().iter().map(|&card| rules.card(card).id().to_owned());
    let options = Options {
        next_hand: Some(rules.next_hand()),
        objectives: Some(rules.objectives() as u8),
        objective_letters: Some(rules.letters()),
        objective_pool: (rules.objectives() > 0).then(|| pool.collect()),
        deck: None,
        scoring_values: Some(rules.scoring_values().to_vec()),
        rounds: Some(rules.rounds() as u8),
        first_hand: Some(rules.hand_size(0) as u8),
        ..rules.options().clone()
    };
    let mut table = Map::new();
    table.insert("players".to_owned(), rules.players().into());
    table.insert("rules".to_owned(), json!(options));
    table.insert("deck".to_owned(), cards.collect());
    table
}

/// The view of a seat.
fn seen(view: &View<'_, Portable>) -> Value {
    let (rules, deck, columns) = (view.rules(), view.deck(), view.rules().scoring_values().len());
    let seats = 0..view.players();
    let all = |of: &dyn Fn(usize) -> Value| seats.clone().map(of).collect::<Vec<Value>>();
    let columns_of = |seat: usize| {
        let cards = view.tableau(seat).column_cards(deck, columns);
        cards.into_iter().map(|cards| json!(deck.numbers(cards))).collect()
    };
    let objectives = view.objectives().iter().map(|&card| rules.card(card).id());
    json!({
        "round": view.round(),
        "turn": rules.hand_size(view.round()) as u32 - view.hand_size(),
        "hand": deck.numbers(view.hand()),
        "row": deck.numbers(view.row()),
        "scoring": view.scoring()[..columns],
        "tableaux": all(&columns_of),
        "known": all(&|seat| json!(deck.numbers(view.known(seat)))),
        "totals": all(&|seat| view.total(seat).into()),
        "last_round": all(&|seat| view.last_round(seat).into()),
        "last_plays": all(&|seat| json!(view.last_play(seat).map(|card| deck.number(card)))),
        "objectives": objectives.collect::<Vec<_>>(),
        "objective_points": all(&|seat| view.objective_points(seat).into()),
    })
}
