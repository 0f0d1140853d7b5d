//! Text that a terminal can be given.

use std::borrow::Cow;

/// The text with all that would steer a terminal shown in place of done: control characters, and
/// those that turn the direction of writing, as `\u{1b}`. Line breaks stay, a tab becomes a blank.
///
/// Names, questions, labels and whatever else comes from files or arguments may hold any character.
/// Files of results keep them as they are; what is printed for a person goes through this.
pub fn safe(text: &str) -> Cow<'_, str> {
    if !text.contains(steers) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\t' => shown.push(' '),
            // The end of a line in files of some systems.
            '\r' if rest.peek() == Some(&'\n') => {}
            c if steers(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown.into()
}

/// Whether a terminal does something else with a character than show it; a line break is none.
pub(crate) fn steers(c: char) -> bool {
    let turns = matches!(c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || c.is_control() && c != '\n'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown() {
        assert_eq!(safe("\u{1b}]0;mine\u{7}"), "\\u{1b}]0;mine\\u{7}");
        assert_eq!(safe("over\rwritten\u{8}\u{7f}"), "over\\u{d}written\\u{8}\\u{7f}");
        // A single byte does what the escape sequence of two does; and text that runs backwards.
        assert_eq!(safe("\u{9b}31m \u{202e}txt"), "\\u{9b}31m \\u{202e}txt");
    }

    #[test]
    fn lines_and_letters_stay() {
        let text = "Zwölf Boxkämpfer,\nja? 牛 🐄\n";
        assert!(matches!(safe(text), Cow::Borrowed(same) if same == text));
        assert_eq!(safe("a\tb\r\nc"), "a b\nc");
    }
}
