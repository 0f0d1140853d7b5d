//! What best responses gain: the design `best-response` seats one with each strategy that it answers.

use super::bracketed;

/// Whether a gain is one. What is gained from a strategy is 0 at least, by doing as it does: an answer
/// that takes less is none, and so is one of which an interval does not say that it takes more.
pub fn is_found(gain: f64, interval: Option<(f64, f64)>) -> bool {
    interval.map_or(gain > 0.0, |(low, _)| low > 0.0 && gain > 0.0)
}

/// A gain as a person reads it: `16.15 [14.61, 17.69]`, or `none found [-1.78, 0.28]`.
pub fn gain(gain: f64, interval: Option<(f64, f64)>, decimals: usize) -> String {
    let text = |value: f64| value.to_string();
    let (low, high) = interval.map_or_else(Default::default, |(low, high)| (text(low), text(high)));
    let shown = bracketed(&text(gain), &low, &high, decimals);
    match (is_found(gain, interval), shown.split_once(' ')) {
        (true, _) => shown,
        (false, Some((_, ends))) => format!("none found {ends}"),
        (false, None) => "none found".to_owned(),
    }
}

/// Whether a row is a searcher's that answers another row's strategy: it is called by it,
/// `best-response(greedy)` or `lower-bound(duct, deals=8)`.
pub(super) fn is_answer(label: &str, mut labels: impl Iterator<Item = impl AsRef<str>>) -> bool {
    let inner = ["best-response(", "lower-bound("].iter().find_map(|kind| label.strip_prefix(kind));
    inner.is_some_and(|inner| {
        labels.any(|other| {
            let rest = inner.strip_prefix(other.as_ref());
            rest.is_some_and(|rest| rest == ")" || rest.starts_with(", ") && rest.ends_with(')'))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_nothing_is_none_found() {
        assert_eq!(gain(16.154, Some((14.6, 17.7)), 2), "16.15 [14.60, 17.70]");
        assert_eq!(gain(-0.75, Some((-1.78, 0.28)), 2), "none found [-1.78, 0.28]");
        // Above 0, and yet it may be luck.
        assert_eq!(gain(0.79, Some((-0.47, 2.05)), 2), "none found [-0.47, 2.05]");
        assert_eq!(gain(0.5, Some((0.0, 1.0)), 1), "none found [0.0, 1.0]");
        // Below 0 for sure: it answers badly.
        assert_eq!(gain(-3.0, Some((-4.0, -2.0)), 0), "none found [-4, -2]");
        assert_eq!((gain(2.0, None, 1), gain(-2.0, None, 1)), ("2.0".into(), "none found".into()));
    }

    #[test]
    fn answers_are_called_by_what_they_answer() {
        let labels = ["greedy", "duct(playouts=50)", "best-response(model=greedy)"];
        let is = |label: &str| is_answer(label, labels.iter());
        assert!(is("best-response(greedy)") && is("lower-bound(duct(playouts=50), deals=8)"));
        // Of their own right in a line-up.
        assert!(!is("best-response") && !is("best-response(model=greedy)") && !is("greedy"));
        assert!(!is("best-response(greedyness)"));
    }
}
