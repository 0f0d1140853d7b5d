//! The rungs of a ladder: whether each strategy stands above the one before it.

use super::{Builder, Row, estimate_columns, estimate_fields};
use crate::experiment::plan::{Cell, Plan};
use crate::experiment::results::{CONFIDENCE, Estimate, lineup_figures, lineup_share};
use crate::experiment::tally::{Layout, ScoreTally};
use crate::output::{Table, real};
use crate::stats::{Share, holm};

/// The columns of a rung's figures.
fn columns() -> Vec<String> {
    let mut columns = Vec::new();
    for way in ["one", "held"] {
        columns.extend(estimate_columns(&format!("{way}_share"), &format!("{way}_share")));
        columns.push(format!("{way}_p_holm"));
    }
    columns.push("proven".to_owned());
    columns
}

/// A row for each cell and rung. A rung is proven where one of the strategy above among those below
/// takes more than parity, and those above hold one of those below beneath parity, both with
/// p < 0.05 by Holm's correction over all rungs of the run.
pub(super) fn table(plan: &Plan, tallies: &[ScoreTally]) -> Table {
    let mut table = Builder::without_parameters(plan, &["below", "above"], &columns());
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
            figures.extend(estimate_fields(&way.share));
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
    test: Option<Share>,
    parity: f64,
}

impl Way {
    fn of(cell: &Cell, layout: &Layout, tally: &ScoreTally, lineup: usize) -> Way {
        let strategy = cell.lineups[lineup].seats[0];
        let slots = layout.lineups[lineup].slots.iter();
        let mut places = slots.map(|slot| layout.strategies[slot.strategy]);
        let slot = places.position(|number| number == strategy).unwrap_or(0);
        Way {
            strategy,
            share: lineup_figures(layout, tally, lineup, slot).win_share,
            test: lineup_share(layout, tally, lineup, slot),
            parity: 1.0 / cell.players as f64,
        }
    }

    /// The two-sided p-value of parity; 1 where the share lies on the other side of it, above for
    /// `side` 1 and below for -1.
    fn p(&self, side: f64) -> f64 {
        let one_sided = self.test.as_ref().and_then(|share| match side > 0.0 {
            true => share.p_above(self.parity),
            false => share.p_below(self.parity),
        });
        one_sided.map_or(1.0, |p| (2.0 * p).min(1.0))
    }
}
