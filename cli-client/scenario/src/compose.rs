//! Expands the shared parts of a file into one scenario per game.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::json::{Field, Flaws, Node, Place, Reader, Shape, parse};
use crate::nearest::did_you_mean;

/// Maximum length of a chain of files that extend each other.
const FILES_MAX: usize = 8;
/// Maximum number of steps in a scenario, after blocks are expanded.
pub const STEPS_MAX: usize = 10_000;

/// A file with its shared parts expanded.
#[derive(Debug)]
pub struct Composed {
    /// The games in file order: one for each case, or a single game if the file has no cases.
    pub games: Vec<Game>,
    pub same: Option<Node>,
}

/// One game of a file.
#[derive(Debug)]
pub struct Game {
    pub case: String,
    /// The scenario, without `extends`, `cases`, `let` and blocks of steps.
    pub node: Node,
}

/// Reads a file and expands its shared parts.
pub fn read(path: &Path) -> Result<Composed, Flaws> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        Flaws::one(&Place::start(path), format!("Cannot read the file: {error}."))
    })?;
    parts(path, &text)
}

/// Expands the shared parts of a file, given its text.
pub fn parts(path: &Path, text: &str) -> Result<Composed, Flaws> {
    let whole = extended(parse(path, text)?, path, &mut vec![path.to_owned()])?;
    let mut flaws = Flaws::default();
    if whole.fields().is_none() {
        flaws.unexpected(&whole, "an object");
        return Err(flaws);
    }
    let same = whole.get("same").cloned();
    let common = without(&whole, &["cases", "same", "extends"]);
    let games = match whole.get("cases") {
        None => vec![Game { case: String::new(), node: common }],
        Some(cases) => each_case(&common, cases, &mut flaws),
    };
    let games = games
        .into_iter()
        .map(|game| Game { node: expanded(&game.node, &mut flaws), ..game })
        .collect();
    flaws.into_result(Composed { games, same })
}

fn extended(node: Node, path: &Path, chain: &mut Vec<PathBuf>) -> Result<Node, Flaws> {
    let Some(base) = node.get("extends") else { return Ok(node) };
    let wrong = |what: String| Flaws::one(&base.at, what);
    let Some(name) = base.text() else {
        return Err(wrong(format!("`extends`: {}.", base.unexpected("the name of a file"))));
    };
    let beside = path.parent().unwrap_or(Path::new("")).join(name);
    if chain.contains(&beside) {
        let what = format!("The chain of `extends` is circular: {name} is already in it.");
        return Err(wrong(what));
    }
    if chain.len() == FILES_MAX {
        let what = format!("The chain of `extends` is too long; the maximum is {FILES_MAX} files.");
        return Err(wrong(what));
    }
    chain.push(beside.clone());
    let text = std::fs::read_to_string(&beside)
        .map_err(|error| wrong(format!("Cannot read {}: {error}.", beside.display())))?;
    let base_node = extended(parse(&beside, &text)?, &beside, chain)?;
    if let Some(cases) = base_node.get("cases") {
        let line = cases.at.line;
        return Err(wrong(format!(
            "{name} has cases (line {line}); only a file without cases can be extended."
        )));
    }
    // The name, the description and the comparisons of the base file apply only to that file.
    let base_node = without(&base_node, &["name", "description", "same"]);
    Ok(merged(&base_node, &node))
}

fn each_case(common: &Node, cases: &Node, flaws: &mut Flaws) -> Vec<Game> {
    let Some(items) = cases.items().filter(|items| !items.is_empty()) else {
        flaws.note(&cases.at, "`cases` must be a list with at least one case.");
        return Vec::new();
    };
    let mut games: Vec<Game> = Vec::with_capacity(items.len());
    for case in items {
        const FIELDS: [&str; 13] = [
            "name",
            "description",
            "let",
            "players",
            "options",
            "position",
            "dice",
            "seed",
            "pace",
            "automated",
            "seats",
            "steps",
            "note",
        ];
        let mut reader = Reader::new(case, &FIELDS, flaws);
        reader.required("name");
        let name = reader.text("name").unwrap_or_default().to_owned();
        if !name.is_empty() && games.iter().any(|other| other.case == name) {
            let what = format!("`{name}` is the name of another case; names must be unique.");
            reader.note(&case.at, what);
        }
        let own = without(case, &["name", "description", "note"]);
        games.push(Game { case: name, node: merged(common, &own) });
    }
    games
}

/// Merges the fields of two objects and appends their steps. Prefers `after` for all other values.
fn merged(before: &Node, after: &Node) -> Node {
    let (Shape::Object(old), Shape::Object(new)) = (&before.shape, &after.shape) else {
        return after.clone();
    };
    let mut fields = old.clone();
    for field in new {
        match fields.iter_mut().find(|known| known.name == field.name) {
            None => fields.push(field.clone()),
            Some(known) => {
                known.at = field.at.clone();
                known.value = match (&field.name[..], &known.value.shape, &field.value.shape) {
                    ("steps", Shape::List(first), Shape::List(then)) => {
                        let steps = first.iter().chain(then).cloned().collect();
                        Node { at: field.value.at.clone(), shape: Shape::List(steps) }
                    }
                    _ => merged(&known.value, &field.value),
                };
            }
        }
    }
    Node { at: after.at.clone(), shape: Shape::Object(fields) }
}

fn without(node: &Node, names: &[&str]) -> Node {
    let Some(fields) = node.fields() else { return node.clone() };
    let kept =
        fields.iter().filter(|field| !names.contains(&field.name.as_str())).cloned().collect();
    Node { at: node.at.clone(), shape: Shape::Object(kept) }
}

fn expanded(node: &Node, flaws: &mut Flaws) -> Node {
    let mut names = BTreeMap::new();
    if let Some(given) = node.get("let") {
        match given.fields() {
            None => {
                let what = given.unexpected("an object of named values");
                flaws.note(&given.at, format!("`let`: {what}."));
            }
            Some(fields) => {
                for field in fields {
                    if field.name.is_empty() || !field.name.chars().all(is_of_name) {
                        let what = "is not a valid name; use letters, digits and _.";
                        flaws.note(&field.at, format!("`{}` {what}", field.name));
                    }
                    // A value can refer to the values above it.
                    let value = substituted(&field.value, &names, flaws);
                    names.insert(field.name.clone(), value);
                }
            }
        }
    }
    let node = substituted(&without(node, &["let"]), &names, flaws);
    let Shape::Object(fields) = node.shape else { return node };
    let fields = fields.into_iter().map(|field| match field.value.items() {
        Some(steps) if field.name == "steps" => {
            let mut all = Vec::with_capacity(steps.len());
            unrolled(steps, &mut all, flaws);
            Field { value: Node { at: field.value.at, shape: Shape::List(all) }, ..field }
        }
        _ => field,
    });
    Node { at: node.at, shape: Shape::Object(fields.collect()) }
}

fn unrolled(steps: &[Node], all: &mut Vec<Node>, flaws: &mut Flaws) {
    for step in steps {
        let Some(block) = step.get("steps") else {
            all.push(step.clone());
            continue;
        };
        let mut reader = Reader::new(step, &["repeat", "steps", "note"], flaws);
        let times = reader.whole("repeat", 1, 1_000).unwrap_or(1);
        let Some(inner) = block.items() else {
            let what = block.unexpected("a list of steps");
            flaws.note(&block.at, format!("`steps`: {what}."));
            continue;
        };
        for _ in 0..times {
            if all.len() > STEPS_MAX {
                flaws.note(&step.at, format!("Too many steps; the maximum is {STEPS_MAX}."));
                return;
            }
            unrolled(inner, all, flaws);
        }
    }
}

fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Replaces `"$name"` with the value of that name, `${name}` within a string with the value as
/// text, and `$$` with `$`.
fn substituted(node: &Node, names: &BTreeMap<String, Node>, flaws: &mut Flaws) -> Node {
    let shape = match &node.shape {
        Shape::Text(text) if text.contains('$') => return filled_text(node, text, names, flaws),
        Shape::List(items) => {
            Shape::List(items.iter().map(|item| substituted(item, names, flaws)).collect())
        }
        Shape::Object(fields) => {
            let mut fields = fields.clone();
            for field in &mut fields {
                field.value = substituted(&field.value, names, flaws);
            }
            Shape::Object(fields)
        }
        other => other.clone(),
    };
    Node { at: node.at.clone(), shape }
}

fn filled_text(node: &Node, text: &str, names: &BTreeMap<String, Node>, flaws: &mut Flaws) -> Node {
    let find = |name: &str, flaws: &mut Flaws| {
        let found = names.get(name);
        if found.is_none() {
            let hint = did_you_mean(name, names.keys().map(String::as_str));
            let what = format!("`let` does not define `{name}`{hint}");
            flaws.note(&node.at, format!("{what} Write `$$` for a dollar sign."));
        }
        found
    };
    if let Some(name) =
        text.strip_prefix('$').filter(|name| !name.is_empty() && name.chars().all(is_of_name))
    {
        // The value gets the position of its use, so that errors are reported there.
        return find(name, flaws).map_or_else(|| node.clone(), |value| placed(value, &node.at));
    }
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        whole.push_str(before);
        rest = after;
        if let Some(after) = rest.strip_prefix('$') {
            whole.push('$');
            rest = after;
        } else if let Some((name, after)) =
            rest.strip_prefix('{').and_then(|inner| inner.split_once('}'))
        {
            match find(name, flaws) {
                Some(Node { shape: Shape::Text(text), .. }) => whole.push_str(text),
                Some(Node { shape: Shape::Number(number), .. }) => {
                    whole.push_str(&number.to_string());
                }
                Some(other) => {
                    let what = other.unexpected("a string or number");
                    flaws.note(&node.at, format!("`{name}`: {what}."));
                }
                None => {}
            }
            rest = after;
        } else {
            flaws.note(&node.at, "Write `$$` for a dollar sign, or `${name}` for a named value.");
        }
    }
    whole.push_str(rest);
    Node { at: node.at.clone(), shape: Shape::Text(whole) }
}

fn placed(node: &Node, at: &Place) -> Node {
    let shape = match &node.shape {
        Shape::List(items) => Shape::List(items.iter().map(|item| placed(item, at)).collect()),
        Shape::Object(fields) => {
            let field = |Field { name, value, .. }: &Field| Field {
                name: name.clone(),
                at: at.clone(),
                value: placed(value, at),
            };
            Shape::Object(fields.iter().map(field).collect())
        }
        other => other.clone(),
    };
    Node { at: at.clone(), shape }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn shared_parts_are_expanded() -> Result<(), Box<dyn std::error::Error>> {
        type Games = Vec<(String, Value)>;
        let files = include_str!("testdata/compose.json");
        for (file, games) in serde_json::from_str::<Vec<(Value, Games)>>(files)? {
            let composed = parts(Path::new("a.json"), &file.to_string());
            let composed = composed.map_err(|flaws| flaws.to_string())?;
            let found = composed.games.into_iter().map(|game| (game.case, game.node.value()));
            assert_eq!(found.collect::<Games>(), games, "{file}");
        }
        Ok(())
    }

    #[test]
    fn a_file_extends_another() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let write =
            |name: &str, value: Value| std::fs::write(folder.path().join(name), value.to_string());
        let steps = [json!([{ "seat": 1 }]), json!([{ "seat": 2 }])];
        let base = json!({ "name": "Base", "game": "x", "players": 2, "steps": steps[0] });
        write("base.json", base)?;
        let own = json!({ "extends": "base.json", "name": "Own", "players": 3, "steps": steps[1] });
        write("own.json", own)?;
        write("round.json", json!({ "extends": "round.json" }))?;
        let composed = read(&folder.path().join("own.json")).map_err(|flaws| flaws.to_string())?;
        let expected = json!({ "game": "x", "players": 3, "name": "Own", "steps": [{ "seat": 1 }, { "seat": 2 }] });
        assert_eq!(composed.games[0].node.value(), expected);
        let round = read(&folder.path().join("round.json")).err().unwrap_or_default().to_string();
        assert!(round.contains("chain of `extends`"), "{round}");
        let nothing = read(&folder.path().join("none.json")).err().unwrap_or_default().to_string();
        assert!(nothing.contains("Cannot read "), "{nothing}");
        Ok(())
    }
}
