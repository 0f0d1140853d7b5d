//! The question what a seat means to do, whose answers its body turns into moments at once.

use super::block::{Game, REFOCUS};
use super::body::{Body, Stopwatch};
use super::cards::{Layout, MAX_SEATS};
use super::player::{Intent, Visit};
use super::rules::Rules;
use super::view::View;
use crate::rng::{GameKey, Normal};

/// One seat and its body in many games. It saves a pass over the games, and the memory between.
pub struct Clocks<'a> {
    pub(super) rules: &'a Rules,
    pub(super) seat: usize,
    pub(super) slots: &'a [u16],
    pub(super) games: &'a mut [Game],
    pub(super) keys: &'a [GameKey],
    pub(super) normal: Normal,
    pub(super) body: &'a Body,
    pub(super) watches: &'a mut [Stopwatch],
}

impl Clocks<'_> {
    /// The seat that is asked.
    pub const fn seat(&self) -> usize {
        self.seat
    }

    /// Goes through the games in which the seat is asked, once: what it asks for is timed.
    ///
    /// The loop is compiled for each layout and for the usual body, so that it asks for nothing in
    /// vain.
    #[inline(always)]
    pub fn visit(&mut self, visitor: &mut impl Visit<Intent>) {
        let (normal, body) = (self.normal, self.body);
        let usual = |watch: &mut Stopwatch, wait| watch.weber(normal, body, wait);
        let any = |watch: &mut Stopwatch, wait| watch.moment(normal, body, wait);
        match (self.rules.layout(), body.is_weber()) {
            (Layout::Number, true) => self.visit_in(Layout::Number, visitor, usual),
            (Layout::Number, false) => self.visit_in(Layout::Number, visitor, any),
            (Layout::WhiteRed, true) => self.visit_in(Layout::WhiteRed, visitor, usual),
            (Layout::WhiteRed, false) => self.visit_in(Layout::WhiteRed, visitor, any),
        }
    }

    #[inline(always)]
    fn visit_in(
        &mut self,
        layout: Layout,
        visitor: &mut impl Visit<Intent>,
        moment: impl Fn(&mut Stopwatch, f64) -> f64,
    ) {
        let (normal, body) = (self.normal, self.body);
        let seat = self.seat.min(MAX_SEATS - 1);
        // As long as each other: so one check of the bounds serves for all.
        let games = &mut *self.games;
        let keys = &self.keys[..games.len()];
        let watches = &mut self.watches[..games.len()];
        for slot in self.slots.iter().map(|&slot| usize::from(slot)) {
            let game = &mut games[slot];
            if game.silent >> seat & 1 == 1 {
                // A falling card keeps its moment; an empty hand has none.
                if game.held >> seat & 1 == 0 {
                    game.moments[seat] = f64::INFINITY;
                }
                continue;
            }
            let mut intent = Intent::Wait;
            let view = View::in_layout(layout, self.rules, &game.table, seat);
            visitor.ask(slot, &keys[slot], &view, &mut intent);
            if let Intent::Play { pile, wait } = intent {
                let wait = moment(&mut watches[slot], wait);
                game.plans[seat] = pile;
                game.moments[seat] = game.table.public.clock + wait;
            } else {
                let moment = |wait| watches[slot].moment(normal, body, wait);
                do_not_play(game, seat, intent, moment);
            }
        }
    }
}

/// A seat waits or asks for a refocus. One that is refused is a wait, so that nobody hears of it.
/// There is none while a card is falling: it would fall before all hands are on the table.
#[cold]
fn do_not_play(game: &mut Game, seat: usize, intent: Intent, moment: impl FnOnce(f64) -> f64) {
    let allowed = game.table.public.refocuses > 0 && game.held == 0;
    (game.plans[seat], game.moments[seat]) = match intent {
        Intent::Refocus { wait } if allowed => (REFOCUS, game.table.public.clock + moment(wait)),
        _ => (0, f64::INFINITY),
    };
}

/// Answers that were given before.
pub(super) struct Given<'a>(pub(super) &'a [Intent]);

impl Visit<Intent> for Given<'_> {
    #[inline(always)]
    fn ask(&mut self, slot: usize, _: &GameKey, _: &View<'_>, intent: &mut Intent) {
        *intent = self.0[slot];
    }
}
