//! Probe, never committed.
use crate::position::StellarConquest;
use crate::testing::Scene;
use heliopause_kernel::{Game, Seat, Viewer, Wire};
use heliopause_proto::stellar_conquest::v1 as proto;
use prost::Message;
use std::fmt::Write as _;

struct Rng(u64);
impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

fn mutated(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=(rng.next() % 2) {
        if bytes.is_empty() {
            break;
        }
        let at = (rng.next() as usize) % bytes.len();
        match rng.next() % 4 {
            0 => bytes[at] = (rng.next() % 8) as u8,
            1 => bytes[at] = rng.next() as u8,
            2 => bytes[at] = bytes[at].wrapping_add(1),
            _ => bytes[at] = 0,
        }
    }
    bytes
}

fn run<M: Message + Default + std::fmt::Debug + PartialEq, T: std::fmt::Debug>(
    name: &str,
    messages: Vec<M>,
    times: usize,
    read: impl Fn(&M) -> Result<T, heliopause_kernel::Malformed>,
    write: impl Fn(&T) -> M,
    out: &mut String,
    dump_ok: bool,
) {
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15);
    for (nth, message) in messages.iter().enumerate() {
        writeln!(out, "{name} {nth} ORIGINAL {message:?}").unwrap();
        let bytes = message.encode_to_vec();
        for time in 0..times {
            let changed = mutated(&bytes, &mut rng);
            let Ok(message) = M::decode(&changed[..]) else { continue };
            let quiet = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| read(&message)));
            match quiet {
                Ok(Ok(value)) if dump_ok => writeln!(out, "{name} {nth} {time} OK {:?}", write(&value)).unwrap(),
                Ok(Ok(value)) => {
                    let text = format!("{:?}", write(&value));
                    let hash = text.bytes().fold(5381_u64, |h, b| h.wrapping_mul(33) ^ u64::from(b));
                    writeln!(out, "{name} {nth} {time} OK {hash}").unwrap()
                }
                Ok(Err(fault)) => writeln!(out, "{name} {nth} {time} ERR {fault}").unwrap(),
                Err(_) => writeln!(out, "{name} {nth} {time} PANIC {:?}", changed.len()).unwrap(),
            }
        }
    }
}

#[test]
fn probe() {
    let mut out = String::new();
    let mut events: Vec<proto::Event> = super::tests::events().iter().map(StellarConquest::write_event).collect();
    events.extend(
        super::tests::politics_events()
            .into_iter()
            .map(|e| StellarConquest::write_event(&crate::event::Event::Politics(e))),
    );
    run("event", events, 200, StellarConquest::read_event, StellarConquest::write_event, &mut out, true);
    let view = Scene::conquest(2).game.view(Viewer::Spectator);
    let mut orders: Vec<proto::Order> = Vec::new();
    for line in crate::notation::tests::LINES.into_iter().chain([
        "decree Alcor 1: spend 30; 1 fighter; 2 scouts | posts Alcor",
        "raid Sadir 2 #4-6 via M17 N17 O16",
        "place Q19 to Alcor",
    ]) {
        orders.extend(StellarConquest::parse(&view, line).unwrap().iter().map(StellarConquest::write_order));
    }
    run("order", orders, 400, StellarConquest::read_order, StellarConquest::write_order, &mut out, true);
    let outer = Scene::new(crate::options::Options::of(crate::options::Variant::OuterSpace), 3).game;
    let games = [super::tests::rich(), Scene::fate().game, outer];
    let positions: Vec<proto::Position> = games.iter().map(StellarConquest::write_position).collect();
    run("position", positions, 15000, StellarConquest::read_position, StellarConquest::write_position, &mut out, false);
    let mut views = Vec::new();
    for game in &games {
        let seats = Seat::first(game.table().seats()).map(Viewer::Seat);
        views.extend(
            seats.chain([Viewer::Spectator, Viewer::GameMaster]).map(|v| StellarConquest::write_view(&game.view(v))),
        );
    }
    run("view", views, 3000, StellarConquest::read_view, StellarConquest::write_view, &mut out, false);
    let options =
        crate::options::Variant::ALL.map(|v| StellarConquest::write_options(&crate::options::Options::of(v))).to_vec();
    run("options", options, 300, StellarConquest::read_options, StellarConquest::write_options, &mut out, true);
    std::fs::write(std::env::var("PROBE_OUT").unwrap(), out).unwrap();
}
