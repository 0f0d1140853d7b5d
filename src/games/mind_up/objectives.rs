//! Bonus objectives as data: a condition out of a few kinds, points, a letter.

use schemars::JsonSchema;
use serde::de::{self, Error};
use serde::{Deserialize, Deserializer, Serialize};

use super::deck::{Deck, MAX_COLOURS};
use super::state::{Public, Tableau};
use crate::error::{InputError, check_finite, read_ranged, toml_error};

/// The published objectives.
pub const OFFICIAL: &str = include_str!("data/objectives.toml");

/// An objective card as it stands in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectiveCard {
    /// Its name, such as `A1`.
    pub id: String,
    /// Its letter; the first character of the id where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub letter: Option<String>,
    /// The points that it gives or takes, -99 to 99.
    #[schemars(range(min = -99, max = 99))]
    pub points: i16,
    /// The condition in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The condition.
    pub when: Condition,
}

/// A condition on a seat's tableau at the end of a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Condition {
    /// The number of cards of a colour is one of these.
    Count {
        /// The colour.
        colour: String,
        /// The numbers of cards that will do.
        r#in: Vec<u8>,
    },
    /// The colour is there, and its column's value is one of these.
    ColumnValue {
        /// The colour.
        colour: String,
        /// The values that will do.
        r#in: Vec<i8>,
    },
    /// The colour is there, and no colour stands to the right of it.
    Rightmost {
        /// The colour.
        colour: String,
    },
    /// No player has fewer cards of the colour; nobody having any is a tie at 0.
    Fewest {
        /// The colour.
        colour: String,
    },
    /// No player has more cards of the colour; nobody having any is a tie at 0.
    Most {
        /// The colour.
        colour: String,
    },
    /// At least as many cards of the colour as of each of the others; 0 and 0 counts.
    AtLeast {
        /// The colour.
        colour: String,
        /// The colours that it is held against.
        than: Vec<String>,
    },
    /// The number of different colours is one of these.
    Colours {
        /// The numbers of colours that will do.
        r#in: Vec<u8>,
    },
    /// Some colour has exactly so many cards.
    SomeColour {
        /// The number of cards, from 1.
        exactly: u8,
    },
}

/// The keys of every condition. Errors at them have their place, which those within an enum by tag
/// have not.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    kind: Kind,
    colour: Option<String>,
    r#in: Option<Vec<i16>>,
    than: Option<Vec<String>>,
    exactly: Option<u8>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Count,
    ColumnValue,
    Rightmost,
    Fewest,
    Most,
    AtLeast,
    Colours,
    SomeColour,
}

impl Kind {
    /// The keys that a condition of this kind has beside `kind`.
    const fn keys(self) -> &'static [&'static str] {
        match self {
            Kind::Count | Kind::ColumnValue => &["colour", "in"],
            Kind::Rightmost | Kind::Fewest | Kind::Most => &["colour"],
            Kind::AtLeast => &["colour", "than"],
            Kind::Colours => &["in"],
            Kind::SomeColour => &["exactly"],
        }
    }
}

impl<'de> Deserialize<'de> for Condition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Keys { kind, colour, r#in, than, exactly } = Keys::deserialize(deserializer)?;
        let there = [
            ("colour", colour.is_some()),
            ("in", r#in.is_some()),
            ("than", than.is_some()),
            ("exactly", exactly.is_some()),
        ];
        for (key, there) in there {
            match (kind.keys().contains(&key), there) {
                (true, false) => return Err(D::Error::missing_field(key)),
                (false, true) => return Err(D::Error::unknown_field(key, kind.keys())),
                _ => {}
            }
        }
        let (colour, than) = (colour.unwrap_or_default(), than.unwrap_or_default());
        let (numbers, exactly) = (r#in.unwrap_or_default(), exactly.unwrap_or_default());
        Ok(match kind {
            Kind::Count => Condition::Count { colour, r#in: small(&numbers)? },
            Kind::ColumnValue => Condition::ColumnValue { colour, r#in: small(&numbers)? },
            Kind::Rightmost => Condition::Rightmost { colour },
            Kind::Fewest => Condition::Fewest { colour },
            Kind::Most => Condition::Most { colour },
            Kind::AtLeast => Condition::AtLeast { colour, than },
            Kind::Colours => Condition::Colours { r#in: small(&numbers)? },
            Kind::SomeColour => Condition::SomeColour { exactly },
        })
    }
}

/// Numbers of a smaller type.
fn small<T: TryFrom<i16>, E: de::Error>(numbers: &[i16]) -> Result<Vec<T>, E> {
    let one = |&number: &i16| {
        let wanted = format_args!("`in` must not contain the number {number}");
        T::try_from(number).map_err(|_| E::custom(wanted))
    };
    numbers.iter().map(one).collect()
}

/// A file of objective cards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectiveFile {
    /// The cards.
    pub objective: Vec<ObjectiveCard>,
}

impl ObjectiveFile {
    /// Reads a TOML file of `[[objective]]` tables.
    ///
    /// # Errors
    /// What is no TOML, and unknown or missing keys.
    pub fn from_toml(text: &str) -> Result<Self, InputError> {
        let value: serde_json::Value =
            toml::from_str(text).map_err(|error| toml_error(text, &error))?;
        check_finite(&value)?;
        read_ranged(&value)
    }
}

/// An objective, ready to be tested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objective {
    card: ObjectiveCard,
    test: Test,
}

/// A condition with colours as indices and sets of small numbers as masks.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Test {
    Count { colour: usize, set: u64 },
    ColumnValue { colour: usize, values: Vec<i8> },
    Rightmost { colour: usize },
    Fewest { colour: usize },
    Most { colour: usize },
    AtLeast { colour: usize, than: Vec<usize> },
    Colours { set: u64 },
    SomeColour { exactly: u32 },
}

impl Objective {
    /// Prepares a card for a deck.
    ///
    /// # Errors
    /// A colour that the deck lacks, an empty id, a number that can't occur.
    pub fn new(card: ObjectiveCard, deck: &Deck) -> Result<Self, InputError> {
        crate::error::check_name("id", &card.id)?;
        if !(-99..=99).contains(&card.points) {
            return Err(InputError::new("points", card.points, "points must be from -99 to 99"));
        }
        let test = Test::new(&card.when, deck).map_err(|error| error.under("when"))?;
        Ok(Objective { card, test })
    }

    /// The card's name.
    pub fn id(&self) -> &str {
        &self.card.id
    }

    /// The card's letter.
    pub fn letter(&self) -> &str {
        match &self.card.letter {
            Some(letter) => letter,
            None => self.card.id.split_at(self.card.id.chars().next().map_or(0, char::len_utf8)).0,
        }
    }

    /// The points that the card gives or takes.
    pub fn points(&self) -> i16 {
        self.card.points
    }

    /// The card as it stands in a file.
    pub fn card(&self) -> &ObjectiveCard {
        &self.card
    }

    /// Gives the card other points.
    pub fn set_points(&mut self, points: i16) {
        self.card.points = points;
    }

    /// Whether the condition holds for a seat with this tableau, those of the others as they lie.
    #[inline]
    pub fn holds(
        &self,
        deck: &Deck,
        public: &Public,
        players: usize,
        seat: usize,
        own: &Tableau,
    ) -> bool {
        let count = |tableau: &Tableau, colour: usize| {
            (tableau.cards & deck.colour_mask(colour)).count_ones()
        };
        let others = || (0..players).filter(|&other| other != seat);
        match &self.test {
            Test::Count { colour, set } => set >> count(own, *colour) & 1 == 1,
            Test::ColumnValue { colour, values } => own
                .column_of(*colour)
                .is_some_and(|column| values.contains(&public.scoring[column])),
            Test::Rightmost { colour } => {
                own.column_of(*colour).is_some_and(|column| column + 1 == own.columns())
            }
            Test::Fewest { colour } => {
                others().all(|other| count(&public.tableaux[other], *colour) >= count(own, *colour))
            }
            Test::Most { colour } => {
                others().all(|other| count(&public.tableaux[other], *colour) <= count(own, *colour))
            }
            Test::AtLeast { colour, than } => {
                than.iter().all(|&other| count(own, *colour) >= count(own, other))
            }
            Test::Colours { set } => set >> own.columns() & 1 == 1,
            Test::SomeColour { exactly } => {
                (0..deck.colours().len()).any(|colour| count(own, colour) == *exactly)
            }
        }
    }
}

impl Test {
    fn new(condition: &Condition, deck: &Deck) -> Result<Self, InputError> {
        Ok(match condition {
            Condition::Count { colour, r#in } => {
                Test::Count { colour: deck.colour(colour)?, set: set(r#in, 60)? }
            }
            Condition::ColumnValue { colour, r#in } => {
                Test::ColumnValue { colour: deck.colour(colour)?, values: r#in.clone() }
            }
            Condition::Rightmost { colour } => Test::Rightmost { colour: deck.colour(colour)? },
            Condition::Fewest { colour } => Test::Fewest { colour: deck.colour(colour)? },
            Condition::Most { colour } => Test::Most { colour: deck.colour(colour)? },
            Condition::AtLeast { colour, than } => Test::AtLeast {
                colour: deck.colour(colour)?,
                than: than.iter().map(|name| deck.colour(name)).collect::<Result<_, _>>()?,
            },
            Condition::Colours { r#in } => Test::Colours { set: set(r#in, MAX_COLOURS as u8)? },
            Condition::SomeColour { exactly } => {
                if *exactly == 0 {
                    let what = "this must be at least 1, because a colour that is there has at \
                                least one card";
                    return Err(InputError::new("exactly", exactly, what));
                }
                Test::SomeColour { exactly: u32::from(*exactly) }
            }
        })
    }
}

fn set(numbers: &[u8], most: u8) -> Result<u64, InputError> {
    numbers.iter().try_fold(0, |set, &number| {
        if number > most {
            return Err(InputError::new(
                "in",
                number,
                format!("these numbers must be from 0 to {most}"),
            ));
        }
        Ok(set | 1 << number)
    })
}
