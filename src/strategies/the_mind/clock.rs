//! Blind piles: nobody sees their tops, but all share the clock.

use crate::games::the_mind::view::View;

/// The seconds that a plan gives each rank of a blind pile: as many as it gives a rank of an open
/// one where cards lie evenly.
///
/// With t cards dealt among the deck's R values the mean gap is R / t; `wait` is the plan's wait
/// for such a gap as the level begins. All that it depends on is public and stays the same for the
/// level, so that seats of one plan share one timeline.
#[inline]
pub fn beat(view: &View<'_>, wait: impl FnOnce(f64) -> f64) -> f64 {
    let dealt = view.rules().players() as f64 * f64::from(view.level());
    let gap = f64::from(view.layout().deck().len()) / dealt;
    wait(gap) / gap
}

/// The seconds from `clock`, counted from the level's start, until a card of a blind pile is due
/// at `beat` seconds for each rank; 0 where it is overdue.
#[inline]
pub fn due(clock: f64, beat: f64, rank: u8) -> f64 {
    let wait = beat * f64::from(rank) - clock;
    if wait > 0.0 { wait } else { 0.0 }
}

/// The wait for a card of a blind pile, by a plan that waits `wait` seconds for the mean gap as the
/// level begins: see [`beat`] and [`due`].
#[inline(always)]
pub fn by_clock(view: &View<'_>, rank: u8, wait: impl FnOnce(f64) -> f64) -> f64 {
    view.rarely(|view| due(view.clock(), beat(view, wait), rank))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::error::read;
    use crate::games::GameId;
    use crate::games::the_mind::cards::Cards;
    use crate::games::the_mind::player::Intent;
    use crate::games::the_mind::rules::Rules;
    use crate::games::the_mind::state::Table;
    use crate::rng::{GameKey, deal_key};
    use crate::strategies::the_mind::FAMILIES;

    /// What a family means to do with 50 as its lowest card in level 5 of 4 players, all blind,
    /// after another's play so many seconds from the start.
    fn wait(family: &str, clock: f64) -> f64 {
        let options = read(&json!({"blind": "all"})).unwrap();
        let rules = Rules::new(GameId::TheMind, 4, &options).unwrap();
        let hand = |from: u8| -> Cards {
            (from..from + 5).map(|number| rules.layout().card(0, number)).collect()
        };
        let mut table = Table::new(&rules);
        table.deal(&rules, 5, 0, &[hand(50), hand(1), hand(20), hand(60)]);
        table.play(&rules, 1, rules.layout().card(0, 1));
        table.set_pause(clock);
        let family = FAMILIES.iter().find(|known| known.name == family).unwrap();
        let mut player = (family.build)(&(family.defaults)()).unwrap().seat().unwrap();
        let key = GameKey::new(deal_key(1, 0, 4, 0), 0, 0);
        let answers =
            crate::games::the_mind::probe::ask(&mut *player, &rules, &table, 0, key, (1, 0, 100));
        match answers.intent {
            Intent::Play { wait, .. } => wait,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_card_of_a_blind_pile_is_due_by_the_clock() {
        // 20 cards among 100: a mean gap of 5, for which each plan waits so many seconds.
        let square = 25.0 * 0.2 * 0.2;
        let steep = 25.0 * (libm::exp(0.3) - 1.0) / (libm::exp(1.5) - 1.0);
        // 5 (20 / 32)^1.18 = 2.871 lies on the step from 2 to 4.
        let dense = 20.0 / 32.0;
        let x = 5.0 * libm::pow(dense, 1.18);
        let corner = libm::exp(-0.6) + libm::exp(-0.52);
        let table = corner + (x - 2.0) / 2.0 * libm::exp(0.58);
        let table = table * libm::pow(dense, -0.87 - 0.12);
        for (family, seconds) in [
            ("linear", 5.0),
            ("power", square),
            ("exponential", steep),
            ("adaptive", square),
            ("rank", 5.0),
            ("threshold", table),
        ] {
            for clock in [0.0, 3.0, 9.0] {
                let expected = (50.0 * seconds / 5.0 - clock).max(0.0);
                let found = wait(family, clock);
                assert!((found - expected).abs() < 1e-9, "{family} {clock}: {found} {expected}");
            }
            assert_eq!(wait(family, 60.0), 0.0, "{family}");
        }
    }
}
