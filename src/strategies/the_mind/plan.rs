//! Plans as parameters: what a strategy believes that others follow.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::clock;
use super::threshold::{self, Pressure};
use super::{Exponential, Linear, Power, Strategy, Threshold};
use crate::error::{InputError, read, short, unknown};
use crate::games::the_mind::player::Sight;
use crate::games::the_mind::view::View;

const NAMES: [&str; 4] = [Linear::NAME, Power::NAME, Exponential::NAME, Threshold::NAME];

/// `threshold` with its defaults, as files write a plan.
pub(super) fn default() -> Value {
    let mut table = Map::from_iter([("family".to_owned(), Threshold::NAME.into())]);
    if let Ok(Value::Object(own)) = serde_json::to_value(threshold::Parameters::default()) {
        table.extend(own);
    }
    table.into()
}

/// The strategy with these parameters, those left out at their defaults.
fn family<S: Strategy<Parameters: DeserializeOwned>>(
    own: Map<String, Value>,
) -> Result<S, InputError> {
    S::new(read(&Value::Object(own))?)
}

/// A plan: the wait for a card, whoever holds it.
#[derive(Debug, Clone)]
pub(super) enum Plan {
    Linear(Linear),
    Power(Power),
    Exponential(Exponential),
    Threshold(Threshold),
}

impl Plan {
    /// Reads a plan: a family's name, or a table of it as `family` with its parameters beside it, those
    /// left out at their defaults.
    ///
    /// # Errors
    /// The parameter that will not do, as the error's key.
    pub(super) fn from_json(value: &Value) -> Result<Plan, InputError> {
        let (key, name, own) = match value {
            Value::String(_) => ("", value.clone(), Map::new()),
            Value::Object(table) => {
                let mut own = table.clone();
                ("family", own.shift_remove("family").unwrap_or_default(), own)
            }
            _ => ("", Value::Null, Map::new()),
        };
        match name.as_str() {
            Some(Linear::NAME) => Ok(Plan::Linear(family(own)?)),
            Some(Power::NAME) => Ok(Plan::Power(family(own)?)),
            Some(Exponential::NAME) => Ok(Plan::Exponential(family(own)?)),
            Some(Threshold::NAME) => Ok(Plan::Threshold(family(own)?)),
            Some(other) => Err(InputError::new(key, other, unknown("plan", other, NAMES))),
            None => {
                let what = format!(
                    "a plan must be one of {}, or a table such as {{ family = \"linear\", pace = \
                     1.5 }}",
                    NAMES.join(", ")
                );
                Err(InputError::new("", short(value), what))
            }
        }
    }

    /// What so many cards in all hands, among so many values that may be held, do to the waits.
    pub(super) fn pressure(&self, cards: f64, room: f64) -> Option<Pressure> {
        match self {
            Plan::Threshold(plan) => Some(plan.pressure(cards, room)),
            _ => None,
        }
    }

    /// The seconds that it waits for a card at a gap, with so many values between.
    pub(super) fn seconds(&self, pressure: Option<Pressure>, gap: f64, between: f64) -> f64 {
        match (self, pressure) {
            (Plan::Threshold(plan), Some(pressure)) => plan.seconds(pressure, between),
            (Plan::Threshold(_), None) => 0.0,
            (Plan::Linear(plan), _) => plan.at(gap),
            (Plan::Power(plan), _) => plan.at(gap),
            (Plan::Exponential(plan), _) => plan.at(gap),
        }
    }

    /// The seconds that it gives each rank of a blind pile.
    pub(super) fn beat(&self, view: &View<'_>) -> f64 {
        clock::beat(view, |gap| match self {
            Plan::Linear(plan) => plan.at(gap),
            Plan::Power(plan) => plan.at(gap),
            Plan::Exponential(plan) => plan.at(gap),
            Plan::Threshold(plan) => plan.evenly(view, gap),
        })
    }

    /// See [`Strategy::plan`].
    pub(super) fn plan(&self, view: &View<'_>, seen: &Sight) -> Option<f64> {
        match self {
            Plan::Linear(plan) => plan.plan(view, &(), seen),
            Plan::Power(plan) => plan.plan(view, &(), seen),
            Plan::Exponential(plan) => plan.plan(view, &(), seen),
            Plan::Threshold(plan) => plan.plan(view, &(), seen),
        }
    }
}
