//! Records that were damaged in every way: each gets a verdict or an error, and nothing panics.

use super::support::lines;
use mindlab::games::record::Code;
use mindlab::games::referee::judge_stream;
use mindlab::rng::{Key, Rng, below};
use serde_json::{Value, json};

/// Mutants in a normal run; `MINDLAB_MUTANTS` sets another number.
const MUTANTS: usize = 100_000;

#[test]
fn damaged_records_never_panic() {
    let count = std::env::var("MINDLAB_MUTANTS").ok();
    let count = count.map_or(MUTANTS, |count| count.parse().unwrap());
    let mut records = lines("mind_up_records");
    records.extend(lines("more_records"));
    let known: Vec<String> = Code::ALL.iter().map(|(code, _)| code.to_string()).collect();
    let mut rng = Key::root(2024).rng();
    let (mut legal, mut illegal) = (0, std::collections::BTreeMap::<String, usize>::new());
    for mutant in 0..count {
        let record = &records[pick(&mut rng, records.len())];
        let mut bytes = damaged(record, mutant, &mut rng);
        if mutant % 10 == 0 {
            bytes = flipped(bytes, &mut rng);
        }
        let mut output = Vec::new();
        judge_stream(bytes.as_slice(), &mut output).unwrap();
        for line in std::str::from_utf8(&output).unwrap().lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let Some(error) = line.get("error") else {
                assert!(line["game"].is_string(), "{line}");
                legal += 1;
                continue;
            };
            let code = error["code"].as_str().unwrap();
            assert!(known.iter().any(|known| known == code), "{line}");
            assert!(!error["message"].as_str().unwrap().is_empty(), "{line}");
            *illegal.entry(code.to_owned()).or_default() += 1;
        }
    }
    // The damage reaches far: all that can be wrong with a record of Mind Up! was met.
    if count >= 20_000 {
        assert!(legal > 0 && illegal.len() >= 14, "{legal} {illegal:?}");
    }
}

fn pick(rng: &mut Rng, count: usize) -> usize {
    below(rng, count.max(1) as u32) as usize
}

fn damaged(record: &str, kind: usize, rng: &mut Rng) -> Vec<u8> {
    match kind % 8 {
        0 => flipped(record.as_bytes().to_vec(), rng),
        1 => record.as_bytes()[..pick(rng, record.len())].to_vec(),
        _ => {
            let mut value: Value = serde_json::from_str(record).unwrap();
            for _ in 0..=pick(rng, 2) {
                let donor = node(&mut value.clone(), rng).clone();
                change(&mut value, donor, rng);
            }
            value.to_string().into_bytes()
        }
    }
}

/// Flips a bit in a few bytes.
fn flipped(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    for _ in 0..=pick(rng, 3) {
        if !bytes.is_empty() {
            let place = pick(rng, bytes.len());
            bytes[place] ^= 1 << pick(rng, 8);
        }
    }
    bytes
}

/// A value somewhere in a record.
fn node<'a>(value: &'a mut Value, rng: &mut Rng) -> &'a mut Value {
    let children = match value {
        Value::Array(items) => items.len(),
        Value::Object(map) => map.len(),
        _ => 0,
    };
    if children == 0 || pick(rng, 6) == 0 {
        return value;
    }
    let child = pick(rng, children);
    match value {
        Value::Array(items) => node(&mut items[child], rng),
        Value::Object(map) => node(map.values_mut().nth(child).unwrap(), rng),
        leaf => leaf,
    }
}

/// Changes a value, or what is in it.
fn change(record: &mut Value, donor: Value, rng: &mut Rng) {
    let target = node(record, rng);
    match target {
        Value::Array(items) if !items.is_empty() && pick(rng, 4) > 0 => {
            let (place, other) = (pick(rng, items.len()), pick(rng, items.len()));
            match pick(rng, 5) {
                0 => drop(items.remove(place)),
                1 => items.insert(other, items[place].clone()),
                2 => items.swap(place, other),
                3 => items[place] = items[other].clone(),
                _ => items[place] = donor,
            }
        }
        Value::Object(map) if !map.is_empty() && pick(rng, 4) > 0 => {
            let key = map.keys().nth(pick(rng, map.len())).unwrap().clone();
            match pick(rng, 3) {
                0 => drop(map.shift_remove(&key)),
                1 => drop(map.insert(format!("{key}x"), donor)),
                _ => drop(map.insert(key, donor)),
            }
        }
        target => *target = odd(donor, rng),
    }
}

/// A value that somebody may not have thought of.
fn odd(donor: Value, rng: &mut Rng) -> Value {
    match pick(rng, 16) {
        0 => json!(null),
        1 => json!(-1),
        2 => json!(0),
        3 => json!(61),
        4 => json!(255),
        5 => json!(256),
        6 => json!(u64::MAX),
        7 => json!(i64::MIN),
        8 => json!(1e300),
        9 => json!(2.5),
        10 => json!("x".repeat(500)),
        11 => json!([]),
        12 => json!({}),
        13 => json!(true),
        14 => json!("A1"),
        _ => donor,
    }
}
