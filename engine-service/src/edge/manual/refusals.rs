//! The page of what the rules of the games refuse, made of their sources: `docs/refusals.md`.
//!
//! Rules say where they are enforced why they refuse: a reason, the rule's number, a sentence.
//! Those three are what the page lists. That none is missing is checked where refusals leave the
//! engine (`call.rs`), in every build for tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/refusals.md");

const HEAD: &str = "\
# What the rules refuse

Where an order is refused (`ORDER_REFUSED`, `Verdict.refusal`) or a message (`PRESS_REFUSED`), `refusal` names the cause, `rule` the number
of the rule, and the sentence says it for people. This page lists all of them; `{}` stands for what the sentence names. The causes are
stable, the sentences are not: switch on the causes, and treat one that you do not know as \"choose another order\". `GetRule` tells what a
rule says.

Made of the sources of the games: `WRITE_DOCS=1 cargo nextest run --workspace -E 'test(manual)'` writes it anew, and a test fails where it
is not current.
";

/// The folders beside those of games, with what is said of those that refuse.
const SHARED: [(&str, Option<&str>); 4] = [
    ("kernel", Some("Every game")),
    ("table", Some("Every table")),
    ("all", None),
    ("render", None),
];

/// What is said of one cause, by rules.
type Causes = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

#[test]
fn the_manual_of_refusals_is_current() {
    let page = page();
    if std::env::var_os("WRITE_DOCS").is_some() {
        fs::write(PATH, &page).expect("the page can be written");
    }
    let written = fs::read_to_string(PATH).unwrap_or_default();
    assert!(written == page, "docs/refusals.md is not current: run with WRITE_DOCS=1");
}

#[test]
fn causes_are_found_where_rules_are_enforced() {
    let source = r#"
        fn judge() { // "not-this", "1.1"
            refuse("unnamed", rule, "A rule of another module.")?;
            refuse("too-far", "4.2", "The \"ship\" cannot \
                go so far.")?;
            require(fits, "too-many", "R3", format!("At most {} of {them}.", 3))?;
            Self::Wrong => ("wrong-place", "", "It is not there."),
            Warning::new("only-warned", "9", "It is not refused.");
            require(holds, "too-big", || format!("The {what} is too big."))
        }
        #[cfg(test)]
        mod tests { fn none() { refuse("only-tested", "9", "never") } }
    "#;
    let mut causes = Causes::new();
    gather(source, "6.1", &mut causes);
    let told: Vec<_> = causes
        .iter()
        .flat_map(|(cause, rules)| {
            rules.iter().map(move |(rule, texts)| (cause.as_str(), rule.as_str(), texts))
        })
        .map(|(cause, rule, texts)| (cause, rule, texts.iter().next().unwrap().as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("too-big", "6.1", "The {} is too big."),
            ("too-far", "4.2", "The \"ship\" cannot go so far."),
            ("too-many", "R3", "At most {} of {}."),
            ("unnamed", "", "A rule of another module."),
            ("wrong-place", "", "It is not there."),
        ]
    );
}

#[test]
fn causes_that_are_words_are_found_with_what_is_told_of_them() {
    let source = r#"
        vocabulary! { pub enum Fault {
            /// It is too far.
            TooFar = "too-far",
            /// It is a colony.
            AColony = "a-colony",
        } }
        fn told() { match self { Self::TooFar => { ("4.2", "The ship cannot go so far.") } _ => x } }
    "#;
    let found = words(source);
    let far = Worded { name: "TooFar", word: "too-far", comment: "It is too far." };
    assert_eq!((found.len(), &found[0]), (2, &far));
    let mut causes = Causes::new();
    told_of_words(source, &found, &mut causes);
    assert_eq!(causes.len(), 1, "of the other nothing is told");
    assert!(causes["too-far"]["4.2"].contains("The ship cannot go so far."));
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    for (title, folder) in chapters(&Path::new(env!("CARGO_MANIFEST_DIR")).join("games")) {
        let mut causes = Causes::new();
        for file in sources(&folder.join("src")) {
            let source = fs::read_to_string(&file).expect("a source is text");
            // Orders of a game master of Star Empires are all of chapter 6.1.
            gather(&source, "6.1", &mut causes);
            let words = words(&source);
            told_of_words(&source, &words, &mut causes);
            if file.ends_with("star-empires/src/reason.rs") {
                reasons_of_lines(&words, &mut causes);
            }
        }
        write!(page, "\n## {title}\n\n| refusal | rule | what it says |\n| --- | --- | --- |\n")
            .unwrap();
        for (cause, rules) in &causes {
            for (rule, texts) in rules {
                let texts: Vec<String> =
                    texts.iter().map(|text| text.replace('|', "\\|")).collect();
                writeln!(page, "| `{cause}` | {rule} | {} |", texts.join("<br>")).unwrap();
            }
        }
    }
    page
}

/// What all games share, and then the games, each with its folder; a game is called as its package
/// describes it.
fn chapters(games: &Path) -> Vec<(String, PathBuf)> {
    let shared = SHARED
        .iter()
        .filter_map(|(folder, title)| Some(((*title)?.to_owned(), games.join(folder))));
    let mut own = Vec::new();
    for entry in fs::read_dir(games).expect("the folder of the games") {
        let entry = entry.expect("a folder");
        if SHARED.iter().all(|(folder, _)| entry.file_name() != *folder) {
            let package = fs::read_to_string(entry.path().join("Cargo.toml")).expect("a package");
            let title = package.lines().find_map(|line| line.strip_prefix("description = \""));
            let title = title
                .and_then(|title| title.strip_suffix(".\""))
                .expect("a description that is a sentence");
            own.push((title.replace("\\\"", "\""), entry.path()));
        }
    }
    own.sort_by(|one, other| one.1.cmp(&other.1));
    shared.chain(own).collect()
}

/// All sources below a folder but tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("a file").path();
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests" || stem == "testing");
        if path.is_dir() && !is_test {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[derive(Debug, PartialEq)]
enum Token {
    Text(String),
    Sign(char),
}

/// What a source is made of, up to its tests: texts in quotes, and the signs between them without
/// spaces, words and comments.
fn tokens(source: &str) -> Vec<Token> {
    let source = source.split("#[cfg(test)]\n").next().unwrap_or_default();
    let mut tokens = Vec::new();
    let mut rest = source.chars().peekable();
    while let Some(sign) = rest.next() {
        match sign {
            '/' if rest.peek() == Some(&'/') => {
                while rest.next_if(|&next| next != '\n').is_some() {}
            }
            '"' => tokens.push(Token::Text(text(&mut rest))),
            '\'' => {
                // A character: a quote in it begins no text.
                if rest.peek() == Some(&'"') {
                    rest.next();
                }
            }
            sign if sign.is_whitespace() => {}
            sign => tokens.push(Token::Sign(sign)),
        }
    }
    tokens
}

fn text(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
    let mut text = String::new();
    while let Some(sign) = rest.next() {
        match sign {
            '"' => break,
            '\\' => match rest.next() {
                Some('\n') => while rest.next_if(|next| next.is_whitespace()).is_some() {},
                Some(escaped) => text.push(escaped),
                None => {}
            },
            sign => text.push(sign),
        }
    }
    text
}

fn is_cause(text: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    text.split('-').all(word) && text.starts_with(|first: char| first.is_ascii_lowercase())
}

fn is_rule(text: &str) -> bool {
    let sign = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-';
    text.is_empty()
        || (text.len() <= 10
            && text.bytes().any(|byte| byte.is_ascii_digit())
            && text.bytes().all(sign))
}

/// Adds what a source refuses: a cause, a rule and a sentence, or a cause and a closure that makes
/// the sentence.
fn gather(source: &str, rule_of_closures: &str, causes: &mut Causes) {
    let tokens = tokens(source);
    for (place, token) in tokens.iter().enumerate() {
        let Token::Text(cause) = token else { continue };
        let follows = |at: usize, sign: char| tokens.get(place + at) == Some(&Token::Sign(sign));
        if !is_cause(cause) || !follows(1, ',') || follow(&tokens[..place], "Warning::new(") {
            continue;
        }
        match tokens.get(place + 2) {
            // Metadata of an error.
            Some(Token::Text(refusal)) if cause == "refusal" && is_cause(refusal) => {
                add(causes, refusal, "", String::new());
            }
            Some(Token::Text(rule)) if is_rule(rule) && follows(3, ',') => {
                add(causes, cause, rule, sentence(&tokens[place + 4..]));
            }
            // The rule is a name: the module says elsewhere which rules it is.
            Some(Token::Sign(_)) if follow(&tokens[..place], "refuse(") => {
                let after = tokens[place + 2..].iter().position(|token| *token == Token::Sign(','));
                add(
                    causes,
                    cause,
                    "",
                    after.map_or_else(String::new, |at| sentence(&tokens[place + 3 + at..])),
                );
            }
            Some(Token::Sign('|')) if follows(3, '|') => {
                add(causes, cause, rule_of_closures, sentence(&tokens[place + 4..]));
            }
            _ => {}
        }
    }
}

/// Whether what stands before is the beginning of this call.
fn follow(before: &[Token], call: &str) -> bool {
    let signs = before.iter().rev().map_while(|token| match token {
        Token::Sign(sign) => Some(*sign),
        Token::Text(_) => None,
    });
    signs.take(call.len()).eq(call.chars().rev())
}

/// The text that comes next, if nothing but the name of a macro or a call stands before it. What it
/// names is left open.
fn sentence(tokens: &[Token]) -> String {
    let is_word = |sign: char| sign.is_alphanumeric() || "_!(&{".contains(sign);
    let found = tokens.iter().find(|token| !matches!(token, Token::Sign(sign) if is_word(*sign)));
    let Some(Token::Text(text)) = found else { return String::new() };
    let mut sentence = String::new();
    let mut named = false;
    for sign in text.chars() {
        match sign {
            '{' => {
                named = true;
                sentence.push_str("{}");
            }
            '}' => named = false,
            sign if !named => sentence.push(sign),
            _ => {}
        }
    }
    sentence
}

fn add(causes: &mut Causes, cause: &str, rule: &str, sentence: String) {
    let texts = causes.entry(cause.to_owned()).or_default().entry(rule.to_owned()).or_default();
    if !sentence.is_empty() {
        texts.insert(sentence);
    }
}

/// A value of a vocabulary.
#[derive(Debug, PartialEq)]
struct Worded<'a> {
    name: &'a str,
    word: &'a str,
    comment: &'a str,
}

/// The values of a source's vocabularies whose words may be causes.
fn words(source: &str) -> Vec<Worded<'_>> {
    let mut words = Vec::new();
    let mut comment = "";
    for line in source.lines().map(str::trim) {
        if let Some(said) = line.strip_prefix("/// ") {
            comment = said;
        } else if let Some((name, word)) = line.split_once(" = \"") {
            let word = word.trim_end_matches(['"', ',']);
            if name.chars().all(char::is_alphanumeric) && is_cause(word) {
                words.push(Worded { name, word, comment });
            }
        }
    }
    words
}

/// Adds the causes of a vocabulary of which an arm of a match says the rule and the sentence.
fn told_of_words(source: &str, words: &[Worded<'_>], causes: &mut Causes) {
    for Worded { name, word, .. } in words {
        let Some((_, arm)) = source.split_once(&format!("Self::{name} =>")) else { continue };
        let arm = tokens(arm);
        let arm = arm.strip_prefix(&[Token::Sign('{')]).unwrap_or(&arm);
        if let [Token::Sign('('), Token::Text(rule), Token::Sign(','), told @ ..] = arm
            && is_rule(rule)
        {
            add(causes, word, rule, sentence(told));
        }
    }
}

/// What can become of a line of a sheet of Star Empires: the comment of each reason says it. The
/// rule is that of the line's phase.
fn reasons_of_lines(words: &[Worded<'_>], causes: &mut Causes) {
    for Worded { word, comment, .. } in words {
        add(causes, word, "that of the line's phase", (*comment).to_owned());
    }
}
