//! The deal: a function of the deal's key (and, under `next_hand = "deal"`, of the row that play
//! left), so that games of the same deal are played with the same cards.

use super::card_set::CardSet;
use super::deck::{Card, DECK_SIZE, Deck, MAX_COLOURS};
use super::rules::{Letters, MAX_PLAYERS, NextHand, Rules};
use super::state::{Public, Tableau};
use crate::cpu::Level;
use crate::rng::{DealPart, Key, below, deal_rng, shuffle_front};

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
/// game has not shown; a kept set is drawn once. `spent` has the cards that can't come any more.
#[inline(always)]
pub fn objectives(rules: &Rules, deal: Key, public: &mut Public, spent: &mut CardSet) {
    if rules.objectives() > 0 && (public.round == 0 || !rules.objectives_kept()) {
        draw_objectives(rules, deal, public, spent);
    }
}

fn draw_objectives(rules: &Rules, deal: Key, public: &mut Public, spent: &mut CardSet) {
    let mut rng = deal_rng(deal, usize::from(public.round), 0, DealPart::Objectives);
    // Besides, no letter comes twice in a round.
    let mut taken = *spent;
    for place in 0..rules.objectives() {
        let eligible = rules.pool_set().without(&taken);
        // The rules were checked: the pool can't run out.
        let chosen = below(&mut rng, eligible.len().max(1)) as usize;
        let card = eligible.iter().nth(chosen).unwrap_or_default();
        public.objectives[place] = card;
        taken.insert_all(rules.letter_mates(card));
        match rules.letters() {
            Letters::DistinctInRound => spent.insert(card),
            Letters::DistinctInGame => spent.insert_all(rules.letter_mates(card)),
        }
    }
}
