//! The command `mindlab`.

fn main() {}
