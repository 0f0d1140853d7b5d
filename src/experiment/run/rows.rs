//! Single games as rows of `games.csv`.

use std::ops::Range;

use super::arena::{Arena, Engine};
use crate::experiment::lineups::Lineup;
use crate::experiment::plan::Plan;
use crate::experiment::tally::Tally;
use crate::games::GameId;

/// A writer into memory, for the rows of a block.
pub(super) fn row_writer() -> csv::Writer<Vec<u8>> {
    csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new())
}

/// The columns of `games.csv`.
pub fn columns(plan: &Plan) -> Vec<String> {
    let most = plan.cells.iter().map(|cell| cell.players).max().unwrap_or(0);
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
    /// Writes a row for each game of a line-up's rotation.
    pub(super) fn write_rows(
        &self,
        rows: &mut csv::Writer<Vec<u8>>,
        lineup: &Lineup,
        rotation: usize,
        deals: Range<u64>,
        outcomes: &[<E::Tally as Tally>::Outcome],
    ) {
        let most = self.plan.cells.iter().map(|cell| cell.players).max().unwrap_or(0);
        for (deal, outcome) in deals.zip(outcomes) {
            let number = lineup.first_game + deal * lineup.rotations as u64 + rotation as u64;
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
            // Writing into memory can't fail.
            let _ = rows.write_record(&row);
        }
    }
}
