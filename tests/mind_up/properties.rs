//! What holds for games of any rules, seats and cards.

use std::sync::{Arc, Mutex};

use super::common::families;
use super::support::{Log, Seen, State, blind_players, key, player, players, states};
use super::tables::{Table, config, play, tables};
use mindlab::error::PlayError;
use mindlab::games::mind_up::player::{Player, Request};
use mindlab::games::mind_up::referee::Reading;
use mindlab::games::mind_up::rules::NextHand;
use mindlab::games::mind_up::tell::tell;
use mindlab::games::mind_up::{Block, Card, Deck, Options, Record, Recorder, Rules, record_game};
use mindlab::games::record::parse;
use mindlab::games::referee::judge_line;
use mindlab::rng::{GameKey, Key, SeatPart, below, deal_key, shuffle_front};
use proptest::prelude::*;
use rand::Rng;
use serde_json::json;

proptest! {
    #![proptest_config(config(250))]

    /// Play, record, text, referee: the same game, to the last state, and the same outcome.
    #[test]
    fn the_referee_sees_what_was_played(table in tables()) {
        let mut played = Log::default();
        table.play(&[table.key()], &mut played);
        let (record, outcome) =
            record_game(&table.rules, &mut table.players(), table.key()).unwrap();
        let line = record.to_string();
        prop_assert!(!line.contains('\n'));
        let verdict = serde_json::to_value(judge_line(&line).unwrap()).unwrap();
        let count = table.names.len();
        prop_assert_eq!(&verdict["totals"], &json!(&outcome.totals[..count]));
        prop_assert_eq!(&verdict["winners"], &json!(outcome.winners(count)));

        let value = parse(&line).unwrap();
        let reading = Reading::open(&value).unwrap();
        prop_assert_eq!(reading.rules(), &table.rules);
        let mut judged = Log::default();
        reading.judge(&mut judged).unwrap();
        prop_assert_eq!(judged.0, played.0);
        let mut again = Recorder::new(reading.rules(), 0);
        reading.judge(&mut again).unwrap();
        prop_assert_eq!(again.finish(), record);
        prop_assert!(!tell(&value, &[]).unwrap().is_empty());
    }

    #[test]
    fn every_card_is_in_one_place(table in tables()) {
        let mut log = Log::default();
        table.play(&[table.key()], &mut log);
        let (rules, count) = (&table.rules, table.names.len());
        let mut before: Option<State> = None;
        for state in states(rules, &log.0[0]) {
            check_places(rules, &state);
            if let Some(before) = before.filter(|before| before.round + 1 == state.round) {
                prop_assert_eq!(before.turn, rules.turns(before.round));
                prop_assert_eq!(before.public.row, state.public.row, "the row stays");
                for seat in 0..count {
                    let own = before.public.tableaux[seat].cards | before.hands[seat];
                    let kept = rules.next_hand() == NextHand::Tableau;
                    prop_assert!(!kept || state.hands[seat] & own == own);
                    prop_assert_eq!(state.public.known[seat], if kept { own } else { 0 });
                }
            }
            before = Some(state);
        }
    }

    /// Whatever the hidden cards are, a seat sees and does the same.
    #[test]
    fn hidden_cards_change_nothing_that_a_seat_sees(table in tables(), pick in any::<u64>()) {
        let (record, _) = record_game(&table.rules, &mut table.players(), table.key()).unwrap();
        let seen = replay(&record);
        let mut rng = Key::root(pick).rng();
        let mut names = families().map(|family| family.name).cycle().skip(pick as usize % 64);
        for state in seen.iter().filter(|state| state.turn < table.rules.turns(state.round)) {
            let seat = below(&mut rng, table.names.len() as u32) as usize;
            let other = replay(&with_hidden_shuffled(&table.rules, &record, state, seat, pick));
            let other = other.iter().find(|other| (other.round, other.turn) == (state.round, state.turn));
            let other = other.unwrap();
            prop_assert_eq!(other.public, state.public);
            prop_assert_eq!(other.hands[seat], state.hands[seat]);
            // A family a state, whose turn it is, and so all of them in a longer game.
            let name = names.next().unwrap();
            let choice = choose(name, &table.rules, state, seat);
            prop_assert_eq!(choice, choose(name, &table.rules, other, seat), "{}", name);
            prop_assert!(state.hands[seat] >> choice & 1 == 1);
        }
    }

    #[test]
    fn cells_and_seatings_share_their_deals(table in tables(), cell: u64, seating: u64) {
        let deal = table.key().deal();
        let keys = [table.key(), GameKey::new(deal, cell, seating)];
        let mut log = Log::default();
        table.play(&keys, &mut log);
        let dealt = |game: usize| log.0[game].iter().filter_map(|seen| match seen {
            Seen::Dealt(public, hands) => Some((public.scoring, public.objectives, *hands, public.row)),
            _ => None,
        });
        for (round, (one, other)) in dealt(0).zip(dealt(1)).enumerate() {
            prop_assert_eq!((one.0, one.1), (other.0, other.1));
            prop_assert!(round > 0 || one == other);
        }
        // Seats that use no generator play alike in every cell.
        if table.names.iter().all(|name| ["lowest", "highest", "greedy"].contains(name)) {
            prop_assert_eq!(&log.0[0], &log.0[1]);
        }
    }

    #[test]
    fn objectives_do_not_change_the_cards(table in tables()) {
        let options = Options { objectives: None, ..table.rules.options().clone() };
        let without = Table { rules: Rules::new(table.names.len(), &options).unwrap(), ..table.clone() };
        let players = || blind_players(&table.names);
        let (one, _) = record_game(&table.rules, &mut players(), table.key()).unwrap();
        let (other, _) = record_game(&without.rules, &mut players(), table.key()).unwrap();
        // Nobody looks at objectives, so play is the same too.
        for (one, other) in one.rounds.iter().zip(&other.rounds) {
            prop_assert_eq!(&one.scoring, &other.scoring);
            prop_assert_eq!((&one.hands, &one.drawn, &one.row), (&other.hands, &other.drawn, &other.row));
            prop_assert_eq!(&one.turns, &other.turns);
        }
    }
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn games_do_not_depend_on_the_block(table in tables()) {
        let count = table.names.len();
        let keys: Vec<_> = (0..24)
            .map(|deal| GameKey::new(deal_key(table.seed, 0, count, deal), deal % 3, deal % 5))
            .collect();
        let (mut whole, mut alone, mut sevens) = (Log::default(), Vec::new(), Vec::new());
        let outcomes = table.play(&keys, &mut whole);
        // One block and its players are used again and again, in sizes that rise and fall.
        let (mut block, mut players, mut found) = (Block::default(), table.players(), Vec::new());
        for keys in keys.chunks(7) {
            let mut log = Log::default();
            block.play(&table.rules, &mut players, keys, &mut log, &mut found).unwrap();
            sevens.append(&mut log.0);
        }
        for (key, outcome) in keys.iter().zip(&outcomes) {
            let mut log = Log::default();
            let found = table.play(&[*key], &mut log);
            prop_assert_eq!(&found[0], outcome);
            alone.append(&mut log.0);
        }
        prop_assert_eq!(&whole.0, &sevens);
        prop_assert_eq!(&whole.0, &alone);
    }

    /// A strategy that draws a lot, in place of one that draws nothing: the deal and the other
    /// seats' generators stay what they were.
    #[test]
    fn a_seat_that_draws_disturbs_nobody(table in tables(), seat: usize) {
        let count = table.names.len();
        let quiet = seat % count;
        let run = |draws: usize| {
            let logs: Vec<_> = (0..count).map(|_| Arc::new(Mutex::new(Vec::new()))).collect();
            let mut seats: Vec<Box<dyn Player>> = (0..count)
                .map(|other| -> Box<dyn Player> {
                    let draws = if other == quiet { draws } else { 1 };
                    Box::new(Spy { draws, log: Arc::clone(&logs[other]) })
                })
                .collect();
            let mut log = Log::default();
            play(&table.rules, &mut seats, &[table.key()], &mut log);
            let drawn: Vec<Vec<u64>> =
                logs.iter().map(|log| log.lock().unwrap().clone()).collect();
            (log.0, drawn)
        };
        let ((few, few_drawn), (many, many_drawn)) = (run(0), run(9));
        prop_assert_eq!(few, many);
        let mut turn = 0;
        for round in 0..table.rules.rounds() {
            for seat in 0..count {
                let mut own = table.key().seat_rng(round, 0, SeatPart::Strategy, seat);
                prop_assert_eq!(few_drawn[seat][turn], {
                    // All but the quiet seat drew once before they looked.
                    if seat != quiet {
                        own.next_u64();
                    }
                    own.next_u64()
                });
            }
            turn += table.rules.turns(round);
        }
        for other in (0..count).filter(|&other| other != quiet) {
            prop_assert_eq!(&few_drawn[other], &many_drawn[other]);
        }
        prop_assert_ne!(&few_drawn[quiet], &many_drawn[quiet]);
    }

    /// A seat that plays otherwise: the first deal, scoring orders, objectives and, in the first
    /// round, what the other seats play by chance stay what they were.
    #[test]
    fn a_seat_that_plays_otherwise_changes_no_deal(table in tables(), seat: usize) {
        let count = table.names.len();
        let seat = seat % count;
        let record = |name| {
            let mut seats = players(&vec!["random"; count]);
            seats[seat] = player(name);
            record_game(&table.rules, &mut seats, table.key()).unwrap().0
        };
        let (one, other) = (record("lowest"), record("highest"));
        for (one, other) in one.rounds.iter().zip(&other.rounds) {
            prop_assert_eq!((&one.scoring, &one.objectives), (&other.scoring, &other.objectives));
        }
        let (one, other) = (&one.rounds[0], &other.rounds[0]);
        prop_assert_eq!((&one.hands, &one.row), (&other.hands, &other.row));
        for (one, other) in one.turns.iter().zip(&other.turns) {
            for another in (0..count).filter(|&another| another != seat) {
                prop_assert_eq!(one[another], other[another]);
            }
        }
    }
}

/// Plays the lowest card, after it drew some numbers; keeps what the next number would be.
struct Spy {
    draws: usize,
    log: Arc<Mutex<Vec<u64>>>,
}

impl Player for Spy {
    fn begin(&mut self, _: &[GameKey]) {}

    fn choose(&mut self, request: Request<'_>) -> Result<(), PlayError> {
        for (game, rng) in request.rngs.iter_mut().enumerate() {
            for _ in 0..self.draws {
                rng.next_u64();
            }
            self.log.lock().unwrap().push(rng.clone().next_u64());
            request.plays[game] = request.hands[game].trailing_zeros() as Card;
        }
        Ok(())
    }
}

fn check_places(rules: &Rules, state: &State) {
    let players = rules.players();
    let public = &state.public;
    assert_eq!(usize::from(public.hand_size), rules.hand_size(state.round) - state.turn);
    let mut places = vec![public.row];
    for seat in 0..players {
        let (hand, tableau) = (state.hands[seat], &public.tableaux[seat]);
        assert_eq!(hand.count_ones(), u32::from(public.hand_size));
        assert_eq!(tableau.cards.count_ones() as usize, state.turn);
        assert_eq!(public.known[seat] & !hand, 0, "known cards are in the hand");
        places.extend([hand, tableau.cards]);
    }
    assert_eq!(public.row.count_ones() as usize, players);
    // All places and the deck: each card once.
    let out = places.iter().fold(0, |out, place| out | place);
    let cards: u32 = places.iter().map(|place| place.count_ones()).sum();
    assert_eq!(cards, out.count_ones(), "a card in two places");
    assert_eq!(out & !Deck::ALL, 0);
}

/// The states that a record goes through, as far as it is legal.
pub fn replay(record: &Record) -> Vec<State> {
    let value = serde_json::to_value(record).unwrap();
    let reading = Reading::open(&value).unwrap();
    let mut log = Log::default();
    // A record with other hidden cards breaks off where one of them was to be played.
    let _ = reading.judge(&mut log);
    states(reading.rules(), &log.0[0])
}

/// The same record, but for the cards that a seat can't know of in a state: those hidden in other
/// hands are any of the unseen ones.
pub fn with_hidden_shuffled(
    rules: &Rules,
    record: &Record,
    state: &State,
    seat: usize,
    pick: u64,
) -> Record {
    let (public, deck) = (&state.public, rules.deck());
    let others = || (0..rules.players()).filter(|&other| other != seat);
    let mut seen = state.hands[seat] | public.row;
    for other in 0..rules.players() {
        seen |= public.tableaux[other].cards;
    }
    for other in others() {
        seen |= public.known[other];
    }
    let mut unseen: Vec<Card> = Deck::cards(Deck::ALL & !seen).collect();
    let count = unseen.len();
    let mut rng = Key::root(pick).child(state.round as u64).child(state.turn as u64).rng();
    shuffle_front(&mut rng, &mut unseen, count);
    let mut unseen = unseen.into_iter();
    let mut changed = record.clone();
    let round = &mut changed.rounds[state.round];
    for other in others() {
        let hidden = (state.hands[other] & !public.known[other]).count_ones() as usize;
        let new: Vec<u16> = unseen.by_ref().take(hidden).map(|card| deck.number(card)).collect();
        assert_eq!(new.len(), hidden);
        if let Some(hands) = &mut round.hands {
            let played = round.turns[..state.turn].iter().map(|turn| turn[other]);
            hands[other] = played.chain(new).collect();
        } else if let (Some(drawn), [card]) = (&mut round.drawn, new.as_slice()) {
            drawn[other] = *card;
        }
    }
    changed
}

/// What a strategy does in a state.
fn choose(name: &str, rules: &Rules, state: &State, seat: usize) -> Card {
    let mut player = player(name);
    let mut plays = [Card::MAX];
    player.begin(&[key(1, rules.players(), 0)]);
    let request = Request {
        rules,
        seat,
        public: &[state.public],
        hands: &[state.hands[seat]],
        rngs: &mut [Key::root(3).rng()],
        plays: &mut plays,
    };
    player.choose(request).unwrap();
    plays[0]
}
