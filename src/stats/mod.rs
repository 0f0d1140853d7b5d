//! Statistics: pure functions, each with its source and a test against a published number.
