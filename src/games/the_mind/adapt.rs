//! Bodies follow the tempo of others: the step between what seats mean to do and the event.

use super::block::{Block, Hall, REFOCUS, usable};
use super::player::{Batch, Player, Sight};
use crate::error::PlayError;

impl Block {
    /// Tempos move towards the pace of the open plays that come next.
    ///
    /// A card that could not be held back was planned before the last event, and a forced play by
    /// nobody: the time since then tells no pace.
    pub(super) fn adapt<O>(
        &mut self,
        hall: &Hall<'_, O>,
        players: &mut [&mut dyn Player],
    ) -> Result<(), PlayError> {
        for (seat, (player, body)) in players.iter_mut().zip(hall.bodies).enumerate() {
            if body.adaptation == 0.0 {
                continue;
            }
            self.look(hall, seat);
            player.plan(&mut Batch {
                rules: hall.rules,
                seat,
                slots: &self.watched,
                games: &self.games,
                keys: hall.keys,
                everyone: false,
                answers: &mut self.sights,
            })?;
            for slot in self.watched.iter().map(|&slot| usize::from(slot)) {
                let sight = &self.sights[slot];
                if let Some(plan) = sight.plan {
                    self.seats[seat].watches[slot].adapt(body, sight.seconds, plan);
                }
            }
        }
        Ok(())
    }

    /// Lists the games in which a seat is about to see a play of another.
    fn look<O>(&mut self, hall: &Hall<'_, O>, watcher: usize) {
        let layout = hall.rules.layout();
        self.watched.clear();
        for &slot in &self.asked {
            let at = usize::from(slot);
            let game = &self.games[at];
            let Some((seat, moment)) = game.first::<0>(hall.keys, at, hall.rules.players()) else {
                continue;
            };
            let bound = game.held >> seat & 1 == 1 || game.plans[seat] == REFOCUS;
            if bound || seat == watcher || game.silent >> watcher & 1 == 1 {
                continue;
            }
            let card = usable(layout, game.table.hands[seat], game.plans[seat]);
            let (pile, public) = (layout.pile(card), &game.table.public);
            if public.blind >> pile & 1 == 0 {
                self.watched.push(slot);
                self.sights[at] = Sight {
                    seat: seat as u8,
                    pile: pile as u8,
                    rank: layout.rank(card),
                    seconds: moment - public.clock,
                    plan: None,
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::error::read;
    use crate::games::GameId;
    use crate::games::the_mind::body::Body;
    use crate::games::the_mind::rules::Rules;
    use crate::rng::{GameKey, deal_key};
    use crate::strategies::the_mind::FAMILIES;

    const GAMES: u64 = 100;

    /// The tempos of two players after each of some games.
    fn tempos(family: &str, game: GameId, body: Body) -> Vec<[f64; 2]> {
        let options = json!({"lives": 99, "mistake": "continue", "blind": "none"});
        let rules = Rules::new(game, 2, &read(&options).unwrap()).unwrap();
        let family = FAMILIES.iter().find(|known| known.name == family).unwrap();
        let built = (family.build)(&(family.defaults)()).unwrap();
        let mut seats = [built.seat().unwrap(), built.seat().unwrap()];
        let [one, two] = &mut seats;
        let keys: Vec<GameKey> =
            (0..GAMES).map(|game| GameKey::new(deal_key(1, 0, 2, game), 0, 0)).collect();
        let mut block = Block::new();
        block
            .play(
                &rules,
                &[body; 2],
                &mut [&mut **one, &mut **two],
                &keys,
                &mut (),
                &mut Vec::new(),
            )
            .unwrap();
        let tempo = |seat: usize, slot: usize| block.seats[seat].watches[slot].tempo;
        (0..keys.len()).map(|slot| [tempo(0, slot), tempo(1, slot)]).collect()
    }

    #[test]
    fn who_plans_alike_and_keeps_time_sees_the_own_pace() {
        let body = Body { adaptation: 0.5, ..Body::default() };
        for family in ["linear", "power", "exponential", "rank", "threshold", "adaptive"] {
            for game in [GameId::TheMind, GameId::TheMindExtreme] {
                for tempo in tempos(family, game, body).iter().flatten() {
                    assert!((tempo - 1.0).abs() < 1e-9, "{family} {game} {tempo}");
                }
            }
        }
    }

    #[test]
    fn tempos_that_differ_approach_each_other() {
        let apart = Body { tempo_spread: 0.2, ..Body::default() };
        let together = Body { adaptation: 0.1, ..apart };
        for family in ["linear", "power"] {
            for game in [GameId::TheMind, GameId::TheMindExtreme] {
                let before = tempos(family, game, apart);
                let after = tempos(family, game, together);
                for (before, after) in before.iter().zip(after) {
                    let [low, high] = [before[0].min(before[1]), before[0].max(before[1])];
                    assert!(after.iter().all(|tempo| (low..=high).contains(tempo)));
                    let distance = (after[0] - after[1]).abs();
                    assert!(distance < 0.01 * (high - low), "{family} {before:?} {after:?}");
                }
            }
        }
    }

    #[test]
    fn who_has_no_plan_keeps_the_tempo() {
        let body = Body { adaptation: 0.5, ..Body::default() };
        let tempos = tempos("random", GameId::TheMind, body);
        assert!(tempos.iter().flatten().all(|&tempo| tempo == 1.0));
    }
}
