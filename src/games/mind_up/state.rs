//! A game's state, split into what everybody sees and what a hand hides.

use super::deck::{Card, Deck, MAX_COLOURS};
use super::rules::{MAX_OBJECTIVES, MAX_PLAYERS, Rules};
use crate::cpu::Level;

/// No column: the colour is not in the tableau.
const NONE: u8 = u8::MAX;

/// A seat's tableau of coloured columns, in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tableau {
    /// The cards, as a mask.
    pub cards: u64,
    column_of: [u8; MAX_COLOURS],
    columns: u8,
}

/// What everybody sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Public {
    /// The row of prizes.
    pub row: u64,
    /// The cards that are known to be in each hand.
    pub known: [u64; MAX_PLAYERS],
    /// The tableaux of the round.
    pub tableaux: [Tableau; MAX_PLAYERS],
    /// The values of the columns from the left.
    pub scoring: [i8; MAX_COLOURS],
    /// The points of the rounds before this one. A designer's longest game (28 rounds, cards and
    /// columns of the highest points) passes 78,000, so 16 bits would not do.
    pub totals: [i32; MAX_PLAYERS],
    /// The points of the round before this one.
    pub last_round: [i16; MAX_PLAYERS],
    /// The cards played in the turn before this one of the same round.
    pub last_plays: [Card; MAX_PLAYERS],
    /// The objectives on the table, as indices of the rules' cards; the rest is 0.
    pub objectives: [u8; MAX_OBJECTIVES],
    /// The round, from 0.
    pub round: u8,
    /// The cards in each hand.
    pub hand_size: u8,
}

/// What a round gave a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RoundScore {
    /// For each card the value of its column.
    pub column_points: i16,
    /// The bubbles.
    pub bonus_points: i16,
    /// The objectives.
    pub objective_points: i16,
    /// Which of the objectives on the table hold, a bit for each.
    pub held: u8,
}

impl RoundScore {
    /// The round's score.
    #[inline]
    pub fn sum(&self) -> i16 {
        self.column_points + self.bonus_points + self.objective_points
    }
}

impl Tableau {
    /// A tableau without a card.
    pub const EMPTY: Tableau = Tableau { cards: 0, column_of: [NONE; MAX_COLOURS], columns: 0 };

    /// The number of columns in use, which is the number of colours.
    #[inline(always)]
    pub fn columns(&self) -> usize {
        usize::from(self.columns)
    }

    /// The column of a colour, from the left, where the colour is there.
    #[inline(always)]
    pub fn column_of(&self, colour: usize) -> Option<usize> {
        let column = self.column_of[colour];
        (column != NONE).then_some(usize::from(column))
    }

    /// The column that a card of this colour goes on: its colour's, else the leftmost empty one.
    #[inline(always)]
    pub fn column_for(&self, colour: usize) -> usize {
        usize::from(self.column_of[colour].min(self.columns))
    }

    /// What a card would add to the score, bubbles included, objectives not.
    #[inline(always)]
    pub fn worth(&self, deck: &Deck, scoring: &[i8; MAX_COLOURS], card: Card) -> i16 {
        let column = self.column_for(deck.colour_of(card));
        i16::from(scoring[column & (MAX_COLOURS - 1)]) + deck.points(card)
    }

    /// Lays a card on its column.
    #[inline(always)]
    pub fn place(&mut self, deck: &Deck, card: Card) {
        let colour = deck.colour_of(card) & (MAX_COLOURS - 1);
        let column = self.column_of[colour].min(self.columns);
        self.columns += u8::from(column == self.columns);
        self.column_of[colour] = column;
        self.cards |= 1 << card;
    }

    /// For each card the value of its column, as the cards lie.
    #[inline]
    pub fn column_points(&self, deck: &Deck, scoring: &[i8; MAX_COLOURS]) -> i16 {
        let value = |colour: usize| {
            let column = self.column_of(colour)?;
            let cards = (self.cards & deck.colour_mask(colour)).count_ones();
            Some(cards as i16 * i16::from(scoring[column & (MAX_COLOURS - 1)]))
        };
        (0..deck.colours().len().min(MAX_COLOURS)).filter_map(value).sum()
    }

    /// The cards of each column from the left, `count` columns, empty ones included.
    pub fn column_cards(&self, deck: &Deck, count: usize) -> Vec<u64> {
        let mut columns = vec![0; count];
        for colour in 0..deck.colours().len() {
            if let Some(column) = self.column_of(colour) {
                columns[column] = self.cards & deck.colour_mask(colour);
            }
        }
        columns
    }
}

impl Public {
    /// Before the first round.
    pub const EMPTY: Public = Public {
        row: 0,
        known: [0; MAX_PLAYERS],
        tableaux: [Tableau::EMPTY; MAX_PLAYERS],
        scoring: [0; MAX_COLOURS],
        totals: [0; MAX_PLAYERS],
        last_round: [0; MAX_PLAYERS],
        last_plays: [0; MAX_PLAYERS],
        objectives: [0; MAX_OBJECTIVES],
        round: 0,
        hand_size: 0,
    };

    /// A turn (rule 3): the k-th lowest card played takes the k-th lowest card of the row, and the
    /// cards played become the next row. Hands are the caller's.
    #[inline(always)]
    pub fn turn<L: Level>(&mut self, level: L, rules: &Rules, plays: &[Card; MAX_PLAYERS]) {
        // Loops over a known number of seats are unrolled.
        match rules.players() {
            2 => self.turn_of::<L, 2>(level, rules, plays),
            3 => self.turn_of::<L, 3>(level, rules, plays),
            4 => self.turn_of::<L, 4>(level, rules, plays),
            5 => self.turn_of::<L, 5>(level, rules, plays),
            _ => self.turn_of::<L, 6>(level, rules, plays),
        }
    }

    #[inline(always)]
    fn turn_of<L: Level, const PLAYERS: usize>(
        &mut self,
        level: L,
        rules: &Rules,
        plays: &[Card; MAX_PLAYERS],
    ) {
        let mut played = 0u64;
        for &card in &plays[..PLAYERS] {
            played |= 1 << card;
        }
        let row = self.row;
        // Where cards of the row can't be selected at once, one go through it finds them all.
        let lowest = if L::SELECTS_AT_ONCE { [0; PLAYERS] } else { Deck::lowest(row) };
        for seat in 0..PLAYERS {
            let card = plays[seat];
            let rank = (played & ((1 << card) - 1)).count_ones();
            let prize = match L::SELECTS_AT_ONCE {
                true => level.select(row, rank) as Card,
                false => lowest[rank as usize],
            };
            self.tableaux[seat].place(rules.deck(), prize);
            self.known[seat] &= !(1 << card);
        }
        self.row = played;
        self.last_plays = *plays;
        self.hand_size -= 1;
    }

    /// The end of a round (rules 4 and 5): the last card in each hand goes into its own tableau,
    /// and the round is scored into the totals.
    #[inline(always)]
    pub fn end_round(
        &mut self,
        rules: &Rules,
        last_cards: &[Card; MAX_PLAYERS],
    ) -> [RoundScore; MAX_PLAYERS] {
        let players = rules.players();
        for (tableau, &card) in self.tableaux[..players].iter_mut().zip(last_cards) {
            tableau.place(rules.deck(), card);
        }
        self.hand_size = 0;
        self.known = [0; MAX_PLAYERS];
        let mut scores = [RoundScore::default(); MAX_PLAYERS];
        for seat in 0..players {
            let tableau = &self.tableaux[seat];
            let (held, objective_points) = self.objectives_of(rules, seat, tableau);
            scores[seat] = RoundScore {
                column_points: tableau.column_points(rules.deck(), &self.scoring),
                bonus_points: rules.deck().bonus_points(tableau.cards),
                objective_points,
                held,
            };
            self.last_round[seat] = scores[seat].sum();
            self.totals[seat] += i32::from(self.last_round[seat]);
        }
        scores
    }

    /// What the objectives on the table give a seat, on the tableaux as they lie.
    #[inline]
    pub fn objective_points(&self, rules: &Rules, seat: usize) -> i16 {
        self.objectives_of(rules, seat, &self.tableaux[seat]).1
    }

    /// What they would give it with this tableau, those of the others as they lie.
    #[inline]
    pub fn objective_points_with(&self, rules: &Rules, seat: usize, own: &Tableau) -> i16 {
        self.objectives_of(rules, seat, own).1
    }

    /// Which of the objectives on the table hold for a seat, and what they give.
    #[inline]
    fn objectives_of(&self, rules: &Rules, seat: usize, own: &Tableau) -> (u8, i16) {
        let table = self.objectives[..rules.objectives()].iter().enumerate();
        let cards = table.map(|(place, &index)| (place, rules.card(index)));
        cards
            .filter(|(_, card)| card.holds(rules.deck(), self, rules.players(), seat, own))
            .fold((0, 0), |(held, points), (place, card)| {
                (held | 1 << place, points + card.points())
            })
    }
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcome {
    /// The seats' totals.
    pub totals: [i32; MAX_PLAYERS],
    /// The seats' points in the last round, which settle a tie.
    pub last_round: [i16; MAX_PLAYERS],
    /// The seats that failed and lose by it, a bit for each.
    pub forfeits: u8,
}

impl Outcome {
    /// The outcome once all rounds are scored.
    pub fn of(public: &Public) -> Self {
        Outcome { totals: public.totals, last_round: public.last_round, forfeits: 0 }
    }

    /// Ranks the seats of a mask behind all others: each has its total, but at most one point less
    /// than the lowest of the seats that did not fail. Where all failed, all keep their totals.
    pub fn forfeit(&mut self, players: usize, seats: u8) {
        self.forfeits = seats;
        let failed = |seat: &usize| seats >> seat & 1 == 1;
        let all = 0..players.min(MAX_PLAYERS);
        let others = all.clone().filter(|seat| !failed(seat)).map(|seat| self.totals[seat]);
        if let Some(lowest) = others.min() {
            for seat in all.filter(failed) {
                self.totals[seat] = self.totals[seat].min(lowest - 1);
            }
        }
    }

    /// What seats are ranked by (rule 7): the total, then the last round.
    #[inline]
    fn standing(&self, seat: usize) -> i64 {
        (i64::from(self.totals[seat]) << 16) + i64::from(self.last_round[seat])
    }

    /// The places that a seat shares: its rank from 0, and how many seats stand there with it.
    #[inline]
    pub fn place(&self, players: usize, seat: usize) -> (usize, usize) {
        let own = self.standing(seat);
        let (mut better, mut tied) = (0, 0);
        for other in 0..players.min(MAX_PLAYERS) {
            let standing = self.standing(other);
            better += usize::from(standing > own);
            tied += usize::from(standing == own);
        }
        (better, tied)
    }

    /// The seats that win, a bit for each; more than one where the tie stands.
    #[inline]
    pub fn win_mask(&self, players: usize) -> u8 {
        let mut best = i64::MIN;
        let mut mask = 0;
        for seat in 0..players.min(MAX_PLAYERS) {
            let standing = self.standing(seat);
            mask = if standing > best { 0 } else { mask };
            best = best.max(standing);
            mask |= u8::from(standing == best) << seat;
        }
        mask
    }

    /// The seats that win; more than one where the tie stands.
    pub fn winners(&self, players: usize) -> Vec<usize> {
        (0..players).filter(|&seat| self.place(players, seat).0 == 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_forfeits_comes_last() {
        let outcome = |totals| Outcome { totals, ..Outcome::default() };
        let mut one = outcome([90, 70, 80, 0, 0, 0]);
        one.forfeit(3, 0b001);
        assert_eq!(one.totals[..3], [69, 70, 80]);
        assert_eq!(one.winners(3), [2]);
        // A total that is lower anyway stays; two that failed keep their order below the rest.
        let mut two = outcome([60, 70, 99, 80, 0, 0]);
        two.forfeit(4, 0b101);
        assert_eq!(two.totals[..4], [60, 70, 69, 80]);
        let all = outcome([60, 70, 99, 0, 0, 0]);
        for mask in [0, 0b111] {
            let mut same = all;
            same.forfeit(3, mask);
            assert_eq!(same, Outcome { forfeits: mask, ..all });
        }
    }
}
