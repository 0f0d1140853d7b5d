//! What there is, in full: a strategy, group, objective, setup, game or experiment as text.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::notes::numbers;
use super::{schema, terminal};
use crate::error::{ErrorKind, InputError, unknown};
use crate::experiment::plan::{Cell, Plan};
use crate::experiment::spec::{Overrides, Spec};
use crate::experiment::words;
use crate::games::GameId;
use crate::games::mind_up::objectives::{self, ObjectiveCard, ObjectiveFile};
use crate::games::mind_up::tell::words;
use crate::games::the_mind::body::Body;
use crate::games::the_mind::groups::{self, Group};
use crate::games::the_mind::setup::Setup;
use crate::strategies::Library;
use crate::strategies::library::{Learned, Named, bare, family_of};

/// The width that texts are broken at.
const WIDTH: usize = 96;
/// The most line-ups of a cell that are shown one by one.
const MOST_LINEUPS: usize = 40;

/// What a game is, in one line.
pub const fn about(game: GameId) -> &'static str {
    match game {
        GameId::MindUp => "3-6 players (2 unofficially) choose a card at once and fill columns",
        GameId::TheMind => "2-4 players, a team, play 1 to 100 in order without a word",
        GameId::TheMindExtreme => "the same on two piles, one rising and one falling, some blind",
    }
}

/// Everything of that name, whatever its kind; `experiments` are the files to look among.
///
/// # Errors
/// A name that nothing has, with the nearest known one; a file of that name that can't be read.
pub fn show(name: &str, library: &Library, experiments: &[PathBuf]) -> Result<String, InputError> {
    let mut pages = Vec::new();
    pages.extend(GameId::from_name(name).map(game));
    for game in [GameId::MindUp, GameId::TheMind] {
        if library.names(game).iter().any(|known| known == name) {
            pages.push(strategy(game, &library.get(game, name)?));
        }
    }
    pages.extend(groups::all().iter().filter(|found| found.name == name).map(group));
    let cards = ObjectiveFile::from_toml(objectives::OFFICIAL)?.objective;
    pages.extend(cards.iter().filter(|found| found.id == name).map(objective));
    pages.extend(Setup::all().iter().filter(|found| found.name == name).map(setup));
    for path in experiments {
        if stem(path) == name || path.as_path() == Path::new(name) {
            pages.push(experiment(path, library)?);
        }
    }
    if pages.is_empty() {
        let known = names(library, &cards, experiments);
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let error = InputError::new("", name, unknown("name", name, known));
        return Err(error.of(ErrorKind::NothingToShow));
    }
    Ok(pages.join("\n"))
}

/// All names that can be shown, each once.
fn names(library: &Library, cards: &[ObjectiveCard], experiments: &[PathBuf]) -> Vec<String> {
    let mut names: Vec<String> = GameId::ALL.map(|game| game.name().to_owned()).to_vec();
    names.extend(library.names(GameId::MindUp));
    names.extend(library.names(GameId::TheMind));
    names.extend(groups::all().iter().map(|group| group.name.clone()));
    names.extend(Setup::all().iter().map(|setup| setup.name.clone()));
    names.extend(experiments.iter().map(|path| stem(path)));
    names.extend(cards.iter().map(|card| card.id.clone()));
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// A page: a title, and rows of a label and a text, aligned by section.
struct Page {
    text: String,
    rows: Vec<(String, String)>,
}

impl Page {
    fn new(title: &str, summary: &str) -> Self {
        let mut page = Page { text: format!("{title}\n"), rows: Vec::new() };
        if !summary.is_empty() {
            page.text.push_str(&wrapped("  ", summary));
        }
        page
    }

    fn row(&mut self, label: impl Into<String>, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.rows.push((label.into(), text));
        }
    }

    /// A heading for the rows that follow.
    fn section(&mut self, heading: &str) {
        self.flush();
        self.text.push_str(&format!("\n  {heading}\n"));
    }

    fn flush(&mut self) {
        let wide = self.rows.iter().map(|(label, _)| label.chars().count());
        let width = wide.max().unwrap_or(0);
        for (label, text) in std::mem::take(&mut self.rows) {
            self.text.push_str(&wrapped(&format!("  {label:width$}  "), &text));
        }
    }

    fn finish(mut self) -> String {
        self.flush();
        self.text
    }
}

/// A text behind a label, broken at the width and indented below its first word.
fn wrapped(label: &str, text: &str) -> String {
    let indent = label.chars().count();
    let mut out = String::new();
    let mut line = label.to_owned();
    for paragraph in text.split('\n') {
        let mut used = indent;
        for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
            let length = word.chars().count();
            if used > indent && used + 1 + length > WIDTH {
                out.push_str(line.trim_end());
                out.push('\n');
                line = " ".repeat(indent);
                used = indent;
            }
            if used > indent {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += length;
        }
        out.push_str(line.trim_end());
        out.push('\n');
        line = " ".repeat(indent);
    }
    out
}

fn strategy(game: GameId, named: &Named) -> String {
    let games = match game {
        GameId::MindUp => "mind-up",
        _ => "the-mind and the-mind-extreme",
    };
    let mut page = Page::new(&format!("strategy {}, for {games}", named.name), &named.summary);
    let family = family_of(game, &named.family).map_or("", |(summary, _)| summary);
    page.row("family", format!("{}: {family}", named.family));
    page.row("file", &named.file);
    if let Some(learned) = &named.learned {
        page.row("learned", learned_under(learned));
    }
    if named.parameters.is_empty() {
        page.row("parameters", "none");
    } else {
        let others =
            if named.players.is_empty() { "" } else { " with any other number of players" };
        page.section(&format!("parameters{others}"));
        for (name, value) in &named.parameters {
            page.row(name, spaced(value));
        }
    }
    for (players, own) in &named.players {
        page.section(&format!("in their place with {players} players"));
        for (name, value) in own {
            page.row(name, spaced(value));
        }
    }
    page.finish()
}

/// What a strategy was learned under, and how it is learned again.
fn learned_under(learned: &Learned) -> String {
    let rules = match learned.rules.is_empty() {
        true => "the published rules".to_owned(),
        false => words::rules_told(&learned.rules),
    };
    let group = |entry| groups::resolve(entry).map_or_else(|_| bare(entry), |group| group.name);
    let groups: Vec<String> = learned.groups.iter().map(group).collect();
    let groups = match groups.is_empty() {
        true => String::new(),
        false => format!(", group {}", groups.join(", ")),
    };
    format!(
        "for {}, {} players, {rules}{groups}\nby `mindlab train {}`, seed {}, mindlab {}",
        learned.game,
        numbers(&learned.players),
        learned.training,
        learned.seed,
        learned.mindlab
    )
}

/// A value as results write it; lists and tables with spaces, so that lines can be broken there.
fn spaced(value: &Value) -> String {
    match value {
        Value::Array(_) | Value::Object(_) => bare(value).replace(',', ", ").replace(':', ": "),
        value => bare(value),
    }
}

fn parameters(body: Body) -> Map<String, Value> {
    match serde_json::to_value(body) {
        Ok(Value::Object(parameters)) => parameters,
        _ => Map::new(),
    }
}

fn group(group: &Group) -> String {
    let mut page = Page::new(
        &format!("group {}, for the-mind and the-mind-extreme", group.name),
        &group.summary,
    );
    page.row("source", &group.source);
    page.section("body of each seat");
    let units = |name: &str| match name {
        "cv" => "  of the interval",
        "jitter" | "reaction" => "  seconds",
        _ => "",
    };
    for (name, value) in parameters(group.body()) {
        let unit = units(&name);
        page.row(name, format!("{}{unit}", bare(&value)));
    }
    page.finish()
}

fn objective(card: &ObjectiveCard) -> String {
    let text = card.text.as_deref().unwrap_or_default();
    let mut page = Page::new(&format!("objective {}, for mind-up", card.id), text);
    let first = card.id.chars().next().map(String::from);
    let letter = card.letter.clone().or(first).unwrap_or_default();
    page.row("points", format!("{:+}", card.points));
    page.row("letter", letter);
    page.row("condition", words(&card.when));
    page.row("in a file", format!("when = {}", toml_table(&json!(card.when))));
    page.finish()
}

/// A value as TOML writes it in one line.
fn toml_table(value: &Value) -> String {
    words::toml(value).unwrap_or_else(|| value.to_string())
}

fn count(n: u64, one: &str, many: &str) -> String {
    let number = terminal::thousands(&n.to_string());
    format!("{number} {}", if n == 1 { one } else { many })
}

fn counts(setup: &Setup) -> Vec<(String, String)> {
    let row = |counts: &crate::games::the_mind::setup::Counts| {
        let text = [
            count(counts.levels.into(), "level", "levels"),
            count(counts.lives.into(), "life", "lives"),
            count(counts.stars.into(), "star", "stars"),
        ];
        (format!("{} players", counts.players), text.join(", "))
    };
    setup.counts.iter().map(row).collect()
}

fn setup(setup: &Setup) -> String {
    let mut page = Page::new(&format!("setup {}, for {}", setup.name, setup.game), &setup.summary);
    page.row("source", &setup.source);
    page.section("at the start");
    for (players, text) in counts(setup) {
        page.row(players, text);
    }
    let defaults = defaults(setup);
    page.section("rewards");
    for kind in ["star", "life"] {
        let levels = defaults.get("rewards").and_then(|rewards| rewards.get(kind));
        let levels = levels.and_then(Value::as_array).cloned().unwrap_or_default();
        let levels: Vec<String> = levels.iter().map(Value::to_string).collect();
        let text = match levels.is_empty() {
            true => "never".to_owned(),
            false => format!("after levels {}", levels.join(", ")),
        };
        let most = if kind == "star" { "max_stars" } else { "max_lives" };
        let most = defaults.get(most).map(|most| format!("; at most {most} held"));
        page.row(format!("a {kind}"), text + &most.unwrap_or_default());
    }
    if !setup.blind_table.is_empty() {
        page.section("blind piles, where blind = \"table\"");
        for (level, piles) in &setup.blind_table {
            let piles: Vec<&str> = piles.iter().map(|pile| pile.name()).collect();
            page.row(format!("level {level}"), piles.join(", "));
        }
    }
    page.section("options");
    for (name, value) in &defaults {
        page.row(name, shown(value));
    }
    page.finish()
}

fn defaults(setup: &Setup) -> Map<String, Value> {
    match serde_json::to_value(&setup.defaults) {
        Ok(Value::Object(table)) => table,
        _ => Map::new(),
    }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| toml_table(value), str::to_owned)
}

/// The values that options of Mind Up! have where they are left out.
fn mind_up_defaults() -> [(&'static str, Value); 11] {
    [
        ("next_hand", json!("tableau")),
        ("objectives", json!(0)),
        ("objectives_kept_from", json!(3)),
        ("objective_letters", json!("distinct-in-round")),
        ("objective_pool", json!("all cards")),
        ("objective_points", json!("as on the cards")),
        ("objective_cards", json!("the published ones")),
        ("deck", json!("the published one")),
        ("scoring_values", json!([1, 2, 3, 4, 5])),
        ("rounds", json!(3)),
        ("first_hand", json!(7)),
    ]
}

fn game(game: GameId) -> String {
    let mut page = Page::new(&format!("game {game}"), about(game));
    let defaults: Map<String, Value> = match Setup::official(game) {
        Ok(official) => {
            let mut all = defaults(official);
            all.insert("setup".to_owned(), json!(official.name));
            for (key, what) in [("levels", 0), ("lives", 1), ("stars", 2)] {
                let by_players = official.counts.iter().map(|counts| {
                    let values = [counts.levels, counts.lives, counts.stars];
                    format!("{} with {} players", values[what], counts.players)
                });
                let text = by_players.collect::<Vec<_>>().join(", ");
                all.insert(key.to_owned(), json!(text));
            }
            all
        }
        Err(_) => {
            let all = mind_up_defaults();
            all.map(|(key, value)| (key.to_owned(), value)).into_iter().collect()
        }
    };
    page.section("options of its rules, in `[rules]` of an experiment and `rules` of a record");
    for (name, option) in schema::options(game) {
        let mut text = described(&option);
        text.push_str(&format!("\nvalues: {}", values(&option)));
        for (value, meaning) in meanings(&option) {
            text.push_str(&format!("\n  {value}: {meaning}"));
        }
        if let Some(default) = defaults.get(&name) {
            text.push_str(&format!("\ndefault: {}", shown(default)));
        }
        page.row(name, text);
    }
    page.finish()
}

fn described(option: &Value) -> String {
    let text = option.get("description").and_then(Value::as_str);
    text.unwrap_or_default().replace('\n', " ")
}

/// What an option may be, from its schema.
fn values(option: &Value) -> String {
    let choices = ["oneOf", "anyOf"].iter().find_map(|key| option.get(key)?.as_array());
    if let Some(choices) = choices {
        return choices.iter().map(values).collect::<Vec<_>>().join(", ");
    }
    if let Some(value) = option.get("const") {
        return bare(value);
    }
    if let Some(all) = option.get("enum").and_then(Value::as_array) {
        return all.iter().map(bare).collect::<Vec<_>>().join(", ");
    }
    let bound = |key: &str| option.get(key).map(Value::to_string);
    match option.get("type").and_then(Value::as_str) {
        Some("integer" | "number") => match (bound("minimum"), bound("maximum")) {
            (Some(low), Some(high)) => format!("{low} to {high}"),
            _ => "a number".to_owned(),
        },
        Some("array") => match option.get("items") {
            Some(items) => format!("a list of: {}", values(items)),
            None => "a list".to_owned(),
        },
        Some("object") => match option.get("properties").and_then(Value::as_object) {
            Some(properties) => {
                let keys: Vec<&str> = properties.keys().map(String::as_str).collect();
                format!("a table of {}", keys.join(", "))
            }
            None if option.get("patternProperties").is_some() => "a table by level".to_owned(),
            None => "a table".to_owned(),
        },
        _ => "a text".to_owned(),
    }
}

/// What the values of an option mean, where they have names.
fn meanings(option: &Value) -> Vec<(String, String)> {
    let choices = option.get("oneOf").and_then(Value::as_array);
    let meaning = |choice: &Value| Some((bare(choice.get("const")?), described(choice)));
    choices.into_iter().flatten().filter_map(meaning).collect()
}

fn experiment(path: &Path, library: &Library) -> Result<String, InputError> {
    let place = |error: InputError| error.in_file(path.display());
    let spec = Spec::from_file(path, &Overrides::default())?;
    let plan = Plan::new(&spec, library).map_err(place)?;
    let question = spec.question.as_deref().unwrap_or_default();
    let mut page = Page::new(&format!("experiment {}, for {}", spec.name, spec.game), question);
    page.row("file", path.display().to_string());
    page.row("seed", plan.seed.to_string());
    page.row("games", terminal::thousands(&plan.games().to_string()));
    page.section("strategies");
    for strategy in &plan.strategies {
        let parameters: Vec<String> = strategy
            .parameters
            .iter()
            .map(|(key, value)| format!("{key} = {}", toml_table(value)))
            .collect();
        let family = format!("family {}", strategy.family);
        let parts: Vec<String> = std::iter::once(family).chain(parameters).collect();
        page.row(&strategy.label, parts.join(", "));
    }
    // Cells differ in their rules; their line-ups are often the same.
    page.section("cells");
    let mut shown: Vec<(usize, Vec<Vec<usize>>)> = Vec::new();
    for cell in &plan.cells {
        let games = cell.lineups.iter().map(|lineup| lineup.games()).sum();
        let text = format!(
            "{}: {}, {}",
            cell.title(),
            count(cell.lineups.len() as u64, "line-up", "line-ups"),
            count(games, "game", "games")
        );
        page.row(cell.index.to_string(), text);
        let seats: Vec<_> = cell.lineups.iter().map(|lineup| lineup.seats.clone()).collect();
        if !shown.iter().any(|(_, known)| *known == seats) {
            shown.push((cell.index, seats));
        }
    }
    for (index, _) in shown {
        if let Some(cell) = plan.cells.get(index) {
            lineups(&mut page, &plan, cell);
        }
    }
    Ok(page.finish())
}

fn lineups(page: &mut Page, plan: &Plan, cell: &Cell) {
    page.section(&format!("line-ups with {} players", cell.players));
    for lineup in cell.lineups.iter().take(MOST_LINEUPS) {
        let seats = lineup.seat_labels(&plan.strategies).join(" + ");
        let text = format!(
            "{} in {}",
            count(lineup.deals, "deal", "deals"),
            count(lineup.rotations as u64, "seating", "seatings")
        );
        page.row(seats, text);
    }
    let left = cell.lineups.len().saturating_sub(MOST_LINEUPS);
    if left > 0 {
        page.row("...", format!("and {left} more"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::mind_up::{Options, Rules};

    #[test]
    fn the_defaults_of_mind_up_are_what_is_played() {
        let known: Vec<&str> = mind_up_defaults().iter().map(|(name, _)| *name).collect();
        let options: Vec<String> = schema::options(GameId::MindUp).keys().cloned().collect();
        assert_eq!(known, options);
        // Texts that describe a default are no values.
        let described = ["objective_pool", "objective_points", "objective_cards", "deck"];
        let values = mind_up_defaults();
        let values = values.iter().filter(|(name, _)| !described.contains(name));
        let table: Map<String, Value> =
            values.map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let explicit: Options = crate::error::read(&Value::Object(table)).unwrap();
        let explicit = Rules::new(4, &explicit).unwrap();
        let rules = Rules::new(4, &Options::default()).unwrap();
        let of = |rules: &Rules| {
            (
                (rules.next_hand(), rules.objectives(), rules.letters()),
                (rules.scoring_values().to_vec(), rules.rounds(), rules.hand_size(0)),
            )
        };
        assert_eq!(of(&explicit), of(&rules));
    }

    #[test]
    fn every_name_can_be_shown() {
        let library = Library::default();
        let cards = ObjectiveFile::from_toml(objectives::OFFICIAL).unwrap().objective;
        for name in names(&library, &cards, &[]) {
            let text = show(&name, &library, &[]).unwrap();
            assert!(text.contains(&name), "{text}");
            assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        }
        let error = show("lineer", &library, &[]).unwrap_err().to_string();
        assert!(error.contains("did you mean `linear`?"), "{error}");
    }
}
