//! The findings in lines for a person.

use std::fmt::Write;

use super::{Analysis, Fault, Mistake, Moment, Play, Seat};
use crate::strategies::library::bare;

impl Analysis {
    /// The findings for a person.
    pub fn text(&self) -> String {
        let mut out = format!("{}, {} players", self.game, self.seats.len());
        match self.pace {
            Some(pace) => {
                let _ = writeln!(out, ", pace {pace:.2} seconds a number.");
            }
            None => out += "; no times, so only odds.\n",
        }
        out += "Odds are that a lower card was in another hand, by what the seat saw.\n";
        let mut entry = None;
        for (index, play) in self.plays.iter().enumerate() {
            if entry.replace(play.entry) != Some(play.entry) {
                let _ = writeln!(out, "\nLevel {}", play.level);
            }
            let _ = writeln!(out, "  {}", play.line());
            for mistake in self.mistakes.iter().filter(|found| found.play == index) {
                mistake.lines(play, &mut out);
            }
        }
        out += "\nSeats\n";
        for seat in &self.seats {
            let _ = writeln!(out, "  {}", seat.line());
        }
        out
    }
}

impl Play {
    fn line(&self) -> String {
        let Moment { seat, card, gap, lower_out, fair } = &self.moment;
        let mut line =
            format!("seat {seat} plays {:>3}, gap {gap:>3}, odds {lower_out:.2}", bare(card));
        if let (Some(waited), Some(fair)) = (self.waited, fair) {
            let _ = write!(line, ", waited {waited:.1} s, fair {fair:.1} s");
        }
        line
    }
}

impl Mistake {
    fn lines(&self, play: &Play, out: &mut String) {
        for held in &self.held {
            let fair = held.fair.map(|fair| format!(", fair {fair:.1} s"));
            let _ = writeln!(
                out,
                "    a mistake: seat {} held {}, gap {}, odds {:.2}{}",
                held.seat,
                bare(&held.card),
                held.gap,
                held.lower_out,
                fair.unwrap_or_default()
            );
        }
        let by = if play.waited.is_some() && play.moment.fair.is_some() {
            "by the clock"
        } else {
            "by the odds"
        };
        let fault = match self.fault {
            Fault::TooEarly => "played too early",
            Fault::TooLate => "held its card too long",
        };
        let _ = writeln!(out, "    seat {} {fault}, {by}", self.seat);
    }
}

impl Seat {
    fn line(&self) -> String {
        let mut line = format!("seat {}: {} plays", self.seat, self.plays);
        if let Some(odds) = self.lower_out {
            let _ = write!(line, ", mean odds {odds:.2}");
        }
        if let Some(ratio) = self.waited_to_fair {
            let _ = write!(line, ", waits {ratio:.2} of the fair time");
        }
        let _ = write!(line, "; {} times too early, {} too late", self.too_early, self.too_late);
        line
    }
}
