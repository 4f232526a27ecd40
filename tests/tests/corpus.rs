//! Replays stored games to detect incompatible changes.

use std::path::{Path, PathBuf};

use heliopause_proto::json;
use heliopause_proto::v1::export_game_response::Part;
use heliopause_proto::v1::*;
use heliopause_table::verify;
use heliopause_tests::{AiClient, Engine, OfGame as _, short_options};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// Each file is the output of `cli-client export GAME` for a finished game.
#[test]
fn stored_games_replay_to_the_same_hashes() {
    let mut games = 0;
    for file in std::fs::read_dir(corpus()).expect("the corpus is beside the tests") {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let mut parts = text
            .lines()
            .map(|line| json::from_text::<ExportGameResponse>(line).unwrap().part.unwrap());
        let Some(Part::Header(header)) = parts.next() else {
            panic!("{}: a header comes first", path.display())
        };
        let mut verifier = verify::Verifier::new(header.seed.as_ref().try_into().unwrap());
        for part in parts {
            let Part::Entry(entry) = part else {
                panic!("{}: only whole journals", path.display())
            };
            verifier.entry(&entry);
        }
        let report = verifier.finish();
        assert_eq!(report.fault, None, "{}", path.display());
        assert_eq!(report.replayed, report.entries, "{}", path.display());
        assert_eq!(report.head, header.chain_head, "{}", path.display());
        games += 1;
    }
    assert_eq!(games, RECORDED.len(), "the corpus has its games");
}

const RECORDED: [(&str, usize, &str); 12] = [
    ("starships-at-large", 1, "random"),
    ("starships-at-large", 2, "standard"),
    ("starships-at-large", 4, "strong"),
    ("starships-at-large", 6, "random"),
    ("stellar-conquest", 2, "standard"),
    ("stellar-conquest", 3, "random"),
    ("alone-in-outer-space", 4, "standard"),
    ("fate-of-empire", 1, "standard"),
    ("diplomacy", 7, "standard"),
    ("it-came-from-outer-space", 12, "standard"),
    ("star-empires", 3, "standard"),
    ("star-empires", 5, "random"),
];

/// Replaces the corpus after rule changes that break stored games. The changelog lists such
/// changes.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes the corpus; only needed if stored games may break"]
async fn generate_the_corpus() {
    let engine = Engine::start();
    let _ai = AiClient::start(&engine);
    let ann = engine.player("Ann").await;
    for (number, (kind, seats, level)) in RECORDED.into_iter().enumerate() {
        // Games are short, because every change replays the corpus.
        let options = short_options(kind, 1907, 12);
        let game = ann.create_automated(kind, seats, level, options).await.game_id;
        ann.ended(&game).await;
        let mut parts = ann.does(ExportGameRequest::of(&game)).await;
        let mut text = String::new();
        while let Some(part) = parts.message().await.expect("the export goes on to its end") {
            text += &json::to_line(&part);
            text.push('\n');
        }
        std::fs::write(corpus().join(format!("{kind}-{}.jsonl", number + 1)), text)
            .expect("the corpus can be written");
    }
}
