//! Star policies: when a seat would have a star, shared by all families.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::belief::{Belief, log_none_within};
use super::within;
use crate::error::{InputError, read, unknown};
use crate::games::the_mind::player::Batch;
use crate::games::the_mind::view::View;

/// A star policy. It sees what the seat may see and nothing else. A seat with an empty hand agrees
/// to any star without being asked for its policy.
///
/// In files `star = "never"`, or a table such as
/// `star = { policy = "when-risk-above", risk = 0.3 }`; a bare name takes the defaults.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Stars {
    /// Never wants one.
    #[default]
    Never,
    /// Wants one where cards are likely to lie too close to call: see [`WhenRiskAbove`].
    WhenRiskAbove(WhenRiskAbove),
    /// Wants one where a weighted sum says so: see [`Learned`].
    Learned(Learned),
}

/// Wants a star where the chance that another hand holds a card within `margin` times the gap of
/// one's own playable card exceeds `risk`.
///
/// Timing errors grow with the gap, so that cards within that distance are likely to fall in the
/// wrong order. The chance is 1 - C(r-w, c) / C(r, c), for c cards in other hands among r values
/// that may still be out, of which w lie that close.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WhenRiskAbove {
    /// The chance above which it wants a star, 0 to 1.
    pub risk: f64,
    /// The share of the gap, 0 to 1, within which order is taken as doubtful.
    pub margin: f64,
}

impl Default for WhenRiskAbove {
    fn default() -> Self {
        WhenRiskAbove { risk: 0.3, margin: 0.2 }
    }
}

/// Wants a star where `bias + risk * R + stars * S + lives * L + level * V + cards * C` is above 0.
///
/// R is the chance of [`WhenRiskAbove`] at this `margin`, S and L the stars and lives held, V the
/// level over the last level, C the cards in all hands over those dealt. All but R are public, so
/// that the seats of a team differ by R alone. Any weights are legal, so that they can be searched.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Learned {
    /// The share of the gap, 0 to 1, within which order is taken as doubtful.
    pub margin: f64,
    /// The constant; weights are from -1,000 to 1,000.
    pub bias: f64,
    /// The weight of the chance that another hand holds a card too close to call, 0 to 1.
    pub risk: f64,
    /// The weight of each star held.
    pub stars: f64,
    /// The weight of each life held.
    pub lives: f64,
    /// The weight of the level's share of the last level, above 0 and at most 1.
    pub level: f64,
    /// The weight of the share of the level's cards that are in hands, above 0 and at most 1.
    pub cards: f64,
}

impl Default for Learned {
    /// As [`WhenRiskAbove`] at 0.5 with one star, two lives and halfway through; sooner with more
    /// stars, fewer lives and close to the end. Set by hand.
    fn default() -> Self {
        Learned {
            margin: 0.2,
            bias: -0.5,
            risk: 1.0,
            stars: 0.1,
            lives: -0.1,
            level: 0.2,
            cards: 0.0,
        }
    }
}

const NAMES: [&str; 3] = ["never", "when-risk-above", "learned"];

impl Stars {
    /// Reads a policy.
    ///
    /// # Errors
    /// At its key below `star`.
    pub fn from_json(value: &Value) -> Result<Stars, InputError> {
        let mut table = match value {
            Value::String(name) => return Stars::named(name, "", serde_json::Map::new()),
            Value::Object(table) => table.clone(),
            _ => {
                let message =
                    "this must be a policy's name, or a table with `policy` and its parameters";
                return Err(InputError::new("", value, message));
            }
        };
        match table.shift_remove("policy") {
            Some(Value::String(name)) => Stars::named(&name, "policy", table),
            Some(other) => Err(InputError::new("policy", other, "this must be a policy's name")),
            None => {
                let message = format!("this key is missing; known policies: {}", NAMES.join(", "));
                Err(InputError::new("policy", "", message))
            }
        }
    }

    fn named(
        name: &str,
        key: &str,
        parameters: serde_json::Map<String, Value>,
    ) -> Result<Stars, InputError> {
        match name {
            "never" => match parameters.keys().next() {
                None => Ok(Stars::Never),
                Some(extra) => Err(InputError::new(extra, "", "`never` has no parameters")),
            },
            "when-risk-above" => {
                let policy: WhenRiskAbove = read(&Value::Object(parameters))?;
                for (key, value) in [("risk", policy.risk), ("margin", policy.margin)] {
                    within(key, value, 0.0, 1.0)?;
                }
                Ok(Stars::WhenRiskAbove(policy))
            }
            "learned" => {
                let policy: Learned = read(&Value::Object(parameters))?;
                within("margin", policy.margin, 0.0, 1.0)?;
                for (key, value) in policy.weights() {
                    within(key, value, -1_000.0, 1_000.0)?;
                }
                Ok(Stars::Learned(policy))
            }
            _ => Err(InputError::new(key, name, unknown("star policy", name, NAMES))),
        }
    }

    /// The policy as files write it.
    pub fn to_json(&self) -> Value {
        match self {
            Stars::Never => "never".into(),
            Stars::WhenRiskAbove(policy) => serde_json::json!({
                "policy": "when-risk-above", "risk": policy.risk, "margin": policy.margin
            }),
            Stars::Learned(policy) => {
                let mut table = serde_json::json!({"policy": "learned", "margin": policy.margin});
                for (key, value) in policy.weights() {
                    table[key] = value.into();
                }
                table
            }
        }
    }

    /// Whether it may ever want a star.
    pub const fn uses_stars(&self) -> bool {
        !matches!(self, Stars::Never)
    }

    /// Whether the seat, which holds cards, would have a star now.
    pub fn would(&self, view: &View<'_>) -> bool {
        match self {
            Stars::Never => false,
            Stars::WhenRiskAbove(policy) => risk_of(view, policy.margin) > policy.risk,
            Stars::Learned(policy) => policy.sum(view) > 0.0,
        }
    }

    /// Answers a vote in each game.
    pub(super) fn vote(&self, batch: &mut Batch<'_, bool>) {
        batch.each(|_, _, view, vote| *vote = view.hand().is_empty() || self.would(view));
    }

    /// Names what goes with a star in each game.
    pub(super) fn discard_each(&self, batch: &mut Batch<'_, u8>) {
        batch.each(|_, _, view, pile| *pile = self.discard(view));
    }

    /// The pile whose playable card goes with a star: the one with the smaller gap, on equal gaps
    /// the first, since that card would have been played next.
    pub fn discard(&self, view: &View<'_>) -> u8 {
        nearest(view).map_or(0, |(pile, _)| pile as u8)
    }
}

/// The pile whose playable card has the smallest gap, and that gap.
fn nearest(view: &View<'_>) -> Option<(usize, f64)> {
    let piles = 0..view.layout().piles();
    let gaps = piles.filter_map(|pile| {
        let rank = view.layout().rank(view.playable(pile)?);
        Some((pile, Belief::of(view, pile).gap(rank)))
    });
    gaps.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// The chance of a card in another hand within `margin` times the gap of the own one that is next.
fn risk_of(view: &View<'_>, margin: f64) -> f64 {
    let Some((pile, gap)) = nearest(view) else {
        return 0.0;
    };
    let layout = view.layout();
    let Some(card) = view.playable(pile) else {
        return 0.0;
    };
    let rank = layout.rank(card);
    let reach = libm::floor(margin * gap) as u8;
    let high = rank.saturating_add(reach).min(layout.size());
    let low = rank.saturating_sub(reach.saturating_add(1));
    let close = layout.up_to(pile, high).minus(layout.up_to(pile, low));
    let out = Belief::may_be_out(view);
    match log_none_within(out.len(), out.and(close).len(), u32::from(view.hidden())) {
        Some(log) => 1.0 - libm::exp(-log),
        None => 1.0,
    }
}

impl Learned {
    fn weights(&self) -> [(&'static str, f64); 6] {
        [
            ("bias", self.bias),
            ("risk", self.risk),
            ("stars", self.stars),
            ("lives", self.lives),
            ("level", self.level),
            ("cards", self.cards),
        ]
    }

    fn sum(&self, view: &View<'_>) -> f64 {
        let rules = view.rules();
        let (level, players) = (f64::from(view.level()), rules.players() as f64);
        let left = f64::from(view.hidden() + view.size(view.seat()));
        self.bias
            + self.risk * risk_of(view, self.margin)
            + self.stars * f64::from(view.stars())
            + self.lives * f64::from(view.lives())
            + self.level * level / f64::from(rules.levels())
            + self.cards * left / (players * level)
    }
}
