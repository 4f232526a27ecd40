//! Faults that the simulation must find. Each is a patch in `faults/`, applied to a copy of the
//! workspace in `target/faults`.
//!
//! The lines above a patch describe the fault. `Seeds: from N` and `Secrets: compared` state what
//! is needed to find it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

/// A fault to inject into a copy of the workspace.
#[derive(Clone, Debug)]
pub struct Fault {
    pub name: String,
    patch: PathBuf,
    pub from: u64,
    /// Whether only a comparison of runs with different private messages finds the fault.
    pub secrets: bool,
}

fn root() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).to_owned()
}

/// Returns all faults, sorted by name.
pub fn all() -> anyhow::Result<Vec<Fault>> {
    let folder = root().join("tests/simulation/faults");
    let files = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let mut patches: Vec<PathBuf> =
        files.map(|file| Ok(file?.path())).collect::<Result<_, std::io::Error>>()?;
    patches.retain(|path| path.extension() == Some(OsStr::new("patch")));
    patches.sort();
    patches.into_iter().map(read).collect()
}

/// Returns the fault with this name, or an error if there is none.
pub fn named(name: &str) -> anyhow::Result<Fault> {
    let mut faults = all()?.into_iter();
    faults.find(|fault| fault.name == name).with_context(|| format!("fault: {name:?} is unknown"))
}

fn read(patch: PathBuf) -> anyhow::Result<Fault> {
    let text = fs::read_to_string(&patch)?;
    let head = text.lines().take_while(|line| !line.starts_with("--- "));
    let (mut from, mut secrets) = (1, false);
    for line in head {
        if let Some(seed) = line.strip_prefix("Seeds: from ") {
            from = seed.parse().with_context(|| format!("{}: {line}", patch.display()))?;
        }
        secrets |= line == "Secrets: compared";
    }
    let name = patch.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Fault { name, patch, from, secrets })
}

/// Builds `simulate` with a fault and returns the program's path.
///
/// # Errors
///
/// If the patch does not apply or the copy does not build.
pub fn build(fault: &Fault) -> anyhow::Result<PathBuf> {
    let root = fs::canonicalize(root())?;
    let folder = root.join("target/faults");
    let (tree, target) = (folder.join("tree"), folder.join("build"));
    copy(&root, &tree)?;
    apply(fault, &tree, &[])?;
    let mut cargo = Command::new(option_env!("CARGO").unwrap_or("cargo"));
    cargo.current_dir(&tree).env("CARGO_TARGET_DIR", &target);
    // Build all programs, so that features and libraries are the same as in the workspace's tests.
    cargo.args(["build", "--quiet", "--offline", "--workspace", "--bin", "simulate"]);
    ensure!(cargo.status()?.success(), "{}: the patched copy does not build", fault.name);
    let program = folder.join(&fault.name);
    fs::copy(target.join("debug/simulate"), &program)?;
    Ok(program)
}

/// Checks that a patch applies to the workspace.
///
/// # Errors
///
/// If the patch does not apply.
pub fn check(fault: &Fault) -> anyhow::Result<()> {
    apply(fault, &root(), &["--check"])
}

fn apply(fault: &Fault, tree: &Path, options: &[&str]) -> anyhow::Result<()> {
    // Within a repository, git would omit the files of an ignored folder.
    let above = fs::canonicalize(tree)?.parent().map(Path::to_owned).unwrap_or_default();
    let mut git = Command::new("git");
    git.current_dir(tree).env("GIT_CEILING_DIRECTORIES", above).arg("apply").args(options);
    let output = git.arg(&fault.patch).output()?;
    let why = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{} does not apply: {why}", fault.name);
    Ok(())
}

/// Updates a copy of the tracked files. Unchanged files keep their time.
fn copy(root: &Path, tree: &Path) -> anyhow::Result<()> {
    let mut git = Command::new("git");
    let listed = git.current_dir(root).args(["ls-files", "-z"]).output()?;
    ensure!(listed.status.success(), "git ls-files: {}", String::from_utf8_lossy(&listed.stderr));
    for name in String::from_utf8(listed.stdout)?.split_terminator('\0') {
        let (from, to) = (root.join(name), tree.join(name));
        let Ok(bytes) = fs::read(&from) else { continue };
        if fs::read(&to).is_ok_and(|there| there == bytes) {
            continue;
        }
        fs::create_dir_all(to.parent().unwrap_or(tree))?;
        fs::write(&to, bytes)?;
    }
    Ok(())
}
