//! Plans as parameters: what a strategy believes that others follow.

use serde::{Deserialize, Serialize};

use super::clock;
use super::threshold::Pressure;
use super::{Exponential, Linear, Power, Strategy, Threshold};
use super::{exponential, linear, power, threshold};
use crate::error::InputError;
use crate::games::the_mind::player::Sight;
use crate::games::the_mind::view::View;

/// A plan in files: the family's name as `family`, and its parameters beside it, those left out at
/// their defaults.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "kebab-case")]
pub enum Parameters {
    /// As [`Linear`].
    Linear(linear::Parameters),
    /// As [`Power`].
    Power(power::Parameters),
    /// As [`Exponential`].
    Exponential(exponential::Parameters),
    /// As [`Threshold`].
    Threshold(threshold::Parameters),
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
    /// The plan with these parameters.
    ///
    /// # Errors
    /// The parameter that will not do, as the error's key.
    pub(super) fn new(parameters: &Parameters) -> Result<Plan, InputError> {
        Ok(match parameters.clone() {
            Parameters::Linear(own) => Plan::Linear(Linear::new(own)?),
            Parameters::Power(own) => Plan::Power(Power::new(own)?),
            Parameters::Exponential(own) => Plan::Exponential(Exponential::new(own)?),
            Parameters::Threshold(own) => Plan::Threshold(Threshold::new(own)?),
        })
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
