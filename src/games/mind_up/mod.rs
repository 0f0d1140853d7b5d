//! Mind Up!: all choose a card at once, take prizes by rank, and fill coloured columns.

pub mod block;
pub mod card_set;
mod deal;
pub mod deck;
pub mod objectives;
pub mod player;
pub mod record;
pub mod referee;
pub mod rules;
pub mod state;
pub mod tell;
mod view;

pub use block::{Block, Observer};
pub use deck::{Card, Deck};
pub use record::{Record, Recorder, record_game};
pub use rules::{MAX_PLAYERS, Options, Rules};
pub use state::{Outcome, Public, RoundScore, Tableau};
pub use view::View;
