//! Cards in their colours, for terminals that can show them.

/// How text is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Paint {
    /// Not at all.
    #[default]
    Plain,
    /// By ANSI escape sequences.
    Ansi,
}

/// The code of bold text.
pub const BOLD: &str = "1";
/// The code of a red card.
pub const RED: &str = "31";
/// The code of a white card: whatever shows best on the terminal's background.
pub const WHITE: &str = BOLD;
/// The code of what went wrong.
pub const ALARM: &str = "1;31";
/// The code of what only its owner sees.
pub const FAINT: &str = "2";

const END: &str = "\u{1b}[0m";

/// Colours of cards by name: of the published deck, and some that designers may take.
const NAMED: [(&str, &str); 13] = [
    ("orange", "38;5;208"),
    ("blue", "38;5;39"),
    ("pink", "38;5;213"),
    ("green", "38;5;40"),
    ("purple", "38;5;135"),
    ("red", "38;5;196"),
    ("yellow", "38;5;226"),
    ("white", BOLD),
    ("black", "38;5;244"),
    ("grey", "38;5;250"),
    ("gray", "38;5;250"),
    ("brown", "38;5;137"),
    ("turquoise", "38;5;44"),
];

/// For names that are no colours: by the colour's place in the deck.
const OTHERS: [&str; 8] = ["31", "32", "33", "34", "35", "36", "91", "94"];

impl Paint {
    /// Text in a code of Select Graphic Rendition.
    pub fn with(self, code: &str, text: &str) -> String {
        match self {
            Paint::Plain => text.to_owned(),
            Paint::Ansi => format!("\u{1b}[{code}m{text}{END}"),
        }
    }

    /// Text in the colour of a card; `place` is the colour's place in the deck.
    pub fn card(self, colour: &str, place: usize, text: &str) -> String {
        let named = NAMED.iter().find(|(name, _)| *name == colour);
        self.with(named.map_or(OTHERS[place % OTHERS.len()], |(_, code)| code), text)
    }
}

/// Text without colours.
pub fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        out.push_str(before);
        rest = after.split_once('m').map_or("", |(_, after)| after);
    }
    out + rest
}

/// The width of text, as far as it is seen.
pub fn width(text: &str) -> usize {
    plain(text).chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_take_no_width() {
        let text = Paint::Ansi.card("orange", 0, "12") + " and " + &Paint::Ansi.card("x", 9, "7");
        assert_eq!(text, "\u{1b}[38;5;208m12\u{1b}[0m and \u{1b}[32m7\u{1b}[0m");
        assert_eq!((plain(&text).as_str(), width(&text)), ("12 and 7", 8));
        assert_eq!(Paint::Plain.card("orange", 0, "12"), "12");
    }
}
