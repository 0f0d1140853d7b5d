//! Puts the git revision into the binary, for the manifest of results.

use std::process::Command;

fn main() {
    // A dirty tree is told by the tracked files; a package without git has no revision.
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let revision = git(&["rev-parse", "HEAD"]).unwrap_or_default();
    let dirty = git(&["status", "--porcelain", "--untracked-files=no"]);
    let dirty = if dirty.is_some_and(|changes| !changes.is_empty()) { "-dirty" } else { "" };
    println!("cargo:rustc-env=MINDLAB_REVISION={revision}{dirty}");
    if let Some(folder) = git(&["rev-parse", "--absolute-git-dir"]) {
        println!("cargo:rerun-if-changed={folder}/HEAD");
        // Written by every commit and checkout, and not, as the index is, by a look at the status.
        println!("cargo:rerun-if-changed={folder}/logs/HEAD");
    }
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-changed=strategies");
}
