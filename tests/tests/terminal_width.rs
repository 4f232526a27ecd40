//! Terminal output at four widths: no line is too wide, and no word is broken.

use std::collections::HashSet;
use std::process::Stdio;

use heliopause_proto::v1::Game;
use heliopause_tests::{AiClient, Engine, Person, short_options, wait_until};

const WIDTHS: [usize; 4] = [60, 140, 80, 100];

fn is_all() -> bool {
    std::env::var_os("HELIOPAUSE_TEST_ALL").is_some()
}

fn widths() -> &'static [usize] {
    if is_all() { &WIDTHS } else { &WIDTHS[..1] }
}

const WIDE: usize = 4_000;
/// Maximum length of a word that must stay whole in a narrow column.
const LONG: usize = 20;

/// Each kind of game, the number of one of its rules, and the number of automated opponents.
const KINDS: [(&str, &str, usize); 7] = [
    ("starships-at-large", "3.4", 2),
    ("star-empires", "6.4.2", 3),
    ("stellar-conquest", "7.5", 2),
    ("fate-of-empire", "7.5", 0),
    ("alone-in-outer-space", "7.5", 3),
    ("diplomacy", "D4", 6),
    ("it-came-from-outer-space", "D4", 7),
];

/// Returns the kinds to check: all, or the second, fourth and sixth.
fn kinds() -> Vec<(&'static str, &'static str, usize)> {
    let every = if is_all() { 1 } else { 2 };
    KINDS.into_iter().skip(every - 1).step_by(every).collect()
}

/// The commands to check, one per line.
const SHOWN: &str = include_str!("terminal_width.txt");

const TYPED: &str = "help\nlist\nmap\nmap turn 1\nmap nowhere\nreport\nhistory 40\nphases\ninbox\n\
                     votes\ntable\ngames\nnonsense\n777\nwhy 3\n? RULE\nready\nno\nquit\n";

fn shown(person: &Person, line: &str, width: usize) -> String {
    let mut terminal = person.terminal(line);
    terminal.env("COLUMNS", width.to_string()).stdin(Stdio::null());
    let output = terminal.output().expect("the terminal can be started");
    String::from_utf8(output.stdout).expect("text").replace('\r', "")
}

fn played(person: &Person, game: &str, lines: &str, width: usize) -> String {
    Person::types(person.program().args(["play", game]).env("COLUMNS", width.to_string()), lines)
}

/// Returns the words of the text, without times, which change during a test.
fn words(text: &str) -> HashSet<String> {
    let is_word = |word: &&str| {
        word.chars().any(char::is_alphabetic)
            && !word.starts_with(|char: char| char.is_ascii_digit())
    };
    let words = text.split(|char: char| !char.is_alphanumeric() && !"'_".contains(char));
    words.filter(is_word).map(str::to_lowercase).collect()
}

#[derive(Clone, Copy)]
enum Reading {
    Text,
    /// A map, which omits or shortens words, but never continues a word on the next line.
    Drawing,
}

fn faults(
    what: &str,
    width: usize,
    text: &str,
    whole: &HashSet<String>,
    reading: Reading,
) -> Vec<String> {
    let wide = text.lines().filter(|line| line.chars().count() > width);
    let wide = wide.map(|line| format!("{what}: wider than {width} columns: {line}"));
    let pieces = match reading {
        Reading::Text => pieces(text, whole),
        Reading::Drawing => torn(text, whole),
    };
    let broken = (!pieces.is_empty()).then(|| format!("{what}: broken at {width}: {pieces:?}"));
    wide.chain(broken).collect()
}

fn pieces(text: &str, whole: &HashSet<String>) -> Vec<String> {
    let is_of_long = |piece: &String| {
        whole.iter().any(|word| word.len() > LONG && word.contains(piece.as_str()))
    };
    words(text).difference(whole).filter(|piece| !is_of_long(piece)).cloned().collect()
}

/// Returns words broken at the end of a line, except numbers and a map's short symbols.
fn torn(text: &str, whole: &HashSet<String>) -> Vec<String> {
    const SHORT: usize = 4;
    const SIGN: usize = 2;
    let is_letter = char::is_alphabetic;
    let lines: Vec<&str> = text.lines().map(|line| line.trim_matches([' ', '|', '│'])).collect();
    let torn = lines.windows(2).filter_map(|pair| {
        let begin = &pair[0][pair[0].trim_end_matches(is_letter).len()..];
        let end = &pair[1][..pair[1].len() - pair[1].trim_start_matches(is_letter).len()];
        let (begin, end) = (begin.to_lowercase(), end.to_lowercase());
        let word = format!("{begin}{end}");
        // "decision" above a map row that starts with the symbol "s" is not "decisions".
        let is_word = |piece: &String| whole.contains(piece);
        let stands = |piece: &String| piece.len() <= SIGN || is_word(piece);
        let are_two = is_word(&begin) && stands(&end) || stands(&begin) && is_word(&end);
        let is_torn = !begin.is_empty()
            && !end.is_empty()
            && (SHORT..=LONG).contains(&word.len())
            && whole.contains(&word)
            && !are_two;
        is_torn.then_some(word)
    });
    torn.collect()
}

fn whole(person: &Person, line: &str) -> HashSet<String> {
    let whole = words(&shown(person, line, WIDE));
    assert!(!whole.is_empty(), "`{line}` shows nothing");
    whole
}

fn look(person: &Person, kind: &str, rule: &str, game: &str, shows: &str) -> Vec<String> {
    let mut all = Vec::new();
    for line in shows.lines() {
        let line = line.replace("GAME", game);
        let before = whole(person, &line);
        let texts: Vec<_> =
            widths().iter().map(|&width| (width, shown(person, &line, width))).collect();
        // Other players can act meanwhile.
        let either = before.union(&whole(person, &line)).cloned().collect();
        for (width, text) in texts {
            let reading = if line.starts_with("map") { Reading::Drawing } else { Reading::Text };
            all.extend(faults(&format!("{kind}: {line}"), width, &text, &either, reading));
        }
    }
    let typed = TYPED.replace("RULE", rule);
    let before = words(&played(person, game, &typed, WIDE));
    let texts: Vec<_> =
        widths().iter().map(|&width| (width, played(person, game, &typed, width))).collect();
    let either = before.union(&words(&played(person, game, &typed, WIDE))).cloned().collect();
    for (width, text) in texts {
        let what = format!("{kind}: table of {game}");
        all.extend(faults(&what, width, &text, &either, Reading::Drawing));
    }
    all
}

fn asked(person: &Person, kind: &str, others: usize) -> String {
    let game = person.game(kind, &["--ai", "standard"].repeat(others));
    person.does(&["start", &game]);
    wait_until(&format!("{kind} asks"), || person.does(&["show", &game])["decision"].is_object());
    game
}

#[tokio::test(flavor = "multi_thread")]
async fn output_fits_the_terminal_without_breaking_words() {
    let engine = Engine::start();
    let _ai = AiClient::start(&engine);
    let player = engine.player("Ann").await;
    let mut ann = Person::with_token(&engine.url(), &player.token);
    ann.global.extend(["--color", "never"].map(str::to_owned));
    let mut over: Vec<Game> = Vec::new();
    let kinds = kinds();
    for &(kind, _, others) in &kinds {
        let options = short_options(kind, 1903, 5);
        over.push(player.create_automated(kind, others + 1, "standard", options).await);
    }
    // Lists show all games, so all must be set up before the checks.
    let asked: Vec<String> =
        kinds.iter().map(|&(kind, _, others)| asked(&ann, kind, others)).collect();
    for game in &over {
        player.ended(&game.game_id).await;
    }
    let mut all = Vec::new();
    for (((kind, rule, _), asked), over) in kinds.into_iter().zip(&asked).zip(&over) {
        all.extend(look(&ann, kind, rule, asked, "show GAME\nmap GAME"));
        all.extend(look(&ann, &format!("{kind}, ended"), rule, &over.game_id, SHOWN));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}
