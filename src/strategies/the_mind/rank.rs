//! `rank`: waits by the probability that no lower card is out.

use serde::{Deserialize, Serialize};

use super::belief::{Belief, log_none_within};
use super::clock::by_clock;
use super::{Draws, Strategy, seconds, soonest};
use crate::error::InputError;
use crate::games::the_mind::player::{Intent, Sight};
use crate::games::the_mind::view::View;

/// Waits `-scale * (t / c) * ln p`, p being the probability that no other hand holds a lower card
/// of the pile: C(r-l, c) / C(r, c) for c cards in other hands among r values that may be out, of
/// which l are lower than the own card; t is the number of cards in all hands.
///
/// For small gaps that is the gap times the density of all cards. A bare `-ln p` would have seats
/// that face many cards wait longer than those that face few, whatever their own: with p's c-th
/// root seats with unequal hands wait alike.
///
/// Where somebody holds a lower card for certain it waits on, and where nobody else holds cards it
/// plays at once. In The Mind Extreme c is all hidden cards and r all values of both piles. A blind
/// pile goes by the [clock](super::clock), the mean gap being worth `scale` seconds.
#[derive(Debug, Clone)]
pub struct Rank {
    scale: f64,
}

/// The parameters of [`Rank`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parameters {
    /// Seconds for each factor of e by which p is below 1; above 0 and at most 1,000. A level
    /// takes about this long for each card, whatever the cards.
    pub scale: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters { scale: 5.0 }
    }
}

impl Strategy for Rank {
    type Parameters = Parameters;
    type Memory = ();
    const NAME: &'static str = "rank";
    const SUMMARY: &'static str = "Waits by the probability that no lower card is out";

    fn new(parameters: Parameters) -> Result<Self, InputError> {
        let scale = seconds("scale", parameters.scale)?;
        Ok(Rank { scale })
    }

    #[inline(always)]
    fn intend(&self, view: &View<'_>, _: &mut (), _: &mut Draws<'_>) -> Intent {
        let layout = view.layout();
        let out = Belief::may_be_out(view);
        let hidden = u32::from(view.hidden());
        let all = hidden + u32::from(view.size(view.seat()));
        let scale = self.scale * f64::from(all) / f64::from(hidden.max(1));
        soonest(view, |pile, rank| {
            if view.is_blind(pile) {
                return Some(by_clock(view, rank, |_| self.scale));
            }
            let lower = out.and(layout.before(layout.card(pile, rank)));
            log_none_within(out.len(), lower.len(), hidden).map(|log| scale * log)
        })
    }

    /// The own formula with the numbers of the seat that plays, all of which are public: t, c, and
    /// as r the values not seen and not below the top of an open pile, less its own cards and
    /// those that it played blind. None of its own cards is lower than the one it plays, so that l
    /// is the number of such values between the top and that card.
    fn plan(&self, view: &View<'_>, _: &(), seen: &Sight) -> Option<f64> {
        let layout = view.layout();
        let (seat, pile) = (seen.seat(), seen.pile());
        let open = Belief::may_be_held(view);
        let blind: u8 = (0..layout.piles()).map(|pile| view.blind_plays(seat, pile)).sum();
        let own = u32::from(view.size(seat) + blind);
        let all = u32::from(view.hidden() + view.size(view.seat()));
        let others = all - u32::from(view.size(seat));
        let lower = open.and(layout.before(layout.card(pile, seen.rank())));
        let log = log_none_within(open.len().saturating_sub(own), lower.len(), others)?;
        Some(self.scale * f64::from(all) / f64::from(others.max(1)) * log)
    }
}
