//! Random actions of people. `actions.txt` describes them.

use heliopause_kernel::Seat;
use heliopause_proto::json;
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::GameStatus;
use heliopause_table::chain::sha256;
use prost_types::Timestamp;
use serde_json::{Value, json};
use step::Kind;

use super::{Record, SEATS};
use crate::scene::{HOUR, person};

/// Players, leaders, and an account that takes no part in the game.
const PEOPLE: [&str; 7] = ["ann", "bob", "cid", "dan", "gm", "host", "eve"];
const ENGINE: &str = "";

pub(crate) fn commitment(id: &str) -> bytes::Bytes {
    sha256(&[id.as_bytes()]).to_vec().into()
}

type Named<T> = Vec<(String, T)>;

/// Returns the definitions of values before the sections of `actions.txt`, and the sections.
fn sections() -> (Named<String>, Named<Vec<String>>) {
    let text = include_str!("actions.txt").replace("\n    ", "");
    let mut sections = text.split("\n## ");
    let defined = sections.next().into_iter().flat_map(str::lines);
    let defined = defined.filter_map(|line| line.split_once(" = "));
    let defined = defined.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let sections = sections.filter_map(|section| section.split_once('\n')).map(|(name, lines)| {
        let lines = lines.lines().filter(|line| !line.is_empty());
        (name.to_owned(), lines.map(str::to_owned).collect())
    });
    (defined, sections.collect())
}

impl Record {
    pub(crate) fn act(&mut self) {
        self.now += self.chance.pick(&[0, 1_000, 60_000, HOUR, 5 * HOUR]);
        let (by, kind) = self.action();
        let is_named = self.chance.one_in(2);
        let request_id =
            if is_named { format!("r{}", self.chance.below(9)) } else { String::new() };
        self.apply(&by, kind, request_id);
    }

    fn action(&mut self) -> (String, Kind) {
        let section = match self.table.status() {
            GameStatus::Forming if !self.chance.one_in(4) => "forming",
            GameStatus::Revealing if !self.chance.one_in(4) => "revealing",
            // Resume soon. Otherwise most actions would be refused because the game is paused.
            GameStatus::Paused if self.chance.one_in(3) => "paused",
            _ if self.table.is_sandbox() && self.chance.one_in(8) => "sandbox",
            _ => "any",
        };
        let (defined, sections) = sections();
        let (_, lines) = sections.iter().find(|(name, _)| name == section).expect("a section");
        let weighted = lines.iter().filter_map(|line| line.split_once(' '));
        let all: Vec<&str> = weighted
            .flat_map(|(weight, action)| {
                std::iter::repeat_n(action, weight.parse().expect("a weight"))
            })
            .collect();
        let (who, step) = match self.chance.pick(&all) {
            "orders" => return self.orders(),
            action => action.split_once(' ').expect("an actor and a step"),
        };
        let seat = self.seat();
        let by = match who {
            "person" => self.chance.pick(&PEOPLE),
            "holder" => self.holder(seat),
            "leader" => self.leader(),
            "clock" => {
                self.now = self.table.due().map_or(self.now, |due| self.now.max(due));
                ENGINE
            }
            "engine" => ENGINE,
            name => name,
        };
        let mut step = step.to_owned();
        for (name, value) in defined.iter().rev() {
            step = step.replace(name, value);
        }
        for (name, value) in self.values(by, seat) {
            step = step.replace(name, &value.to_string());
        }
        let step: Step = json::from_text(&self.chosen(step)).expect("a step");
        (by.to_owned(), step.kind.expect("a kind of step"))
    }

    /// Returns the values that do not stay the same.
    fn values(&mut self, by: &str, seat: u32) -> [(&'static str, Value); 11] {
        let account = |id: &str| json!({"playerId": id, "name": person(id).name});
        let base64 = |entropy| json::to_value(&EntropyRevealed { entropy }).get("entropy").cloned();
        let time = |millis: i64| {
            let deadline = Some(Timestamp { seconds: millis / 1000, nanos: 0 });
            json::to_value(&DeadlineSet { deadline })["deadline"].clone()
        };
        let phase = Seat::numbered(seat).map(|seat| self.table.decision_state(seat).phase);
        let vote = self.table.votes().last().map_or(1, |vote| vote.number);
        [
            ("$seat", json!(seat)),
            ("$other", json!(self.seat())),
            ("$phase", json!(phase)),
            ("$vote", json!(vote)),
            ("$me", account(by)),
            ("$anyone", account(self.chance.pick(&PEOPLE))),
            ("$commitment", json!(base64(commitment(by)))),
            ("$entropy", json!(base64(by.to_owned().into()))),
            ("$earlier", time(self.now - HOUR)),
            ("$later", time(self.now + 30 * HOUR)),
            ("$long", json!("x".repeat(5_000))),
        ]
    }

    /// Replaces each choice of a text, such as `<a|b>`, by one of its parts.
    fn chosen(&mut self, mut text: String) -> String {
        while let Some(end) = text.find('>') {
            let start = text[..end].rfind('<').expect("a choice has a beginning");
            let parts: Vec<&str> = text[start + 1..end].split('|').collect();
            let part = self.chance.pick(&parts).to_owned();
            text.replace_range(start..=end, &part);
        }
        text
    }

    fn seat(&mut self) -> u32 {
        let held = PEOPLE.iter().filter_map(|id| self.table.seat_of(id)).map(Seat::number);
        let held: Vec<u32> = held.collect();
        if held.is_empty() || self.chance.one_in(5) {
            return 1 + self.chance.below(self.seats) as u32;
        }
        self.chance.pick(&held)
    }

    fn holder(&mut self, seat: u32) -> &'static str {
        let holds = |id: &&&str| self.table.seat_of(id).map(Seat::number) == Some(seat);
        match PEOPLE.iter().find(holds) {
            Some(holder) if !self.chance.one_in(6) => holder,
            _ => self.chance.pick(&PEOPLE),
        }
    }

    fn leader(&mut self) -> &'static str {
        let leads = |id: &&&str| {
            let table = &self.table;
            table.is_game_master(id) || table.is_host(id) || table.check_sandbox(id).is_ok()
        };
        match PEOPLE.iter().find(leads) {
            Some(leader) if !self.chance.one_in(6) => leader,
            _ => self.chance.pick(&PEOPLE),
        }
    }

    fn orders(&mut self) -> (String, Kind) {
        let asked: Vec<Seat> = Seat::first(self.seats.min(SEATS))
            .filter(|&seat| self.table.decision_state(seat).decision.is_some())
            .collect();
        let Some(place) = self.chance.any(&asked) else {
            return (
                self.chance.pick(&PEOPLE).to_owned(),
                Kind::OrdersGiven(OrdersGiven::default()),
            );
        };
        let decision_state = self.table.decision_state(place);
        let offers = self.table.offers(place);
        let lines: Vec<String> = offers.iter().flat_map(|offers| offers.lines(60)).collect();
        let list = self.table.parse(Some(place), &lines.join("\n")).expect("what is offered");
        let start = self.chance.below(list.len());
        let many = list.len().min(1 + self.chance.below(3));
        let is_held = PEOPLE.iter().any(|id| self.table.seat_of(id) == Some(place));
        let automation = if is_held { "" } else { "captain (standard)" }.to_owned();
        let (to_seats, text) = (vec![1, 2], "Peace.".to_owned());
        let message = MessageSent { to_seats, text, ..MessageSent::default() };
        let seat = place.number();
        let given = OrdersGiven {
            seat,
            phase: decision_state.phase + u64::from(self.chance.one_in(12)),
            revision: decision_state.revision + u64::from(self.chance.one_in(12)),
            orders: list.iter().cycle().skip(start).take(many).cloned().collect(),
            ready: self.chance.one_in(2),
            messages: if self.chance.one_in(4) { vec![message] } else { Vec::new() },
            memo: (!is_held).then(|| vec![7].into()),
            automation,
        };
        let by = if is_held { self.holder(seat) } else { "eve" };
        (by.to_owned(), Kind::OrdersGiven(given))
    }
}
