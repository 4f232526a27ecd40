//! Checks of the workspace's structure. The map in ARCHITECTURE.md is generated from the
//! dependencies:
//!
//!     WRITE_DOCS=1 cargo nextest run --workspace -E 'test(map_of_the_crates)'

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

struct Member {
    folder: String,
    description: String,
    uses: BTreeSet<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace")
}

/// Returns the files below a folder that git knows and that match a pattern, one a line.
fn listed(folder: &Path, patterns: &[&str]) -> String {
    let output = Command::new("git").current_dir(folder).arg("ls-files").args(patterns).output();
    String::from_utf8(output.expect("git can be started").stdout).expect("text")
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

fn height(name: &str, members: &BTreeMap<String, Member>) -> usize {
    members[name].uses.iter().map(|below| 1 + height(below, members)).max().unwrap_or(0)
}

fn map(members: &BTreeMap<String, Member>) -> String {
    let mut rows: Vec<(usize, &str, &Member)> = members
        .iter()
        .map(|(name, member)| (height(name, members), name.as_str(), member))
        .collect();
    rows.sort_by_key(|(height, name, _)| (std::cmp::Reverse(*height), *name));
    let mut map =
        String::from("| level | folder | what it is | built on |\n| ---: | --- | --- | --- |\n");
    for (level, _, Member { folder, description, uses }) in rows {
        let uses: Vec<&str> =
            uses.iter().map(|name| name.trim_start_matches("heliopause-")).collect();
        writeln!(map, "| {level} | `{folder}` | {description} | {} |", uses.join(", "))
            .expect("text grows");
    }
    map
}

#[test]
fn the_map_of_the_crates_matches_their_dependencies() {
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

/// The crates of rules, tables, drawing and wording do not link code that can do I/O.
#[test]
fn only_programs_can_access_a_network_or_a_database() {
    let members = members();
    let pure = members.iter().filter(|(_, member)| member.folder.starts_with("games/"));
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

/// A new game must be listed in few places. The envelope of the contract does not count.
#[test]
fn a_game_needs_at_most_six_lines_in_four_shared_files() {
    const NAMES: [&str; 6] = [
        "heliopause-slingshot",
        "heliopause_slingshot",
        "heliopause/slingshot",
        "heliopause.slingshot.",
        "slingshot::Slingshot",
        "mod slingshot;",
    ];
    let own = ["proto/heliopause/slingshot/", "games/template/", "tests/tests/"];
    let own_files = ["games/render/src/slingshot.rs", "ai-client/src/games/slingshot.rs"];
    let listed = listed(root(), &["*.rs", "*.toml", "*.proto"]);
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

/// Cargo unifies the features of all selected packages. A feature that only tests use would make
/// programs and tests build the crate, and all crates above it, twice.
#[test]
fn tests_use_only_crate_features_that_programs_use() {
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

/// A file that is missing from `main.rs` would not be compiled, and its tests would never run.
#[test]
fn every_test_file_is_compiled() {
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

/// Libraries that other authors use. The compiler's lint would also demand comments on fields,
/// variants and methods.
const LIBRARIES: [&str; 3] = ["clients/rust", "cli-client/scenario", "games/kernel"];

#[test]
fn public_items_of_libraries_are_documented() {
    const ITEMS: [&str; 10] =
        ["fn", "async", "const", "static", "struct", "enum", "trait", "type", "union", "mod"];
    let listed = listed(root(), &["*/src/*.rs"]);
    let files =
        listed.lines().filter(|file| LIBRARIES.iter().any(|folder| file.starts_with(folder)));
    let (mut seen, mut bare) = (0, Vec::new());
    for file in files {
        let text = std::fs::read_to_string(root().join(file)).expect("a file of the checkout");
        let (mut documented, mut within_attribute) = (false, false);
        for (number, whole) in text.lines().enumerate() {
            let line = whole.trim();
            let mut words = line.split([' ', '(']);
            let public = whole.starts_with("pub")
                && words.next() == Some("pub")
                && ITEMS.contains(&words.next().unwrap_or(""));
            // A module in its own file is documented in that file.
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
    assert!(seen > 200, "{seen}: public items are found");
    assert!(bare.is_empty(), "{bare:#?}");
}

/// ARCHITECTURE.md links functions as [`Type::function`](file).
#[test]
fn the_walks_link_existing_functions() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let mut seen = 0;
    for link in page.split("[`").skip(1) {
        let Some((name, rest)) = link.split_once("`](") else { continue };
        let file = root().join(rest.split(')').next().expect("a link ends"));
        if file.extension().is_some_and(|extension| extension == "rs") {
            let function = name.rsplit("::").next().expect("a name");
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            let exists = ["(", "<"].iter().any(|end| text.contains(&format!("fn {function}{end}")));
            assert!(exists, "ARCHITECTURE.md: {} has no function {function}", file.display());
            seen += 1;
        }
    }
    assert!(seen >= 30, "{seen}: links are found");
}

fn modules(source: &Path) -> BTreeMap<Vec<String>, PathBuf> {
    let listed = listed(source, &["*.rs"]);
    let mut modules = BTreeMap::new();
    for file in listed.lines() {
        let mut names: Vec<String> =
            file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        names.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
        if !names.iter().any(|name| name == "tests" || name == "bin") {
            modules.insert(names, source.join(file));
        }
    }
    modules
}

/// Returns the lower-case paths in the text that start with `crate`, `self` or `super`.
fn paths_of(text: &str, module: &[String]) -> Vec<Vec<String>> {
    let code: String = text
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default()
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default().trim().to_owned() + " ")
        .collect();
    let mut paths = Vec::new();
    for (start, word) in ["crate::", "self::", "super::"]
        .iter()
        .flat_map(|word| code.match_indices(*word))
        .filter(|(at, _)| {
            !code[..*at].ends_with(|before: char| {
                before == ':' || before.is_alphanumeric() || before == '_'
            })
        })
    {
        let base = match word {
            "crate::" => Vec::new(),
            "self::" => module.to_vec(),
            _ => module[..module.len().saturating_sub(1)].to_vec(),
        };
        walk(&code[start + word.len()..], base, &mut paths);
    }
    paths
}

/// Adds the paths at the start of `rest` to `paths`, one for each branch of braces. Returns the
/// rest.
fn walk<'a>(mut rest: &'a str, mut path: Vec<String>, paths: &mut Vec<Vec<String>>) -> &'a str {
    loop {
        rest = rest.trim_start();
        if let Some(list) = rest.strip_prefix('{') {
            rest = list;
            while !rest.is_empty() {
                rest = walk(rest, path.clone(), paths).trim_start();
                let Some(next) = rest.strip_prefix(',') else { break };
                rest = next;
                if rest.trim_start().starts_with('}') {
                    break;
                }
            }
            return rest.trim_start().strip_prefix('}').unwrap_or(rest);
        }
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
        match name {
            "super" => drop(path.pop()),
            "self" | "" => {}
            name => path.push(name.to_owned()),
        }
        let Some(after) = after.strip_prefix("::") else {
            paths.push(path);
            let renamed = after.strip_prefix(" as ");
            return renamed.map_or(after, |name| {
                name.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_')
            });
        };
        rest = after;
    }
}

/// Modules that depend on each other must be read together. Submodules do not count.
#[test]
fn at_most_three_files_form_a_cycle() {
    for member in members().values() {
        let modules = modules(&root().join(&member.folder).join("src"));
        let mut uses: BTreeMap<&[String], BTreeSet<&[String]>> = BTreeMap::new();
        for (module, file) in &modules {
            let text = std::fs::read_to_string(file).expect("a file of the checkout");
            let used = paths_of(&text, module).into_iter().filter_map(|path| {
                let longest =
                    (0..=path.len()).rev().find(|end| modules.contains_key(&path[..*end]));
                modules.get_key_value(&path[..longest?]).map(|(name, _)| name.as_slice())
            });
            let used = used.filter(|used| !module.starts_with(used) && !used.starts_with(module));
            uses.insert(module, used.collect());
        }
        let mut reached = uses.clone();
        loop {
            let mut grew = false;
            for (module, direct) in &uses {
                let more: BTreeSet<&[String]> =
                    direct.iter().flat_map(|used| reached[used].iter().copied()).collect();
                let known = reached.get_mut(module).expect("every module is there");
                let before = known.len();
                known.extend(more);
                grew |= known.len() > before;
            }
            if !grew {
                break;
            }
        }
        for module in uses.keys() {
            let circle: Vec<String> = reached[module]
                .iter()
                .filter(|other| reached[*other].contains(module))
                .map(|names| names.join("::"))
                .collect();
            assert!(circle.len() <= 3, "{}: {circle:?} use each other", member.folder);
        }
    }
}

#[test]
fn modules_use_mod_rs_only_with_submodules() {
    let listed = listed(root(), &["*.rs"]);
    let files: BTreeSet<&str> = listed.lines().collect();
    for file in &files {
        let folder = format!("{}/", file.trim_end_matches(".rs"));
        let has_folder = files.iter().any(|other| other.starts_with(&folder));
        let is_program = file.rsplit('/').nth(1) == Some("tests");
        assert!(!has_folder || is_program, "{file} belongs into {folder}mod.rs");
        let Ok(text) = std::fs::read_to_string(root().join(file)) else { continue };
        let elsewhere =
            text.lines().find(|line| line.trim().starts_with("#[path") && line.contains("../.."));
        assert_eq!(elsewhere, None, "{file}");
    }
}
