//! Designs: the line-ups that an experiment makes of its strategies.

use serde_json::Value;

use super::lineups::{add, resolve};
use super::spec::{Design, Spec};
use crate::error::{InputError, short};
use crate::strategies::mind_up::Strategy;
use crate::strategies::mind_up::best_response::{BestResponse, Model};
use crate::strategies::{Library, StrategySpec};

/// The most line-ups of a cell.
const MAX_LINEUPS: usize = 100_000;

/// The line-ups of a design for `n` strategies, as their numbers.
///
/// # Errors
/// Fewer strategies or players than the design needs; more line-ups than can be.
pub(super) fn lineups(
    design: Design,
    n: usize,
    players: usize,
) -> Result<Vec<Vec<usize>>, InputError> {
    let needed = match design {
        Design::AllVsAll | Design::OneVsRest | Design::Ladder => 2,
        Design::RoundRobin => players,
        Design::SelfPlay | Design::CrossPlay | Design::BestResponse => 1,
    };
    if n < needed {
        let name = serde_json::to_value(design).unwrap_or_default();
        let name = name.as_str().unwrap_or_default();
        let what = format!("{name} with {players} players needs at least {needed} strategies");
        return Err(InputError::new("strategies", format!("{n} listed"), what));
    }
    let mut all = Vec::new();
    match design {
        Design::SelfPlay | Design::BestResponse => {
            all.extend((0..n).map(|one| vec![one; players]));
        }
        Design::OneVsRest => all = one_vs_rest(n, players),
        Design::Ladder if players < 3 => {
            let what = "a ladder needs 3 players or more";
            return Err(InputError::new("players", players, what));
        }
        Design::Ladder => {
            for above in 1..n {
                all.push(one_among(above, above - 1, players));
                all.push(one_among(above - 1, above, players));
            }
        }
        Design::AllVsAll | Design::CrossPlay => {
            check_count(choose(n + players - 1, players), n)?;
            combinations(n, players, true, &mut Vec::new(), &mut all);
            if design == Design::AllVsAll {
                all.retain(|seats| seats.first() != seats.last());
            }
        }
        Design::RoundRobin => {
            check_count(choose(n, players), n)?;
            combinations(n, players, false, &mut Vec::new(), &mut all);
        }
    }
    Ok(all)
}

/// One strategy in the first seat, another in all the rest.
fn one_among(one: usize, rest: usize, players: usize) -> Vec<usize> {
    (0..players).map(|seat| if seat == 0 { one } else { rest }).collect()
}

fn one_vs_rest(n: usize, players: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    for one in 0..n {
        for rest in 0..n {
            // With two players, one against the other is the other against the one.
            if one != rest && (players > 2 || one < rest) {
                all.push(one_among(one, rest, players));
            }
        }
    }
    all
}

/// All ascending choices of `players` among `n`, with or without repetition.
fn combinations(
    n: usize,
    players: usize,
    repeat: bool,
    seats: &mut Vec<usize>,
    all: &mut Vec<Vec<usize>>,
) {
    if seats.len() == players {
        all.push(seats.clone());
        return;
    }
    let from = seats.last().map_or(0, |&last| if repeat { last } else { last + 1 });
    for strategy in from..n {
        seats.push(strategy);
        combinations(n, players, repeat, seats, all);
        seats.pop();
    }
}

/// For each strategy the searcher that is told of it, against it in all other seats. Where the
/// strategy searches itself, the model is whole for the current turn only: the searcher's name then
/// says that its gain is a lower bound.
pub(super) fn best_responses(
    spec: &Spec,
    library: &Library,
    players: usize,
    strategies: &mut Vec<StrategySpec>,
) -> Result<Vec<Vec<usize>>, InputError> {
    const KEY: &str = "searcher";
    let default = Value::from(BestResponse::NAME);
    let entry = spec.searcher.as_ref().unwrap_or(&default);
    if let Some(model) = entry.get("model") {
        let what = "the design sets this to each strategy in turn; remove it, or use `lineups`";
        return Err(InputError::new(format!("{KEY}.model"), short(model), what));
    }
    let [searcher] =
        <[StrategySpec; 1]>::try_from(resolve(spec, library, entry, KEY)?).map_err(|_| {
            InputError::new(KEY, short(entry), "there must be one searcher, without a grid")
        })?;
    if searcher.family != BestResponse::NAME {
        let what = format!(
            "this must be a strategy of the family `{0}`, which can be told what others play by: \
             \"{0}\", or {{ base = \"{0}\", playouts = 400 }}",
            BestResponse::NAME
        );
        return Err(InputError::new(KEY, short(entry), what));
    }
    // What tells it from the family's defaults: its changes in brackets, or its own name.
    let own = match searcher.label.strip_prefix(BestResponse::NAME) {
        Some("") => String::new(),
        Some(own) if own.starts_with('(') => format!(", {}", &own[1..own.len() - 1]),
        _ => format!(", {}", searcher.label),
    };
    let targets = strategies.iter().position(|known| known.answers).unwrap_or(strategies.len());
    let mut lineups = Vec::new();
    for target in 0..targets {
        let model = &strategies[target];
        let kind = match Model::is_whole(&model.family) {
            true => "best-response",
            false => "lower-bound",
        };
        let mut answer = StrategySpec {
            label: format!("{kind}({}{own})", model.label),
            answers: true,
            ..searcher.clone()
        };
        answer.players.values_mut().for_each(|own| drop(own.shift_remove("model")));
        // The model is a strategy of the list.
        answer.grounds.retain(|ground| ground.within != "model");
        answer.parameters.insert("model".to_owned(), model.clone().table());
        let answer = library.complete(spec.game, answer).map_err(|error| error.under(KEY))?;
        let answer = add(strategies, answer, KEY)?;
        lineups.push(one_among(answer, target, players));
    }
    Ok(lineups)
}

/// n over k, saturating.
fn choose(n: usize, k: usize) -> usize {
    (0..k).try_fold(1usize, |c, i| Some(c.checked_mul(n - i)? / (i + 1))).unwrap_or(usize::MAX)
}

fn check_count(count: usize, n: usize) -> Result<(), InputError> {
    if count <= MAX_LINEUPS {
        return Ok(());
    }
    let what = format!(
        "this makes {count} line-ups in a cell, and at most {MAX_LINEUPS} are allowed; list fewer \
         strategies"
    );
    Err(InputError::new("strategies", format!("{n} listed"), what))
}
