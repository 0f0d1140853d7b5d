//! Bodies: what turns an intended wait into the moment at which a card hits the table.

use serde::{Deserialize, Serialize};

use super::player::{LONGEST, bounded};
use crate::error::InputError;
use crate::rng::{Normal, Rng};

/// When a body draws its timing errors.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Noise {
    /// Anew for each intent.
    #[default]
    Redraw,
    /// Once a level (and attempt).
    Persistent,
}

/// One player's timing. The default has none of these: a perfect clock.
///
/// `moment = wait * tempo * max(0, 1 + cv * z) + jitter * z'`, never below 0, z and z' standard
/// normal.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Body {
    /// Weber fraction of interval timing: the error grows with the interval. 0 to 10.
    #[schemars(range(min = 0, max = 10))]
    pub cv: f64,
    /// The tempo is `exp(tempo_spread * z)`, drawn once a game. 0 to 3.
    #[schemars(range(min = 0, max = 3))]
    pub tempo_spread: f64,
    /// Seconds of error that do not depend on the interval. 0 to 1,000.
    #[schemars(range(min = 0, max = 1000))]
    pub jitter: f64,
    /// Seconds after another's play within which a card can't be held back any more. 0 to 1,000.
    #[schemars(range(min = 0, max = 1000))]
    pub reaction: f64,
    /// The share of the way that the tempo moves to the pace seen, after each open play of
    /// another. 0 to 1.
    ///
    /// The pace seen is the seconds from the last event to the play over those that the own plan
    /// would have waited for that card; see [`Player::plan`](super::player::Player::plan).
    #[schemars(range(min = 0, max = 1))]
    pub adaptation: f64,
    /// When errors are drawn.
    pub noise: Noise,
}

impl Body {
    /// Checks every range.
    ///
    /// # Errors
    /// The parameter out of range, as the error's key.
    pub fn check(&self) -> Result<(), InputError> {
        let ranges = [
            ("cv", self.cv, 10.0),
            ("tempo_spread", self.tempo_spread, 3.0),
            ("jitter", self.jitter, 1_000.0),
            ("reaction", self.reaction, 1_000.0),
            ("adaptation", self.adaptation, 1.0),
        ];
        for (key, value, high) in ranges {
            if !(0.0..=high).contains(&value) {
                return Err(InputError::new(key, value, format!("this must be from 0 to {high}")));
            }
        }
        Ok(())
    }

    /// Whether it draws errors at all.
    pub(super) fn is_noisy(&self) -> bool {
        self.cv != 0.0 || self.jitter != 0.0
    }

    /// Whether it draws a Weber fraction's error anew for each intent, and no other.
    pub(super) fn is_weber(&self) -> bool {
        self.noise == Noise::Redraw && self.cv != 0.0 && self.jitter == 0.0
    }
}

/// A body in play: its generator and its tempo now.
#[derive(Debug, Clone)]
pub(super) struct Stopwatch {
    rng: Rng,
    pub(super) tempo: f64,
    z: [f64; 2],
}

impl Stopwatch {
    /// A perfect clock.
    pub(super) fn new() -> Self {
        Stopwatch { rng: Rng::new(1), tempo: 1.0, z: [0.0; 2] }
    }

    /// The game begins: draws the tempo. The generator is that of the first level, before all
    /// else that it draws, so that it depends on nothing that is played.
    pub(super) fn begin_game(&mut self, normal: Normal, body: &Body, rng: &mut Rng) {
        self.tempo = if body.tempo_spread == 0.0 {
            1.0
        } else {
            libm::exp(body.tempo_spread * normal.draw(rng))
        };
    }

    /// A level begins, with a generator of its own.
    pub(super) fn begin_level(&mut self, normal: Normal, body: &Body, rng: Rng) {
        self.rng = rng;
        if body.noise == Noise::Persistent {
            self.z = self.draw(normal, body);
        }
    }

    /// z and z', each drawn only where it counts.
    #[inline(always)]
    fn draw(&mut self, normal: Normal, body: &Body) -> [f64; 2] {
        [
            if body.cv == 0.0 { 0.0 } else { normal.draw(&mut self.rng) },
            if body.jitter == 0.0 { 0.0 } else { normal.draw(&mut self.rng) },
        ]
    }

    /// Seconds after the last event at which a card falls that is meant to after `wait`.
    #[inline(always)]
    pub(super) fn moment(&mut self, normal: Normal, body: &Body, wait: f64) -> f64 {
        let z = match body.noise {
            Noise::Redraw => self.draw(normal, body),
            Noise::Persistent => self.z,
        };
        let stretch = 1.0 + body.cv * z[0];
        let stretch = if stretch > 0.0 { stretch } else { 0.0 };
        let moment = bounded(wait) * self.tempo * stretch + body.jitter * z[1];
        bounded(moment)
    }

    /// The same where [`Body::is_weber`].
    #[inline(always)]
    pub(super) fn weber(&mut self, normal: Normal, body: &Body, wait: f64) -> f64 {
        let stretch = 1.0 + body.cv * normal.draw(&mut self.rng);
        let stretch = if stretch > 0.0 { stretch } else { 0.0 };
        let moment = bounded(wait) * self.tempo * stretch;
        // No factor is negative or infinite, so that `bounded` would ask too much.
        if moment < LONGEST { moment } else { LONGEST }
    }

    /// Another played after so many seconds, where the own plan would have waited for `plan`
    /// seconds: the tempo moves towards that pace.
    ///
    /// The pace seen, as a tempo of the own plan, is taken as no further than a factor of 4 from
    /// the plan. Source of the shape: linear period correction (Repp and Su, Psychon. Bull. Rev.
    /// 20, 2013); the bounds are ours.
    pub(super) fn adapt(&mut self, body: &Body, seconds: f64, plan: f64) {
        if plan > 0.0 {
            let pace = (seconds / plan).clamp(0.25, 4.0);
            self.tempo += body.adaptation * (pace - self.tempo);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Key;

    #[test]
    fn parameters_have_ranges() {
        assert!(Body::default().check().is_ok());
        for body in [
            Body { cv: -0.1, ..Body::default() },
            Body { adaptation: 1.1, ..Body::default() },
            Body { reaction: f64::NAN, ..Body::default() },
            Body { tempo_spread: f64::INFINITY, ..Body::default() },
        ] {
            assert!(body.check().is_err(), "{body:?}");
        }
    }

    #[test]
    fn a_perfect_clock_is_exact() {
        let mut watch = Stopwatch::new();
        assert_eq!(watch.moment(Normal::new(), &Body::default(), 12.5), 12.5);
        assert_eq!(watch.moment(Normal::new(), &Body::default(), f64::NAN), 0.0);
        assert_eq!(watch.moment(Normal::new(), &Body::default(), f64::INFINITY), LONGEST);
    }

    #[test]
    fn persistent_errors_last_a_level() {
        let body = Body { cv: 0.1, jitter: 0.1, noise: Noise::Persistent, ..Body::default() };
        let mut watch = Stopwatch::new();
        watch.begin_level(Normal::new(), &body, Key::root(1).rng());
        let first = watch.moment(Normal::new(), &body, 10.0);
        assert_eq!(watch.moment(Normal::new(), &body, 10.0), first);
        watch.begin_level(Normal::new(), &body, Key::root(2).rng());
        assert_ne!(watch.moment(Normal::new(), &body, 10.0), first);
    }

    #[test]
    fn the_tempo_moves_a_share_of_the_way() {
        let body = Body { adaptation: 0.5, ..Body::default() };
        let mut watch = Stopwatch::new();
        watch.adapt(&body, 30.0, 10.0);
        assert_eq!(watch.tempo, 2.0);
        // Never further than to a quarter of the plan's pace.
        watch.adapt(&body, 0.0, 10.0);
        assert_eq!(watch.tempo, 1.125);
        // A card that the plan would have played at once tells nothing.
        watch.adapt(&body, 1.0, 0.0);
        assert_eq!(watch.tempo, 1.125);
    }
}
