use super::options::*;
use super::rules::Rules;
use crate::error::read;
use crate::games::GameId;
use serde_json::{Value, json};

fn rules(game: GameId, players: usize, options: Value) -> Result<Rules, String> {
    let options: Options = read(&options).map_err(|error| error.to_string())?;
    Rules::new(game, players, &options).map_err(|error| error.to_string())
}

#[test]
fn the_official_table_is_the_default() {
    for game in [GameId::TheMind, GameId::TheMindExtreme] {
        for (players, levels, lives) in [(2, 12, 2), (3, 10, 3), (4, 8, 4)] {
            let rules = rules(game, players, json!({})).unwrap();
            assert_eq!((rules.levels(), rules.lives(), rules.stars()), (levels, lives, 1));
            assert_eq!((rules.max_lives(), rules.max_stars()), (5, 3));
            assert!(rules.star_after(2) && rules.life_after(3) && !rules.star_after(3));
            assert_eq!(rules.to_options(), Options::default());
        }
    }
    let extreme = rules(GameId::TheMindExtreme, 2, json!({})).unwrap();
    let blind: Vec<u8> = (1..=12).map(|level| extreme.blind_at(level)).collect();
    assert_eq!(blind, [0, 0, 1, 2, 0, 3, 0, 1, 0, 3, 0, 2]);
    assert_eq!(extreme.mistake(), Mistake::RestartLevel);
}

#[test]
fn rules_come_back_from_their_options() {
    let cases = [
        (2, json!({"blind": "all", "levels": 50, "lives": 99, "max_lives": 1})),
        (7, json!({"levels": 14, "lives": 0, "stars": 0, "lose_at": "life-owed"})),
        (3, json!({"blind": {"1": ["white"], "2": [], "30": ["red"]}, "rewards": {"star": []}})),
        (4, json!({"blind": "none", "mistake": "continue", "blind_penalty": "per-card"})),
        (
            4,
            json!({"blind": {"3": ["white"], "4": ["red"], "6": ["red", "white"], "8": ["white"]}}),
        ),
    ];
    for (players, options) in cases {
        let first = rules(GameId::TheMindExtreme, players, options).unwrap();
        let again = Rules::new(GameId::TheMindExtreme, players, &first.to_options()).unwrap();
        assert_eq!(first, again);
    }
}

#[test]
fn what_cannot_be_played_is_refused_with_its_option() {
    let refused = |players, options| rules(GameId::TheMind, players, options).unwrap_err();
    let text = refused(5, json!({"levels": 3, "lives": 1}));
    assert!(
        text.starts_with("`stars`: this option is missing; setup `the-mind` has no counts for 5"),
        "{text}"
    );
    assert!(refused(4, json!({"levels": 26})).contains("at most 25"));
    assert!(refused(2, json!({"lives": 0})).starts_with("`lives = 0`"));
    assert!(refused(1, json!({})).starts_with("`players = 1`"));
    assert!(refused(11, json!({})).starts_with("`players = 11`"));
    assert!(refused(2, json!({"setup": "the-mind-extreme"})).contains("not for the-mind"));
    assert!(refused(2, json!({"setup": "x"})).contains("unknown setup"));
    assert!(refused(2, json!({"rewards": {"life": [2, 2]}})).contains("twice"));
    let text = refused(2, json!({"blind": {"3": ["white"]}}));
    assert_eq!(text, "`blind.3 = white`: this game has no such pile; its piles are: number");
    assert!(Rules::new(GameId::MindUp, 3, &Options::default()).is_err());
}
