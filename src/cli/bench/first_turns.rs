//! Decisions of `monte-carlo` in the first turn, with hands of 7, in blocks as experiments play.

use std::time::Instant;

use anyhow::Result;

use crate::error::{InputError, PlayError};
use crate::experiment::run::BLOCK;
use crate::games::GameId;
use crate::games::mind_up::player::{Player, Request};
use crate::games::mind_up::{Block, Card, Options, Rules};
use crate::rng::{GameKey, deal_key};
use crate::strategies::{Library, build, mind_up};

const PLAYERS: usize = 4;

/// Thinks in the first turn of a game alone.
struct Once {
    player: Box<dyn Player>,
    first: bool,
}

impl Player for Once {
    fn begin(&mut self, keys: &[GameKey]) {
        self.first = true;
        self.player.begin(keys);
    }

    fn choose(&mut self, request: Request<'_>) -> Result<(), PlayError> {
        if std::mem::take(&mut self.first) {
            return self.player.choose(request);
        }
        for (play, hand) in request.plays.iter_mut().zip(request.hands) {
            *play = hand.trailing_zeros() as Card;
        }
        Ok(())
    }
}

/// Decisions a second over at least so many seconds.
pub(super) fn measure(seconds: f64, threads: usize) -> Result<f64> {
    let rules = Rules::new(PLAYERS, &Options { rounds: Some(1), ..Options::default() })?;
    let spec = Library::default().resolve(GameId::MindUp, &"monte-carlo".into())?;
    let spec = spec.first().ok_or_else(|| InputError::new("", "", "monte-carlo is missing"))?;
    let built = build(mind_up::FAMILIES, spec, PLAYERS)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let clock = Instant::now();
    let played = pool.broadcast(|thread| -> Result<u64, PlayError> {
        let seat = |_| Ok(Box::new(Once { player: built.seat()?, first: false }));
        let mut players = (0..PLAYERS).map(seat).collect::<Result<Vec<_>, PlayError>>()?;
        let (mut block, mut outcomes, mut games) = (Block::default(), Vec::new(), 0);
        while clock.elapsed().as_secs_f64() < seconds {
            let deals = games..games + BLOCK;
            let stage = thread.index() as u64;
            let key = |deal| GameKey::new(deal_key(1, stage, PLAYERS, deal), 0, 0);
            let keys: Vec<_> = deals.map(key).collect();
            block.play(&rules, &mut players, &keys, &mut (), &mut outcomes)?;
            games += BLOCK;
        }
        Ok(games)
    });
    let games = played.into_iter().sum::<Result<u64, PlayError>>()?;
    Ok((games * PLAYERS as u64) as f64 / clock.elapsed().as_secs_f64())
}
