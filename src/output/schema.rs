//! The formats of files as JSON Schema, for editors and for programs that write them.
//!
//! Most of it is derived from the types that read the files. What a type can't say stands here:
//! options of rules by game, lists that make a grid, parameters by family.

mod grid;
mod training;

use std::borrow::Cow;

use grid::grid;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::folder::Manifest;
use crate::experiment::spec::Spec;
use crate::games::GameId;
use crate::games::mind_up::{self, objectives::ObjectiveFile};
use crate::games::the_mind::body::Body;
use crate::games::the_mind::cards::PileName;
use crate::games::the_mind::options::{self, Blind};
use crate::games::the_mind::setup::Setup;
use crate::strategies::library::{self, Learned};

/// A format that has a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// An experiment's file
    Experiment,
    /// A training's file
    Training,
    /// A strategy's file
    Strategy,
    /// A record of a game
    Record,
    /// A setup of one of the Minds
    Setup,
    /// A file of objective cards for Mind Up!
    Objectives,
    /// The manifest of a folder of results
    Manifest,
    /// A line of the protocol of bots
    Bot,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 8] = [
        Format::Experiment,
        Format::Training,
        Format::Strategy,
        Format::Record,
        Format::Setup,
        Format::Objectives,
        Format::Manifest,
        Format::Bot,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Experiment => "experiment",
            Format::Training => "training",
            Format::Strategy => "strategy",
            Format::Record => "record",
            Format::Setup => "setup",
            Format::Objectives => "objectives",
            Format::Manifest => "manifest",
            Format::Bot => "bot",
        }
    }

    /// Its JSON Schema (2020-12).
    pub fn schema(self) -> Value {
        let mut generator = SchemaSettings::draft2020_12().into_generator();
        let mut schema = match self {
            Format::Experiment => experiment(&mut generator),
            Format::Training => training::schema(&mut generator),
            Format::Strategy => strategy(&mut generator),
            Format::Record => record(&mut generator),
            Format::Setup => root::<Setup>(&mut generator),
            Format::Objectives => root::<ObjectiveFile>(&mut generator),
            Format::Manifest => root::<Manifest>(&mut generator),
            Format::Bot => crate::bots::schema::schema(&mut generator),
        };
        let definitions = generator.take_definitions(true);
        if let Some(table) = schema.as_object_mut() {
            table.shift_insert(0, "$schema".to_owned(), json!(DRAFT));
            table.shift_insert(1, "title".to_owned(), json!(format!("mindlab {}", self.name())));
            if !definitions.is_empty() {
                table.insert("$defs".to_owned(), Value::Object(definitions));
            }
        }
        without_nulls(&mut schema);
        schema
    }
}

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// All schemas, by the names of their formats.
pub fn all() -> Value {
    let schemas = Format::ALL.map(|format| (format.name().to_owned(), format.schema()));
    Value::Object(schemas.into_iter().collect())
}

/// The options of a game's rules: their names, and what each may be.
pub fn options(game: GameId) -> Map<String, Value> {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .into_generator();
    let mut schema = rules(game, &mut generator);
    without_nulls(&mut schema);
    match schema.get_mut("properties").map(Value::take) {
        Some(Value::Object(properties)) => properties,
        _ => Map::new(),
    }
}

fn root<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    T::json_schema(generator).to_value()
}

fn rules(game: GameId, generator: &mut SchemaGenerator) -> Value {
    match game {
        GameId::MindUp => root::<mind_up::Options>(generator),
        GameId::TheMind | GameId::TheMindExtreme => root::<options::Options>(generator),
    }
}

/// `null` is no value in TOML, and records refuse it: an option is left out instead.
fn without_nulls(schema: &mut Value) {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.values_mut().for_each(without_null);
    }
    match schema {
        Value::Object(table) => table.values_mut().for_each(without_nulls),
        Value::Array(items) => items.iter_mut().for_each(without_nulls),
        _ => {}
    }
}

fn without_null(property: &mut Value) {
    let Some(table) = property.as_object_mut() else {
        return;
    };
    if table.get("default").is_some_and(Value::is_null) {
        table.shift_remove("default");
    }
    if let Some(Value::Array(types)) = table.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            table.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(choices)) = table.get_mut("anyOf") {
        choices.retain(|choice| choice.get("type").is_none_or(|name| name != "null"));
        if let [only] = choices.as_slice() {
            let only = only.as_object().cloned().unwrap_or_default();
            table.shift_remove("anyOf");
            for (key, value) in only {
                table.entry(key).or_insert(value);
            }
        }
    }
}

/// What the game decides of an experiment or training: the players and the options of its rules, and
/// what `more` says.
fn by_game(
    generator: &mut SchemaGenerator,
    more: impl Fn(GameId) -> Map<String, Value>,
) -> Vec<Value> {
    let of = |game| {
        let inline = self::options(game);
        let mut options = rules(game, generator);
        if let Some(properties) = options.get_mut("properties").and_then(Value::as_object_mut) {
            for (name, property) in properties.iter_mut() {
                *property = grid(property.take(), name, inline.get(name));
            }
        }
        if let Some(table) = options.as_object_mut() {
            let text = "Options of the rules; a list of values makes a grid.";
            table.insert("description".to_owned(), json!(text));
        }
        let most = if game == GameId::MindUp { 6 } else { 10 };
        let number = json!({"minimum": 2, "maximum": most});
        // Bounds hold for numbers alone, and `items` for lists alone.
        let players = json!({"minimum": 2, "maximum": most, "items": number});
        let mut then = json!({"players": players, "rules": options});
        if let Some(table) = then.as_object_mut() {
            table.extend(more(game));
        }
        json!({
            "if": {"properties": {"game": {"const": game}}, "required": ["game"]},
            "then": {"properties": then},
        })
    };
    GameId::ALL.map(of).to_vec()
}

/// What names a folder of results.
const NAME_PATTERN: &str = "^[\\p{L}\\p{N}_-][\\p{L}\\p{N}._-]*$";

fn experiment(generator: &mut SchemaGenerator) -> Value {
    let mut schema = root::<Spec>(generator);
    let by_game = by_game(generator, |game| match game {
        GameId::MindUp => Map::from_iter([("groups".to_owned(), json!(false))]),
        _ => Map::new(),
    });
    let Some(table) = schema.as_object_mut() else {
        return schema;
    };
    table.insert("allOf".to_owned(), json!(by_game));
    table.insert("oneOf".to_owned(), json!([{"required": ["design"]}, {"required": ["lineups"]}]));
    if let Some(properties) = table.get_mut("properties").and_then(Value::as_object_mut) {
        let entry = generator.subschema_for::<StrategyEntry>().to_value();
        let group = generator.subschema_for::<GroupEntry>().to_value();
        for (name, items) in [
            ("strategies", entry.clone()),
            ("lineups", json!({"type": "array", "items": entry, "minItems": 1})),
            ("groups", group),
        ] {
            if let Some(list) = properties.get_mut(name).and_then(Value::as_object_mut) {
                list.insert("items".to_owned(), items);
            }
        }
        if let Some(name) = properties.get_mut("name").and_then(Value::as_object_mut) {
            name.insert("pattern".to_owned(), json!(NAME_PATTERN));
        }
        if let Some(games) = properties.get_mut("games").and_then(Value::as_object_mut) {
            games.insert("minimum".to_owned(), json!(1));
        }
    }
    schema
}

/// An entry of `strategies` or of a line-up.
struct StrategyEntry;

impl JsonSchema for StrategyEntry {
    fn schema_name() -> Cow<'static, str> {
        "StrategyEntry".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A strategy's name, or a table with the `base` that it starts from and \
                            the parameters that differ; a list of values makes a grid.",
            "anyOf": [
                {"type": "string"},
                {
                    "type": "object",
                    "properties": {"base": {"type": "string"}, "name": {"type": "string"}},
                    "required": ["base"],
                },
            ],
        })
    }
}

/// An entry of `groups`.
struct GroupEntry;

impl JsonSchema for GroupEntry {
    fn schema_name() -> Cow<'static, str> {
        "GroupEntry".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let seat = root::<Body>(generator);
        let mut table = seat.clone();
        if let Some(properties) = table.get_mut("properties").and_then(Value::as_object_mut) {
            properties.insert("name".to_owned(), json!({"type": "string", "minLength": 1}));
            properties.insert("base".to_owned(), json!({"type": "string"}));
            let seats = json!({"type": "array", "items": seat, "maxItems": 10});
            properties.insert("seats".to_owned(), seats);
        }
        json_schema!({
            "description": "A group's name, or a table with a `base` (`ideal` where it is left \
                            out) and what differs from it.",
            "anyOf": [{"type": "string"}, table],
        })
    }
}

impl JsonSchema for Blind {
    fn schema_name() -> Cow<'static, str> {
        "Blind".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let pile = generator.subschema_for::<PileName>();
        json_schema!({
            "description": "`none`, `table`, `all`, or the piles by level; none at levels that \
                            are not named.",
            "anyOf": [
                {"enum": ["none", "table", "all"]},
                {
                    "type": "object",
                    "patternProperties": {
                        "^([1-9]|[1-4][0-9]|50)$": {"type": "array", "items": pile},
                    },
                    "additionalProperties": false,
                },
            ],
        })
    }
}

/// A strategy's file: any game's families, each with its own parameters.
fn strategy(generator: &mut SchemaGenerator) -> Value {
    let mut families: Vec<Value> = Vec::new();
    for game in [GameId::MindUp, GameId::TheMind] {
        for name in library::families(game) {
            let (summary, defaults) = library::family_of(game, name).unwrap_or_default();
            let parameters: Map<String, Value> =
                defaults.into_iter().map(|(key, value)| (key, like(&value))).collect();
            let parameters = json!({
                "type": "object",
                "properties": parameters,
                "additionalProperties": false,
            });
            families.push(json!({
                "title": format!("{name}, for {game}"),
                "description": summary,
                "properties": {
                    "family": {"const": name},
                    "parameters": parameters,
                    "players": {"additionalProperties": parameters},
                },
            }));
        }
    }
    json!({
        "description": "A named strategy. The folder that it lies in says for which game.",
        "type": "object",
        "properties": {
            "family": {"type": "string", "description": "The family whose code it uses."},
            "summary": {"type": "string", "description": "What it does, in one line."},
            "learned": generator.subschema_for::<Learned>().to_value(),
            "parameters": {
                "type": "object",
                "description": "What differs from the family's defaults.",
            },
            "players": {
                "type": "object",
                "description": "What holds at a number of players in place of `parameters`.",
                "propertyNames": {"pattern": "^([2-9]|10)$"},
            },
        },
        "required": ["family"],
        "additionalProperties": false,
        "anyOf": families,
    })
}

/// What a parameter may be, told by its default. A text may be a name for which a table can stand.
fn like(default: &Value) -> Value {
    let kind = match default {
        Value::Bool(_) => json!("boolean"),
        Value::Number(number) if number.is_f64() => json!("number"),
        Value::Number(_) => json!("integer"),
        Value::String(_) => json!(["string", "object"]),
        Value::Array(_) => json!("array"),
        Value::Object(_) => json!(["string", "object"]),
        Value::Null => return json!({}),
    };
    json!({"type": kind, "default": default})
}

fn record(generator: &mut SchemaGenerator) -> Value {
    let mind_up = generator.subschema_for::<mind_up::Options>();
    let minds = generator.subschema_for::<options::Options>();
    let object = |properties: Value, required: &[&str]| {
        json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    };
    let list = |items: Value| json!({"type": "array", "items": items});
    let number = json!({"type": "integer", "minimum": 1, "maximum": 999});
    let seat = |most: usize| json!({"type": "integer", "minimum": 0, "maximum": most - 1});
    let forfeits = |most| {
        json!({
            "type": "array", "items": seat(most), "uniqueItems": true,
            "description": "The seats that forfeit the game.",
        })
    };
    let cards = list(number);
    let round = object(
        json!({
            "scoring": {
                "type": "array", "items": {"type": "integer"},
                "description": "The values of the columns from the left.",
            },
            "objectives": {
                "type": "array", "items": {"type": "string"},
                "description": "The ids of the objectives on the table.",
            },
            "hands": list(cards.clone()),
            "drawn": {
                "type": "array", "items": cards["items"],
                "description": "The card that each seat drew to its tableau.",
            },
            "row": cards,
            "turns": {
                "type": "array", "items": cards,
                "description": "For each turn the card that each seat played.",
            },
        }),
        &["scoring", "turns"],
    );
    let game_of_mind_up = object(
        json!({
            "game": {"const": GameId::MindUp},
            "players": {"type": "integer", "minimum": 2, "maximum": 6},
            "rules": mind_up,
            "rounds": {"type": "array", "items": round, "minItems": 1},
            "forfeits": forfeits(6),
        }),
        &["game", "players", "rounds"],
    );
    let game_of_minds = |game: GameId, card: Value, star: Value| {
        let at = json!({
            "type": "number", "minimum": 0,
            "description": "Seconds since the level began.",
        });
        let play = object(json!({"seat": seat(10), "play": card, "at": at}), &["seat", "play"]);
        let star = object(json!({"star": star, "at": at}), &["star"]);
        let refocus = object(json!({"refocus": {"const": true}, "at": at}), &["refocus"]);
        let entry = object(
            json!({
                "level": {"type": "integer", "minimum": 1, "maximum": 50},
                "hands": list(list(card)),
                "events": list(json!({"anyOf": [play, star, refocus]})),
            }),
            &["level", "hands", "events"],
        );
        object(
            json!({
                "game": {"const": game},
                "players": {"type": "integer", "minimum": 2, "maximum": 10},
                "rules": minds,
                "levels": list(entry),
                "forfeits": forfeits(10),
            }),
            &["game", "players", "levels"],
        )
    };
    let number = json!({"type": "integer", "minimum": 1, "maximum": 100});
    let coloured = json!({"type": "string", "pattern": "^[wr]([1-9]|[1-4][0-9]|50)$"});
    let choices = list(json!({"anyOf": [coloured, {"type": "null"}]}));
    json!({
        "description": "One game, as one JSON object on one line.",
        "oneOf": [
            game_of_mind_up,
            game_of_minds(GameId::TheMind, number, json!({"const": true})),
            game_of_minds(GameId::TheMindExtreme, coloured, choices),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::plan::LIST_OPTIONS;

    #[test]
    fn options_of_rules_are_told_apart() {
        let names = |game| options(game).keys().cloned().collect::<Vec<_>>();
        assert!(names(GameId::MindUp).contains(&"next_hand".to_owned()));
        assert!(names(GameId::TheMind).contains(&"lives".to_owned()));
        for game in GameId::ALL {
            for (name, option) in options(game) {
                assert!(option.get("description").is_some(), "{name}: {option}");
                assert!(!option.to_string().contains("null"), "{name}: {option}");
            }
        }
    }

    #[test]
    fn lists_are_known_as_lists() {
        for name in LIST_OPTIONS {
            assert_eq!(options(GameId::MindUp)[*name]["type"], "array", "{name}");
        }
    }
}
