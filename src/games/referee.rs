//! The referee for records of all games: a line, or a stream of lines.

use std::io::{self, BufRead, Read, Write};

use serde::Serialize;
use serde_json::Value;

use super::record::{Code, Illegal, parse, required, text};
use super::{GameId, mind_up, the_mind};
use crate::error::unknown;

/// The longest line that is read, in bytes. A longer one is refused without being held in memory;
/// the longest games there are need a hundredth of it.
pub const MAX_LINE: usize = 1 << 24;

/// What a legal record came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Verdict {
    /// Mind Up!.
    MindUp(mind_up::referee::Verdict),
    /// The Mind or The Mind Extreme.
    TheMind(the_mind::verdict::Verdict),
}

/// Judges a record of any game.
///
/// # Errors
/// The first error in reading order.
pub fn judge_line(line: &str) -> Result<Verdict, Illegal> {
    judge(&parse(line)?)
}

/// Judges a record of any game that is parsed already.
///
/// # Errors
/// The first error in reading order.
pub fn judge(value: &Value) -> Result<Verdict, Illegal> {
    let Some(record) = value.as_object() else {
        let what = "the record is not an object";
        return Err(Illegal::new(Code::WrongType, what));
    };
    let name = text(required(record, "game")?, "game")?;
    match GameId::from_name(name) {
        Some(GameId::MindUp) => mind_up::referee::judge(value).map(Verdict::MindUp),
        Some(GameId::TheMind | GameId::TheMindExtreme) => {
            the_mind::referee::judge(value).map(Verdict::TheMind)
        }
        None => {
            let what = unknown("game", name, GameId::ALL.map(GameId::name));
            Err(Illegal::new(Code::UnknownGame, format!("`{name}`: {what}")))
        }
    }
}

/// A line of output: which record, and what was found in it.
#[derive(Serialize)]
struct Judged<'a, T> {
    record: usize,
    #[serde(flatten)]
    finding: Finding<'a, T>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Finding<'a, T> {
    Legal(&'a T),
    Illegal { error: &'a Illegal },
}

/// Writes what was found in a record as a line of JSON, its number first.
pub(crate) fn write_found<T: Serialize>(
    mut output: impl Write,
    record: usize,
    found: &Result<T, Illegal>,
) -> io::Result<()> {
    let finding = match found {
        Ok(found) => Finding::Legal(found),
        Err(error) => Finding::Illegal { error },
    };
    serde_json::to_writer(&mut output, &Judged { record, finding })?;
    output.write_all(b"\n")
}

/// Judges JSON Lines: a line of output for each record, in order. Lines of nothing but white space
/// are skipped and not counted; lines may end in CR LF, and a byte order mark at the beginning, as
/// some editors leave it, is no part of the first line. Returns whether all records were legal.
///
/// # Errors
/// Where reading or writing fails; whatever a line has in it is a finding, not an error.
pub fn judge_stream<R: BufRead, W: Write>(mut input: R, mut output: W) -> io::Result<bool> {
    let (mut all_legal, mut record, mut first) = (true, 0, true);
    let mut buffer = Vec::new();
    while let Some(whole) = next_line(&mut input, &mut buffer, &mut first)? {
        let verdict = line_text(&buffer, whole).and_then(judge_line);
        write_found(&mut output, record, &verdict)?;
        all_legal &= verdict.is_ok();
        record += 1;
    }
    output.flush()?;
    Ok(all_legal)
}

/// Reads the next line that is not of white space alone into the buffer, without a byte order mark
/// where it is the `first`. Returns whether it is whole, and nothing at the end.
pub(crate) fn next_line<R: BufRead>(
    input: &mut R,
    buffer: &mut Vec<u8>,
    first: &mut bool,
) -> io::Result<Option<bool>> {
    while let Some(whole) = read_line(input, buffer)? {
        if std::mem::take(first) && buffer.starts_with(b"\xef\xbb\xbf") {
            buffer.drain(..3);
        }
        if !whole || !buffer.trim_ascii().is_empty() {
            return Ok(Some(whole));
        }
    }
    Ok(None)
}

/// A line as text; one that is too long or no UTF-8 is refused.
pub(crate) fn line_text(line: &[u8], whole: bool) -> Result<&str, Illegal> {
    if !whole {
        let what = format!("the line is longer than {MAX_LINE} bytes");
        return Err(Illegal::new(Code::NotJson, what));
    }
    std::str::from_utf8(line)
        .map_err(|error| Illegal::new(Code::NotJson, format!("this is not valid UTF-8: {error}")))
}

/// Reads a line, its end included, into the buffer; of one that is too long only the beginning,
/// and the rest is passed over. Returns whether the line is whole, and nothing at the end.
fn read_line<R: BufRead>(input: &mut R, buffer: &mut Vec<u8>) -> io::Result<Option<bool>> {
    buffer.clear();
    let mut limited = input.by_ref().take(MAX_LINE as u64);
    if limited.read_until(b'\n', buffer)? == 0 {
        return Ok(None);
    }
    if buffer.len() < MAX_LINE || buffer.ends_with(b"\n") {
        return Ok(Some(true));
    }
    let rest = skip_line(input)?;
    Ok(Some(rest == 0))
}

/// Passes over what is left of a line; returns how many bytes it had, its end not counted.
fn skip_line<R: BufRead>(input: &mut R) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok(skipped);
        }
        let end = available.iter().position(|&byte| byte == b'\n');
        let length = end.unwrap_or(available.len());
        skipped += length as u64;
        input.consume(length + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(skipped);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(input: &[u8]) -> (bool, Vec<Value>) {
        let mut output = Vec::new();
        let legal = judge_stream(input, &mut output).unwrap();
        let lines = std::str::from_utf8(&output).unwrap().lines();
        let lines = lines.map(|line| serde_json::from_str(line).unwrap());
        (legal, lines.collect())
    }

    #[test]
    fn nothing_is_legal() {
        assert_eq!(judged(b""), (true, vec![]));
        assert_eq!(judged(b"\n  \r\n\t\n"), (true, vec![]));
        assert_eq!(judged(b"\xef\xbb\xbf\n"), (true, vec![]));
    }

    #[test]
    fn every_line_gets_an_answer_with_its_index_first() {
        let text = b"\n{}\r\n\xff\xfe\n\n[1]\n{\"game\": 7}\n{\"game\": \"go\"}\nnull";
        let (legal, lines) = judged(text);
        assert!(!legal);
        let codes: Vec<_> = lines.iter().map(|line| &line["error"]["code"]).collect();
        let expected =
            ["missing-key", "not-json", "wrong-type", "wrong-type", "unknown-game", "wrong-type"];
        assert_eq!(codes, expected);
        for (index, line) in lines.iter().enumerate() {
            assert!(line.to_string().starts_with(&format!("{{\"record\":{index},")));
        }
    }

    #[test]
    fn a_line_beyond_the_limit_is_refused_and_the_next_one_read() {
        let long = format!("\"{}\"\n{{}}\n", "x".repeat(MAX_LINE + 5));
        let (_, lines) = judged(long.as_bytes());
        assert_eq!(lines[0]["error"]["code"], "not-json");
        assert_eq!(lines[1]["error"]["code"], "missing-key");
        assert_eq!(lines.len(), 2);
        // At the limit to the byte, with and without an end.
        for end in ["", "\n", "\r\n"] {
            for length in MAX_LINE - 3..=MAX_LINE {
                let text = format!("\"{}\"{end}", "x".repeat(length - 2));
                let (_, lines) = judged(text.as_bytes());
                assert_eq!(lines.len(), 1, "{length} {end:?}");
            }
        }
    }

    #[test]
    fn reading_that_fails_is_an_error_of_its_own() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        assert!(judge_stream(io::BufReader::new(Broken), Vec::new()).is_err());
    }
}
