//! Games told in a terminal: which game of a run it is, and its cards in their colours.

use crate::error::InputError;
use crate::experiment::plan::{Place, Plan};
use crate::experiment::replay::{Played, PlayedGame};
use crate::games::mind_up;
use crate::games::paint::{self, Paint};
use crate::games::record::{Illegal, parse};
use crate::safe::safe;

/// The place of a game by its number.
///
/// # Errors
/// A number that the run does not have; the message says how many there are.
pub fn place(plan: &Plan, game: u64) -> Result<Place, InputError> {
    plan.place(game).ok_or_else(|| {
        let what = match plan.games() {
            0 => "this run has no games".to_owned(),
            1 => "this run has 1 game, number 0".to_owned(),
            games => format!("this run has {games} games, 0 to {}", games - 1),
        };
        InputError::new("--game", game, what)
    })
}

/// `Game 17: 4 players, objectives=1; greedy+random+random+random, deal 4, rotation 1`.
pub fn heading(plan: &Plan, game: u64, place: Place) -> String {
    let Some(cell) = plan.cells.get(place.cell) else {
        return format!("Game {game}");
    };
    let lineup = cell.lineups.get(place.lineup);
    let seats =
        lineup.map_or_else(String::new, |lineup| lineup.seat_labels(&plan.strategies).join("+"));
    format!(
        "Game {game}: {}; {seats}, deal {}, rotation {}",
        cell.title(),
        place.deal,
        place.rotation
    )
}

/// A game told for a person, [`safe`] for a terminal.
///
/// # Errors
/// Never for a game that mindlab played: the referee finds its own records legal.
pub fn game(played: &Played, paint: Paint) -> Result<String, Illegal> {
    match &played.game {
        PlayedGame::MindUp(..) => {
            let value = parse(&played.line())?;
            mind_up::tell::tell_painted(&value, &played.names, paint)
        }
        PlayedGame::TheMind(..) => Ok(minds(&safe(&played.tell()?), paint)),
    }
}

/// Colours a told game of one of the Minds. In The Mind all cards are alike, so that only what
/// happened is coloured; in The Mind Extreme a card's letter is its colour.
fn minds(text: &str, paint: Paint) -> String {
    if paint == Paint::Plain {
        return text.to_owned();
    }
    let mut out = String::new();
    // Names stand in the head, where `r2` may be anybody.
    let mut head = true;
    for line in text.lines() {
        head &= !line.starts_with("Level ");
        match head {
            true => out.push_str(line),
            false => out.push_str(&minds_line(line, paint)),
        }
        out.push('\n');
    }
    out
}

fn minds_line(line: &str, paint: Paint) -> String {
    if line.starts_with("Level ") || line.starts_with("The team") {
        return paint.with(paint::BOLD, line);
    }
    let words = line.split(' ').map(|word| {
        let card = word.trim_end_matches(',');
        let number = |letter| {
            let rest: &str = card.strip_prefix(letter).unwrap_or_default();
            !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit())
        };
        if number('r') {
            paint.with(paint::RED, word)
        } else if number('w') {
            paint.with(paint::WHITE, word)
        } else if word == "mistake:" {
            paint.with(paint::ALARM, word)
        } else {
            word.to_owned()
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_of_an_endless_run_is_played_at_once() {
        use crate::experiment::replay::play;
        use crate::experiment::spec::{Overrides, Spec};
        let text = "name = \"x\"\ngame = \"mind-up\"\nplayers = [3, 5]\n\
                    games = 100_000_000_000\nstrategies = [\"greedy\", \"random\"]\n\
                    design = \"all-vs-all\"";
        let folder = std::path::Path::new("");
        let spec = Spec::from_toml(text, folder, &Overrides::default()).unwrap();
        let plan = Plan::new(&spec, &crate::strategies::Library::default()).unwrap();
        let last = plan.games() - 1;
        let place = place(&plan, last).unwrap();
        let heading = heading(&plan, last, place);
        assert!(heading.ends_with("deal 19999999999, rotation 4"), "{heading}");
        let played = play(&plan, place).unwrap();
        assert!(game(&played, Paint::Plain).unwrap().contains("The end"));
        let beyond = super::place(&plan, last + 1).unwrap_err().to_string();
        assert!(beyond.contains("600000000004 games, 0 to 600000000003"), "{beyond}");
    }

    #[test]
    fn colours_change_nothing_but_colours() {
        let text = "seat 0: r2\nhead r3\n\nLevel 1\n  seat 0 holds w1 r30\n  a mistake: r7 aside\n";
        assert_eq!(minds(text, Paint::Plain), text);
        let painted = minds(text, Paint::Ansi);
        assert_eq!(paint::plain(&painted), text);
        assert!(painted.starts_with("seat 0: r2\nhead r3\n"));
        assert_eq!(painted.matches("\u{1b}[0m").count(), 5, "{painted:?}");
    }
}
