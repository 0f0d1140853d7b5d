//! Line-ups: which strategies sit together, and in how many seatings.

use serde_json::Value;

use super::designs;
use super::spec::{Design, Spec};
use crate::error::InputError;
use crate::strategies::StrategySpec;
use crate::strategies::library::{Library, bare};

/// Strategies on the seats of a table, played in all distinct rotations of each deal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lineup {
    /// Its number in the plan, from 0.
    pub index: usize,
    /// The number of the strategy on each seat, in rotation 0.
    pub seats: Vec<usize>,
    /// The number of distinct rotations.
    pub rotations: usize,
    /// The number of deals.
    pub deals: u64,
    /// The number of its rotation 0 among the cell's seatings.
    pub first_seating: u64,
    /// The number of its first game in the plan.
    pub first_game: u64,
}

impl Lineup {
    /// A line-up that plays `games` games, rounded up to whole deals.
    pub fn new(
        seats: Vec<usize>,
        games: u64,
        index: usize,
        first_seating: u64,
        first_game: u64,
    ) -> Self {
        let rotations = rotations(&seats);
        let deals = games.div_ceil(rotations as u64);
        Lineup { index, seats, rotations, deals, first_seating, first_game }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.deals * self.rotations as u64
    }

    /// The number in the plan of the game of a deal and rotation.
    pub fn game(&self, deal: u64, rotation: usize) -> u64 {
        self.first_game + deal * self.rotations as u64 + rotation as u64
    }

    /// The strategy on a seat in a rotation.
    #[inline]
    pub fn strategy(&self, rotation: usize, seat: usize) -> usize {
        self.seats[(seat + rotation) % self.seats.len()]
    }

    /// How many seats a strategy has.
    pub fn count(&self, strategy: usize) -> usize {
        self.seats.iter().filter(|&&seat| seat == strategy).count()
    }

    /// The strategies, ascending, each once.
    pub fn strategies(&self) -> Vec<usize> {
        let mut all = self.seats.clone();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The seats' labels, joined: `greedy+random+random`; of equal ones a single label.
    pub fn team(&self, strategies: &[StrategySpec]) -> String {
        match self.strategies().as_slice() {
            [only] => strategies[*only].label.clone(),
            _ => self.seat_labels(strategies).join("+"),
        }
    }

    /// The seats' labels.
    pub fn seat_labels<'a>(&self, strategies: &'a [StrategySpec]) -> Vec<&'a str> {
        self.seats.iter().map(|&seat| strategies[seat].label.as_str()).collect()
    }
}

/// The number of distinct rotations: the smallest period of the seats.
pub fn rotations<T: PartialEq>(seats: &[T]) -> usize {
    let n = seats.len();
    (1..=n)
        .find(|&period| {
            n.is_multiple_of(period) && (0..n).all(|i| seats[i] == seats[(i + period) % n])
        })
        .unwrap_or(1)
}

/// The strategies that the experiment lists, grids expanded.
///
/// # Errors
/// Unknown names or parameters; the same strategy twice.
pub fn strategies(spec: &Spec, library: &Library) -> Result<Vec<StrategySpec>, InputError> {
    let mut strategies = Vec::new();
    for (index, entry) in spec.strategies.iter().enumerate() {
        let key = format!("strategies[{index}]");
        for strategy in resolve(spec, library, entry, &key)? {
            let listed = strategies.len();
            if add(&mut strategies, strategy, &key)? < listed {
                let what =
                    "this strategy is listed twice; give one of them a `name` if they differ";
                return Err(InputError::new(key, bare(entry), what));
            }
        }
    }
    Ok(strategies)
}

pub(super) fn resolve(
    spec: &Spec,
    library: &Library,
    entry: &Value,
    key: &str,
) -> Result<Vec<StrategySpec>, InputError> {
    library.resolve(spec.game, entry).map_err(|error| error.under(key))
}

/// The number of a strategy, which joins the list where it is new.
pub(super) fn add(
    strategies: &mut Vec<StrategySpec>,
    strategy: StrategySpec,
    key: &str,
) -> Result<usize, InputError> {
    match strategies.iter().position(|known| known.label == strategy.label) {
        Some(known) if strategies[known].is(&strategy) => Ok(known),
        Some(_) => {
            let what =
                "two different strategies would have this label; give one of them another `name`";
            Err(InputError::new(key, strategy.label, what))
        }
        None => {
            strategies.push(strategy);
            Ok(strategies.len() - 1)
        }
    }
}

/// The line-ups of a cell, as numbers of strategies; line-ups in full may add strategies.
///
/// # Errors
/// A design that the strategies can't fill; a line-up whose length is not the number of players.
pub fn seats(
    spec: &Spec,
    library: &Library,
    players: usize,
    strategies: &mut Vec<StrategySpec>,
) -> Result<Vec<Vec<usize>>, InputError> {
    if let Some(lineups) = &spec.lineups {
        return explicit(spec, library, players, lineups, strategies);
    }
    match spec.design {
        Some(Design::BestResponse) => designs::best_responses(spec, library, players, strategies),
        design => designs::lineups(design.unwrap_or(Design::SelfPlay), strategies.len(), players),
    }
}

fn explicit(
    spec: &Spec,
    library: &Library,
    players: usize,
    lineups: &[Vec<Value>],
    strategies: &mut Vec<StrategySpec>,
) -> Result<Vec<Vec<usize>>, InputError> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    if lineups.is_empty() {
        return Err(InputError::new("lineups", "[]", "there must be at least one line-up"));
    }
    for (index, lineup) in lineups.iter().enumerate() {
        let key = format!("lineups[{index}]");
        if lineup.len() != players {
            let what = format!("a line-up for {players} players must have {players} strategies");
            return Err(InputError::new(key, format!("{} strategies", lineup.len()), what));
        }
        // Equal entries of a line-up move through a grid together.
        let mut choices: Vec<(&Value, Vec<usize>)> = Vec::new();
        for (seat, entry) in lineup.iter().enumerate() {
            if !choices.iter().any(|(known, _)| *known == entry) {
                let key = format!("{key}[{seat}]");
                let numbers = resolve(spec, library, entry, &key)?
                    .into_iter()
                    .map(|strategy| add(strategies, strategy, &key))
                    .collect::<Result<_, _>>()?;
                choices.push((entry, numbers));
            }
        }
        for point in points(&choices) {
            let seats = lineup.iter().filter_map(|entry| point.get(&entry.to_string()).copied());
            let seats: Vec<usize> = seats.collect();
            if all.iter().any(|known| is_rotation(known, &seats)) {
                let what =
                    "another line-up has the same strategies in the same order around the table";
                return Err(InputError::new(key, "", what));
            }
            all.push(seats);
        }
    }
    Ok(all)
}

fn is_rotation(a: &[usize], b: &[usize]) -> bool {
    let n = a.len();
    n == b.len() && (0..n).any(|by| (0..n).all(|seat| a[(seat + by) % n] == b[seat]))
}

/// Every way to choose one number for each entry.
fn points(choices: &[(&Value, Vec<usize>)]) -> Vec<std::collections::BTreeMap<String, usize>> {
    choices.iter().fold(vec![Default::default()], |points, (entry, numbers)| {
        points
            .iter()
            .flat_map(|point| {
                numbers.iter().map(move |&number| {
                    let mut point = point.clone();
                    point.insert(entry.to_string(), number);
                    point
                })
            })
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::plan::{Place, Plan};
    use crate::experiment::spec::Overrides;

    fn plan(text: &str) -> Result<Plan, String> {
        let text = format!("name = \"x\"\ngame = \"mind-up\"\ngames = 10\n{text}");
        Spec::from_toml(&text, std::path::Path::new(""), &Overrides::default())
            .and_then(|spec| Plan::new(&spec, &Library::default()))
            .map_err(|error| error.to_string())
    }

    fn seats(text: &str) -> Vec<Vec<usize>> {
        plan(text).unwrap().cells[0].lineups.iter().map(|lineup| lineup.seats.clone()).collect()
    }

    const THREE: &str = "players = 3\nstrategies = [\"random\", \"greedy\", \"lowest\"]\n";

    #[test]
    fn designs_make_the_line_ups_that_they_promise() {
        let of = |design| seats(&format!("{THREE}design = \"{design}\""));
        assert_eq!(of("self-play"), [[0, 0, 0], [1, 1, 1], [2, 2, 2]]);
        assert_eq!(of("round-robin"), [[0, 1, 2]]);
        assert_eq!(of("one-vs-rest").len(), 6);
        assert_eq!(of("one-vs-rest")[0], [0, 1, 1]);
        // 10 multisets, less 3 of one kind.
        assert_eq!(of("all-vs-all").len(), 7);
        let two = THREE.replace("players = 3", "players = 2");
        assert_eq!(seats(&format!("{two}design = \"one-vs-rest\"")), [[0, 1], [0, 2], [1, 2]]);
    }

    #[test]
    fn rotations_are_the_distinct_ones() {
        assert_eq!(rotations(&[0, 0, 0, 0]), 1);
        assert_eq!(rotations(&[0, 1, 0, 1]), 2);
        assert_eq!(rotations(&[0, 0, 1, 1]), 4);
        assert_eq!(rotations(&[0, 1, 2, 0, 1, 2]), 3);
    }

    #[test]
    fn games_are_rounded_up_to_whole_deals_and_numbered() {
        let plan = plan(
            "players = 4\nlineups = [[\"greedy\", \"random\", \"random\", \"random\"], \
             [\"greedy\", \"random\", \"greedy\", \"random\"]]",
        )
        .unwrap();
        let games: Vec<_> = plan.cells[0].lineups.iter().map(|l| (l.deals, l.games())).collect();
        assert_eq!(games, [(3, 12), (5, 10)]);
        assert_eq!(plan.games(), 22);
        let at = |cell, lineup, deal, rotation| Some(Place { cell, lineup, deal, rotation });
        assert_eq!(plan.place(0), at(0, 0, 0, 0));
        assert_eq!(plan.place(11), at(0, 0, 2, 3));
        assert_eq!(plan.place(21), at(0, 1, 4, 1));
        assert_eq!(plan.place(22), None);
    }

    #[test]
    fn cells_are_players_by_rules() {
        let text = format!(
            "{}design = \"self-play\"\n[rules]\nobjectives = [0, 2]\nrounds = [2, 3]",
            THREE.replace("players = 3", "players = [3, 4]")
        );
        let plan = plan(&text).unwrap();
        let titles: Vec<_> = plan.cells.iter().map(Cell::title).collect();
        assert_eq!(titles.len(), 8);
        assert_eq!(titles[1], "3 players, objectives=0, rounds=3");
        assert_eq!(titles[6], "4 players, objectives=2, rounds=2");
        assert_eq!(plan.varied_columns().0, ["objectives", "rounds"]);
    }

    use crate::experiment::plan::Cell;

    #[test]
    fn cells_are_told_by_names_and_by_what_changed() {
        let folder = tempfile::tempdir().unwrap();
        let deck = crate::games::mind_up::deck::OFFICIAL;
        let write = |name: &str, from: &str, to: &str| {
            std::fs::write(folder.path().join(name), deck.replace(from, to)).unwrap();
        };
        write("own.csv", "pink", "red");
        write("other.csv", "blue", "black");
        let plan = |rules: &str| {
            let text = format!(
                "name = \"x\"\ngame = \"mind-up\"\ngames = 10\n{THREE}design = \"self-play\"\n\
                 [rules]\n{rules}"
            );
            let spec = Spec::from_toml(&text, folder.path(), &Overrides::default());
            spec.and_then(|spec| Plan::new(&spec, &Library::default()))
        };
        let told = |rules: &str| -> Vec<String> {
            let titles = plan(rules).unwrap().cells.into_iter().map(|cell| cell.title());
            titles.map(|title| title.trim_start_matches("3 players, ").to_owned()).collect()
        };
        let points = "objective_points = [{}, { A1 = 3 }, { name = \"A1 at +4\", A1 = 4 }]";
        assert_eq!(
            told(points),
            ["objective_points=published", "objective_points=A1:+3", "objective_points=A1 at +4"]
        );
        let decks = "deck = [\"own.csv\", { name = \"no blue\", value = \"other.csv\" }]";
        assert_eq!(told(decks), ["deck=own.csv", "deck=no blue"]);
        let values =
            "scoring_values = [[1, 2, 3, 4, 5], { name = \"flat\", value = [3, 3, 3, 3, 3] }]";
        assert_eq!(told(values), ["scoring_values=[1,2,3,4,5]", "scoring_values=flat"]);
        // One value alone is not varied; its name is no part of the rules.
        let one = plan("deck = { name = \"mine\", value = \"own.csv\" }").unwrap();
        assert_eq!(one.cells[0].title(), "3 players");
        assert_eq!(one.hash(), plan("deck = \"own.csv\"").unwrap().hash());
        // Names change no game, but what tables show.
        let named = plan("rounds = [{ name = \"short\", value = 2 }, 3]").unwrap();
        let plain = plan("rounds = [2, 3]").unwrap();
        assert_eq!(named.cells[0].rules, plain.cells[0].rules);
        assert_eq!(named.cells[0].options, plain.cells[0].options);
        assert_ne!(named.hash(), plain.hash());
        let text = plan("rounds = [{ name = \"2\", value = 3 }, 2]").unwrap_err().to_string();
        assert!(
            text.starts_with("`rules.rounds = 2`: another value of this grid has this name"),
            "{text}"
        );
    }

    #[test]
    fn labels_that_collide_are_refused() {
        let named = |value: &str| {
            format!("{{ base = \"duct\", policy = {{ name = \"p\", value = {value} }} }}")
        };
        let text = format!(
            "players = 3\ndesign = \"self-play\"\nstrategies = [{}, {}]",
            named("\"greedy\""),
            named("\"soft-greedy\"")
        );
        let refused = plan(&text).unwrap_err();
        let wanted =
            "`strategies[1] = duct(policy=p)`: two different strategies would have this label";
        assert!(refused.starts_with(wanted), "{refused}");
        // What is the same under both is the same strategy.
        let twice = "players = 3\nlineups = [[\"linear\", { base = \"linear\", temperature = 0 }, \
                     \"greedy\"]]";
        assert_eq!(plan(twice).unwrap().strategies.len(), 2);
    }

    #[test]
    fn best_responses_say_how_they_search_and_of_whom() {
        let plan = |searcher: &str| {
            plan(&format!("{THREE}design = \"best-response\"\nsearcher = {searcher}"))
        };
        let labels = |searcher: &str| {
            let answers = plan(searcher).unwrap().strategies.into_iter().filter(|one| one.answers);
            answers.map(|one| one.label).collect::<Vec<_>>()
        };
        let whole = ["best-response(random)", "best-response(greedy)", "best-response(lowest)"];
        assert_eq!(labels("\"best-response\""), whole);
        let told = labels("{ base = \"best-response\", playouts = 7, deals = 2 }");
        assert_eq!(told[1], "best-response(greedy, playouts=7, deals=2)");
        let told = labels("{ base = \"best-response\", playouts = 7, name = \"quick\" }");
        assert_eq!(told[1], "best-response(greedy, quick)");
        let made = plan("{ base = \"best-response\", playouts = 7 }").unwrap();
        let answer = made.strategies.iter().find(|one| one.label.contains("(greedy")).unwrap();
        assert_eq!(answer.parameters["playouts"], 7);
        assert_eq!(answer.parameters["model"]["family"], "greedy");
        for (searcher, message) in [
            (
                "\"duct\"",
                "`searcher = \"duct\"`: this must be a strategy of the family `best-response`",
            ),
            (
                "{ base = \"best-response\", model = \"greedy\" }",
                "`searcher.model = \"greedy\"`: the design sets this",
            ),
            ("{ base = \"best-response\", playouts = [7, 8] }", "one searcher, without a grid"),
            ("{ base = \"best-response\", playouts = 0 }", "`searcher.playouts = 0`"),
        ] {
            let told = plan(searcher).unwrap_err();
            assert!(told.contains(message), "{told}");
        }
    }

    #[test]
    fn what_cannot_be_filled_is_refused() {
        let refused = |text: &str| plan(text).unwrap_err();
        let four = THREE.replace("players = 3", "players = 4");
        assert!(refused(&format!("{four}design = \"round-robin\"")).contains("needs at least 4"));
        assert!(refused("players = 3\nlineups = [[\"random\"]]").contains("`lineups[0] = 1"));
        let seven = THREE.replace("players = 3", "players = 7");
        assert!(refused(&format!("{seven}design = \"self-play\"")).contains("`players = 7`"));
        let twice = "players = 3\ndesign = \"self-play\"\nstrategies = [\"random\", \"random\"]";
        assert!(refused(twice).contains("`strategies[1] = random`: this strategy is listed twice"));
        let unknown = "players = 3\ndesign = \"self-play\"\nstrategies = [\"randm\"]";
        assert!(refused(unknown).contains("`strategies[0] = randm`"), "{}", refused(unknown));
        let rules = format!("{THREE}design = \"self-play\"\n[rules]\nobjectives = 6");
        assert!(refused(&rules).contains("`rules.objectives = 6`"));
    }

    #[test]
    fn the_hash_covers_what_the_experiment_resolves_to() {
        let base = format!("{THREE}design = \"self-play\"\n");
        let hash = |text: &str| plan(text).unwrap().hash();
        assert_eq!(hash(&base), hash(&format!("{base}question = \"why?\"")));
        assert_ne!(hash(&base), hash(&format!("{base}seed = 2")));
        assert_ne!(hash(&base), hash(&format!("{base}[rules]\nobjectives = 1")));
    }
}
