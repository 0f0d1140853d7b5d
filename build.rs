//! Puts into the binary what the manifest of results says of it: the git revision, the compiler, and
//! the libraries.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use sha2::{Digest, Sha256};

fn main() {
    let said = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // A dirty tree is told by the tracked files; a package without git has no revision.
    let git = |arguments: &[&str]| said("git", arguments);
    let revision = git(&["rev-parse", "HEAD"]).unwrap_or_default();
    let dirty = git(&["status", "--porcelain", "--untracked-files=no"]);
    let dirty = if dirty.is_some_and(|changes| !changes.is_empty()) { "-dirty" } else { "" };
    println!("cargo:rustc-env=MINDLAB_REVISION={revision}{dirty}");
    if let Some(folder) = git(&["rev-parse", "--absolute-git-dir"]) {
        println!("cargo:rerun-if-changed={folder}/HEAD");
        // Written by every commit and checkout, and not, as the index is, by a look at the status.
        println!("cargo:rerun-if-changed={folder}/logs/HEAD");
    }
    let rustc = env::var("RUSTC").ok().and_then(|rustc| said(&rustc, &["--version"]));
    println!("cargo:rustc-env=MINDLAB_RUSTC={}", rustc.unwrap_or_default());
    // A package may come without it.
    let lock = Path::new("Cargo.lock");
    let hash = fs::read(lock).map(|text| {
        println!("cargo:rerun-if-changed={}", lock.display());
        Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    });
    println!("cargo:rustc-env=MINDLAB_CARGO_LOCK={}", hash.unwrap_or_default());
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-changed=strategies");
}
