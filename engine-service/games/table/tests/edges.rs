//! The edges of what is allowed at a table: the last value that is taken, and the first that is
//! refused.

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::starships_at_large::v1 as starships;
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{
    AutomatedSeat, DeadlineReason, ErrorReason, Event, Exported, Game, GameEvent, GameOptions,
    GameStatus, MissedDeadline, OpenSeat, Pace, PhasePace, SandboxAutomation, VoteSubject, event,
    game_options, seat,
};
use heliopause_table::{Fault, Reader, Table, chain, invited, is_look, registry};
use planned_seat::Plan;
use prost_types::{Duration, Timestamp};
use step::Kind;

const SECRET: [u8; 32] = [8; 32];
const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

fn person(id: &str) -> Person {
    Person { player_id: id.to_owned(), name: id.to_uppercase() }
}

fn planned(plan: Plan) -> PlannedSeat {
    PlannedSeat { plan: Some(plan) }
}

fn taken(id: &str) -> PlannedSeat {
    planned(Plan::Taken(Taken { player: Some(person(id)), ..Taken::default() }))
}

#[expect(clippy::unnecessary_wraps, reason = "fields of messages are optional")]
fn millis(millis: i64) -> Option<Duration> {
    Some(Duration {
        seconds: millis.div_euclid(1000),
        nanos: millis.rem_euclid(1000) as i32 * 1_000_000,
    })
}

fn daily() -> Pace {
    let standard = PhasePace { interval: millis(DAY), ..PhasePace::default() };
    Pace { standard: Some(standard), ..Pace::default() }
}

fn created(kind: &str, players: &[&str]) -> Created {
    Created {
        kind: kind.to_owned(),
        seats: players.iter().map(|id| taken(id)).collect(),
        pace: Some(daily()),
        game_master: Some(person("gm")),
        seed_commitment: chain::commitment(&SECRET).to_vec().into(),
        game_id: "table".to_owned(),
        start_when_full: true,
        ..Created::default()
    }
}

struct Scene {
    table: Table,
    now: i64,
    told: Vec<Event>,
    entries: Vec<Entry>,
    ratings: Vec<(String, i32)>,
}

impl Scene {
    fn new(created: Created) -> Self {
        let table = Table::lay(created, SECRET, "gm", 0).expect("a table").0;
        Self { table, now: 0, told: Vec::new(), entries: Vec::new(), ratings: Vec::new() }
    }

    fn take(&mut self, by: &str, kind: Kind) -> Result<(), Fault> {
        let step = Step { by: by.to_owned(), kind: Some(kind), ..Step::default() };
        let taken = self.table.take(step, self.now)?;
        self.ratings.extend(taken.ratings);
        self.entries.push(taken.entry.clone());
        self.told = taken.entry.events.into_iter().filter_map(|told| told.event).collect();
        Ok(())
    }

    fn does(&mut self, by: &str, kind: Kind) {
        self.take(by, kind).unwrap_or_else(|fault| panic!("{by}: {fault}"));
    }

    /// The game's own events that a viewer was told.
    fn told_to(&self, viewer: Viewer) -> Vec<GameEvent> {
        let events = self.entries.iter().flat_map(|entry| Table::events_for(entry, viewer));
        let own = |event: Event| match event.body {
            Some(event::Body::Game(game)) => Some(game),
            _ => None,
        };
        events.filter_map(own).collect()
    }

    fn refused(&mut self, by: &str, kind: Kind) -> String {
        let fault = self.take(by, kind).expect_err("it is refused");
        fault.field.unwrap_or_else(|| format!("{:?}", fault.reason))
    }

    /// Everything happens that has fallen due.
    fn wait(&mut self, millis: i64) {
        let until = self.now + millis;
        while let Some(due) = self.table.due().filter(|due| *due <= until) {
            self.now = self.now.max(due);
            self.does("", Kind::Ticked(Ticked {}));
        }
        self.now = until;
    }

    fn seen(&self, player_id: &str) -> Game {
        self.table.describe(Reader { player_id })
    }

    fn status(&self) -> GameStatus {
        self.table.status()
    }

    fn phase(&self, seat: u32) -> u64 {
        self.table.standing(Seat::numbered(seat).expect("a seat")).phase
    }

    /// Whose turn it is.
    fn on_turn(&self) -> Seat {
        let on_turn = self.table.game().and_then(registry::AnyGame::on_turn);
        on_turn.expect("somebody is on turn")
    }

    fn ready(&mut self, by: &str, seat: u32) {
        let phase = self.phase(seat);
        self.does(by, Kind::FlagSet(FlagSet { seat, phase, ready: Some(true), wait: None }));
    }
}

fn paced(change: impl Fn(&mut Pace)) -> Option<String> {
    let mut pace = daily();
    change(&mut pace);
    let created = Created { pace: Some(pace), ..created("star-empires", &["ann", "bob"]) };
    let laid = Table::lay(created, SECRET, "gm", 0);
    laid.err().map(|fault| fault.field.unwrap_or_default())
}

fn phased(change: impl Fn(&mut PhasePace)) -> Option<String> {
    paced(|pace| change(pace.standard.as_mut().expect("it is set")))
}

#[test]
fn a_pace_is_taken_up_to_its_bounds_and_refused_by_its_field_beyond_them() {
    let field = |name: &str| Some(format!("pace.{name}"));
    let long = 3_650 * DAY;
    assert_eq!(phased(|phase| phase.interval = millis(1_000)), None);
    assert_eq!(phased(|phase| phase.interval = millis(999)), field("standard.interval"));
    assert_eq!(phased(|phase| phase.interval = millis(long)), None);
    assert_eq!(phased(|phase| phase.interval = millis(long + 1)), field("standard.interval"));
    assert_eq!(phased(|phase| phase.minimum = millis(0)), None);
    assert_eq!(phased(|phase| phase.minimum = millis(-1)), field("standard.minimum"));
    assert_eq!(phased(|phase| phase.grace = millis(long + 1)), field("standard.grace"));
    assert_eq!(phased(|phase| phase.late_delay = millis(-1)), field("standard.late_delay"));
    assert_eq!(phased(|phase| phase.at_minute = Some(1_439)), None);
    assert_eq!(phased(|phase| phase.at_minute = Some(1_440)), field("standard.at_minute"));
    assert_eq!(phased(|phase| phase.weekdays = vec![1, 7]), None);
    assert_eq!(phased(|phase| phase.weekdays = vec![0]), field("standard.weekdays"));
    assert_eq!(phased(|phase| phase.weekdays = vec![8]), field("standard.weekdays"));
    assert_eq!(paced(|pace| pace.vacation_days = 366), None);
    assert_eq!(paced(|pace| pace.vacation_days = 367), field("vacation_days"));
    assert_eq!(paced(|pace| pace.utc_offset_minutes = -840), None);
    assert_eq!(paced(|pace| pace.utc_offset_minutes = 841), field("utc_offset_minutes"));
    assert_eq!(paced(|pace| pace.automate_after_misses = Some(1)), None);
    assert_eq!(paced(|pace| pace.automate_after_misses = Some(0)), field("automate_after_misses"));
    assert_eq!(paced(|pace| pace.shortest = millis(1_000)), None);
    assert_eq!(paced(|pace| pace.shortest = millis(999)), field("shortest"));
    let odd = |kind: &str| {
        let phase = PhasePace { interval: millis(0), ..PhasePace::default() };
        paced(|pace| drop(pace.by_kind.insert(kind.to_owned(), phase.clone())))
    };
    assert_eq!(odd("orders"), field("by_kind[orders].interval"));
    assert_eq!(odd("nonsense"), field("by_kind"));
}

#[test]
fn a_clock_time_is_that_of_the_offset_of_the_pace() {
    let due = |hours: i64, at: u32, offset: i32| {
        let standard = PhasePace {
            interval: millis(hours * HOUR),
            at_minute: Some(at * 60),
            ..PhasePace::default()
        };
        let pace = Pace { standard: Some(standard), utc_offset_minutes: offset, ..Pace::default() };
        let table =
            Scene::new(Created { pace: Some(pace), ..created("star-empires", &["ann", "bob"]) });
        table.seen("").due_time.expect("a deadline").seconds / 3600
    };
    assert_eq!([0, 120, -60].map(|offset| due(1, 18, offset)), [18, 16, 19]);
    assert_eq!(due(21, 22, 120), 44, "it is 23:00 there by then");
}

#[test]
fn a_phase_lasts_its_minimum_though_all_are_ready() {
    let standard =
        PhasePace { interval: millis(DAY), minimum: millis(HOUR), ..PhasePace::default() };
    let pace = Some(Pace { standard: Some(standard), ..Pace::default() });
    let mut scene = Scene::new(Created { pace, ..created("star-empires", &["ann", "bob"]) });
    scene.ready("ann", 1);
    assert_eq!(scene.table.due(), Some(DAY), "one of them is not ready");
    scene.ready("bob", 2);
    assert_eq!(scene.table.due(), Some(HOUR));
    scene.wait(HOUR - 1);
    assert_eq!(scene.phase(1), 1);
    scene.wait(1);
    assert_eq!(scene.phase(1), 2);
}

#[test]
fn a_phase_does_not_close_early_while_somebody_waits() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let wait =
        |wait| Kind::FlagSet(FlagSet { seat: 1, phase: 1, ready: Some(true), wait: Some(wait) });
    scene.does("ann", wait(true));
    scene.ready("bob", 2);
    assert_eq!(scene.phase(1), 1);
    scene.does("ann", wait(false));
    assert_eq!(scene.phase(1), 2);
}

#[test]
fn a_phase_that_is_extended_is_extended_once_and_a_held_one_waits() {
    for (missed, reasons, phases) in [
        (MissedDeadline::Extend, [Some(DeadlineReason::Extended), None], [1, 2]),
        (MissedDeadline::Hold, [Some(DeadlineReason::Held), None], [1, 1]),
        (MissedDeadline::Defaults, [None, None], [2, 3]),
    ] {
        let pace = Some(Pace { missed: missed.into(), ..daily() });
        let mut scene = Scene::new(Created { pace, ..created("star-empires", &["ann", "bob"]) });
        for (reason, phase) in reasons.into_iter().zip(phases) {
            scene.told.clear();
            scene.wait(DAY);
            let changed = scene.told.iter().find_map(|event| match &event.body {
                Some(event::Body::DeadlineChanged(changed)) => Some(changed.reason()),
                _ => None,
            });
            let is_new_phase = changed == Some(DeadlineReason::PhaseOpened);
            assert_eq!(changed.filter(|_| !is_new_phase), reason, "{missed:?}");
            assert_eq!(scene.phase(1), phase, "{missed:?}");
        }
    }
}

#[test]
fn a_deadline_is_set_from_now_on_and_for_ten_years() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    scene.now = 5_000;
    let at = |millis: i64| {
        let deadline = Some(Timestamp { seconds: millis.div_euclid(1000), nanos: 0 });
        Kind::DeadlineSet(DeadlineSet { deadline })
    };
    assert_eq!(scene.refused("gm", at(4_000)), "due_time");
    assert_eq!(scene.refused("gm", at(6_000 + 3_650 * DAY)), "due_time");
    scene.does("gm", at(5_000 + 3_650 * DAY));
    scene.does("gm", at(5_000));
    assert_eq!(scene.table.due(), Some(5_000));
}

#[test]
fn what_people_write_is_taken_up_to_its_length() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let message = |length: usize| {
        let text = "x".repeat(length);
        Kind::MessageSent(MessageSent { to_seats: vec![1], text, ..MessageSent::default() })
    };
    scene.does("gm", message(4_000));
    assert_eq!(scene.refused("gm", message(4_001)), "text");
    assert_eq!(scene.refused("gm", message(0)), "text");
    let paused = |why: &str| {
        let act = OperatorAct::Paused.into();
        Kind::OperatorActed(OperatorActed { act, why: why.to_owned() })
    };
    assert_eq!(scene.refused("", paused(&"x".repeat(501))), "why");
    assert_eq!(scene.refused("", paused("two\nlines")), "why");
    assert_eq!(scene.refused("", paused(" ")), "why");
    scene.does("", paused(&"x".repeat(500)));
    let declared = |reason: &str| {
        let (winners, reason) = (vec![1], reason.to_owned());
        Kind::OutcomeDeclared(OutcomeDeclared { winners, reason })
    };
    assert_eq!(scene.refused("gm", declared(&"x".repeat(501))), "reason");
    assert_eq!(scene.refused("gm", declared("two\nlines")), "reason");
    scene.does("gm", declared(&"x".repeat(500)));
    assert_eq!(scene.status(), GameStatus::Ended);
    let outcome = scene.table.outcome().expect("it is over");
    assert!(outcome.declared && !outcome.draw);
    assert_eq!(outcome.winners, [1]);
}

#[test]
fn a_name_is_printable_and_has_at_most_64_characters() {
    let named = |name: &str| {
        let created = Created { name: name.to_owned(), ..created("star-empires", &["ann", "bob"]) };
        Table::lay(created, SECRET, "gm", 0).err().and_then(|fault| fault.field)
    };
    assert_eq!(named(&"x".repeat(64)), None);
    assert_eq!(named(&"x".repeat(65)), Some("name".to_owned()));
    assert_eq!(named("two\nlines"), Some("name".to_owned()));
}

#[test]
fn an_answer_is_taken_up_to_its_size() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let order = scene.table.parse(Some(Seat::at(0)), "MOVE A TO (1,1)").expect("an order");
    let given = |orders: usize, memo: usize| {
        let phase = scene.phase(1);
        Kind::OrdersGiven(OrdersGiven {
            seat: 1,
            phase,
            orders: order.iter().cycle().take(orders).cloned().collect(),
            memo: Some(vec![0; memo].into()),
            ..OrdersGiven::default()
        })
    };
    let (many, big) = (given(5_001, 0), given(1, 64 * 1024 + 1));
    let (largest, most) = (given(1, 64 * 1024), given(5_000, 0));
    assert_eq!(scene.refused("ann", many), "orders");
    assert_eq!(scene.refused("ann", big), "memo");
    assert_eq!(scene.refused("ann", largest), "sheet.lines[0]", "its orders are looked at");
    assert_eq!(scene.refused("ann", most), "sheet.lines[0]");
}

#[test]
fn dice_are_scripted_up_to_ten_thousand_and_the_clock_is_set_forward_up_to_ten_years() {
    let sandbox = Sandbox { owner: Some(person("ann")), ..Sandbox::default() };
    let lay = || {
        Scene::new(Created {
            sandbox: Some(sandbox.clone()),
            game_master: None,
            ..created("starships-at-large", &["ann", "ann"])
        })
    };
    let script = |dice: Vec<u32>, replace| Kind::DiceScripted(DiceScripted { dice, replace });
    let mut scene = lay();
    scene.does("ann", script(vec![1; 6_000], false));
    assert_eq!(scene.refused("ann", script(vec![1; 4_001], false)), "dice");
    scene.does("ann", script(vec![1; 4_000], false));
    assert_eq!(scene.table.scripted_dice().len(), 10_000);
    scene.does("ann", script(vec![2; 10_000], true));
    assert_eq!(scene.refused("ann", script(vec![0], true)), "dice");
    let forward = |by| Kind::ClockAdvanced(ClockAdvanced { by: millis(by) });
    let mut scene = lay();
    assert_eq!(scene.refused("ann", forward(999)), "by");
    scene.does("ann", forward(1_000));
    assert_eq!(scene.seen("ann").status(), GameStatus::Running);
    let most = 3_650 * DAY;
    assert_eq!(scene.refused("ann", forward(most)), "by");
    scene.does("ann", forward(most - 1_000));
}

#[test]
fn a_game_that_may_not_be_delegated_refuses_it() {
    use heliopause_proto::v1::DelegationRule;
    for (rule, refused) in [
        (DelegationRule::None, true),
        (DelegationRule::Absence, true),
        (DelegationRule::Free, false),
    ] {
        let mut scene = Scene::new(Created {
            delegation: rule.into(),
            ..created("star-empires", &["ann", "bob"])
        });
        let to = Some(AutomatedSeat::default());
        let delegated = scene.take("ann", Kind::Delegated(Delegated { seat: 1, to }));
        assert_eq!(delegated.is_err(), refused, "{rule:?}");
    }
}

#[test]
fn who_hosts_two_players_and_is_erased_takes_only_their_own_with_them() {
    let host = |id: &str| Created {
        host: Some(person(id)),
        game_master: None,
        ..created("star-empires", &["ann", "bob"])
    };
    let erase = |id: &str| Kind::PlayerErased(PlayerErased { player_id: id.to_owned() });
    let mut scene = Scene::new(host("ann"));
    scene.does("", erase("ann"));
    assert_eq!(scene.status(), GameStatus::Running, "Bob plays on");
    assert_eq!((scene.seen("").host.as_str(), scene.table.seat_of("ann")), ("", None));
    scene.does("", erase("bob"));
    let mut scene = Scene::new(Created {
        host: Some(person("host")),
        game_master: None,
        start_when_full: false,
        seats: vec![planned(Plan::Open(OpenSeat {})), taken("bob")],
        ..created("star-empires", &[])
    });
    scene.does("", erase("eve"));
    assert_eq!(scene.table.seat_of("bob").map(Seat::number), Some(2));
    scene.does("", erase("bob"));
    assert_eq!(scene.table.seat_of("bob"), None);
    assert_eq!(scene.status(), GameStatus::Forming);
    scene.does("", erase("host"));
    assert_eq!(scene.status(), GameStatus::Cancelled, "nobody is left");
    let text = "The game is cancelled: its host's account is deleted.";
    assert!(scene.told.iter().any(|event| event.text == text), "{:?}", scene.told);
}

#[test]
fn a_game_that_is_over_stays_as_it_is_when_its_host_is_erased_or_banned() {
    let mut scene = Scene::new(Created {
        host: Some(person("gm")),
        ..created("star-empires", &["ann", "bob"])
    });
    let winners = vec![1];
    scene.does(
        "gm",
        Kind::OutcomeDeclared(OutcomeDeclared { winners, ..OutcomeDeclared::default() }),
    );
    scene.does("", Kind::PlayerErased(PlayerErased { player_id: "gm".to_owned() }));
    assert_eq!(scene.status(), GameStatus::Ended);
    let banned = Kind::HostBanned(HostBanned { player_id: "gm".to_owned() });
    assert_eq!(scene.refused("", banned), "WrongStatus");
}

#[test]
fn a_host_is_banned_whom_the_ban_names() {
    for (named, cancelled) in [("host", true), ("", false), ("eve", false)] {
        let mut scene = Scene::new(Created {
            host: Some(person("host")),
            game_master: None,
            start_when_full: false,
            seats: vec![planned(Plan::Open(OpenSeat {})); 2],
            ..created("star-empires", &[])
        });
        let _ = scene.take("", Kind::HostBanned(HostBanned { player_id: named.to_owned() }));
        assert_eq!(scene.status() == GameStatus::Cancelled, cancelled, "{named}");
    }
    // Nobody leads it, and nobody is banned.
    let mut scene =
        Scene::new(Created { game_master: None, ..created("star-empires", &["ann", "bob"]) });
    scene.does("", Kind::PlayerErased(PlayerErased { player_id: "ann".to_owned() }));
    scene.does("", Kind::PlayerErased(PlayerErased { player_id: "bob".to_owned() }));
    if scene.status() != GameStatus::Cancelled {
        let nobody = Kind::HostBanned(HostBanned { player_id: String::new() });
        assert_eq!(scene.refused("", nobody), "WrongStatus");
    }
}

#[test]
fn an_entropy_has_1_to_64_bytes() {
    let entropy = |length: usize| vec![7; length];
    for (length, fits) in [(0, false), (1, true), (64, true), (65, false)] {
        let entropy_commitment = chain::sha256(&[&entropy(length)]).to_vec().into();
        let ann = Plan::Taken(Taken { player: Some(person("ann")), entropy_commitment });
        let seats = vec![planned(ann), taken("bob")];
        let mut scene = Scene::new(Created { seats, ..created("star-empires", &[]) });
        assert_eq!(scene.status(), GameStatus::Revealing);
        let revealed = EntropyRevealed { entropy: entropy(length).into() };
        let revealed = scene.take("ann", Kind::EntropyRevealed(revealed));
        assert_eq!(revealed.is_ok(), fits, "{length} bytes");
        scene.now = 3_650 * DAY;
        scene.does("", Kind::Ticked(Ticked {}));
        assert_eq!(scene.status(), GameStatus::Running, "it begins without it");
    }
}

#[test]
fn those_are_invited_for_whom_a_step_keeps_a_seat() {
    let step = |kind| Step { kind: Some(kind), ..Step::default() };
    let reserved = |id: &str| planned(Plan::ReservedFor(person(id)));
    let guest = SandboxGuest { seat: 1, player: Some(person("guest")) };
    let sandbox = Sandbox { guests: vec![guest], ..Sandbox::default() };
    let seats = vec![taken("ann"), reserved("bob"), reserved("cid")];
    let laid = Created { seats, sandbox: Some(sandbox), ..Created::default() };
    let laid = step(Kind::Created(Box::new(laid)));
    assert_eq!(invited(&laid).collect::<Vec<_>>(), ["bob", "cid", "guest"]);
    let given = step(Kind::SeatGiven(SeatGiven { seat: 2, player: Some(person("dan")) }));
    assert_eq!(invited(&given).collect::<Vec<_>>(), ["dan"]);
    assert_eq!(invited(&step(Kind::Ticked(Ticked {}))).count(), 0);
}

#[test]
fn who_answers_for_a_seat_has_looked_and_automation_has_not() {
    let look = |kind| is_look(&Step { kind: Some(kind), ..Step::default() });
    let by = |automation: &str| automation.to_owned();
    let given = |automation| {
        Kind::OrdersGiven(OrdersGiven { automation: by(automation), ..OrdersGiven::default() })
    };
    let cast =
        |automation| Kind::VoteCast(VoteCast { automation: by(automation), ..VoteCast::default() });
    assert!(look(given("")) && look(cast("")));
    assert!(!look(given("captain (standard)")) && !look(cast("captain (standard)")));
    assert!(look(Kind::AutomationWoken(AutomationWoken {})));
    assert!(!look(Kind::Ticked(Ticked {})));
}

#[test]
fn letters_of_a_seat_on_turn_wait_until_its_turn_is_over() {
    let mut scene = Scene::new(created("starships-at-large", &["ann", "bob", "cid"]));
    let on_turn = scene.on_turn();
    let names = ["ann", "bob", "cid"];
    let other = Seat::at((on_turn.index() + 1) % 3);
    let third = Seat::at((on_turn.index() + 2) % 3);
    let letters = |scene: &Scene, seat: Seat| scene.table.message_entries(Some(seat)).len();
    let write = |to: &[Seat], text: &str| {
        Kind::MessageSent(MessageSent {
            from_seat: other.number(),
            to_seats: to.iter().map(|seat| seat.number()).collect(),
            text: text.to_owned(),
            ..MessageSent::default()
        })
    };
    scene.does(names[other.index()], write(&[on_turn, third], "Hold."));
    assert_eq!([on_turn, other, third].map(|seat| letters(&scene, seat)), [0, 1, 1]);
    let own = scene.told.iter().find_map(|event| match &event.body {
        Some(event::Body::Message(message)) if message.held => Some(message.clone()),
        _ => None,
    });
    assert!(own.is_some(), "the sender is told that it waits");
    // 200 wait at most.
    for _ in 1..200 {
        scene.does(names[other.index()], write(&[on_turn], "More."));
    }
    assert_eq!(
        scene.refused(names[other.index()], write(&[on_turn], "Yet more.")),
        "QuotaExceeded"
    );
    scene.does(names[other.index()], write(&[third], "At once."));
    let resigned = Resigned { seat: on_turn.number() };
    scene.does(names[on_turn.index()], Kind::Resigned(resigned));
    scene.wait(2 * DAY);
    assert_ne!(scene.on_turn(), on_turn);
    assert_eq!(letters(&scene, on_turn), 200);
}

#[test]
fn a_seat_has_10_000_letters_at_most() {
    let mut scene = Scene::new(created("starships-at-large", &["ann", "bob", "cid"]));
    let sent = |to_seats: Vec<u32>| {
        let text = "Once more.".to_owned();
        Kind::MessageSent(MessageSent { to_seats, text, ..MessageSent::default() })
    };
    for _ in 0..10_000 {
        scene.does("gm", sent(vec![1]));
    }
    assert_eq!(scene.refused("gm", sent(vec![2, 1])), "QuotaExceeded");
    scene.does("gm", sent(vec![2]));
}

#[test]
fn letters_that_wait_are_read_when_the_game_is_over() {
    let mut scene = Scene::new(created("starships-at-large", &["ann", "bob", "cid"]));
    let on_turn = scene.on_turn();
    let other = Seat::at((on_turn.index() + 1) % 3);
    let sent = MessageSent {
        from_seat: other.number(),
        to_seats: vec![on_turn.number()],
        text: "Hold.".to_owned(),
        ..MessageSent::default()
    };
    scene.does(["ann", "bob", "cid"][other.index()], Kind::MessageSent(sent));
    scene.does("gm", Kind::OutcomeDeclared(OutcomeDeclared::default()));
    assert_eq!(scene.table.message_entries(Some(on_turn)).len(), 1);
}

#[test]
fn everybody_is_named_as_such_where_more_than_one_is_meant() {
    let mut scene = Scene::new(created("starships-at-large", &["ann", "bob"]));
    let on_turn = scene.on_turn();
    let other = Seat::at(1 - on_turn.index());
    let text =
        |scene: &Scene| scene.told.first().map(|event| event.text.clone()).unwrap_or_default();
    let sent = |to_seats: Vec<u32>, from_seat| {
        let text = "Hello.".to_owned();
        Kind::MessageSent(MessageSent { from_seat, to_seats, text, ..MessageSent::default() })
    };
    scene.does(["ann", "bob"][other.index()], sent(vec![on_turn.number()], other.number()));
    assert!(!text(&scene).contains("everybody"), "{}", text(&scene));
    scene.does("gm", sent(vec![1, 2], 0));
    assert!(text(&scene).contains("The game master writes to everybody"), "{}", text(&scene));
}

#[test]
fn a_vote_says_no_as_well_as_yes_and_needs_as_many_as_there_are() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob", "cid"]));
    let propose = |subject: VoteSubject, target_seat| {
        let (seat, subject) = (1, subject.into());
        Kind::VoteProposed(VoteProposed { seat, subject, target_seat, extension: None })
    };
    let cast =
        |seat, vote, yes| Kind::VoteCast(VoteCast { seat, vote, yes, automation: String::new() });
    scene.does("ann", propose(VoteSubject::Draw, 0));
    scene.does("bob", cast(2, 1, true));
    scene.does("bob", cast(2, 1, false));
    let vote = scene.table.votes().last().expect("a vote").clone();
    assert_eq!((vote.yes, vote.no), (vec![1], vec![2]));
    assert_eq!(vote.state, i32::from(heliopause_proto::v1::VoteState::Failed));
    scene.does("ann", propose(VoteSubject::Replace, 3));
    assert_eq!(scene.table.votes().last().expect("a vote").needed, 2);
    scene.does("ann", propose(VoteSubject::Draw, 0));
    for seat in 2..=3 {
        scene.does(["", "", "bob", "cid"][seat as usize], cast(seat, 3, true));
    }
    let outcome = scene.table.outcome().expect("it is over");
    assert!(outcome.draw && outcome.declared);
    assert_eq!(outcome.summary, "The players agreed on a draw.");
}

#[test]
fn the_rules_of_a_game_can_be_asked_without_a_game() {
    let scene = Scene::new(created("starships-at-large", &["ann", "bob", "cid"]));
    let kind = registry::kind("starships-at-large").expect("it is a game");
    let viewer = Viewer::Seat(Seat::at(0));
    let (view, goals) = scene.table.view_and_goals(viewer).expect("it runs");
    assert_eq!(heliopause_table::goals(kind, &view).expect("a view"), goals);
    assert!(!goals.is_empty());
}

#[test]
fn a_level_that_does_not_exist_is_refused_by_its_field() {
    let options = starships::Options { rounds: Some(2), ..starships::Options::default() };
    let options = Some(GameOptions { game: Some(game_options::Game::StarshipsAtLarge(options)) });
    let leveled = |level: &str| {
        let created = Created {
            automaton_level: level.to_owned(),
            options: options.clone(),
            ..created("starships-at-large", &["ann", "bob"])
        };
        let table = Table::lay(created, SECRET, "gm", 0).map(|(table, _)| table);
        table.map_err(|fault| fault.field)
    };
    assert_eq!(leveled("nonsense").err(), Some(Some("automaton_level.level".to_owned())));
    let game = leveled("random").expect("a level").describe(Reader { player_id: "" });
    match game.seats.last().and_then(|seat| seat.occupant.clone()) {
        Some(seat::Occupant::Automated(own)) => assert_eq!(own.level, "random"),
        other => panic!("the game's own seat is {other:?}"),
    }
}

#[test]
fn an_order_is_judged_and_foretold_before_it_is_given() {
    let scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let seat = Seat::at(0);
    let order = |text: &str| scene.table.parse(Some(seat), text).expect("it is read").remove(0);
    let (nobody, nothing) = (order("MOVE nobody TO (1,1)"), order(""));
    let fault = scene.table.judge(seat, &nobody).expect_err("there is no such ship");
    assert_eq!(fault.field.as_deref(), Some("sheet.lines[0]"));
    assert_eq!(scene.table.judge(seat, &nothing), Ok(()));
    assert!(scene.table.foretell(seat, &nobody).expect("it runs").is_some());
}

#[test]
fn a_view_goes_on_by_its_own_events() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let kind = registry::kind("star-empires").expect("it is a game");
    let viewer = Viewer::Seat(Seat::at(0));
    let before = scene.table.view(viewer).expect("it runs");
    for (by, seat) in [("ann", 1), ("bob", 2)] {
        scene.ready(by, seat);
    }
    let after = scene.table.view(viewer).expect("it runs");
    assert_ne!(before, after);
    let mut events = scene.told_to(viewer).into_iter();
    assert_eq!(kind.rules.fold(before, &mut events).expect("they are its own"), after);
    assert!(kind.rules.rule("6.3").is_some_and(|text| text.len() > 20));
    assert_eq!(kind.rules.rule("99.9"), None);
}

#[test]
fn a_position_that_is_kept_shows_what_was_to_be_seen() {
    let mut scene = Scene::new(created("starships-at-large", &["ann", "bob"]));
    let step = scene.table.position_to_keep().expect("a game begins with one");
    let entry = scene.table.take(step, 0).expect("it is its own").entry;
    let kind = registry::kind("starships-at-large").expect("it is a game");
    for viewer in [Viewer::Spectator, Viewer::Seat(Seat::at(1))] {
        let kept = Table::view_kept(kind, &entry, viewer).expect("it keeps one");
        assert_eq!(Some(kept), scene.table.view(viewer));
    }
    let fault = scene.table.entries_of(99).expect_err("there is no such phase");
    assert_eq!(fault.field.as_deref(), Some("at_phase"));
    assert_eq!(scene.table.secret(), &SECRET);
}

#[test]
fn a_sandbox_has_the_seats_that_it_names() {
    let lay = |sandbox: Sandbox| {
        let owner = Some(person("ann"));
        let created = Created {
            sandbox: Some(Sandbox { owner, ..sandbox }),
            game_master: None,
            ..created("star-empires", &["ann", "ann"])
        };
        Table::lay(created, SECRET, "ann", 0).map(|(table, _)| table).map_err(|fault| fault.field)
    };
    let automated = |seat| Sandbox {
        automated: vec![SandboxAutomation { seat, ..SandboxAutomation::default() }],
        ..Sandbox::default()
    };
    let guest = |seat| Sandbox {
        guests: vec![SandboxGuest { seat, player: Some(person("bob")) }],
        ..Sandbox::default()
    };
    assert!(lay(automated(2)).is_ok() && lay(guest(2)).is_ok());
    let fault = |sandbox| lay(sandbox).err().flatten().unwrap_or_default();
    assert_eq!(fault(automated(3)), "automated[0].seat");
    assert_eq!(fault(automated(0)), "automated[0].seat");
    assert_eq!(fault(guest(3)), "guests[0].seat");
    let unfit = Sandbox { dice: vec![999], ..Sandbox::default() };
    let starships = Created {
        sandbox: Some(Sandbox { owner: Some(person("ann")), ..unfit }),
        game_master: None,
        ..created("starships-at-large", &["ann", "ann"])
    };
    let laid = Table::lay(starships, SECRET, "ann", 0).map(|_| ()).map_err(|fault| fault.field);
    assert_eq!(laid, Err(Some("dice".to_owned())));
}

#[test]
fn a_sandbox_is_joined_by_its_guests_alone_and_its_owner_names_a_seat_if_several_are_asked() {
    let sandbox = |kind: &str| {
        let guests = vec![SandboxGuest { seat: 2, player: Some(person("bob")) }];
        let owner = Some(person("ann"));
        Scene::new(Created {
            sandbox: Some(Sandbox { owner, guests, ..Sandbox::default() }),
            game_master: None,
            ..created(kind, &["ann", "ann"])
        })
    };
    let join = |id: &str| Kind::Joined(Joined { player: Some(person(id)), ..Joined::default() });
    let mut scene = sandbox("star-empires");
    assert_eq!(
        scene.table.acting_seat("ann", None).err().and_then(|fault| fault.field).as_deref(),
        Some("seat")
    );
    assert_eq!(scene.table.acting_seat("ann", Some(2)).map(Seat::number), Ok(2));
    assert_eq!(scene.refused("eve", join("eve")), "NoOpenSeat");
    scene.does("bob", join("bob"));
    assert_eq!(scene.table.seat_of("bob").map(Seat::number), Some(2));
    let mut scene = sandbox("starships-at-large");
    assert_eq!(scene.table.acting_seat("ann", None), Ok(scene.on_turn()));
    scene.does("bob", Kind::InvitationDeclined(InvitationDeclined {}));
    let text = "The player for whom seat 2 was kept declined; its owner holds it.";
    assert!(scene.told.iter().any(|event| event.text == text));
}

#[test]
fn a_sandbox_notes_by_seat_what_ratings_would_become() {
    let owner = Some(person("ann"));
    let mut scene = Scene::new(Created {
        sandbox: Some(Sandbox { owner, ..Sandbox::default() }),
        game_master: None,
        ..created("star-empires", &["ann", "ann"])
    });
    scene.wait(2 * DAY);
    let noted: Vec<(u32, i32)> =
        scene.table.sandbox_ratings().iter().map(|one| (one.seat, one.change)).collect();
    assert_eq!(noted, [(1, -6), (2, -6)]);
}

#[test]
fn nobody_has_two_seats() {
    let reserved = |id: &str| planned(Plan::ReservedFor(person(id)));
    for seats in [
        vec![taken("ann"), taken("ann")],
        vec![taken("ann"), reserved("ann")],
        vec![reserved("bob"), reserved("bob")],
    ] {
        let created = Created { seats, ..created("star-empires", &[]) };
        assert!(Table::lay(created, SECRET, "gm", 0).is_err());
    }
    let seats = vec![planned(Plan::Open(OpenSeat {})); 2];
    assert!(Table::lay(Created { seats, ..created("star-empires", &[]) }, SECRET, "gm", 0).is_ok());
}

#[test]
fn misses_are_excused_one_by_one_and_are_not_those_of_the_next_player() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let excused = |seat| Kind::MissExcused(MissExcused { seat });
    assert_eq!(scene.refused("gm", excused(1)), "seat");
    scene.wait(DAY);
    scene.does("gm", excused(1));
    assert_eq!(scene.refused("gm", excused(1)), "seat");
    scene.ready("ann", 1);
    scene.wait(DAY);
    let given = |seat| Kind::SeatGiven(SeatGiven { seat, player: Some(person("cid")) });
    scene.does("gm", given(2));
    assert_eq!(scene.refused("gm", given(1)), "player", "a seat is kept for them already");
    scene.does("cid", Kind::Joined(Joined { player: Some(person("cid")), ..Joined::default() }));
    assert_eq!(scene.table.seat_of("cid").map(Seat::number), Some(2));
    assert_eq!(scene.refused("gm", excused(2)), "seat");
}

#[test]
fn who_is_not_ready_any_more_has_submitted_only_if_there_are_orders() {
    let rated = |orders: bool, by_hand: bool| {
        let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
        if orders {
            let orders = scene.table.parse(Some(Seat::at(0)), "").expect("an empty sheet");
            let given = OrdersGiven { seat: 1, phase: 1, orders, ..OrdersGiven::default() };
            scene.does("ann", Kind::OrdersGiven(given));
        }
        for ready in [true, false] {
            let ready = Some(ready);
            scene.does("ann", Kind::FlagSet(FlagSet { seat: 1, phase: 1, ready, wait: None }));
        }
        if by_hand {
            scene.does("gm", Kind::PhaseClosed(PhaseClosed {}));
        } else {
            scene.wait(DAY);
        }
        scene.ratings.iter().filter(|(id, _)| id == "ann").map(|(_, change)| change).sum::<i32>()
    };
    assert_eq!((rated(false, false), rated(true, false)), (-3, 1));
    assert_eq!((rated(false, true), rated(true, true)), (0, 1), "nobody has missed a deadline");
}

#[test]
fn what_is_late_gives_the_next_phase_the_delay_of_the_pace() {
    let standard = PhasePace {
        interval: millis(DAY),
        grace: millis(2 * HOUR),
        late_delay: millis(3 * HOUR),
        ..PhasePace::default()
    };
    let pace = Some(Pace { standard: Some(standard), ..Pace::default() });
    let mut scene = Scene::new(Created { pace, ..created("star-empires", &["ann", "bob"]) });
    scene.ready("ann", 1);
    scene.wait(DAY + HOUR);
    let orders = scene.table.parse(Some(Seat::at(1)), "").expect("an empty sheet");
    let given = OrdersGiven { seat: 2, phase: 1, orders, ready: true, ..OrdersGiven::default() };
    scene.does("bob", Kind::OrdersGiven(given));
    assert_eq!(scene.phase(1), 2);
    assert_eq!(scene.table.due(), Some(scene.now + DAY + 3 * HOUR));
}

#[test]
fn who_is_erased_is_rated_no_more() {
    let mut scene =
        Scene::new(Created { anonymous: true, ..created("star-empires", &["ann", "bob"]) });
    scene.wait(DAY);
    assert!(scene.ratings.is_empty(), "nobody may know yet whose seat it is");
    scene.does("", Kind::PlayerErased(PlayerErased { player_id: "bob".to_owned() }));
    scene.does("gm", Kind::OutcomeDeclared(OutcomeDeclared::default()));
    let rated: Vec<&str> = scene.ratings.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(rated, ["ann"]);
}

#[test]
fn a_game_for_one_player_says_so_and_tells_how_well_they_did() {
    let kind = registry::KINDS.iter().find(|kind| {
        let options = kind.rules.options(None).expect("the default options are valid");
        *options.1.end() == 1
    });
    let kind = kind.expect("there are games for one");
    let laid = Table::lay(created(kind.id, &["ann", "bob"]), SECRET, "gm", 0);
    let text = laid.err().map(|fault| fault.message).unwrap_or_default();
    assert_eq!(text, "This game takes exactly 1 player, not 2.");
    let mut scene = Scene::new(created(kind.id, &["ann"]));
    scene.wait(300 * DAY);
    let outcome = scene.table.outcome().expect("it is over");
    assert!(!outcome.declared && !outcome.level.is_empty(), "{outcome:?}");
}

#[test]
fn the_default_of_a_final_decision_closes_it_and_one_of_a_sheet_makes_it_ready() {
    let bot = || planned(Plan::Automated(AutomatedSeat::default()));
    let defaulted = |scene: &Scene, seat: Seat| {
        let (phase, seat) = (scene.phase(seat.number()), seat.number());
        Kind::DecisionDefaulted(DecisionDefaulted { seat, phase, revision: 0 })
    };
    let seats = vec![taken("ann"), bot()];
    let mut scene = Scene::new(Created { seats, ..created("star-empires", &[]) });
    let of_bot = defaulted(&scene, Seat::at(1));
    scene.does("", of_bot);
    assert_eq!(scene.phase(1), 1);
    scene.ready("ann", 1);
    assert_eq!(scene.phase(1), 2, "nobody waits for the bot");
    let of_ann = defaulted(&scene, Seat::at(0));
    assert_eq!(scene.refused("", of_ann), "LeaseLost");
    let seats = vec![bot(), bot()];
    let mut scene = Scene::new(Created { seats, ..created("starships-at-large", &[]) });
    let first = scene.on_turn();
    let other = Seat::at(1 - first.index());
    let of_other = defaulted(&scene, other);
    assert_eq!(scene.refused("", of_other), "LeaseLost", "it is not asked");
    let of_first = defaulted(&scene, first);
    scene.does("", of_first);
    assert_ne!(scene.on_turn(), first);
}

#[test]
fn a_game_that_has_not_begun_is_cancelled_by_its_host_and_one_that_runs_is_not() {
    for (start_when_full, refused) in [(false, false), (true, true)] {
        let mut scene = Scene::new(Created {
            host: Some(person("ann")),
            game_master: None,
            start_when_full,
            ..created("star-empires", &["ann", "bob"])
        });
        let cancelled = scene.take("ann", Kind::GameCancelled(GameCancelled {}));
        assert_eq!(cancelled.is_err(), refused);
    }
}

#[test]
fn what_is_exported_is_told_with_who_did_it_and_players_export_nothing() {
    let exported = |created: Created, by: &str, position_only| {
        let mut scene = Scene::new(created);
        let exported = scene.take(by, Kind::GameExported(GameExported { position_only }));
        exported.map(|()| scene.told.remove(0)).map_err(|fault| fault.reason)
    };
    let game = || created("starships-at-large", &["ann", "bob"]);
    let told = exported(game(), "gm", true).expect("they may");
    assert_eq!(told.text, "The game master exported the complete position.");
    let by = "the game master".to_owned();
    assert_eq!(told.body, Some(event::Body::Exported(Exported { by, position_only: true })));
    assert_eq!(exported(game(), "ann", true).err(), Some(ErrorReason::RoleRequired));
    let own = |automated| {
        let owner = Some(person("ann"));
        let sandbox = Some(Sandbox { owner, automated, ..Sandbox::default() });
        Created { sandbox, game_master: None, ..created("star-empires", &["ann", "ann"]) }
    };
    let by = |exported: Result<Event, ErrorReason>| match exported.expect("they may").body {
        Some(event::Body::Exported(exported)) => exported.by,
        other => panic!("{other:?}"),
    };
    assert_eq!(by(exported(own(Vec::new()), "ann", false)), "Empire 1");
    let all = [1, 2].map(|seat| SandboxAutomation { seat, ..SandboxAutomation::default() });
    assert_eq!(by(exported(own(all.into()), "ann", false)), "its owner");
}

#[test]
fn d9_where_all_press_is_public_players_write_to_all_or_to_nobody() {
    use heliopause_proto::diplomacy::v1 as diplomacy;
    let options = diplomacy::Options {
        press: diplomacy::PressRule::Public.into(),
        ..diplomacy::Options::default()
    };
    let options = Some(GameOptions { game: Some(game_options::Game::Diplomacy(options)) });
    let players = ["ann", "bob", "cid", "dan"];
    let mut scene = Scene::new(Created { options, ..created("diplomacy", &players) });
    let sent = |from_seat, to_seats: &[u32], to_all| {
        let (to_seats, text) = (to_seats.to_vec(), "Hello.".to_owned());
        let sent = MessageSent { from_seat, to_seats, to_all, text, ..MessageSent::default() };
        Kind::MessageSent(sent)
    };
    let fault = scene.take("ann", sent(1, &[2], false)).expect_err("only to all");
    assert_eq!(fault.metadata, [("refusal", "public-only".to_owned())]);
    scene.does("ann", sent(1, &[], true));
    scene.does("gm", sent(0, &[2], false));
    scene.does("gm", Kind::OutcomeDeclared(OutcomeDeclared::default()));
    scene.does("ann", sent(1, &[2], false));
}

#[test]
fn a_voice_that_changes_counts_once_and_a_vote_to_extend_moves_the_deadline() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob", "cid"]));
    let propose = |subject: VoteSubject, extension| {
        let (seat, subject) = (1, subject.into());
        Kind::VoteProposed(VoteProposed { seat, subject, target_seat: 0, extension })
    };
    let cast =
        |seat, vote, yes| Kind::VoteCast(VoteCast { seat, vote, yes, automation: String::new() });
    scene.does("ann", propose(VoteSubject::Extend, millis(2 * HOUR)));
    scene.does("bob", cast(2, 1, false));
    scene.does("bob", cast(2, 1, true));
    let vote = scene.table.votes().last().expect("a vote").clone();
    assert_eq!((vote.yes, vote.no), (vec![1, 2], vec![]));
    assert_eq!(scene.table.due(), Some(DAY + 2 * HOUR));
}

#[test]
fn the_time_of_a_game_is_that_of_its_last_entry_until_its_deadline_is_mended() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let last = 10 * 60_000;
    scene.now = last;
    scene.does("", Kind::Ticked(Ticked {}));
    assert_eq!(scene.table.ahead_of(last - 60_000), 0, "a minute is too little to be mended");
    assert_eq!(scene.table.ahead_of(last - 60_001), 60_001);
    let time = |scene: &mut Scene, now, kind| {
        let step = Step { by: "gm".to_owned(), kind: Some(kind), ..Step::default() };
        let entry = scene.table.take(step, now).expect("it is taken").entry;
        entry.time.expect("a time").seconds * 1000
    };
    assert_eq!(time(&mut scene, 0, Kind::Ticked(Ticked {})), last);
    let deadline = Some(Timestamp { seconds: 7_200, nanos: 0 });
    let set = Kind::DeadlineSet(DeadlineSet { deadline });
    assert_eq!(time(&mut scene, last - 30_000, set.clone()), last);
    assert_eq!(time(&mut scene, last - 90_000, set), last - 90_000);
}

#[test]
fn orders_that_are_taken_back_under_a_request_are_the_seats() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let (seat, phase) = (1, scene.phase(1));
    let orders = scene.table.parse(Some(Seat::at(0)), "").expect("an empty sheet");
    let given = OrdersGiven { seat, phase, orders, ..OrdersGiven::default() };
    scene.does("ann", Kind::OrdersGiven(given));
    let step = Step {
        by: "ann".to_owned(),
        request_id: "back".to_owned(),
        kind: Some(Kind::OrdersTakenBack(OrdersTakenBack { seat, phase })),
        ..Step::default()
    };
    scene.table.take(step, 1).expect("they are the seat's");
    assert!(scene.table.was_asked(Some(Seat::at(0)), "back"));
    assert!(!scene.table.was_asked_by("ann", "back"));
}

#[test]
fn nobody_is_warned_while_the_game_is_paused() {
    let mut scene = Scene::new(created("diplomacy", &["ann", "bob", "cid", "dan"]));
    let seat = Seat::at(0);
    assert!(!scene.table.warnings_after(seat, &[]).expect("it runs").is_empty());
    scene.does("gm", Kind::PauseSet(PauseSet { paused: true }));
    assert_eq!(scene.table.warnings_after(seat, &[]), Ok(Vec::new()));
}

#[test]
fn who_left_a_seat_is_rated_for_it_until_their_own_account_is_erased() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let of_bob = |scene: &Scene| {
        let changes = scene.ratings.iter().filter(|(id, _)| id == "bob");
        changes.map(|(_, change)| change).sum::<i32>()
    };
    let turn = |scene: &mut Scene| {
        scene.ready("ann", 1);
        scene.wait(DAY);
    };
    turn(&mut scene);
    turn(&mut scene);
    scene.does("gm", Kind::SeatGiven(SeatGiven { seat: 2, player: None }));
    let erase = |id: &str| Kind::PlayerErased(PlayerErased { player_id: id.to_owned() });
    scene.does("", erase("eve"));
    let before = of_bob(&scene);
    turn(&mut scene);
    assert_eq!(of_bob(&scene), before - 3);
    scene.does("", erase("bob"));
    turn(&mut scene);
    assert_eq!(of_bob(&scene), before - 3);
}

#[test]
fn automation_that_wakes_moves_no_deadline_of_people() {
    let bot = planned(Plan::Automated(AutomatedSeat::default()));
    let mut scene =
        Scene::new(Created { seats: vec![taken("ann"), bot], ..created("star-empires", &[]) });
    scene.does("", Kind::AutomationSlept(AutomationSlept {}));
    assert_eq!(scene.table.due(), Some(DAY), "Ann's clock runs");
    scene.wait(5 * HOUR);
    scene.does("", Kind::AutomationWoken(AutomationWoken {}));
    assert_eq!(scene.table.due(), Some(DAY));
    scene.does("", Kind::AutomationSlept(AutomationSlept {}));
    scene.ready("ann", 1);
    assert_eq!(scene.table.due(), Some(DAY), "she is asked until the phase closes");
}

#[test]
fn automation_that_misses_a_deadline_holds_nobody_up() {
    let pace = Some(Pace { missed: MissedDeadline::Hold.into(), ..daily() });
    let seats = vec![taken("ann"), planned(Plan::Automated(AutomatedSeat::default()))];
    let mut scene = Scene::new(Created { pace, seats, ..created("star-empires", &[]) });
    scene.ready("ann", 1);
    scene.wait(DAY);
    assert_eq!(scene.phase(1), 2);
}

#[test]
fn what_the_operator_has_paused_nobody_else_resumes() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let act = |act: OperatorAct, why: &str| {
        Kind::OperatorActed(OperatorActed { act: act.into(), why: why.to_owned() })
    };
    let resume = Kind::PauseSet(PauseSet { paused: false });
    scene.does("", act(OperatorAct::Paused, "a repair"));
    assert_eq!(scene.refused("gm", resume.clone()), "WrongStatus");
    scene.does("", act(OperatorAct::Resumed, ""));
    scene.does("gm", Kind::PauseSet(PauseSet { paused: true }));
    scene.does("gm", resume);
    assert_eq!(scene.status(), GameStatus::Running);
}

#[test]
fn who_leaves_before_the_start_leaves_an_open_seat() {
    let mut scene =
        Scene::new(Created { start_when_full: false, ..created("star-empires", &["ann", "bob"]) });
    scene.does("bob", Kind::Left(Left {}));
    let open = scene.seen("").seats[1].occupant.clone();
    assert!(matches!(open, Some(seat::Occupant::Open(_))), "{open:?}");
    scene.does("cid", Kind::Joined(Joined { player: Some(person("cid")), ..Joined::default() }));
    assert_eq!(scene.table.seat_of("cid").map(Seat::number), Some(2));
}

#[test]
fn a_guest_who_is_erased_leaves_their_seat_to_the_owner_of_the_sandbox() {
    let guests = vec![SandboxGuest { seat: 2, player: Some(person("bob")) }];
    let sandbox = Sandbox { owner: Some(person("ann")), guests, ..Sandbox::default() };
    let mut scene = Scene::new(Created {
        sandbox: Some(sandbox),
        game_master: None,
        ..created("star-empires", &["ann", "ann"])
    });
    scene.does("", Kind::PlayerErased(PlayerErased { player_id: "eve".to_owned() }));
    assert!(scene.told.is_empty());
    scene.does("", Kind::PlayerErased(PlayerErased { player_id: "bob".to_owned() }));
    let text = "The player for whom seat 2 was kept declined; its owner holds it.";
    assert!(scene.told.iter().any(|event| event.text == text), "{:?}", scene.told);
    assert_eq!((scene.status(), scene.table.owed_by("ann").len()), (GameStatus::Running, 2));
}

#[test]
fn d9_who_reads_a_letter_without_a_name_is_not_told_who_else_reads_it() {
    use heliopause_proto::diplomacy::v1 as diplomacy;
    let options =
        diplomacy::Options { anonymous_press: Some(true), ..diplomacy::Options::default() };
    let options = Some(GameOptions { game: Some(game_options::Game::Diplomacy(options)) });
    let players = ["ann", "bob", "cid", "dan"];
    let mut scene = Scene::new(Created { options, ..created("diplomacy", &players) });
    let sent = MessageSent {
        from_seat: 1,
        to_seats: vec![2, 3],
        anonymous: true,
        text: "Beware.".to_owned(),
        ..MessageSent::default()
    };
    scene.does("ann", Kind::MessageSent(sent));
    let entry = scene.entries.last().expect("it was taken");
    for seat in [2, 3] {
        let viewer = Viewer::Seat(Seat::numbered(seat).expect("a seat"));
        let read: Vec<_> =
            Table::events_for(entry, viewer).filter_map(|event| event.body).collect();
        match &read[..] {
            [event::Body::Message(message)] => {
                assert_eq!((message.from_seat, &message.to_seats[..]), (None, &[seat][..]));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_game_is_told_of_a_seat_that_nobody_plays_any_more() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob", "cid"]));
    let before = scene.table.view(Viewer::GameMaster);
    scene.does("bob", Kind::Resigned(Resigned { seat: 2 }));
    assert_ne!(scene.table.view(Viewer::GameMaster), before);
}

#[test]
fn a_delegation_that_needs_no_absence_outlasts_one() {
    use heliopause_proto::v1::DelegationRule;
    let pace = Some(Pace { vacation_days: 5, ..daily() });
    let mut scene = Scene::new(Created {
        pace,
        delegation: DelegationRule::Free.into(),
        ..created("star-empires", &["ann", "bob"])
    });
    let to = Some(AutomatedSeat::default());
    scene.does("ann", Kind::Delegated(Delegated { seat: 1, to }));
    for days in [2, 0] {
        scene.does("ann", Kind::VacationSet(VacationSet { seat: 1, days }));
    }
    assert!(scene.seen("ann").seats[0].stand_in.is_some());
}
