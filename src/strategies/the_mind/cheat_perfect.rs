//! `cheat-perfect`: sees all hands. What no plan can surpass, to measure others against.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::seated::{defaults_with_star, with_stars};
use super::soonest;
use super::stars::Stars;
use crate::games::the_mind::cards::Cards;
use crate::games::the_mind::player::{Batch, Cheat, Intent, Player};
use crate::games::the_mind::rules::Rules;
use crate::games::the_mind::view::View;
use crate::rng::GameKey;
use crate::strategies::{Build, Built, Family, PlayError};

const NAME: &str = "cheat-perfect";

/// Plays a card at once where no hand holds one that comes before it on its pile, and else waits
/// for others, however long.
///
/// So the order of a team of its kind does not depend on bodies at all: who is not next means to
/// play nothing, and what is not meant cannot slip out. Two cards that are next on two piles may
/// fall in either order.
#[derive(Debug, Clone)]
pub struct CheatPerfect {
    stars: Stars,
}

/// The parameters of [`CheatPerfect`]: none of its own.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {}

/// Its line in the list of families.
pub(super) const fn family() -> Family<dyn Player> {
    Family {
        name: NAME,
        strategies: &[],
        summary: "Cheats: sees all hands, and plays the next card of all at once",
        defaults: defaults_with_star::<Parameters>,
        build,
    }
}

fn build(parameters: &Map<String, Value>) -> Built<dyn Player> {
    let (stars, Parameters {}) = with_stars(parameters)?;
    Ok(Arc::new(CheatPerfect { stars }))
}

impl Build<dyn Player> for CheatPerfect {
    fn seat(&self) -> Result<Box<dyn Player>, PlayError> {
        Ok(Box::new(self.clone()))
    }
}

impl Player for CheatPerfect {
    fn begin(&mut self, _: &Rules, _: &[GameKey]) -> Result<(), PlayError> {
        Ok(())
    }

    fn listens(&self) -> bool {
        false
    }

    fn uses_stars(&self) -> bool {
        self.stars.uses_stars()
    }

    fn vote(&mut self, batch: &mut Batch<'_, bool>) -> Result<(), PlayError> {
        self.stars.vote(batch);
        Ok(())
    }

    fn discard(&mut self, batch: &mut Batch<'_, u8>) -> Result<(), PlayError> {
        self.stars.discard_each(batch);
        Ok(())
    }

    fn intend(&mut self, batch: &mut Batch<'_, Intent>) -> Result<(), PlayError> {
        const LICENCE: Option<Cheat> = Cheat::named(NAME);
        let Some(licence) = LICENCE else {
            let message =
                "only a strategy whose name begins with `cheat-` may see all hands".to_owned();
            return Err(PlayError { strategy: NAME.to_owned(), at: None, message });
        };
        batch.each_open(licence, |view, hands, intent| *intent = next(view, hands));
        Ok(())
    }
}

fn next(view: &View<'_>, hands: &[Cards]) -> Intent {
    let layout = view.layout();
    soonest(view, |pile, rank| {
        let before = layout.before(layout.card(pile, rank));
        hands.iter().all(|hand| hand.and(before).is_empty()).then_some(0.0)
    })
}
