//! The rungs of a ladder: whether each strategy stands above the one before it.

use super::{Builder, Row, ends};
use crate::experiment::plan::{Cell, Plan};
use crate::experiment::results::{CONFIDENCE, Estimate, lineup_figures};
use crate::experiment::tally::{Layout, ScoreTally};
use crate::output::{Table, real};
use crate::stats::{Interval, difference, holm};

const COLUMNS: [&str; 9] = [
    "one_share",
    "one_share_low",
    "one_share_high",
    "one_p_holm",
    "held_share",
    "held_share_low",
    "held_share_high",
    "held_p_holm",
    "proven",
];

/// A row for each cell and rung. A rung is proven where one of the strategy above among those below
/// takes more than parity, and those above hold one of those below beneath parity, both with
/// p < 0.05 by Holm's correction over all rungs of the run.
pub(super) fn table(plan: &Plan, tallies: &[ScoreTally]) -> Table {
    let mut table = Builder::without_parameters(plan, &["below", "above"], &COLUMNS);
    let mut rungs = Vec::new();
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let layout = cell.layout();
        // The design makes two line-ups for each rung.
        for lineup in (0..cell.lineups.len()).step_by(2) {
            let way = |lineup| Way::of(cell, &layout, tally, lineup);
            rungs.push((cell, way(lineup), way(lineup + 1)));
        }
    }
    let p: Vec<f64> = rungs.iter().flat_map(|(_, one, held)| [one.p(1.0), held.p(-1.0)]).collect();
    let p = holm(&p);
    for ((cell, one, held), p) in rungs.iter().zip(p.chunks(2)) {
        let proven = p.iter().all(|&p| p < 1.0 - CONFIDENCE);
        let mut figures = Vec::new();
        for (way, p) in [one, held].into_iter().zip(p) {
            figures.push(real(way.share.mean));
            figures.extend(ends(&way.share));
            figures.push(real(Some(*p)));
        }
        figures.push(u8::from(proven).to_string());
        let names = vec![table.label(held.strategy), table.label(one.strategy)];
        table.push(Row { cell, lineup: None, names, strategy: None, figures });
    }
    table.table
}

/// One strategy among others.
struct Way {
    strategy: usize,
    share: Estimate,
    parity: f64,
}

impl Way {
    fn of(cell: &Cell, layout: &Layout, tally: &ScoreTally, lineup: usize) -> Way {
        let strategy = cell.lineups[lineup].seats[0];
        let slots = layout.lineups[lineup].slots.iter();
        let mut places = slots.map(|slot| layout.strategies[slot.strategy]);
        let slot = places.position(|number| number == strategy).unwrap_or(0);
        let share = lineup_figures(layout, tally, lineup, slot).win_share;
        Way { strategy, share, parity: 1.0 / cell.players as f64 }
    }

    /// The two-sided p-value of parity; 1 where the share lies on the other side of it.
    fn p(&self, side: f64) -> f64 {
        let Estimate { mean: Some(mean), interval: Some(interval) } = self.share else {
            return 1.0;
        };
        let parity = (self.parity, Interval { low: self.parity, high: self.parity });
        let found = difference(parity, (mean, interval), CONFIDENCE);
        found.map_or(1.0, |found| if found.value * side > 0.0 { found.p } else { 1.0 })
    }
}
