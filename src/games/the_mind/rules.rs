//! The rules that a game is played by: options, laid over a setup, checked.

use std::collections::BTreeMap;

use super::cards::{DECK, Layout, MAX_SEATS, PileName};
use super::options::{
    Blind, BlindPenalty, BlindReward, LoseAt, MAX_LEVELS, Mistake, Options, Rewards,
};
use super::setup::Setup;
use crate::error::{ErrorKind, InputError};
use crate::games::GameId;

const LEVELS: usize = MAX_LEVELS as usize + 1;

/// Checked rules for one of the two games and a count of players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    game: GameId,
    layout: Layout,
    players: u8,
    levels: u8,
    first_level: u8,
    lives: u8,
    stars: u8,
    max_lives: u8,
    max_stars: u8,
    refocuses: u8,
    refocus_seconds: u8,
    mistake: Mistake,
    penalty: BlindPenalty,
    blind_reward: BlindReward,
    lose_at: LoseAt,
    /// A bit for each pile that is blind, by level.
    blind: [u8; LEVELS],
    /// A bit for each level that brings a star, and a life.
    star_after: u64,
    life_after: u64,
}

impl Rules {
    /// The rules of a game for some players (2 to 10), with the setup that the options name.
    ///
    /// # Errors
    /// The option that will not do, as the error's key, and what would.
    pub fn new(game: GameId, players: usize, options: &Options) -> Result<Rules, InputError> {
        let setup = match &options.setup {
            Some(name) => Setup::named(name)?,
            None => Setup::official(game)?,
        };
        setup.check_game(game)?;
        Rules::with_setup(setup, players, options)
    }

    /// The rules of a setup's game, whatever setup the options name.
    ///
    /// # Errors
    /// The option that will not do, as the error's key, and what would.
    pub fn with_setup(
        setup: &Setup,
        players: usize,
        options: &Options,
    ) -> Result<Rules, InputError> {
        let game = setup.game;
        let official = Setup::official(game)?;
        let layout = Layout::of(game).ok_or_else(|| {
            InputError::new("game", game, "this must be the-mind or the-mind-extreme")
        })?;
        if !(2..=MAX_SEATS).contains(&players) {
            let message = format!("{game} is for 2 to {MAX_SEATS} players");
            return Err(InputError::new("players", players, message).of(ErrorKind::Players));
        }
        let defaults = [&setup.defaults, &official.defaults];
        let (levels, lives, stars) = counts(setup, players, options)?;
        let mut rules = Rules {
            game,
            layout,
            players: players as u8,
            levels,
            first_level: options.first_level.unwrap_or(1),
            lives,
            stars,
            max_lives: pick("max_lives", options, defaults, |o| o.max_lives)?,
            max_stars: pick("max_stars", options, defaults, |o| o.max_stars)?,
            refocuses: pick("refocuses", options, defaults, |o| o.refocuses)?,
            refocus_seconds: pick("refocus_seconds", options, defaults, |o| o.refocus_seconds)?,
            mistake: pick("mistake", options, defaults, |o| o.mistake)?,
            penalty: pick("blind_penalty", options, defaults, |o| o.blind_penalty)?,
            blind_reward: pick("blind_reward", options, defaults, |o| o.blind_reward)?,
            lose_at: pick("lose_at", options, defaults, |o| o.lose_at)?,
            blind: [0; LEVELS],
            star_after: 0,
            life_after: 0,
        };
        rules.check_counts()?;
        let star = |o: &Options| o.rewards.as_ref().and_then(|r| r.star.clone());
        let life = |o: &Options| o.rewards.as_ref().and_then(|r| r.life.clone());
        let stars = pick("rewards.star", options, defaults, star)?;
        let lives = pick("rewards.life", options, defaults, life)?;
        rules.star_after = bits("rewards.star", &stars)?;
        rules.life_after = bits("rewards.life", &lives)?;
        let blind = pick("blind", options, defaults, |o| o.blind.clone())?;
        rules.blind = blind_piles(layout, levels, &blind, &setup.blind_table)?;
        Ok(rules)
    }

    fn check_counts(&self) -> Result<(), InputError> {
        if !(1..=MAX_LEVELS).contains(&self.levels) {
            let message = format!("a game must have 1 to {MAX_LEVELS} levels");
            return Err(InputError::new("levels", self.levels, message));
        }
        let most = DECK / usize::from(self.players);
        if usize::from(self.levels) > most {
            let message = format!(
                "{} players at level {} need more than the {DECK} cards of the deck; at most \
                 {most}",
                self.players, self.levels
            );
            return Err(InputError::new("levels", self.levels, message));
        }
        if self.first_level > self.levels {
            let message = format!(
                "the first level must not be after the last level, which is {}",
                self.levels
            );
            return Err(InputError::new("first_level", self.first_level, message));
        }
        if self.lives == 0 && self.lose_at == LoseAt::LastLife {
            let message = "the team would lose before the game begins; this must be at least 1, \
                           or lose_at must be \"life-owed\"";
            return Err(InputError::new("lives", 0, message));
        }
        Ok(())
    }

    /// The same rules, but with the first level dealt being a later one (1 to the last level).
    pub fn from_level(mut self, level: u8) -> Rules {
        self.first_level = level.clamp(1, self.levels);
        self
    }

    /// The options that make these rules from the game's official setup: only what differs, except
    /// that counts of players which that setup does not know have all three counts.
    pub fn to_options(&self) -> Options {
        let Ok(setup) = Setup::official(self.game) else {
            return Options::default();
        };
        let counts = setup.counts(self.players());
        let d = &setup.defaults;
        let differs = |value: u8, default: Option<u8>| (Some(value) != default).then_some(value);
        let rewards = Rewards {
            star: Some(levels_of(self.star_after))
                .filter(|levels| d.rewards.as_ref().and_then(|r| r.star.as_ref()) != Some(levels)),
            life: Some(levels_of(self.life_after))
                .filter(|levels| d.rewards.as_ref().and_then(|r| r.life.as_ref()) != Some(levels)),
        };
        Options {
            setup: None,
            levels: differs(self.levels, counts.map(|c| c.levels)),
            first_level: differs(self.first_level, Some(1)),
            lives: differs(self.lives, counts.map(|c| c.lives)),
            stars: differs(self.stars, counts.map(|c| c.stars)),
            mistake: Some(self.mistake).filter(|v| Some(*v) != d.mistake),
            blind: Some(self.blind_option(setup)).filter(|v| Some(v) != d.blind.as_ref()),
            blind_penalty: Some(self.penalty).filter(|v| Some(*v) != d.blind_penalty),
            blind_reward: Some(self.blind_reward).filter(|v| Some(*v) != d.blind_reward),
            lose_at: Some(self.lose_at).filter(|v| Some(*v) != d.lose_at),
            rewards: Some(rewards).filter(|r| *r != Rewards::default()),
            max_lives: differs(self.max_lives, d.max_lives),
            max_stars: differs(self.max_stars, d.max_stars),
            refocuses: differs(self.refocuses, d.refocuses),
            refocus_seconds: differs(self.refocus_seconds, d.refocus_seconds),
        }
    }

    /// The shortest way to say which piles are blind, the setup's default first.
    fn blind_option(&self, setup: &Setup) -> Blind {
        let default = setup.defaults.blind.clone().into_iter();
        for blind in default.chain([Blind::None, Blind::Table, Blind::All]) {
            let piles = blind_piles(self.layout, self.levels, &blind, &setup.blind_table);
            if piles.as_ref() == Ok(&self.blind) {
                return blind;
            }
        }
        let names = |level: &u8| {
            let piles = self.layout.names().iter().enumerate();
            let blind = piles.filter(|&(pile, _)| self.is_blind(*level, pile));
            blind.map(|(_, &name)| name).collect::<Vec<_>>()
        };
        let levels = (1..=self.levels).filter(|&level| self.blind_at(level) != 0);
        Blind::ByLevel(levels.map(|level| (level, names(&level))).collect())
    }

    /// The game.
    pub const fn game(&self) -> GameId {
        self.game
    }

    /// Which cards and piles there are.
    #[inline(always)]
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// How many players there are, 2 to 10.
    #[inline(always)]
    pub const fn players(&self) -> usize {
        self.players as usize
    }

    /// How many levels the game has, 1 to 50.
    #[inline(always)]
    pub const fn levels(&self) -> u8 {
        self.levels
    }

    /// The level that is dealt first.
    pub const fn first_level(&self) -> u8 {
        self.first_level
    }

    /// The lives at the start.
    pub const fn lives(&self) -> u8 {
        self.lives
    }

    /// The stars at the start.
    pub const fn stars(&self) -> u8 {
        self.stars
    }

    /// The most lives that rewards bring a team to.
    pub const fn max_lives(&self) -> u8 {
        self.max_lives
    }

    /// The most stars that rewards bring a team to.
    pub const fn max_stars(&self) -> u8 {
        self.max_stars
    }

    /// How often the team may refocus in a level.
    #[inline(always)]
    pub const fn refocuses(&self) -> u8 {
        self.refocuses
    }

    /// The seconds that a refocus takes, 1 to 99.
    pub const fn refocus_seconds(&self) -> u8 {
        self.refocus_seconds
    }

    /// What a mistake on an open pile brings.
    #[inline(always)]
    pub const fn mistake(&self) -> Mistake {
        self.mistake
    }

    /// What blind piles in disorder cost.
    pub const fn blind_penalty(&self) -> BlindPenalty {
        self.penalty
    }

    /// Whether a level with a wrong blind pile earns its reward.
    pub const fn blind_reward(&self) -> BlindReward {
        self.blind_reward
    }

    /// When the team has lost.
    pub const fn lose_at(&self) -> LoseAt {
        self.lose_at
    }

    /// A bit for each pile that is blind at a level.
    #[inline(always)]
    pub(super) fn blind_at(&self, level: u8) -> u8 {
        self.blind.get(usize::from(level)).copied().unwrap_or(0)
    }

    /// Whether a pile is blind at a level.
    pub fn is_blind(&self, level: u8, pile: usize) -> bool {
        self.blind_at(level) >> pile & 1 == 1
    }

    /// Whether a level brings a star.
    pub const fn star_after(&self, level: u8) -> bool {
        self.star_after >> level & 1 == 1
    }

    /// Whether a level brings a life.
    pub const fn life_after(&self, level: u8) -> bool {
        self.life_after >> level & 1 == 1
    }
}

/// Levels, lives and stars: from the options, else from the setup.
fn counts(setup: &Setup, players: usize, options: &Options) -> Result<(u8, u8, u8), InputError> {
    let known = setup.counts(players);
    let count = |key: &str, given: Option<u8>, known: Option<u8>| {
        given.or(known).ok_or_else(|| {
            let message = format!(
                "this option is missing; setup `{}` has no counts for {players} players, so that \
                 the rules must name levels, lives and stars",
                setup.name
            );
            InputError::new(key, "", message)
        })
    };
    Ok((
        count("levels", options.levels, known.map(|c| c.levels))?,
        count("lives", options.lives, known.map(|c| c.lives))?,
        count("stars", options.stars, known.map(|c| c.stars))?,
    ))
}

/// An option's value: as given, else the setup's, else the official setup's.
fn pick<T>(
    key: &str,
    options: &Options,
    defaults: [&Options; 2],
    get: impl Fn(&Options) -> Option<T>,
) -> Result<T, InputError> {
    get(options).or_else(|| get(defaults[0])).or_else(|| get(defaults[1])).ok_or_else(|| {
        InputError::new(key, "", "this option is missing, and the setup does not have it")
    })
}

/// A bit for each level of a list, none of which may stand there twice.
fn bits(key: &str, levels: &[u8]) -> Result<u64, InputError> {
    levels.iter().try_fold(0u64, |bits, &level| {
        if bits >> level & 1 == 1 {
            return Err(InputError::new(key, level, "this level is there twice"));
        }
        Ok(bits | 1 << level)
    })
}

fn levels_of(bits: u64) -> Vec<u8> {
    (1..=MAX_LEVELS).filter(|level| bits >> level & 1 == 1).collect()
}

/// A bit for each blind pile, by level up to the last one.
pub(super) fn blind_piles(
    layout: Layout,
    levels: u8,
    blind: &Blind,
    table: &BTreeMap<u8, Vec<PileName>>,
) -> Result<[u8; LEVELS], InputError> {
    let mut piles = [0; LEVELS];
    let levels = usize::from(levels);
    let by_level = match blind {
        Blind::None => return Ok(piles),
        Blind::All => {
            piles[1..=levels].fill((1 << layout.piles()) - 1);
            return Ok(piles);
        }
        Blind::Table => table,
        Blind::ByLevel(by_level) => by_level,
    };
    for (&level, names) in by_level {
        for &name in names {
            let Some(pile) = layout.pile_of_name(name) else {
                let known: Vec<_> = layout.names().iter().map(|name| name.name()).collect();
                let message =
                    format!("this game has no such pile; its piles are: {}", known.join(", "));
                return Err(InputError::new(format!("blind.{level}"), name, message));
            };
            if (1..=levels).contains(&usize::from(level)) {
                piles[usize::from(level)] |= 1 << pile;
            }
        }
    }
    Ok(piles)
}
