//! `greedy`: one ply, by the odds.

use serde::{Deserialize, Serialize};

use super::{Card, Decision, Desk, Level, Strategy, View};
use crate::games::mind_up::{Deck, MAX_PLAYERS};

/// Plays the card whose prize is worth most on average.
///
/// The others are taken to play any card of their hands alike, the hidden ones being any of the
/// unseen cards; so the number of them that play below a card is a Poisson binomial, which gives
/// the odds of each prize. Equal cards: the lowest.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Greedy {}

impl Strategy for Greedy {
    const NAME: &'static str = "greedy";
    const SUMMARY: &'static str =
        "plays the card whose prize is worth most on average, one turn ahead";
    type Memory = ();

    #[inline(always)]
    fn choose<L: Level>(&self, view: &View<'_, L>, _: &mut Desk<'_, ()>) -> Decision {
        let players = view.players();
        let own = view.tableau(view.seat());
        let mut worth = [0.0; MAX_PLAYERS];
        for (rank, worth) in worth[..players].iter_mut().enumerate() {
            let prize = view.prize(rank as u32);
            *worth = f64::from(own.worth(view.deck(), view.scoring(), prize));
        }
        let unseen = view.unseen();
        let hidden_odds = 1.0 / f64::from(unseen.count_ones().max(1));
        let hand_odds = 1.0 / f64::from(view.hand_size());
        let mut best = (f64::NEG_INFINITY, 0);
        for card in Deck::cards(view.hand()) {
            let below = (1u64 << card) - 1;
            let unseen_below = f64::from((unseen & below).count_ones()) * hidden_odds;
            let ranks = rank_odds(view, |seat| {
                let known = f64::from((view.known(seat) & below).count_ones());
                (known + f64::from(view.hidden(seat)) * unseen_below) * hand_odds
            });
            let mean: f64 = ranks[..players]
                .iter()
                .zip(&worth)
                .map(|(odds, worth)| odds * worth)
                .sum();
            if mean > best.0 {
                best = (mean, card);
            }
        }
        Decision::Play(best.1 as Card)
    }
}

/// The odds of each rank from 0, given each other seat's probability of playing below.
#[inline(always)]
fn rank_odds<L: Level>(
    view: &View<'_, L>,
    plays_below: impl Fn(usize) -> f64,
) -> [f64; MAX_PLAYERS] {
    let mut odds = [0.0; MAX_PLAYERS];
    odds[0] = 1.0;
    for (count, seat) in view.others().enumerate() {
        let p = plays_below(seat);
        for rank in (0..=count.min(MAX_PLAYERS - 2)).rev() {
            odds[rank + 1] += odds[rank] * p;
            odds[rank] *= 1.0 - p;
        }
    }
    odds
}
