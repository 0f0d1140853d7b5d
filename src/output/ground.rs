//! Notes on learned strategies that play off their ground: how it differs, and what would learn them
//! for it.

use serde_json::{Value, json};

use crate::experiment::ground::{OffGround, OptionDiffers, of_plan};
use crate::experiment::plan::Plan;
use crate::experiment::spec::toml_value;
use crate::experiment::words::{self, listed};
use crate::games::the_mind::groups;

/// Nobody types a longer value, in characters.
const TYPED: usize = 80;

/// A note on the learned strategies of a plan that play off their ground, one on all that do so in
/// the same way.
pub fn notes(plan: &Plan) -> Vec<String> {
    of_plan(plan).iter().map(note).collect()
}

/// `linear was learned with scoring_values as published, here [1,1,2,3,5]; ...`, with the command that
/// learns it for this.
pub fn note(off: &OffGround) -> String {
    let was = if off.who.len() == 1 { "was" } else { "were" };
    let who = listed(off.who.iter().cloned());
    format!("{who} {was} learned {}; {} learns it for this", off.told(), mending(off))
}

/// The command that learns the strategy for where it plays.
fn mending(off: &OffGround) -> String {
    let OffGround { ground, differences, .. } = off;
    let mut sets = vec![format!("name=my-{}", ground.name)];
    // What can't be typed has to stand in the training's file.
    let mut by_hand = Vec::new();
    sets.extend(differences.game.map(|game| format!("game={game}")));
    if !differences.players.is_empty() {
        sets.push(format!("players={}", json!(differences.players)));
    }
    let published = |rule: &OptionDiffers| rule.here.iter().all(Option::is_none);
    let differs = |key: &String| differences.rules.iter().any(|rule| rule.key == *key);
    // Where all that the training says of rules goes, nothing is left of it.
    if differences.rules.iter().all(published) && ground.learned.rules.keys().all(differs) {
        sets.extend((!differences.rules.is_empty()).then(|| "rules={}".to_owned()));
    } else {
        for rule in &differences.rules {
            match asked(rule) {
                Some(value) => sets.push(format!("rules.{}={value}", rule.key)),
                None => by_hand.push(format!("`rules.{}`", rule.key)),
            }
        }
    }
    if !differences.groups.is_empty() {
        let named = |name: &String| groups::named(name).is_ok();
        let names: Vec<String> =
            differences.groups.iter().map(|group| group.name.clone()).collect();
        match names.iter().all(named) {
            true => sets.push(format!("groups={}", json!(names))),
            false => by_hand.push("`groups`".to_owned()),
        }
    }
    let sets: Vec<String> = sets.iter().map(|set| format!(" --set {}", quoted(set))).collect();
    let by_hand = match by_hand.is_empty() {
        true => String::new(),
        false => format!(", with {} as here in its file,", listed(by_hand.into_iter())),
    };
    format!("`mindlab train {}{}`{by_hand}", ground.learned.training, sets.concat())
}

/// The values that a training is to have for an option: one, or a grid of them; nothing where they
/// can't be typed, or are those that are left out.
fn asked(rule: &OptionDiffers) -> Option<String> {
    let values: Vec<Value> = rule.here.iter().cloned().collect::<Option<_>>()?;
    let value = match values.as_slice() {
        [only] => only.clone(),
        _ => Value::Array(values),
    };
    if let Value::String(text) = &value
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
        && toml_value(text) == value
    {
        return Some(text.clone());
    }
    let typed = |text: &String| text.chars().count() <= TYPED;
    words::toml(&value).filter(typed)
}

/// A change in quotes where a shell wants them.
fn quoted(set: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "=._-".contains(c);
    match set.chars().all(plain) {
        true => set.to_owned(),
        false => format!("'{}'", set.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::spec::{Overrides, Spec};
    use crate::games::mind_up::deck::OFFICIAL;
    use crate::strategies::Library;

    fn plan(text: &str, library: &Library) -> Plan {
        let folder = std::path::Path::new("");
        let spec = Spec::from_toml(text, folder, &Overrides::default()).unwrap();
        Plan::new(&spec, library).unwrap()
    }

    /// The notes on a run of Mind Up! with these strategies and rules.
    fn up(strategies: &str, rules: &str) -> Vec<String> {
        let text = format!(
            "name = 'x'\ngame = 'mind-up'\nplayers = [3, 4]\ngames = 1\ndesign = 'self-play'\n\
             strategies = [{strategies}]\n[rules]\n{rules}"
        );
        notes(&plan(&text, &Library::default()))
    }

    /// The notes on a run of one of the Minds.
    fn mind(game: &str, players: &str, strategies: &str, rest: &str) -> Vec<String> {
        let text = format!(
            "name = 'x'\ngame = '{game}'\nplayers = {players}\ngames = 1\ndesign = 'self-play'\n\
             strategies = [{strategies}]\n{rest}"
        );
        notes(&plan(&text, &Library::default()))
    }

    const ALL: &str = "'greedy', 'linear', 'threshold', 'monte-carlo', 'duct'";

    #[test]
    fn under_the_rules_that_were_learned_nothing_is_noted() {
        assert!(up(ALL, "").is_empty());
        // What is set to its default is no change.
        assert!(
            up(ALL, "next_hand = 'tableau'\nscoring_values = [1, 2, 3, 4, 5]\nrounds = 3")
                .is_empty()
        );
        // linear was learned with objectives and without: how many there are, and which, it sees.
        assert!(up("'linear'", "objectives = [0, 1, 5]\nobjective_points = { A1 = 4 }").is_empty());
        // Without any on the table, cards are of no account.
        assert!(up("'threshold'", "objective_points = { A1 = 4 }").is_empty());
        assert!(up("{ base = 'threshold', objectives = 'ignore' }", "objectives = 1").is_empty());
        // Families that were not learned.
        let own = "'greedy', 'soft-greedy', { base = 'duct', policy = 'greedy' }";
        assert!(up(own, "next_hand = 'deal'\nrounds = 2").is_empty());
    }

    #[test]
    fn other_rules_are_noted_with_what_would_learn_them() {
        let told = up("'linear'", "scoring_values = [1, 1, 2, 3, 5]");
        assert_eq!(
            told,
            ["linear was learned with scoring_values as published, here [1,1,2,3,5]; \
             `mindlab train experiments/train/mind-up-linear.toml --set name=my-linear \
             --set 'rules.scoring_values=[1, 1, 2, 3, 5]'` learns it for this"]
        );
        // All that play by it in one note; of a grid what is not as it was learned.
        let told = up(ALL, "next_hand = ['tableau', 'deal']");
        assert_eq!(told.len(), 2, "{told:?}");
        let start = "linear, monte-carlo's policy linear and duct's policy linear were learned \
                     with next_hand as published, here deal; ";
        assert!(told[0].starts_with(start), "{told:?}");
        assert!(
            told[1].starts_with("threshold was learned with next_hand as published"),
            "{told:?}"
        );
        assert!(told[1].ends_with(" --set rules.next_hand=deal` learns it for this"), "{told:?}");
        let told = up("'threshold'", "objectives = [0, 1, 2]\nrounds = [2, 4]");
        assert!(told[0].contains("with rounds as published, here 2 and 4; with objectives as published, here 1 and 2;"), "{told:?}");
        assert!(
            told[0].contains("--set 'rules.rounds=[2, 4]' --set 'rules.objectives=[1, 2]'"),
            "{told:?}"
        );
        // A deck is not typed.
        let own = OFFICIAL.replace("pink", "red");
        let told = up("'linear'", &format!("deck = '''\n{own}'''"));
        assert_eq!(
            told,
            ["linear was learned with deck as published, here 12 cards differ; \
             `mindlab train experiments/train/mind-up-linear.toml --set name=my-linear`, \
             with `rules.deck` as here in its file, learns it for this"]
        );
    }

    #[test]
    fn models_and_policies_of_best_responses_are_noted_once() {
        let text = "name = 'x'\ngame = 'mind-up'\nplayers = 3\ngames = 1\ndesign = 'best-response'\n\
                    strategies = ['greedy', 'linear']\n[rules]\nrounds = 2";
        let told = notes(&plan(text, &Library::default()));
        assert_eq!(told.len(), 1, "{told:?}");
        let start =
            "linear and best-response's policy linear were learned with rounds as published";
        assert!(told[0].starts_with(start), "{told:?}");
    }

    #[test]
    fn tables_of_the_minds_are_noted_by_players_rules_groups_and_game() {
        let own = "groups = [{ base = 'ideal', cv = 0.15, jitter = 0.2 }]\n[rules]\n\
                   first_level = 8\nlives = 1\nstars = 0";
        assert!(mind("the-mind", "4", "'threshold', 'linear'", own).is_empty());
        assert_eq!(
            mind("the-mind", "[2, 3]", "'threshold'", ""),
            ["threshold was learned for 4 players, here 2 and 3; with first_level 8, lives 1 and \
             stars 0, here as published; with group ideal(cv=0.15,jitter=0.2), here ideal; \
             `mindlab train experiments/train/the-mind-threshold.toml --set name=my-threshold \
             --set 'players=[2,3]' --set 'rules={}' --set 'groups=[\"ideal\"]'` learns it for this"]
        );
        assert!(mind("the-mind", "2", "'learned'", "groups = ['intuitive', 'novices']").is_empty());
        let told = mind("the-mind-extreme", "2", "'learned'", "groups = [{ cv = 0.5 }]");
        assert_eq!(
            told,
            [
                "learned was learned for the-mind, here the-mind-extreme; with group counting, intuitive \
             and 3 more, here ideal(cv=0.5); `mindlab train experiments/train/the-mind-learned.toml \
             --set name=my-learned --set game=the-mind-extreme`, with `groups` as here in its file, \
             learns it for this"
            ]
        );
    }

    #[test]
    fn rules_of_a_file_that_can_t_be_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("mind-up")).unwrap();
        let file = "family = \"linear\"\n[learned]\ngame = \"mind-up\"\nplayers = [4]\n\
                    parameters = [\"keeps\"]\ntraining = \"x.toml\"\nseed = 1\nmindlab = \"0.1.0\"\n\
                    rules = { rounds = [3, 99] }";
        std::fs::write(folder.path().join("mind-up/x.toml"), file).unwrap();
        let text =
            "name = 'x'\ngame = 'mind-up'\nplayers = 4\ngames = 1\nlineups = [['x','x','x','x']]";
        let spec = Spec::from_toml(text, folder.path(), &Overrides::default()).unwrap();
        let refused = Plan::new(&spec, &Library::new(Some(folder.path()))).unwrap_err().to_string();
        assert!(refused.contains("mind-up/x.toml: `learned.rules.rounds = 99`: "), "{refused}");
    }
}
