//! The rules of a game of Mind Up!, from options that were checked.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::card_set::CardSet;
use super::deck::{DECK_SIZE, Deck, MAX_COLOURS, OFFICIAL};
use super::objectives::{self, Objective, ObjectiveCard, ObjectiveFile};
use crate::error::{ErrorKind, InputError, unknown};

/// The most players.
pub const MAX_PLAYERS: usize = 6;
/// The fewest players; 2 is unofficial.
pub const MIN_PLAYERS: usize = 2;
/// The most objectives in a round.
pub const MAX_OBJECTIVES: usize = 5;
/// The most cards that a hand can have: two players share the deck, with 1 round's draw kept back.
pub const MAX_HAND: usize = DECK_SIZE / MIN_PLAYERS;

/// Where the hands of the second and later rounds come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NextHand {
    /// The player's own tableau and one drawn card (the rulebook).
    #[default]
    Tableau,
    /// All cards but the row are reshuffled and dealt (the online help).
    Deal,
}

/// How often a letter may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Letters {
    /// Once a round (the rulebook).
    #[default]
    DistinctInRound,
    /// Once a game (the online edition).
    DistinctInGame,
}

/// The options, as an experiment's `[rules]` or a record's `rules` gives them. What is left out has
/// its default.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Where later hands come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_hand: Option<NextHand>,
    /// Objectives a round, 0 to 5; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 5))]
    pub objectives: Option<u8>,
    /// From this many objectives on, one set serves the whole game: 3 (default) or 4.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 3, max = 4))]
    pub objectives_kept_from: Option<u8>,
    /// How often a letter may be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective_letters: Option<Letters>,
    /// The ids to draw from; default all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective_pool: Option<Vec<String>>,
    /// Other points, by id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective_points: Option<BTreeMap<String, i16>>,
    /// A designer's own cards, beside the published ones or, with the same id, in their place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective_cards: Option<Vec<ObjectiveCard>>,
    /// The deck, as the text of a CSV; default the published one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deck: Option<String>,
    /// The scoring cards; as many as there are columns. Default 1 to 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scoring_values: Option<Vec<i8>>,
    /// The rounds of a game; default 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 60))]
    pub rounds: Option<u8>,
    /// The cards of a hand in the first round; default 7. Each later round has one more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2, max = 60))]
    pub first_hand: Option<u8>,
}

/// Rules that can be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    options: Options,
    players: usize,
    next_hand: NextHand,
    objectives: usize,
    kept: bool,
    letters: Letters,
    cards: Vec<Objective>,
    pool: Vec<u8>,
    pool_set: CardSet,
    /// For each card all cards of its letter, itself included.
    letter_mates: Vec<CardSet>,
    deck: Deck,
    scoring_values: Vec<i8>,
    rounds: usize,
    first_hand: usize,
}

impl Rules {
    /// Whether both come to the same game, however their options are written.
    pub fn is_same_game(&self, other: &Rules) -> bool {
        let plain = |rules: &Rules| Rules { options: Options::default(), ..rules.clone() };
        plain(self) == plain(other)
    }

    /// Checks options for a number of players.
    ///
    /// # Errors
    /// A number of players other than 2 to 6, and whatever the deck or the pool can't serve; the
    /// key is the option's name.
    pub fn new(players: usize, options: &Options) -> Result<Self, InputError> {
        check_players(players)?;
        let deck = Deck::from_csv(options.deck.as_deref().unwrap_or(OFFICIAL))?;
        let cards = cards(options, &deck)?;
        let pool = pool(options, &cards)?;
        let rules = Rules {
            players,
            next_hand: options.next_hand.unwrap_or_default(),
            objectives: ranged("objectives", options.objectives, 0, 0, MAX_OBJECTIVES)?,
            kept: options.objectives.unwrap_or(0)
                >= ranged("objectives_kept_from", options.objectives_kept_from, 3, 3, 4)? as u8,
            letters: options.objective_letters.unwrap_or_default(),
            letter_mates: letter_mates(&cards),
            cards,
            pool_set: pool.iter().copied().collect(),
            pool,
            scoring_values: scoring_values(options, &deck)?,
            rounds: ranged("rounds", options.rounds, 3, 1, DECK_SIZE)?,
            first_hand: ranged("first_hand", options.first_hand, 7, 2, DECK_SIZE)?,
            deck,
            options: options.clone(),
        };
        rules.check_deck()?;
        rules.check_pool()?;
        Ok(rules)
    }

    fn check_deck(&self) -> Result<(), InputError> {
        let needed = self.players * (self.first_hand + self.rounds);
        if needed <= DECK_SIZE {
            return Ok(());
        }
        let key = if self.options.first_hand.is_some() { "first_hand" } else { "rounds" };
        let value = if key == "rounds" { self.rounds } else { self.first_hand };
        let most = DECK_SIZE / self.players;
        let what = format!(
            "{} players x (first_hand {} + rounds {}) need {needed} cards of {DECK_SIZE}; \
             first_hand + rounds may be at most {most}",
            self.players, self.first_hand, self.rounds
        );
        Err(InputError::new(key, value, what))
    }

    /// Refuses a pool with which drawing one after another could get stuck in some round.
    fn check_pool(&self) -> Result<(), InputError> {
        let mut sizes: Vec<usize> = Vec::new();
        let mut letters: Vec<&str> = Vec::new();
        for &index in &self.pool {
            let letter = self.card(index).letter();
            match letters.iter().position(|&known| known == letter) {
                Some(known) => sizes[known] += 1,
                None => {
                    letters.push(letter);
                    sizes.push(1);
                }
            }
        }
        sizes.sort_unstable();
        let draws = if self.kept { 1 } else { self.rounds };
        for round in 0..draws {
            let shown = self.objectives * round;
            // The most letters that earlier rounds can have used up.
            let spent = match self.letters {
                Letters::DistinctInGame => shown,
                Letters::DistinctInRound => {
                    let mut left = shown;
                    sizes
                        .iter()
                        .take_while(|&&size| {
                            let fits = size <= round && size <= left;
                            left = left.saturating_sub(size);
                            fits
                        })
                        .count()
                }
            };
            if letters.len() < spent + self.objectives {
                let what = format!(
                    "the pool has {} letters, and in round {} only {} of them may be left, which \
                     is too few for {} objectives; use fewer objectives or a larger pool, or keep \
                     one set (objectives_kept_from)",
                    letters.len(),
                    round + 1,
                    letters.len().saturating_sub(spent),
                    self.objectives
                );
                return Err(InputError::new("objectives", self.objectives, what));
            }
        }
        Ok(())
    }

    /// The options that these rules were made from.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The number of players, 2 to 6.
    #[inline(always)]
    pub fn players(&self) -> usize {
        // Tells the optimiser that seats are within the arrays.
        self.players.min(MAX_PLAYERS)
    }

    /// Whether this number of players is one that the published game is for.
    pub fn is_official_count(&self) -> bool {
        self.players >= 3
    }

    /// Where later hands come from.
    #[inline]
    pub fn next_hand(&self) -> NextHand {
        self.next_hand
    }

    /// Objectives a round.
    #[inline]
    pub fn objectives(&self) -> usize {
        self.objectives.min(MAX_OBJECTIVES)
    }

    /// The same rules without objectives, for those who are blind to them.
    pub fn without_objectives(&self) -> Rules {
        Rules { objectives: 0, ..self.clone() }
    }

    /// Whether a game goes alike by these rules and by others, whatever options they were made from.
    /// Objective cards are of no account where none are on the table.
    pub fn plays_as(&self, other: &Rules) -> bool {
        let played = |rules: &Rules| {
            let mut rules = Rules { options: Options::default(), ..rules.clone() };
            if rules.objectives == 0 {
                rules.kept = false;
                rules.letters = Letters::default();
                rules.cards.clear();
                rules.pool.clear();
                rules.pool_set = CardSet::default();
                rules.letter_mates.clear();
            }
            rules
        };
        played(self) == played(other)
    }

    /// Whether one set of objectives serves the whole game.
    #[inline]
    pub fn objectives_kept(&self) -> bool {
        self.kept
    }

    /// How often a letter may be used.
    pub fn letters(&self) -> Letters {
        self.letters
    }

    /// All objective cards known to these rules, in the pool or not.
    pub fn cards(&self) -> &[Objective] {
        &self.cards
    }

    /// An objective card by its index.
    #[inline]
    pub fn card(&self, index: u8) -> &Objective {
        &self.cards[usize::from(index)]
    }

    /// The indices of the cards that are drawn from.
    pub fn pool(&self) -> &[u8] {
        &self.pool
    }

    /// The cards that are drawn from.
    #[inline]
    pub fn pool_set(&self) -> &CardSet {
        &self.pool_set
    }

    /// All cards of a card's letter, itself included.
    #[inline]
    pub fn letter_mates(&self, card: u8) -> &CardSet {
        &self.letter_mates[usize::from(card)]
    }

    /// The deck.
    #[inline(always)]
    pub fn deck(&self) -> &Deck {
        &self.deck
    }

    /// The scoring cards, in the order in which the options name them.
    pub fn scoring_values(&self) -> &[i8] {
        &self.scoring_values
    }

    /// The rounds of a game.
    #[inline]
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// The cards of a hand at the start of a round; rounds count from 0.
    #[inline]
    pub fn hand_size(&self, round: usize) -> usize {
        self.first_hand + round
    }

    /// The turns of a round: all cards but the last are played.
    #[inline]
    pub fn turns(&self, round: usize) -> usize {
        self.hand_size(round) - 1
    }
}

/// Refuses a number of players that the game can't be played with.
///
/// # Errors
/// A number other than 2 to 6, at the key `players`.
fn check_players(players: usize) -> Result<(), InputError> {
    if (MIN_PLAYERS..=MAX_PLAYERS).contains(&players) {
        return Ok(());
    }
    let what = "mind-up is for 3 to 6 players (2 players are accepted as unofficial)";
    Err(InputError::new("players", players, what).of(ErrorKind::Players))
}

fn ranged(
    key: &str,
    value: Option<u8>,
    default: usize,
    low: usize,
    high: usize,
) -> Result<usize, InputError> {
    let value = value.map_or(default, usize::from);
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    Err(InputError::new(key, value, format!("{key} must be from {low} to {high}")))
}

fn cards(options: &Options, deck: &Deck) -> Result<Vec<Objective>, InputError> {
    let mut cards = ObjectiveFile::from_toml(objectives::OFFICIAL)?.objective;
    let own = options.objective_cards.as_deref().unwrap_or_default();
    if cards.len() + own.len() > usize::from(u8::MAX) {
        let what = format!("there must be at most {} cards", usize::from(u8::MAX) - cards.len());
        return Err(InputError::new("objective_cards", own.len(), what));
    }
    if let Some(id) = crate::games::record::repeated(own.iter().map(|card| card.id.as_str())) {
        return Err(InputError::new("objective_cards", id, "two cards have this id"));
    }
    for card in own {
        match cards.iter_mut().find(|known| known.id == card.id) {
            Some(known) => *known = card.clone(),
            None => cards.push(card.clone()),
        }
    }
    let in_pool = |id: &str| match &options.objective_pool {
        Some(pool) => pool.iter().any(|known| known == id),
        None => true,
    };
    let wanted = |id: &str| options.objectives.unwrap_or(0) > 0 && in_pool(id);
    let mut prepared = Vec::with_capacity(cards.len());
    for card in cards {
        let id = card.id.clone();
        match Objective::new(card, deck) {
            Ok(card) => prepared.push(card),
            // A card that is never drawn may speak of a colour that the deck lacks.
            Err(error) if error.kind == ErrorKind::NoSuchColour && !wanted(&id) => {}
            Err(error) => return Err(error.under(&format!("objective {id}"))),
        }
    }
    for (id, &points) in options.objective_points.iter().flatten() {
        let known: Vec<_> = prepared.iter().map(|card| card.id().to_owned()).collect();
        match prepared.iter_mut().find(|card| card.id() == id) {
            Some(card) if (-99..=99).contains(&points) => card.set_points(points),
            Some(_) => {
                let key = format!("objective_points.{id}");
                return Err(InputError::new(key, points, "points must be from -99 to 99"));
            }
            None => {
                let what = unknown("objective", id, known.iter().map(String::as_str));
                return Err(InputError::new(format!("objective_points.{id}"), points, what));
            }
        }
    }
    Ok(prepared)
}

fn letter_mates(cards: &[Objective]) -> Vec<CardSet> {
    let mates = |card: &Objective| {
        let same = (0..).zip(cards).filter(|(_, other)| other.letter() == card.letter());
        same.map(|(index, _)| index).collect()
    };
    cards.iter().map(mates).collect()
}

fn pool(options: &Options, cards: &[Objective]) -> Result<Vec<u8>, InputError> {
    let Some(ids) = &options.objective_pool else {
        return Ok((0..cards.len() as u8).collect());
    };
    if let Some(id) = crate::games::record::repeated(ids) {
        return Err(InputError::new("objective_pool", id, "this id is there twice"));
    }
    ids.iter()
        .map(|id| match cards.iter().position(|card| card.id() == id) {
            Some(index) => Ok(index as u8),
            None => {
                let what = unknown("objective", id, cards.iter().map(Objective::id));
                Err(InputError::new("objective_pool", id, what))
            }
        })
        .collect()
}

fn scoring_values(options: &Options, deck: &Deck) -> Result<Vec<i8>, InputError> {
    let values = options.scoring_values.clone().unwrap_or_else(|| vec![1, 2, 3, 4, 5]);
    let colours = deck.colours().len();
    let shown = format!("{values:?}");
    if !(colours..=MAX_COLOURS).contains(&values.len()) {
        let what = format!("the deck's {colours} colours need {colours} to {MAX_COLOURS} values");
        return Err(InputError::new("scoring_values", shown, what));
    }
    if values.iter().any(|value| !(-99..=99).contains(value)) {
        return Err(InputError::new("scoring_values", shown, "values must be from -99 to 99"));
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rules(players: usize, options: serde_json::Value) -> Result<Rules, String> {
        crate::error::read::<Options>(&options)
            .and_then(|options| Rules::new(players, &options))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn defaults_are_the_rulebook() {
        let rules = rules(4, json!({})).unwrap();
        assert_eq!((rules.rounds(), rules.hand_size(0), rules.turns(2)), (3, 7, 8));
        assert_eq!((rules.objectives(), rules.cards().len()), (0, 14));
        assert_eq!(rules.next_hand(), NextHand::Tableau);
    }

    #[test]
    fn players_are_two_to_six() {
        assert!(!rules(2, json!({})).unwrap().is_official_count());
        assert!(rules(6, json!({})).unwrap().is_official_count());
        for players in [0, 1, 7, usize::MAX] {
            assert!(rules(players, json!({})).unwrap_err().contains("3 to 6"));
        }
    }

    #[test]
    fn what_the_deck_cannot_serve_is_refused() {
        assert!(rules(6, json!({"rounds": 3, "first_hand": 7})).is_ok());
        let message = rules(6, json!({"rounds": 4})).unwrap_err();
        assert!(message.contains("`rounds = 4`") && message.contains("66 cards of 60"));
        assert!(rules(3, json!({"first_hand": 18})).unwrap_err().contains("first_hand = 18"));
        assert!(rules(3, json!({"first_hand": 17})).is_ok());
        assert!(rules(3, json!({"first_hand": 1})).is_err());
    }

    #[test]
    fn pools_too_small_are_refused() {
        let options = json!({"objectives": 3, "objectives_kept_from": 4,
                             "objective_letters": "distinct-in-game"});
        assert!(rules(3, options).unwrap_err().contains("7 letters"));
        assert!(rules(3, json!({"objectives": 3, "objectives_kept_from": 4})).is_ok());
        // A1 and A2 alone can be left for the second round: two objectives, one letter.
        let stuck = json!({"objectives": 2, "rounds": 2,
                           "objective_pool": ["A1", "A2", "B1", "C1"]});
        assert!(rules(3, stuck).unwrap_err().contains("in round 2 only 1 of them"));
        let enough = json!({"objectives": 2, "rounds": 2,
                            "objective_pool": ["A1", "A2", "B1", "B2"]});
        assert!(rules(3, enough).is_ok());
        assert!(rules(3, json!({"objectives": 1, "objective_pool": []})).is_err());
        assert!(rules(3, json!({"objective_pool": []})).is_ok());
    }

    #[test]
    fn unknown_names_get_the_nearest() {
        let message = rules(3, json!({"objectives": 1, "objective_pool": ["A3"]})).unwrap_err();
        assert!(message.contains("`objective_pool = A3`") && message.contains("did you mean `A1`"));
        assert!(rules(3, json!({"objective": 1})).unwrap_err().contains("`objectives`"));
        assert!(rules(3, json!({"objective_points": {"Z9": 1}})).unwrap_err().contains("Z9"));
    }

    #[test]
    fn a_colour_that_the_deck_lacks_matters_where_an_objective_needs_it() {
        let deck = OFFICIAL.replace("pink", "orange");
        assert!(rules(3, json!({"deck": deck})).is_ok());
        let message = rules(3, json!({"deck": deck, "objectives": 1})).unwrap_err();
        assert!(message.contains("objective B2") && message.contains("pink"), "{message}");
        let pool = json!({"deck": deck, "objectives": 1, "objective_pool": ["A1", "B1", "D1"]});
        assert!(rules(3, pool).is_ok());
    }

    #[test]
    fn scoring_values_must_cover_the_colours() {
        assert!(rules(3, json!({"scoring_values": [1, 2, 3, 4]})).unwrap_err().contains("5 to 8"));
        assert!(rules(3, json!({"scoring_values": [1, 1, 2, 3, 5, 8]})).is_ok());
        assert!(rules(3, json!({"scoring_values": [1, 2, 3, 4, 100]})).is_err());
    }
}
