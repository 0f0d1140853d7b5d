//! The command `mindlab`.

use std::process::ExitCode;

fn main() -> ExitCode {
    mindlab::cli::main()
}
