//! The map in ARCHITECTURE.md is drawn from the real dependencies:
//!
//!     WRITE_DOCS=1 cargo nextest run --workspace -E 'test(map_of_the_crates)'

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// A crate of the workspace.
struct Member {
    folder: String,
    description: String,
    /// The other crates of the workspace that it is built on.
    uses: BTreeSet<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace")
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .current_dir(root())
        .args(arguments)
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn members() -> BTreeMap<String, Member> {
    let metadata = cargo(&["metadata", "--format-version", "1", "--no-deps", "--offline"]);
    let metadata: Value = serde_json::from_str(&metadata).expect("JSON");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let packages = metadata["packages"].as_array().expect("packages");
    let names: BTreeSet<String> = packages.iter().map(|package| text(&package["name"])).collect();
    let member = |package: &Value| {
        let manifest = text(&package["manifest_path"]);
        let folder =
            Path::new(&manifest).parent().and_then(|folder| folder.strip_prefix(root()).ok());
        let uses = package["dependencies"].as_array().expect("dependencies").iter();
        let uses = uses.filter(|one| one["kind"].is_null()).map(|one| text(&one["name"]));
        Member {
            folder: folder.expect("a folder of the workspace").display().to_string(),
            description: text(&package["description"]),
            uses: uses.filter(|name| names.contains(name)).collect(),
        }
    };
    packages.iter().map(|package| (text(&package["name"]), member(package))).collect()
}

/// How many crates stand on top of each other below this one.
fn height(name: &str, members: &BTreeMap<String, Member>) -> usize {
    members[name].uses.iter().map(|below| 1 + height(below, members)).max().unwrap_or(0)
}

fn map(members: &BTreeMap<String, Member>) -> String {
    let mut floors: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for name in members.keys() {
        floors.entry(height(name, members)).or_default().push(name);
    }
    let mut map = String::from("Each crate is built on crates of lower floors alone:\n\n");
    for (floor, names) in floors.iter().rev() {
        let folders: Vec<&str> = names
            .iter()
            .map(|name| members[*name].folder.trim_start_matches("engine-service/"))
            .collect();
        writeln!(map, "    {floor}  {}", folders.join("   ")).expect("text grows");
    }
    map.push_str("\n| folder | crate | what it is | built on |\n| --- | --- | --- | --- |\n");
    for name in floors.values().rev().flatten() {
        let Member { folder, description, uses } = &members[*name];
        let uses: Vec<&str> =
            uses.iter().map(|name| name.trim_start_matches("heliopause-")).collect();
        writeln!(map, "| `{folder}` | `{name}` | {description} | {} |", uses.join(", "))
            .expect("text grows");
    }
    map
}

#[test]
fn the_map_of_the_crates_is_that_of_their_dependencies() {
    const BEGIN: &str = "<!-- map -->\n";
    const END: &str = "<!-- end of the map -->";
    let file = root().join("ARCHITECTURE.md");
    let page = std::fs::read_to_string(&file).expect("ARCHITECTURE.md");
    let (before, rest) = page.split_once(BEGIN).expect("the map begins");
    let (drawn, after) = rest.split_once(END).expect("the map ends");
    let map = map(&members());
    if std::env::var_os("WRITE_DOCS").is_some() {
        std::fs::write(&file, format!("{before}{BEGIN}{map}{END}{after}"))
            .expect("it can be written");
        return;
    }
    assert!(drawn == map, "the map in ARCHITECTURE.md is not current: run with WRITE_DOCS=1");
}

/// Invariant: purity. What could do I/O is not even linked into the rules, the table, drawing and
/// wording.
#[test]
fn nothing_below_the_programs_can_reach_a_network_or_a_database() {
    let members = members();
    let pure = members.iter().filter(|(_, member)| {
        member.folder.starts_with("engine-service/games/") || member.folder == "text"
    });
    let mut seen = 0;
    for (name, _) in pure {
        let tree = cargo(&[
            "tree",
            "--offline",
            "--package",
            name,
            "--edges",
            "normal,no-proc-macro",
            "--prefix",
            "none",
        ]);
        for impure in ["tokio", "mio", "socket2", "hyper", "tonic", "rusqlite", "tokio-postgres"] {
            let linked = tree.lines().any(|line| line.split(' ').next() == Some(impure));
            assert!(!linked, "{name} is built on {impure}");
        }
        seen += 1;
    }
    assert!(seen >= 8, "the rules and what stands on them");
}

/// One list of games: what the template game adds to files that games share, the contract's
/// envelope aside.
#[test]
fn a_game_takes_six_lines_in_four_shared_files_at_most() {
    const NAMES: [&str; 6] = [
        "heliopause-slingshot",
        "heliopause_slingshot",
        "heliopause/slingshot",
        "heliopause.slingshot.",
        "slingshot::Slingshot",
        "mod slingshot;",
    ];
    let own = ["proto/heliopause/slingshot/", "engine-service/games/template/", "tests/tests/"];
    let own_files =
        ["engine-service/games/render/src/slingshot.rs", "ai-client/src/games/slingshot.rs"];
    let listed = Command::new("git")
        .current_dir(root())
        .args(["ls-files", "*.rs", "*.toml", "*.proto"])
        .output();
    let listed = String::from_utf8(listed.expect("git can be started").stdout).expect("text");
    let mut shared: BTreeMap<&str, usize> = BTreeMap::new();
    for file in listed.lines() {
        if own.iter().any(|own| file.starts_with(own)) || own_files.contains(&file) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(root().join(file)) else { continue };
        let names = |line: &&str| NAMES.iter().any(|name| line.contains(name));
        let lines = text.lines().filter(names).count();
        if lines > 0 {
            shared.insert(file, lines);
        }
    }
    let envelope = shared.remove("proto/heliopause/v1/envelope.proto");
    assert_eq!(envelope, Some(1 + 5), "the import, and an arm in each oneof");
    assert!(shared.len() <= 4 && shared.values().sum::<usize>() <= 6, "{shared:?}");
    assert!(shared.len() == 4, "{shared:?}: the lists name it");
}

/// Cargo chooses the features of a crate by all that is selected. A feature that only tests asked
/// for would have programs and tests build the crate, and all that stands on it, twice.
#[test]
fn tests_ask_for_no_feature_of_a_crate_that_programs_do_without() {
    let crates = |edges| -> BTreeSet<String> {
        let tree = cargo(&[
            "tree",
            "--offline",
            "--workspace",
            "--edges",
            edges,
            "--prefix",
            "none",
            "--format",
            "{p} [{f}]",
        ]);
        tree.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
    };
    let (programs, tests) = (crates("normal"), crates("normal,dev"));
    let others: Vec<&String> = programs.difference(&tests).collect();
    assert!(
        others.is_empty(),
        "tests build these with more features; what asks for them belongs to the dependencies of \
         heliopause-tests: {others:#?}"
    );
}

/// A file without its line in `main.rs` would not be compiled, and its tests would never run.
#[test]
fn every_test_file_is_part_of_a_test_program() {
    let metadata = cargo(&["metadata", "--format-version", "1", "--no-deps", "--offline"]);
    let metadata: Value = serde_json::from_str(&metadata).expect("JSON");
    let mut programs = 0;
    for package in metadata["packages"].as_array().expect("packages") {
        let targets = package["targets"].as_array().expect("targets");
        let roots: BTreeSet<&Path> =
            targets.iter().filter_map(|one| Some(Path::new(one["src_path"].as_str()?))).collect();
        let Some(main) = roots.iter().find(|root| root.ends_with("tests/main.rs")) else {
            continue;
        };
        programs += 1;
        let text = std::fs::read_to_string(main).expect("main.rs");
        for entry in std::fs::read_dir(main.parent().expect("a folder")).expect("the folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let module = path.file_stem().expect("a name").to_str().expect("text");
            let listed = text.contains(&format!("\nmod {module};"));
            assert!(listed || roots.contains(&*path), "{} is part of no program", path.display());
        }
    }
    assert!(programs >= 8);
}

/// Fields and variants may say by their names alone what they are. The compiler's lint makes no
/// difference between them and the rest.
#[test]
fn public_items_are_documented() {
    const ITEMS: [&str; 10] =
        ["fn", "async", "const", "static", "struct", "enum", "trait", "type", "union", "mod"];
    let listed = Command::new("git").current_dir(root()).args(["ls-files", "*/src/*.rs"]).output();
    let listed = String::from_utf8(listed.expect("git can be started").stdout).expect("text");
    let (mut seen, mut bare) = (0, Vec::new());
    for file in listed.lines() {
        let text = std::fs::read_to_string(root().join(file)).expect("a file of the checkout");
        let (mut documented, mut within_attribute) = (false, false);
        for (number, line) in text.lines().map(str::trim).enumerate() {
            let mut words = line.split([' ', '(']);
            let public = words.next() == Some("pub") && ITEMS.contains(&words.next().unwrap_or(""));
            // A module in a file of its own says there what it is.
            let elsewhere = line.starts_with("pub mod ") && line.ends_with(';');
            if public && !elsewhere && !line.contains('$') {
                seen += 1;
                if !documented {
                    bare.push(format!("{file}:{}: {line}", number + 1));
                }
            }
            let attribute = within_attribute || line.starts_with("#[") || line.starts_with("$(#[");
            within_attribute = attribute && !line.ends_with([']', '*']);
            documented = line.starts_with("///") || documented && attribute;
        }
    }
    assert!(seen > 1000, "{seen}: public items are found");
    assert!(bare.is_empty(), "{bare:#?}");
}
