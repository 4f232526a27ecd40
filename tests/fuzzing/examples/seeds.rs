//! Writes initial inputs for the fuzzers, one folder for each target.
//!
//!     cargo run -p heliopause-fuzzing --example seeds -- tests/fuzz/found

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use heliopause_games::{Enveloped, games};
use heliopause_kernel::{Actor, CloseCause, Dice, Seat, Setup, Viewer};
use heliopause_proto::json;
use heliopause_proto::v1::{
    Cursor, ExportGameResponse, ListGamesRequest, export_game_response::Part,
};
use heliopause_testing::Rng;
use prost::Message;

/// Maximum size of a seed. Fuzzers make the most progress from small seeds.
const LARGEST: usize = 12_000;

struct Seeds {
    folder: PathBuf,
    written: usize,
}

impl Seeds {
    fn add(&mut self, target: &str, bytes: &[u8]) -> anyhow::Result<()> {
        if bytes.len() > LARGEST {
            return Ok(());
        }
        let folder = self.folder.join(target);
        std::fs::create_dir_all(&folder)?;
        self.written += 1;
        std::fs::write(folder.join(format!("seed-{:04}", self.written)), bytes)?;
        Ok(())
    }
}

fn main() -> anyhow::Result<()> {
    let folder = std::env::args_os().nth(1).context("the folder to write into")?;
    let mut seeds = Seeds { folder: folder.into(), written: 0 };
    let mut game = 0;
    macro_rules! each {
        ($($arm:ident: $game:ty;)+) => {$(
            of_game::<$game>(game, &mut seeds)?;
            game += 1;
        )+};
    }
    games!(each);
    let _ = game;
    random_choices(&mut seeds)?;
    files(&mut seeds)?;
    println!("{} seeds", seeds.written);
    Ok(())
}

fn of_game<G: Enveloped>(game: u8, seeds: &mut Seeds) -> anyhow::Result<()>
where
    G::OptionsMessage: Message,
    G::OrderMessage: Message,
    G::EventMessage: Message,
    G::ViewMessage: Message,
    G::PositionMessage: Message,
{
    let message = |kind: u8, message: Vec<u8>| [vec![game, kind, 0], message].concat();
    for (number, edition) in G::editions().iter().enumerate() {
        let options = G::unattended(edition.options.clone());
        seeds.add("wire", &message(0, G::write_options(&options).encode_to_vec()))?;
        let players = *G::players(&options).start();
        let mut dice = Dice::new([5; 32]);
        let mut chance = Rng::new(number as u64);
        let (mut played, told) = G::new(&Setup { options, players }, &mut dice).expect("a game");
        let mut events: Vec<G::Event> = told.into_iter().map(|told| told.event).collect();
        for phase in 0..12_u8 {
            if phase % 4 == 0 {
                let position = played.write_position().encode_to_vec();
                seeds.add("positions", &[vec![game, 0], position.clone()].concat())?;
                seeds.add("drawing", &[vec![game, 0], position.clone()].concat())?;
                seeds.add("wire", &message(4, position))?;
                let view = played.view(Viewer::Seat(Seat::at(0)));
                seeds.add("wire", &message(3, G::write_view(&view).encode_to_vec()))?;
            }
            for decision in played.pending() {
                let offers = played.offers(decision.seat);
                for _ in 0..2 {
                    if offers.list.is_empty() {
                        continue;
                    }
                    let offer = &offers.list[chance.below(offers.list.len())];
                    let chosen = offers.at_random(offer, &mut || chance.number());
                    let Ok(line) = offers.fill(offer, &chosen) else { continue };
                    let text = [&[game, phase % 6, 0], line.as_bytes()].concat();
                    seeds.add("notation", &text)?;
                    let view = played.view(Viewer::Seat(decision.seat));
                    for order in G::parse(&view, &line).into_iter().flatten() {
                        let encoded = G::write_order(&order).encode_to_vec();
                        seeds.add("wire", &message(1, encoded))?;
                        let by = Actor::Seat(decision.seat);
                        let told = played.submit(by, order, &mut dice).into_iter().flatten();
                        events.extend(told.map(|told| told.event));
                    }
                }
            }
            if played.outcome().is_some() {
                break;
            }
            let told = played.close(CloseCause::Deadline, &mut dice);
            events.extend(told.into_iter().map(|told| told.event));
        }
        for event in events.iter().step_by(1 + events.len() / 40) {
            seeds.add("wire", &message(2, G::write_event(event).encode_to_vec()))?;
        }
    }
    Ok(())
}

fn random_choices(seeds: &mut Seeds) -> anyhow::Result<()> {
    let mut chance = Rng::new(1);
    let mut random =
        |length: usize| -> Vec<u8> { (0..length).map(|_| chance.number() as u8).collect() };
    for game in 0..4 {
        for which in 0..6 {
            for length in [16, 80, 240] {
                seeds.add("play", &[vec![game, which * 40], random(length)].concat())?;
            }
        }
    }
    for kind in 0..5 {
        for length in [40, 120, 300, 600] {
            seeds.add("steps", &[vec![kind], random(length)].concat())?;
        }
    }
    for number in 0..60 {
        seeds.add("diplomacy", &[vec![number], random(120)].concat())?;
        seeds.add("star_empires", &[vec![number], random(160)].concat())?;
    }
    for game in 0..4 {
        for kind in 0..5 {
            seeds.add("wire", &[vec![game, kind, 1], random(120)].concat())?;
        }
        seeds.add("positions", &[vec![game, 1], random(300)].concat())?;
    }
    for call in 0..=127 {
        seeds.add("requests", &[vec![call, 1], random(60)].concat())?;
    }
    for number in 0..8 {
        seeds.add("journal", &[vec![2], random(400)].concat())?;
        seeds.add("journal", &[vec![3, number], random(12)].concat())?;
        seeds.add("cursors", &[vec![2], random(24)].concat())?;
    }
    Ok(())
}

fn files(seeds: &mut Seeds) -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in ["examples/scenarios", "tests/scenarios"] {
        for file in json_files(&root.join(folder))? {
            seeds.add("scenarios", &std::fs::read(file)?)?;
        }
    }
    for file in std::fs::read_dir(root.join("tests/corpus"))? {
        let text = std::fs::read_to_string(file?.path())?;
        for line in text.lines().take(40) {
            let Ok(part) = json::from_text::<ExportGameResponse>(line) else { continue };
            if let Some(Part::Entry(entry)) = part.part {
                seeds.add("journal", &[&[0], entry.as_ref()].concat())?;
            }
        }
    }
    let token = |text: &str| ListGamesRequest { page_token: text.to_owned(), ..Default::default() };
    for text in ["", "00000000.7", "0123abcd.18bcfe5.g-1", "0123abcd.Ann", "x.y"] {
        seeds.add("cursors", &[&[0], token(text).encode_to_vec().as_slice()].concat())?;
        seeds.add("cursors", &[&[1], text.as_bytes()].concat())?;
    }
    let hexadecimal = "0123456789abcdef".repeat(2);
    for text in [format!("hp_{hexadecimal}{hexadecimal}"), format!("hpc_{hexadecimal}")] {
        seeds.add("cursors", &[&[3], text.as_bytes()].concat())?;
    }
    seeds.add("cursors", &[&[0], Cursor::default().encode_to_vec().as_slice()].concat())
}

fn json_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(json_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
