//! Policies: strategies that answer at once, so that searchers can play by them.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::greedy::{self, Greedy};
use super::linear::Linear;
use super::simple::{Highest, Lowest, Random};
use super::soft_greedy::SoftGreedy;
use super::threshold::Threshold;
use super::values::Values;
use super::{Card, Level, Objectives, Strategy, View};
use crate::error::{InputError, read, unknown};
use crate::games::mind_up::Rules;

/// A strategy that needs nothing but the view and one number.
pub trait Reflex: Copy {
    /// What it plays from a hand of two cards or more; `word` is a uniform random number, for those
    /// that mix.
    fn pick<L: Level>(&self, view: &View<'_, L>, values: &Values, word: u32) -> Card;
}

/// What the seats of a playout play by: one of the families that answer at once.
///
/// A file writes the name of a strategy, `policy = "linear"`, or a table with a `base`; what is read
/// here is what the library made of it: a table of `family` and `parameters`. A bare family's name
/// takes the family's defaults.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub struct Policy {
    kind: Kind,
    objectives: Objectives,
    /// The rules as one sees them who is blind to objectives, once they are known.
    blind: Option<Box<Rules>>,
}

macro_rules! kinds {
    ($($kind:ident),*) => {
        #[derive(Debug, Clone, Copy, PartialEq)]
        enum Kind {
            $($kind($kind)),*
        }

        impl Kind {
            /// The families that answer at once.
            const NAMES: &'static [&'static str] = &[$($kind::NAME),*];

            fn read(family: &str, parameters: &Value) -> Result<Kind, InputError> {
                $(if family == $kind::NAME {
                    return checked::<$kind>(parameters).map(Kind::$kind);
                })*
                let what = unknown("policy", family, Kind::NAMES.iter().copied());
                Err(InputError::new("family", family, what))
            }

            fn write(&self) -> (&'static str, Value) {
                match self {
                    $(Kind::$kind(kind) => {
                        ($kind::NAME, serde_json::to_value(kind).unwrap_or_default())
                    })*
                }
            }

            #[inline(always)]
            fn pick<L: Level>(&self, view: &View<'_, L>, values: &Values, word: u32) -> Card {
                match self {
                    $(Kind::$kind(kind) => kind.pick(view, values, word)),*
                }
            }
        }
    };
}

kinds!(Linear, Greedy, Random, SoftGreedy, Threshold, Lowest, Highest);

fn checked<S: Strategy + DeserializeOwned>(parameters: &Value) -> Result<S, InputError> {
    let strategy: S = read(parameters)?;
    strategy.check()?;
    Ok(strategy)
}

impl Policy {
    /// The policy of a family with its defaults.
    pub(super) fn greedy() -> Self {
        Policy { kind: Kind::Greedy(Greedy {}), objectives: Objectives::Play, blind: None }
    }

    /// Prepares for these rules.
    pub(super) fn prepare(&mut self, rules: &Rules) {
        self.blind = self.objectives.blind(rules).map(Box::new);
    }

    /// What it plays from a hand of two cards or more.
    #[inline(always)]
    pub(super) fn pick<L: Level>(&self, view: &View<'_, L>, values: &Values, word: u32) -> Card {
        match &self.blind {
            None => self.kind.pick(view, values, word),
            Some(rules) => self.kind.pick(&view.under(rules), values, word),
        }
    }

    /// Whether every choice is uniform.
    pub(super) fn is_random(&self) -> bool {
        matches!(self.kind, Kind::Random(_))
    }
}

impl TryFrom<Value> for Policy {
    type Error = InputError;

    fn try_from(value: Value) -> Result<Self, InputError> {
        let (family, mut parameters) = match value {
            Value::String(family) => (family, Map::new()),
            Value::Object(mut table) => {
                match (table.remove("family"), table.remove("parameters")) {
                    (Some(Value::String(family)), Some(Value::Object(parameters))) => {
                        (family, parameters)
                    }
                    _ => return Err(InputError::new("", "", WANTED)),
                }
            }
            other => return Err(InputError::new("", other, WANTED)),
        };
        let objectives = Objectives::take(&mut parameters)?;
        let kind = Kind::read(&family, &Value::Object(parameters))?;
        Ok(Policy { kind, objectives, blind: None })
    }
}

const WANTED: &str =
    "this must be the name of a strategy that answers at once, or a table with its `base`";

impl From<Policy> for Value {
    fn from(policy: Policy) -> Value {
        let (family, mut parameters) = policy.kind.write();
        if let Some(parameters) = parameters.as_object_mut() {
            policy.objectives.put(parameters);
        }
        serde_json::json!({"family": family, "parameters": parameters})
    }
}

impl Reflex for Random {
    #[inline(always)]
    fn pick<L: Level>(&self, view: &View<'_, L>, _: &Values, word: u32) -> Card {
        uniform(view, word)
    }
}

/// Any card of the hand: uniform to within 2^-27 for the largest hands.
#[inline(always)]
pub(super) fn uniform<L: Level>(view: &View<'_, L>, word: u32) -> Card {
    view.nth_card(((u64::from(word) * u64::from(view.hand_size())) >> 32) as u32)
}

impl Reflex for Lowest {
    #[inline(always)]
    fn pick<L: Level>(&self, view: &View<'_, L>, _: &Values, _: u32) -> Card {
        view.hand().trailing_zeros() as Card
    }
}

impl Reflex for Highest {
    #[inline(always)]
    fn pick<L: Level>(&self, view: &View<'_, L>, _: &Values, _: u32) -> Card {
        (63 - view.hand().leading_zeros()) as Card
    }
}

impl Reflex for Greedy {
    #[inline(always)]
    fn pick<L: Level>(&self, view: &View<'_, L>, _: &Values, _: u32) -> Card {
        greedy::choice(view)
    }
}
