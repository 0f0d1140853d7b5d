//! Single games as rows of `games.csv`.

use std::ops::Range;

use super::arena::{Arena, Engine};
use crate::experiment::lineups::Lineup;
use crate::experiment::plan::Plan;
use crate::experiment::tally::Tally;
use crate::games::GameId;

/// The rows of a block, each with its deal and its game's number.
pub(super) type Rows = Vec<(u64, u64, Vec<String>)>;

/// A block's rows as CSV, by deal, line-up and rotation: an order that does not depend on how deals
/// fall into blocks.
pub(super) fn to_csv(mut rows: Rows) -> Vec<u8> {
    rows.sort_unstable_by_key(|&(deal, number, _)| (deal, number));
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    for (_, _, row) in rows {
        // Writing into memory can't fail.
        let _ = writer.write_record(&row);
    }
    writer.into_inner().unwrap_or_default()
}

/// The columns of `games.csv`.
pub fn columns(plan: &Plan) -> Vec<String> {
    let most = plan.most_players();
    let fixed = ["game_number", "cell", "lineup", "deal", "rotation", "players"];
    let mut columns: Vec<String> = fixed.map(str::to_owned).to_vec();
    columns.extend((0..most).map(|seat| format!("strategy_{seat}")));
    match plan.game {
        GameId::MindUp => {
            columns.extend((0..most).map(|seat| format!("score_{seat}")));
            columns.push("winners".to_owned());
        }
        GameId::TheMind | GameId::TheMindExtreme => {
            let ends = ["won", "levels_done", "lives", "stars", "mistakes", "seconds"];
            columns.extend(ends.map(str::to_owned));
        }
    }
    columns
}

impl<E: Engine> Arena<'_, E> {
    /// Adds a row for each game of a line-up's rotation.
    pub(super) fn write_rows(
        &self,
        rows: &mut Rows,
        lineup: &Lineup,
        rotation: usize,
        deals: Range<u64>,
        outcomes: &[<E::Tally as Tally>::Outcome],
    ) {
        let most = self.plan.most_players();
        for (deal, outcome) in deals.zip(outcomes) {
            let number = lineup.game(deal, rotation);
            let fixed = [number, self.cell.index as u64, lineup.index as u64, deal];
            let mut row: Vec<String> = fixed.map(|number| number.to_string()).to_vec();
            row.extend([rotation.to_string(), self.cell.players.to_string()]);
            row.extend((0..most).map(|seat| {
                let sits = (seat < self.cell.players).then(|| lineup.strategy(rotation, seat));
                sits.map_or(String::new(), |number| self.plan.strategies[number].label.clone())
            }));
            let mut end = self.engine.row(outcome);
            // Seats that a smaller cell does not have.
            let missing = if E::PER_SEAT { most - self.cell.players } else { 0 };
            let place = end.len().min(self.cell.players);
            end.splice(place..place, std::iter::repeat_n(String::new(), missing));
            row.extend(end);
            rows.push((deal, number, row));
        }
    }
}
