//! Export of standard games to JSON that other programs use, such as the Python package
//! `diplomacy`: one object per phase, with the position, orders and possible retreats.

use heliopause_diplomacy::{
    Adjusted, AdjustedLine, Allowance, Diplomacy, Event, Fate, Insight, Phase, Place, Provinces,
    Report, Table, Unit, Variant, View, allowance, sites,
};
use heliopause_kernel::{Game as _, Seat};
use serde_json::{Map, Value, json};

/// Exports a game. `now` is any view of the game, and `told` contains all events visible to
/// spectators. Returns `None` unless it is a standard game played from the start.
pub(super) fn saved_game(id: &str, now: &View, told: &[Event]) -> Option<Value> {
    let (options, players) = (&now.table.options, now.table.players);
    if options.variant != Variant::Standard {
        return None;
    }
    let mut record = Record {
        view: View { table: Table::start(options, players), insight: Insight::Spectator },
        phases: Vec::new(),
    };
    for event in told {
        record.take(event);
    }
    let same = record.view.table.position == now.table.position
        && record.view.table.year == now.table.year;
    if !same {
        return None;
    }
    record.push(&Map::new());
    let mut phases = record.phases;
    for phase in &mut phases {
        phase["state"]["game_id"] = json!(id);
    }
    Some(json!({ "id": id, "map": "standard", "rules": [], "phases": phases }))
}

struct Record {
    view: View,
    phases: Vec<Value>,
}

impl Record {
    /// Applies an event. An event that closes a phase first records the phase.
    fn take(&mut self, event: &Event) {
        match event {
            Event::Moved { reports, .. } => self.push(&self.by_power(reports.iter().map(moved))),
            // Units without a possible retreat are removed at once. Without other dislodged units
            // there is no retreat phase.
            Event::Retreated { fates } if self.is_retreat() => {
                let asked = fates.iter().filter(|one| one.fate != Fate::NoRetreat);
                let lines = asked.map(|one| (one.unit.owner, retreated(one.unit, one.fate)));
                self.push(&self.by_power(lines));
            }
            Event::Adjusted { lines, .. } => {
                self.push(&self.by_power(lines.iter().filter_map(adjusted)));
            }
            Event::Ordered { .. }
            | Event::PhaseBegan { .. }
            | Event::Retreated { .. }
            | Event::TurnEnded { .. }
            | Event::Eliminated { .. }
            | Event::Ended { .. } => {}
        }
        Diplomacy::update(&mut self.view, event);
    }

    fn is_retreat(&self) -> bool {
        matches!(self.view.table.phase, Phase::SpringRetreat | Phase::FallRetreat)
    }

    fn by_power(&self, lines: impl Iterator<Item = (Seat, String)>) -> Map<String, Value> {
        let mut all: Map<String, Value> = Map::new();
        for (seat, text) in lines {
            let list = all.entry(self.name(seat)).or_insert_with(|| json!([]));
            list.as_array_mut().expect("a list").push(json!(text));
        }
        all
    }

    fn name(&self, seat: Seat) -> String {
        let table = &self.view.table;
        table.options.powers(table.players)[seat.index()].0.to_uppercase()
    }

    fn push(&mut self, orders: &Map<String, Value>) {
        let table = &self.view.table;
        let phase = || table.phase.short(table.year);
        let name = table.ending.as_ref().map_or_else(phase, |_| "COMPLETED".to_owned());
        let phase = json!({
            "name": name, "state": self.state(&name), "orders": orders, "results": {}, "messages": []
        });
        self.phases.push(phase);
    }

    fn state(&self, name: &str) -> Value {
        let table = &self.view.table;
        let position = &table.position;
        let by_power = |of: &dyn Fn(Seat) -> Value| -> Map<String, Value> {
            position.seats().map(|seat| (self.name(seat), of(seat))).collect()
        };
        let driven = |seat: Seat| {
            let own = table.dislodged.iter().filter(move |one| one.unit.owner == seat);
            own.filter(|one| !one.retreats.is_empty())
        };
        let units = by_power(&|seat| {
            let retreating = driven(seat).map(|one| format!("*{}", upper(one.unit)));
            position.units_of(seat).map(upper).chain(retreating).collect()
        });
        let retreats = by_power(&|seat| {
            let ways = driven(seat).map(|one| {
                let to = one.retreats.iter().map(|to| to.to_string().to_uppercase());
                (upper(one.unit), to.collect::<Value>())
            });
            Value::Object(ways.collect())
        });
        let named = |provinces: Provinces| -> Value {
            provinces.iter().map(|province| province.to_string().to_uppercase()).collect()
        };
        let homes = by_power(&|seat| {
            let all = heliopause_diplomacy::centers().iter();
            named(all.filter(|center| center.home() == Some(seat.index())).collect())
        });
        let builds = by_power(&|seat| {
            let free = sites(position, seat);
            let count = match allowance(position, seat) {
                _ if table.phase != Phase::Winter => 0,
                Allowance::Builds(count) => i64::try_from(count.min(free.len())).unwrap_or(0),
                Allowance::Removals(count) => -i64::try_from(count).unwrap_or(0),
            };
            let homes = if count > 0 { named(free) } else { json!([]) };
            json!({ "count": count, "homes": homes })
        });
        json!({
            "name": name, "map": "standard", "rules": [], "timestamp": 0, "note": "", "zobrist_hash": "",
            "units": units, "retreats": retreats, "homes": homes, "builds": builds,
            "centers": by_power(&|seat| named(position.centers_of(seat))),
            "civil_disorder": by_power(&|_| json!(0)), "influence": {},
        })
    }
}

fn upper(unit: Unit) -> String {
    unit.to_string().to_uppercase()
}

/// Formats a move as adjudicated, with a convoy only if the army used one.
fn moved(report: &Report) -> (Seat, String) {
    let mut text = report.given.order.to_string().replace(" via convoy", "").to_uppercase();
    if report.by_convoy {
        text.push_str(" VIA");
    }
    (report.given.seat, text)
}

fn retreated(unit: Unit, fate: Fate) -> String {
    if let Fate::Retreated(Place::Earth(to)) = fate {
        format!("{} R {to}", upper(unit)).to_uppercase()
    } else {
        format!("{} D", upper(unit))
    }
}

fn adjusted(line: &AdjustedLine) -> Option<(Seat, String)> {
    let text = match line.result {
        Adjusted::Built(unit) => format!("{} B", upper(unit)),
        Adjusted::Removed(kind, at) => format!("{} {at} D", kind.as_str()).to_uppercase(),
        Adjusted::Waived => "WAIVE".to_owned(),
        Adjusted::Fails(_) => return None,
    };
    Some((line.seat, text))
}
