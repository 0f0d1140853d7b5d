//! `greedy`: one ply, by the odds.

use serde::{Deserialize, Serialize};

use super::odds::Odds;
use super::{Card, Decision, Desk, Level, Strategy, View};
use crate::games::mind_up::Deck;

/// Plays the card whose prize is worth most on average, by the [`Odds`]: the value of its column, its
/// bubble, and what it changes of the objectives as the tableaux lie. Equal cards: the lowest.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Greedy {}

impl Strategy for Greedy {
    const NAME: &'static str = "greedy";
    const SUMMARY: &'static str =
        "plays the card whose prize is worth most on average, one turn ahead";
    type Memory = ();

    #[inline(always)]
    fn choose<L: Level>(&self, view: &View<'_, L>, _: &mut Desk<'_, ()>) -> Decision {
        Decision::Play(choice(view))
    }
}

/// What `greedy` plays from a hand of two cards or more.
#[inline(always)]
pub(super) fn choice<L: Level>(view: &View<'_, L>) -> Card {
    let mut best = (i64::MIN, 0);
    means(view, |card, mean| {
        if mean > best.0 {
            best = (mean, card);
        }
    });
    best.1
}

/// Gives `each` the cards of the hand, ascending, with the mean worth of their prizes, in parts of
/// [`unit`].
#[inline(always)]
pub(super) fn means<L: Level>(view: &View<'_, L>, each: impl FnMut(Card, i64)) {
    // Loops over a known number of seats are unrolled.
    match view.players() {
        2 => means_of::<L, 2>(view, each),
        3 => means_of::<L, 3>(view, each),
        4 => means_of::<L, 4>(view, each),
        5 => means_of::<L, 5>(view, each),
        _ => means_of::<L, 6>(view, each),
    }
}

/// What a point is in [`means`].
#[inline(always)]
pub(super) fn unit<L: Level>(view: &View<'_, L>) -> i64 {
    let whole = i64::from(view.unseen().count_ones().max(1) * view.hand_size());
    whole.pow(view.players() as u32 - 1)
}

/// The means are compared as whole numbers, so that equal cards are equal whatever the order of
/// the sums: a seat's probability of playing below a card is a multiple of 1/(unseen * hand), and
/// a mean one of 1/(unseen * hand)^others. With hands as large as the deck allows that is within
/// 63 bits, prizes of up to 149 points and objectives of up to 990 included.
#[inline(always)]
fn means_of<L: Level, const PLAYERS: usize>(view: &View<'_, L>, mut each: impl FnMut(Card, i64)) {
    let own = view.tableau(view.seat());
    let mut worth = [0i64; PLAYERS];
    for (worth, prize) in worth.iter_mut().zip(view.prizes::<PLAYERS>()) {
        *worth = i64::from(own.worth(view.deck(), view.scoring(), prize));
        if !view.objectives().is_empty() {
            *worth += i64::from(view.objective_gain(prize));
        }
    }
    let odds = Odds::<PLAYERS>::new(view, view.unseen());
    let whole = i64::from(odds.whole());
    for card in Deck::cards(view.hand()) {
        let below = odds.below(card);
        // As `Odds::mean`, in whole numbers.
        let mut mean = worth;
        for other in 0..PLAYERS - 1 {
            let below = i64::from(below[other]);
            for rank in 0..PLAYERS - 1 - other {
                mean[rank] = mean[rank] * (whole - below) + mean[rank + 1] * below;
            }
        }
        each(card, mean[0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Portable;
    use crate::games::mind_up::{MAX_PLAYERS, Observer, Options, Public, Rules, record_game};
    use crate::rng::{GameKey, deal_key};
    use crate::strategies::mind_up::FAMILIES;
    use crate::strategies::mind_up::linear::Linear;
    use crate::strategies::mind_up::policy::Reflex;
    use crate::strategies::mind_up::values::Values;

    /// The mean worth of each card's prize in floating point, rank by rank.
    fn means(view: &View<'_, Portable>) -> Vec<(Card, f64)> {
        let own = view.tableau(view.seat());
        let worth = |rank: usize| {
            let prize = view.prize(rank as u32);
            // The objectives on tableaux of which the own one has the prize already.
            let mut taken = *view.public();
            taken.tableaux[view.seat()].place(view.deck(), prize);
            let objectives = taken.objective_points(view.rules(), view.seat())
                - view.objective_points(view.seat());
            f64::from(own.worth(view.deck(), view.scoring(), prize) + objectives)
        };
        let share = |cards: u64, of: u32| f64::from(cards.count_ones()) / f64::from(of.max(1));
        let mean = |card: Card| {
            let below = (1u64 << card) - 1;
            let unseen_below = share(view.unseen() & below, view.unseen().count_ones());
            let mut odds = vec![1.0];
            for seat in view.others() {
                let known = f64::from((view.known(seat) & below).count_ones());
                let hidden = f64::from(view.hidden(seat)) * unseen_below;
                let p = (known + hidden) / f64::from(view.hand_size());
                odds.push(0.0);
                for rank in (0..odds.len() - 1).rev() {
                    odds[rank + 1] += odds[rank] * p;
                    odds[rank] *= 1.0 - p;
                }
            }
            odds.iter().enumerate().map(|(rank, odds)| odds * worth(rank)).sum()
        };
        Deck::cards(view.hand()).map(|card| (card, mean(card))).collect()
    }

    /// Checks every state of a game.
    struct Check<'a> {
        rules: &'a Rules,
        hands: [u64; MAX_PLAYERS],
        checked: usize,
    }

    impl Observer for Check<'_> {
        fn dealt(&mut self, _: usize, _: &Public, hands: &[u64; MAX_PLAYERS]) {
            self.hands = *hands;
        }

        fn turn(&mut self, _: usize, public: &Public, plays: &[Card; MAX_PLAYERS]) {
            for seat in 0..self.rules.players() {
                let view = View::new(self.rules, public, self.hands[seat], seat, Portable);
                let means = means(&view);
                let best = means.iter().map(|mean| mean.1).fold(f64::NEG_INFINITY, f64::max);
                // The lowest of those that are equal but for rounding.
                let lowest = means.iter().find(|mean| mean.1 > best - 1e-9).unwrap();
                assert_eq!(choice(&view), lowest.0, "{means:?}");
                // A sum of features of which only these count is greedy, but for rounding.
                let linear = Linear { objective: 1.0, ..Linear::default() };
                let values = Values::new(self.rules, public);
                let picked = linear.pick(&view, &values, 0);
                let picked = means.iter().find(|mean| mean.0 == picked).unwrap();
                assert!(picked.1 > best - 1e-9, "{means:?}");
                self.hands[seat] &= !(1 << plays[seat]);
                self.checked += 1;
            }
        }
    }

    #[test]
    fn the_lowest_card_with_the_highest_mean_is_played() {
        let random = FAMILIES.iter().find(|family| family.name == "random").unwrap();
        for players in 2..=6 {
            let first_hand = if players == 2 { 26 } else { 7 };
            let build = (random.build)(&serde_json::Map::new()).unwrap();
            for deal in 0..20 {
                let objectives = Some((deal % 3) as u8);
                let options =
                    Options { first_hand: Some(first_hand), objectives, ..Options::default() };
                let rules = Rules::new(players, &options).unwrap();
                let mut seats: Vec<_> = (0..players).map(|_| build.seat().unwrap()).collect();
                let key = GameKey::new(deal_key(1, 0, players, deal), 0, 0);
                let (record, _) = record_game(&rules, &mut seats, key).unwrap();
                let record = serde_json::to_value(&record).unwrap();
                let reading = crate::games::mind_up::referee::Reading::open(&record).unwrap();
                let mut check = Check { rules: &rules, hands: [0; MAX_PLAYERS], checked: 0 };
                reading.judge(&mut check).unwrap();
                assert!(check.checked > 20 * players);
            }
        }
    }
}
