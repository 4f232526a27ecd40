//! Random steps of a game, by any caller, in any order, at any time.

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::{
    Created, Entry, OrdersGiven, Person, PlannedSeat, Step, Taken as TakenSeat, planned_seat, step,
};
use heliopause_proto::v1::{AutomatedSeat, GameView, Pace, event::Body};
use heliopause_table::verify::Verifier;
use heliopause_table::{Millis, Table, chain};
use step::Kind;

use crate::journal::SECRET;
use crate::messages;
use crate::source::Source;

const PEOPLE: [&str; 6] = ["ann", "bob", "cid", "dan", "gm", ""];
const KINDS: [&str; 5] =
    ["starships-at-large", "diplomacy", "stellar-conquest", "star-empires", "fate-of-empire"];
const STEPS: usize = 64;

fn person(id: &str) -> Person {
    Person { player_id: id.to_owned(), name: id.to_uppercase() }
}

fn created(source: &mut Source<'_>) -> Created {
    let kind = KINDS[usize::from(source.byte()) % KINDS.len()];
    let seat = |source: &mut Source<'_>| {
        let plan = match source.byte() % 8 {
            0 => Some(planned_seat::Plan::Automated(AutomatedSeat::default())),
            1 => None,
            2 => Some(planned_seat::Plan::ReservedFor(person("cid"))),
            who => Some(planned_seat::Plan::Taken(TakenSeat {
                player: Some(person(PEOPLE[usize::from(who % 3)])),
                ..TakenSeat::default()
            })),
        };
        PlannedSeat { plan }
    };
    let seats = (0..=(source.byte() % 4)).map(|_| seat(source)).collect();
    let bits = source.byte();
    let strange: Created = if bits & 1 == 1 { messages::typed(source) } else { Created::default() };
    Created {
        kind: kind.to_owned(),
        seats,
        pace: if bits & 2 == 2 { Some(messages::typed::<Pace>(source)) } else { None },
        game_master: (bits & 4 == 4).then(|| person("gm")),
        host: (bits & 8 == 8).then(|| person("ann")),
        seed_commitment: chain::commitment(&SECRET).to_vec().into(),
        game_id: "table".to_owned(),
        start_when_full: bits & 16 == 16,
        anonymous: bits & 32 == 32,
        sandbox: if bits & 64 == 64 { strange.sandbox } else { None },
        options: None,
        invite_code: String::new(),
        ..strange
    }
}

struct Played {
    table: Table,
    journal: Vec<Vec<u8>>,
    now: Millis,
    views: Vec<(Viewer, GameView)>,
}

/// Fuzzes steps. The first bytes create the game, and the remaining bytes are steps.
pub fn steps(data: &[u8]) {
    let mut source = Source::new(data);
    let created = created(&mut source);
    let by = created.host.as_ref().map_or("ann", |_| "ann").to_owned();
    let Ok((table, laid)) = Table::create(created, SECRET, &by, 0) else { return };
    let journal = vec![laid.stored.to_vec()];
    let mut played = Played { table, journal, now: 0, views: Vec::new() };
    played.follow(&laid.entry);
    for _ in 0..STEPS {
        if source.is_empty() {
            break;
        }
        played.step(&mut source);
    }
    played.prove();
}

impl Played {
    fn step(&mut self, source: &mut Source<'_>) {
        let passes = [0, 0, 0, 1, 500, 61_000, 3_600_000, 86_400_000][source.below(8)];
        let until = self.now + passes;
        // Apply what is due first, as the service does.
        for _ in 0..32 {
            let Some(due) = self.table.due().filter(|&due| due <= until) else { break };
            self.now = self.now.max(due);
            let ticked = Step {
                kind: Some(Kind::Ticked(heliopause_proto::store::v1::Ticked {})),
                ..Step::default()
            };
            if !self.apply(ticked) {
                break;
            }
        }
        self.now = until;
        let step = self.draw(source);
        self.apply(step);
    }

    fn draw(&self, source: &mut Source<'_>) -> Step {
        let mut step = if source.byte().is_multiple_of(3) {
            messages::typed::<Step>(source)
        } else {
            let kind = self.orders(source);
            Step { kind, ..Step::default() }
        };
        // Only the service creates these kinds of steps, from the game's own state.
        if matches!(
            step.kind,
            Some(Kind::RulesChanged(_) | Kind::PositionKept(_) | Kind::Created(_))
        ) {
            step.kind = Some(Kind::Ticked(heliopause_proto::store::v1::Ticked {}));
        }
        step.by = match &step.kind {
            Some(Kind::OrdersGiven(given)) if !source.byte().is_multiple_of(8) => {
                let seat = Seat::numbered(given.seat);
                let holds = |id: &&&str| seat.is_some() && self.table.seat_of(id) == seat;
                PEOPLE.iter().find(holds).copied().unwrap_or_default().to_owned()
            }
            _ => PEOPLE[source.below(PEOPLE.len())].to_owned(),
        };
        if step.by.is_empty() || !source.byte().is_multiple_of(4) {
            (step.request_id, step.request_digest) = Default::default();
        }
        step
    }

    fn orders(&self, source: &mut Source<'_>) -> Option<Kind> {
        let decision_states = self.table.decision_states();
        let asked: Vec<_> = (0..)
            .zip(&decision_states)
            .filter(|(_, decision_state)| decision_state.decision.is_some())
            .collect();
        let (index, decision_state) = source.pick(&asked)?;
        let seat = Seat::at(*index);
        let mut orders = Vec::new();
        for _ in 0..=(source.byte() % 3) {
            let offers = self.table.offers(seat)?;
            let offer = source.pick(&offers.list)?;
            let chosen = offers.at_random(offer, &mut || source.chance());
            let line = offers.fill(offer, &chosen).ok()?;
            orders.extend(self.table.parse(Some(seat), &line).expect("a filled offer is an order"));
        }
        Some(Kind::OrdersGiven(OrdersGiven {
            seat: seat.number(),
            phase: decision_state.phase,
            revision: decision_state.revision,
            orders,
            ready: source.yes(),
            ..OrdersGiven::default()
        }))
    }

    /// Applies a step. Returns whether the step was accepted. A rejected step must change nothing.
    fn apply(&mut self, step: Step) -> bool {
        let before = self.table.snapshot();
        let number = self.table.entry();
        match self.table.apply(step, self.now) {
            Ok(taken) => {
                assert_eq!(taken.entry.number, number + 1, "entries are dense");
                self.journal.push(taken.stored.to_vec());
                self.follow(&taken.entry);
                true
            }
            Err(fault) => {
                assert!(!fault.message.is_empty());
                assert!(before == self.table.snapshot(), "a refused step changed it: {fault}");
                false
            }
        }
    }

    /// Applies the published events to every viewer's view, which must equal the table's view.
    fn follow(&mut self, entry: &Entry) {
        let rules = &self.table.kind().rules;
        if self.views.is_empty() {
            let seats = Seat::first(self.table.decision_states().len()).map(Viewer::Seat);
            let viewers = seats.chain([Viewer::Spectator, Viewer::GameMaster]);
            self.views =
                viewers.filter_map(|viewer| Some((viewer, self.table.view(viewer)?))).collect();
            return;
        }
        for (viewer, view) in &mut self.views {
            let mut events =
                Table::events_for(entry, *viewer).filter_map(|event| match event.body {
                    Some(Body::Game(own)) => Some(own),
                    _ => None,
                });
            let folded = rules.fold(view.clone(), &mut events).expect("its own events fold");
            assert!(
                Some(&folded) == self.table.view(*viewer).as_ref(),
                "{viewer:?}: the view is not the fold of its events"
            );
            *view = folded;
        }
    }

    fn prove(&self) {
        let mut verifier = Verifier::new(SECRET);
        self.journal.iter().for_each(|entry| verifier.entry(entry));
        let report = verifier.finish();
        assert_eq!(report.fault, None);
        assert_eq!(report.replayed, report.entries);
        assert_eq!(report.head.as_ref(), self.table.hash());
        let again = match Table::load(&self.table.snapshot(), SECRET) {
            Ok(again) => again,
            Err(fault) => panic!("a snapshot of a table does not load: {fault}"),
        };
        assert!(again.snapshot() == self.table.snapshot(), "a snapshot is of another table");
        assert_eq!(again.due(), self.table.due());
    }
}
