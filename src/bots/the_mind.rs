//! A bot's seat at The Mind or The Mind Extreme.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::counts::Refused;
use super::seat::{Asked, Seat, Table};
use super::wire::{answer, illegal};
use crate::error::PlayError;
use crate::games::the_mind::cards::{Card, Cards, Layout};
use crate::games::the_mind::options::{Blind, Options, Rewards};
use crate::games::the_mind::player::{self, Batch, Intent, LONGEST};
use crate::games::the_mind::rules::Rules;
use crate::games::the_mind::state::Event;
use crate::games::the_mind::view::View;
use crate::rng::{GameKey, Rng, SeatPart, below, unit};

/// The longest wait of a random move, in seconds: that of the family `random`.
const RANDOM_WAIT: f64 = 10.0;

/// A bot on a seat of a block of games.
pub(super) struct Player {
    seat: Seat,
    stars: bool,
    games: Vec<Memory>,
}

/// What is kept of a game.
#[derive(Clone, Default)]
struct Memory {
    /// What happened since the bot was last asked.
    events: Vec<Value>,
    /// A generator for random moves, and the level and attempt that it was made for.
    rng: Option<(u8, u8, Rng)>,
}

impl Memory {
    fn rng(&mut self, key: &GameKey, view: &View<'_>) -> &mut Rng {
        let (level, attempt) = (view.level(), view.attempt());
        if self.rng.as_ref().is_some_and(|(l, a, _)| (*l, *a) != (level, attempt)) {
            self.rng = None;
        }
        let new = || {
            let (round, again) = (usize::from(level) - 1, usize::from(attempt));
            (level, attempt, key.seat_rng(round, again, SeatPart::Strategy, view.seat()))
        };
        &mut self.rng.get_or_insert_with(new).2
    }
}

/// How an answer is read: by the hand of the seat.
type Read<A> = fn(Layout, Cards, &Value) -> Result<A, Refused>;

impl Player {
    pub(super) fn new(seat: Seat) -> Player {
        Player { seat, stars: false, games: Vec::new() }
    }

    /// Asks in all games of the batch that are not lost and for which `needless` has no answer.
    fn ask<A>(
        &mut self,
        batch: &mut Batch<'_, A>,
        question: &str,
        needless: fn(&View<'_>) -> Option<A>,
        read: Read<A>,
        random: fn(&View<'_>, &mut Rng) -> A,
    ) -> Result<(), PlayError> {
        let (mut asked, mut hands) = (Vec::new(), Vec::new());
        let Player { seat, games, .. } = self;
        batch.each(|slot, key, view, _| {
            if !seat.lost()[slot] && needless(view).is_none() {
                let events = std::mem::take(&mut games[slot].events);
                asked.push(Asked {
                    slot,
                    seed: key.bot_seed(view.seat()),
                    view: seen(view, events),
                });
                hands.push(view.hand());
            }
        });
        let layout = batch.rules().layout();
        let rules = batch.rules();
        let describe = || describe(rules);
        let table = Table { game: rules.game(), seat: batch.seat(), describe: &describe };
        let answers =
            seat.ask(&table, question, &asked, |place, value| read(layout, hands[place], value))?;
        let mut answers = asked.iter().zip(answers).peekable();
        batch.each(|slot, key, view, given| {
            *given = match answers.next_if(|(asked, _)| asked.slot == slot) {
                Some((_, Some(answer))) => answer,
                // A lost game ends before this is played.
                _ => needless(view).unwrap_or_else(|| random(view, games[slot].rng(key, view))),
            };
        });
        Ok(())
    }
}

impl player::Player for Player {
    fn begin(&mut self, rules: &Rules, keys: &[GameKey]) -> Result<(), PlayError> {
        self.seat.begin(keys);
        self.games = vec![Memory::default(); keys.len()];
        self.stars = self.seat.wants_stars(rules.game())?;
        Ok(())
    }

    fn observes(&self) -> bool {
        true
    }

    fn observe(&mut self, batch: &mut Batch<'_, ()>) -> Result<(), PlayError> {
        batch.each(|slot, _, view, _| self.games[slot].events.push(event(view)));
        Ok(())
    }

    fn uses_stars(&self) -> bool {
        self.stars
    }

    fn vote(&mut self, batch: &mut Batch<'_, bool>) -> Result<(), PlayError> {
        if !self.stars {
            batch.each(|_, _, view, vote| *vote = view.hand().is_empty());
            return Ok(());
        }
        let empty = |view: &View<'_>| view.hand().is_empty().then_some(true);
        self.ask(batch, "star", empty, star, |_, _| false)
    }

    fn discard(&mut self, batch: &mut Batch<'_, u8>) -> Result<(), PlayError> {
        let only = |view: &View<'_>| match piles(view.layout(), view.hand())[..] {
            [pile] => Some(pile),
            _ => None,
        };
        self.ask(batch, "discard", only, discard, any_pile)
    }

    fn intend(&mut self, batch: &mut Batch<'_, Intent>) -> Result<(), PlayError> {
        self.ask(
            batch,
            "intend",
            |_| None,
            means,
            |view, rng| {
                let wait = RANDOM_WAIT * unit(rng);
                Intent::Play { pile: any_pile(view, rng), wait }
            },
        )
    }

    fn may_forfeit(&self) -> bool {
        true
    }

    fn forfeits(&mut self) -> Vec<u16> {
        self.seat.news()
    }
}

/// The piles that a hand has a card for.
fn piles(layout: Layout, hand: Cards) -> Vec<u8> {
    let piles = 0..layout.piles();
    piles.filter(|&pile| layout.playable(hand, pile).is_some()).map(|pile| pile as u8).collect()
}

fn any_pile(view: &View<'_>, rng: &mut Rng) -> u8 {
    match piles(view.layout(), view.hand())[..] {
        [first, second] => [first, second][below(rng, 2) as usize],
        [only] => only,
        _ => 0,
    }
}

/// The pile of a card that the seat may play or discard.
fn pile(layout: Layout, hand: Cards, card: &Value, given: &Value) -> Result<u8, Refused> {
    let playable = |&pile: &u8| {
        let playable = layout.playable(hand, usize::from(pile));
        playable.is_some_and(|own| layout.to_json(own) == *card)
    };
    let found = piles(layout, hand).into_iter().find(playable);
    found.ok_or_else(|| illegal("this card is not the next one of its pile in the hand", given))
}

/// `{"star": true}`.
fn star(_: Layout, _: Cards, value: &Value) -> Result<bool, Refused> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Star {
        star: bool,
    }
    Ok(answer::<Star>(value)?.star)
}

/// `{"discard": "w12"}`.
fn discard(layout: Layout, hand: Cards, value: &Value) -> Result<u8, Refused> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Discard {
        discard: Value,
    }
    let Discard { discard } = answer(value)?;
    pile(layout, hand, &discard, value)
}

/// `{"play": "w12", "wait": 3.5}`, `{"refocus": 3.5}`, or `{"play": null}` to wait on.
fn means(layout: Layout, hand: Cards, value: &Value) -> Result<Intent, Refused> {
    #[derive(Deserialize)]
    #[serde(
        untagged,
        deny_unknown_fields,
        expecting = "this must be {\"play\": CARD, \"wait\": SECONDS}, {\"play\": null} or \
                     {\"refocus\": SECONDS}"
    )]
    enum Means {
        Wait { play: () },
        Play { play: Value, wait: f64 },
        Refocus { refocus: f64 },
    }
    let seconds = |wait: f64| match (0.0..=LONGEST).contains(&wait) {
        true => Ok(wait),
        false => Err(illegal("a wait must be from 0 to 1,000,000 seconds", value)),
    };
    Ok(match answer(value)? {
        Means::Wait { play: () } => Intent::Wait,
        Means::Refocus { refocus } => Intent::Refocus { wait: seconds(refocus)? },
        Means::Play { play, wait } => {
            Intent::Play { pile: pile(layout, hand, &play, value)?, wait: seconds(wait)? }
        }
    })
}

/// What does not change during a game.
fn describe(rules: &Rules) -> Map<String, Value> {
    let layout = rules.layout();
    let levels = |is: &dyn Fn(u8) -> bool| (1..=rules.levels()).filter(|&l| is(l)).collect();
    let names = |level: u8| {
        let blind = layout.names().iter().enumerate();
        let blind = blind.filter(|&(pile, _)| rules.is_blind(level, pile));
        blind.map(|(_, &name)| name).collect::<Vec<_>>()
    };
    let blind = (1..=rules.levels()).map(|level| (level, names(level)));
    let options = Options {
        setup: None,
        levels: Some(rules.levels()),
        lives: Some(rules.lives()),
        stars: Some(rules.stars()),
        mistake: Some(rules.mistake()),
        blind: Some(Blind::ByLevel(blind.filter(|(_, piles)| !piles.is_empty()).collect())),
        blind_penalty: Some(rules.blind_penalty()),
        blind_reward: Some(rules.blind_reward()),
        lose_at: Some(rules.lose_at()),
        rewards: Some(Rewards {
            star: Some(levels(&|level| rules.star_after(level))),
            life: Some(levels(&|level| rules.life_after(level))),
        }),
        max_lives: Some(rules.max_lives()),
        first_level: Some(rules.first_level()).filter(|&level| level > 1),
        max_stars: Some(rules.max_stars()),
        refocuses: Some(rules.refocuses()),
        refocus_seconds: Some(rules.refocus_seconds()),
    };
    let mut table = Map::new();
    table.insert("players".to_owned(), rules.players().into());
    table.insert("rules".to_owned(), json!(options));
    table
}

/// The view of a seat, and what happened since it was last asked.
fn seen(view: &View<'_>, events: Vec<Value>) -> Value {
    let layout = view.layout();
    let seats = || 0..view.rules().players();
    let piles = || 0..layout.piles();
    let by_pile = |of: &dyn Fn(usize) -> Value| -> Value {
        let named = piles().map(|pile| (layout.names()[pile].name().to_owned(), of(pile)));
        Value::Object(named.collect())
    };
    let top = |pile: usize| match view.top(pile) {
        None | Some(0) => Value::Null,
        Some(rank) => layout.to_json(layout.card(pile, rank)),
    };
    let playable = piles().filter_map(|pile| view.playable(pile)).collect::<Cards>();
    let plays = |pile: usize| seats().map(|seat| view.blind_plays(seat, pile)).collect();
    json!({
        "level": view.level(),
        "attempt": view.attempt(),
        "lives": view.lives(),
        "stars": view.stars(),
        "refocuses": view.refocuses(),
        "clock": view.clock(),
        "hand": cards(layout, view.hand()),
        "playable": cards(layout, playable),
        "tops": by_pile(&top),
        "blind": by_pile(&|pile| view.is_blind(pile).into()),
        "sizes": seats().map(|seat| view.size(seat)).collect::<Vec<_>>(),
        "shown": seats().map(|seat| cards(layout, view.shown(seat))).collect::<Vec<_>>(),
        "played_blind": cards(layout, view.played_blind()),
        "blind_plays": by_pile(&plays),
        "blind_since_own": by_pile(&|pile| view.blind_since_own(pile).into()),
        "events": events,
    })
}

/// The last event, as records write it, with what all see of it.
fn event(view: &View<'_>) -> Value {
    let (layout, at) = (view.layout(), view.clock());
    let written = |card: Card| layout.to_json(card);
    match view.last() {
        Event::Deal => json!({"deal": view.level()}),
        Event::Play { seat, card: Some(card), mistake, .. } => {
            json!({"seat": seat, "play": written(card), "mistake": mistake, "at": at})
        }
        Event::Play { seat, pile, card: None, .. } => {
            json!({"seat": seat, "blind": layout.names()[usize::from(pile)], "at": at})
        }
        Event::Star => json!({"star": true, "at": at}),
        Event::Refocus => json!({"refocus": true, "at": at}),
    }
}

fn cards(layout: Layout, cards: Cards) -> Value {
    cards.iter().map(|card| layout.to_json(card)).collect()
}
