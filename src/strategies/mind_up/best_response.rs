//! `best-response`: a searcher that is told by what the others play.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::playout::{self, Mover, Playouts, Position, Search};
use super::policy::Policy;
use super::{Card, Decision, Desk, FAMILIES, Level, Strategy, View};
use crate::error::{InputError, unknown};
use crate::games::mind_up::player::{Player, Request};
use crate::games::mind_up::rules::MAX_HAND;
use crate::games::mind_up::{MAX_PLAYERS, Rules};
use crate::rng::{GameKey, Key, Rng};
use crate::strategies::Build;

/// Plays what does best in playouts in which the others play by a model.
///
/// In each deal of the hidden cards every other seat is asked, by the model, for its card of this
/// turn. In the turns after it the others play by the model too where it answers at once, and by
/// `policy` where it searches itself: what is gained against such a target is a lower bound. A model
/// is asked about a single turn, without what it may remember of the game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BestResponse {
    /// By what the others play: any strategy but a bot from outside.
    pub model: Model,
    /// Deals of the hidden cards in which the model is asked, 1 to 10,000.
    pub deals: u32,
    /// Playouts of each card, 1 to 100,000, spread over the deals.
    pub playouts: u32,
    /// The share of uniform choices among the own ones in a playout, and among those of others that
    /// play by `policy`, 0 to 1.
    pub noise: f64,
    /// What the own seat plays by in a playout.
    pub policy: Policy,
    /// Points that a card counts by its distance from the middle of the deck, where the tableau
    /// will be the next hand; -1,000 to 1,000.
    pub carries: f64,
}

impl Default for BestResponse {
    fn default() -> Self {
        BestResponse {
            model: Model::of("greedy"),
            deals: 20,
            playouts: 100,
            noise: 0.1,
            policy: Policy::greedy(),
            carries: 0.0,
        }
    }
}

/// A strategy that others are taken to play by: a table of `family` and `parameters`, which is what
/// the library makes of a name.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub struct Model {
    table: Value,
    build: Option<Arc<dyn Build<dyn Player>>>,
    /// The same as a policy, where it answers at once.
    policy: Option<Policy>,
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.table.fmt(f)
    }
}

impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        self.table == other.table
    }
}

impl Model {
    /// A family with its defaults, built when it is read.
    fn of(family: &str) -> Self {
        Model { table: family.into(), build: None, policy: None }
    }

    /// Whether a strategy of this family answers at once, so that it can be modelled to the end.
    pub fn is_whole(family: &str) -> bool {
        Policy::try_from(Value::from(family)).is_ok()
    }
}

impl TryFrom<Value> for Model {
    type Error = InputError;

    fn try_from(value: Value) -> Result<Self, InputError> {
        let name = value.get("family").unwrap_or(&value).as_str().unwrap_or_default();
        let Some(family) = FAMILIES.iter().find(|family| family.name == name) else {
            let what = unknown("family", name, FAMILIES.iter().map(|family| family.name));
            return Err(InputError::new("family", name, what));
        };
        if name == crate::bots::NAME {
            let what = "a bot from outside can't be a model, because nobody would see its failures";
            return Err(InputError::new("", name, what));
        }
        let mut parameters = (family.defaults)();
        if let Some(Value::Object(own)) = value.get("parameters") {
            parameters.extend(own.clone());
        }
        let build = Some((family.build)(&parameters)?);
        let policy = Model::is_whole(name).then(|| Policy::try_from(value.clone())).transpose()?;
        Ok(Model { table: value, build, policy })
    }
}

impl From<Model> for Value {
    fn from(model: Model) -> Value {
        model.table
    }
}

/// The player that is asked by the model, made once a game.
#[derive(Default)]
pub struct Asked(Option<Box<dyn Player>>);

/// The memory of a decision, one for each deal.
struct Deals {
    positions: Vec<Position>,
    plays: Vec<[Card; MAX_PLAYERS]>,
}

impl BestResponse {
    /// Deals the hidden cards anew so many times, and asks the model in each for every other seat.
    fn ask<L: Level>(
        &self,
        search: &Search<'_, L>,
        view: &View<'_, L>,
        asked: &mut Asked,
        rng: &mut Rng,
    ) -> Deals {
        let positions: Vec<_> = (0..self.deals).map(|_| search.deal(rng)).collect();
        let mut plays = vec![[0; MAX_PLAYERS]; positions.len()];
        let public = vec![*view.public(); positions.len()];
        let key = Key::root(rand::Rng::next_u64(rng));
        if asked.0.is_none() {
            asked.0 = self.model.build.as_ref().and_then(|build| build.seat().ok());
        }
        let Some(player) = &mut asked.0 else { return Deals { positions, plays } };
        for seat in view.others() {
            let seat_key = key.child(seat as u64);
            let keys: Vec<_> = (0..self.deals)
                .map(|deal| GameKey::new(seat_key.child(deal.into()), 0, 0))
                .collect();
            let mut rngs: Vec<Rng> = keys.iter().map(|key| key.deal().rng()).collect();
            let hands: Vec<u64> = positions.iter().map(|position| position.hand(seat)).collect();
            let mut own: Vec<Card> =
                hands.iter().map(|hand| hand.trailing_zeros() as Card).collect();
            player.begin(&keys);
            let request = Request {
                rules: view.rules(),
                seat,
                public: &public,
                hands: &hands,
                rngs: &mut rngs,
                plays: &mut own,
            };
            if player.choose(request).is_ok() {
                plays.iter_mut().zip(own).for_each(|(plays, card)| plays[seat] = card);
            }
        }
        Deals { positions, plays }
    }
}

impl Strategy for BestResponse {
    const NAME: &'static str = "best-response";
    const SUMMARY: &'static str = "a searcher that is told by what the others play";
    const STRATEGIES: &'static [&'static str] = &["model", "policy"];
    type Memory = Asked;

    fn check(&self) -> Result<(), InputError> {
        if !(1..=10_000).contains(&self.deals) {
            return Err(InputError::new("deals", self.deals, "this must be from 1 to 10000 deals"));
        }
        playout::check(self.playouts, self.noise, 0, self.carries)
    }

    fn prepare(&mut self, rules: &Rules) {
        self.policy.prepare(rules);
        if let Some(policy) = &mut self.model.policy {
            policy.prepare(rules);
        }
        if self.model.build.is_none() {
            self.model = Model::try_from(self.model.table.clone()).unwrap_or(self.model.clone());
        }
    }

    #[inline(always)]
    fn choose<L: Level>(&self, view: &View<'_, L>, desk: &mut Desk<'_, Asked>) -> Decision {
        let own = Mover { policy: &self.policy, noise: self.noise };
        let others = match &self.model.policy {
            Some(policy) => Mover { policy, noise: 0.0 },
            None => own,
        };
        let playouts = Playouts { own, others, horizon: 0, carries: self.carries };
        let search = Search::new(view, &playouts);
        let deals = self.ask(&search, view, desk.memory, desk.rng);
        let mut sums = [0.0; MAX_HAND];
        for playout in 0..self.playouts {
            let deal = (playout % self.deals) as usize;
            let (start, plays) = (deals.positions[deal], deals.plays[deal]);
            let cards = (view.seat(), view.hand());
            let mut places = sums.iter_mut();
            *desk.rng = search.each_of(start, plays, cards, desk.rng, |_, worth| {
                places.next().into_iter().for_each(|sum| *sum += worth);
            });
        }
        Decision::Play(playout::highest(view.hand(), &sums))
    }
}
