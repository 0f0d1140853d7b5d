//! The deal: a function of the deal's key (and, under `next_hand = "deal"`, of the row that play
//! left), so that games of the same deal are played with the same cards.

use super::deck::{Card, DECK_SIZE, Deck, MAX_COLOURS};
use super::rules::{Letters, MAX_OBJECTIVES, MAX_PLAYERS, NextHand, Rules};
use super::state::{Public, Tableau};
use crate::cpu::Level;
use crate::rng::{DealPart, Key, below, deal_rng, shuffle_front};

/// The objective cards that a game has shown.
pub type Shown = [u64; 4];

/// Deals a round: hands, the row of the first round, the scoring order, and what is known.
#[inline(always)]
pub fn round<L: Level>(
    level: L,
    rules: &Rules,
    deal: Key,
    round: usize,
    public: &mut Public,
    hands: &mut [u64; MAX_PLAYERS],
) {
    let players = rules.players();
    if round == 0 || rules.next_hand() == NextHand::Deal {
        deal_hands(rules, deal, round, public, hands);
    } else {
        let mut deck = Deck::ALL & !public.row;
        for seat in 0..players {
            hands[seat] = public.tableaux[seat].cards;
            deck &= !hands[seat];
        }
        public.known = *hands;
        let mut rng = deal_rng(deal, round, 0, DealPart::Cards);
        for hand in &mut hands[..players] {
            let drawn = 1 << level.select(deck, below(&mut rng, deck.count_ones()));
            *hand |= drawn;
            deck &= !drawn;
        }
    }
    public.round = round as u8;
    public.hand_size = rules.hand_size(round) as u8;
    public.tableaux[..players].fill(Tableau::EMPTY);
    let mut rng = deal_rng(deal, round, 0, DealPart::Scoring);
    let values = rules.scoring_values();
    let count = values.len().min(MAX_COLOURS);
    public.scoring[..count].copy_from_slice(&values[..count]);
    shuffle_front(&mut rng, &mut public.scoring[..count], count);
}

/// Shuffles and deals all cards, but those of the row where there is one already.
#[inline(always)]
fn deal_hands(
    rules: &Rules,
    deal: Key,
    round: usize,
    public: &mut Public,
    hands: &mut [u64; MAX_PLAYERS],
) {
    const ORDER: [Card; DECK_SIZE] = {
        let mut order = [0; DECK_SIZE];
        let mut card = 0;
        while card < DECK_SIZE {
            order[card] = card as Card;
            card += 1;
        }
        order
    };
    let (players, size) = (rules.players(), rules.hand_size(round));
    let mut order = ORDER;
    let mut count = DECK_SIZE;
    if round > 0 {
        count = 0;
        for card in Deck::cards(Deck::ALL & !public.row) {
            order[count] = card;
            count += 1;
        }
    }
    let mut rng = deal_rng(deal, round, 0, DealPart::Cards);
    let row = if round == 0 { players } else { 0 };
    shuffle_front(&mut rng, &mut order[..count], players * size + row);
    let mask = |cards: &[Card]| cards.iter().fold(0u64, |mask, &card| mask | 1 << card);
    for (seat, hand) in hands[..players].iter_mut().enumerate() {
        *hand = mask(&order[seat * size..(seat + 1) * size]);
    }
    if row > 0 {
        public.row = mask(&order[players * size..][..row]);
    }
    public.known = [0; MAX_PLAYERS];
}

/// Draws the round's objectives one after another, uniformly among the eligible cards that this
/// game has not shown; a kept set is drawn once.
#[inline(always)]
pub fn objectives(rules: &Rules, deal: Key, public: &mut Public, shown: &mut Shown) {
    if rules.objectives() > 0 && (public.round == 0 || !rules.objectives_kept()) {
        draw_objectives(rules, deal, public, shown);
    }
}

fn draw_objectives(rules: &Rules, deal: Key, public: &mut Public, shown: &mut Shown) {
    let mut rng = deal_rng(deal, usize::from(public.round), 0, DealPart::Objectives);
    let has = |shown: &Shown, card: u8| shown[usize::from(card >> 6)] >> (card & 63) & 1 == 1;
    for place in 0..rules.objectives().min(MAX_OBJECTIVES) {
        let table = public.objectives;
        let eligible = |&&card: &&u8| {
            let same_letter = |&other: &u8| rules.card(other).letter() == rules.card(card).letter();
            !has(shown, card)
                && !table[..place].iter().any(same_letter)
                && (rules.letters() == Letters::DistinctInRound
                    || !rules
                        .pool()
                        .iter()
                        .any(|other| has(shown, *other) && same_letter(other)))
        };
        let count = rules.pool().iter().filter(eligible).count();
        // The rules were checked: the pool can't run out.
        let chosen = below(&mut rng, count.max(1) as u32) as usize;
        let card = rules
            .pool()
            .iter()
            .filter(eligible)
            .nth(chosen)
            .copied()
            .unwrap_or_default();
        public.objectives[place] = card;
        shown[usize::from(card >> 6)] |= 1 << (card & 63);
    }
}
