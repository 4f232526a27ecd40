//! What automation writes for its seats, and messages for which the game has no receiver.

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::star_empires::v1::{EmpireNames, Options, Order, Sheet, order};
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{
    AutomatedSeat, DelegationRule, ErrorReason, GameOptions, GameOrder, SeatMessage, event,
    game_options, game_order,
};
use heliopause_table::{Fault, Table, chain};
use step::Kind;

const SECRET: [u8; 32] = [7; 32];
/// A worker's account, which plays no seat of its own.
const WORKER: &str = "worker";

fn person(id: &str) -> Person {
    Person { player_id: id.to_owned(), name: id.to_uppercase() }
}

/// A game of Ann's with an automated second empire, and a game master.
fn table() -> Table {
    lay(false)
}

fn lay(open_letters: bool) -> Table {
    let ann = planned_seat::Plan::Taken(Taken { player: Some(person("ann")), ..Taken::default() });
    let bot = planned_seat::Plan::Automated(AutomatedSeat::default());
    let named = |empire: &str| EmpireNames { empire: empire.to_owned(), ..EmpireNames::default() };
    let options =
        Options { empires: vec![named("ANTARES"), named("BELLONA")], ..Options::default() };
    let created = Created {
        kind: "star-empires".to_owned(),
        options: Some(GameOptions { game: Some(game_options::Game::StarEmpires(options)) }),
        seats: [ann, bot].map(|plan| PlannedSeat { plan: Some(plan) }).into(),
        game_master: Some(person("gm")),
        delegation: DelegationRule::Free.into(),
        seed_commitment: chain::commitment(&SECRET).to_vec().into(),
        game_id: "table".to_owned(),
        start_when_full: true,
        open_letters,
        ..Created::default()
    };
    Table::lay(created, SECRET, "gm", 0).expect("a table").0
}

/// The same after the game master has made the two known to each other.
fn acquainted() -> Table {
    let mut table = table();
    let text =
        "ADDKNOWN contact ANTARES TO BELLONA\nADDKNOWN contact BELLONA TO ANTARES\nAPPLY NOW";
    let orders = table.parse(None, text).expect("orders of the game master");
    let given = OrdersGiven { orders, ..OrdersGiven::default() };
    let step =
        Step { by: "gm".to_owned(), kind: Some(Kind::OrdersGiven(given)), ..Step::default() };
    table.take(step, 1).expect("they may do that");
    table
}

/// An answer of automation: an empty sheet, with messages.
fn answer(table: &Table, seat: Seat, messages: Vec<SeatMessage>) -> OrdersGiven {
    let standing = table.standing(seat);
    let sheet = order::Kind::Sheet(Sheet::default());
    let order = game_order::Game::StarEmpires(Order { kind: Some(sheet) });
    OrdersGiven {
        seat: seat.number(),
        phase: standing.phase,
        revision: standing.revision,
        orders: vec![GameOrder { game: Some(order) }],
        automation: "emperor (standard)".to_owned(),
        messages,
        ..OrdersGiven::default()
    }
}

fn step(by: &str, given: OrdersGiven) -> Step {
    Step { by: by.to_owned(), kind: Some(Kind::OrdersGiven(given)), ..Step::default() }
}

fn write(to: &[u32], text: &str) -> SeatMessage {
    SeatMessage { to_seats: to.to_vec(), text: text.to_owned() }
}

/// The bot's seat.
fn bot() -> Seat {
    Seat::at(1)
}

fn refused(mut table: Table, by: &str, given: OrdersGiven) -> Fault {
    let before = table.snapshot();
    let fault = table.take(step(by, given), 100).expect_err("it cannot be sent");
    assert!(before == table.snapshot(), "a refused answer has changed nothing");
    fault
}

#[test]
fn automation_writes_with_its_answer_and_the_seat_has_signed_it() {
    let mut table = acquainted();
    let messages = vec![write(&[1], "Peace until round 8?"), write(&[1], "I mean it.")];
    let given = answer(&table, bot(), messages);
    let taken = table.take(step(WORKER, given), 100).expect("an answer with messages");
    for reader in [bot(), Seat::at(0)] {
        let told: Vec<_> = Table::events_for(&taken.entry, Viewer::Seat(reader)).collect();
        let sent = told.iter().filter_map(|event| match &event.body {
            Some(event::Body::Message(message)) => {
                Some((message.from_seat, message.text.as_str(), message.number))
            }
            _ => None,
        });
        assert_eq!(
            sent.collect::<Vec<_>>(),
            [(Some(2), "Peace until round 8?", 1), (Some(2), "I mean it.", 2)]
        );
    }
}

#[test]
fn what_cannot_be_sent_refuses_the_whole_answer_and_changes_nothing() {
    for (messages, reason) in [
        (vec![write(&[1], "x"); 9], ErrorReason::InvalidField),
        (vec![write(&[1], &"x".repeat(501))], ErrorReason::InvalidField),
        (vec![write(&[1], " ")], ErrorReason::InvalidField),
        (vec![write(&[], "To nobody.")], ErrorReason::InvalidField),
        (vec![write(&[2], "To myself.")], ErrorReason::InvalidField),
    ] {
        let table = acquainted();
        let fault = refused(acquainted(), WORKER, answer(&table, bot(), messages.clone()));
        assert_eq!(
            (fault.reason, fault.field.as_deref()),
            (reason, Some("messages")),
            "{messages:?}: {fault}"
        );
    }
    let strangers = table();
    let given = answer(&strangers, bot(), vec![write(&[1], "Who are you?")]);
    let fault = refused(strangers, WORKER, given);
    assert_eq!(
        (fault.reason, fault.field.as_deref()),
        (ErrorReason::PressRefused, Some("messages"))
    );
    assert!(fault.metadata.contains(&("refusal", "no-contact".to_owned())), "{:?}", fault.metadata);
}

#[test]
fn automation_does_not_write_for_a_player_for_whom_it_stands_in_nor_does_a_player_by_its_means() {
    let own = Seat::at(0);
    let mut table = acquainted();
    let by_hand =
        OrdersGiven { automation: String::new(), ..answer(&table, own, vec![write(&[2], "x")]) };
    let fault = refused(acquainted(), "ann", by_hand);
    assert_eq!(
        (fault.reason, fault.field.as_deref()),
        (ErrorReason::PressRefused, Some("messages"))
    );
    let delegated =
        Kind::Delegated(Delegated { seat: own.number(), to: Some(AutomatedSeat::default()) });
    table
        .take(Step { by: "ann".to_owned(), kind: Some(delegated), ..Step::default() }, 2)
        .expect("they may");
    assert!(!table.wanted().iter().any(|wanted| wanted.seat == own && wanted.may_write));
    let given = answer(&table, own, vec![write(&[2], "x")]);
    let fault = refused(table, WORKER, given);
    assert_eq!(
        (fault.reason, fault.field.as_deref()),
        (ErrorReason::PressRefused, Some("messages"))
    );
}

#[test]
fn a_message_to_all_that_reaches_nobody_says_so_and_why() {
    let mut table = table();
    let sent = MessageSent {
        from_seat: 1,
        to_all: true,
        text: "Hello?".to_owned(),
        ..MessageSent::default()
    };
    let step =
        Step { by: "ann".to_owned(), kind: Some(Kind::MessageSent(sent)), ..Step::default() };
    let fault = table.take(step, 1).expect_err("nobody was met yet");
    assert_eq!(fault.reason, ErrorReason::PressRefused);
    assert!(fault.message.starts_with("There is nobody whom this message can reach"), "{fault}");
    assert!(fault.message.contains("contacts"), "{fault}");
    assert!(fault.metadata.contains(&("refusal", "no-contact".to_owned())), "{:?}", fault.metadata);
    assert!(fault.metadata.contains(&("rule", "5.0".to_owned())), "{:?}", fault.metadata);
}

#[test]
fn a_message_may_have_lines_and_tabs_and_no_other_control_characters() {
    let send = |text: &str| {
        let sent = MessageSent {
            from_seat: 1,
            to_seats: vec![2],
            text: text.to_owned(),
            ..MessageSent::default()
        };
        let step =
            Step { by: "ann".to_owned(), kind: Some(Kind::MessageSent(sent)), ..Step::default() };
        acquainted().take(step, 2).map(|_| ())
    };
    send("First:\n\tpeace.").expect("it can be read");
    for bad in ["\u{7}", "Peace\r\n", "\u{1b}[2J", "\u{85}"] {
        let fault = send(&format!("Peace{bad}.")).expect_err("it cannot be shown");
        assert_eq!(
            (fault.reason, fault.field.as_deref()),
            (ErrorReason::InvalidField, Some("text")),
            "{bad:?}"
        );
    }
}

#[test]
fn who_plays_reads_the_letters_of_others_only_after_the_end_and_if_the_game_says_so() {
    for open_letters in [false, true] {
        let mut table = lay(open_letters);
        let readers = |table: &Table| ["gm", "ann", ""].map(|who| table.reads_letters(who));
        assert_eq!(readers(&table), [true, false, false]);
        let end = Kind::OutcomeDeclared(OutcomeDeclared::default());
        let step = Step { by: "gm".to_owned(), kind: Some(end), ..Step::default() };
        table.take(step, 1).expect("the game master says so");
        assert_eq!(readers(&table), [true, open_letters, open_letters]);
    }
}

#[test]
fn an_answer_carries_up_to_eight_messages_of_up_to_500_characters() {
    let with = |messages: Vec<SeatMessage>| {
        let table = acquainted();
        let given = answer(&table, bot(), messages);
        table.clone().take(step(WORKER, given), 100).err().and_then(|fault| fault.field)
    };
    assert_eq!(with(vec![write(&[1], "Peace."); 8]), None);
    assert_eq!(with(vec![write(&[1], "Peace."); 9]), Some("messages".to_owned()));
    assert_eq!(with(vec![write(&[1], &"x".repeat(500))]), None);
    assert_eq!(with(vec![write(&[1], &"x".repeat(501))]), Some("messages".to_owned()));
}

/// What a seat is told of a message of Ann's to the second empire.
fn told(table: &mut Table, seat: Seat, anonymous: bool) -> Vec<heliopause_proto::v1::Event> {
    let (to_seats, text) = (vec![2], "Beware.".to_owned());
    let sent = MessageSent { from_seat: 1, to_seats, text, anonymous, ..MessageSent::default() };
    let kind = Some(Kind::MessageSent(sent));
    let step = Step { by: "ann".to_owned(), kind, ..Step::default() };
    let entry = table.take(step, 10).expect("they may write").entry;
    Table::events_for(&entry, Viewer::Seat(seat)).collect()
}

#[test]
fn who_writes_without_their_name_is_named_to_nobody_but_themselves() {
    let message = |events: &[heliopause_proto::v1::Event]| {
        let body = events.first().and_then(|event| event.body.clone());
        match body {
            Some(event::Body::Message(message)) => message,
            other => panic!("{other:?}"),
        }
    };
    for anonymous in [true, false] {
        let mut table = acquainted();
        let received = told(&mut table, bot(), anonymous);
        let letter = message(&received);
        assert_eq!(letter.from_seat, (!anonymous).then_some(1));
        assert_eq!((letter.to_seats, letter.anonymous), (vec![2], anonymous));
        let who = if anonymous { "Somebody" } else { "ANN" };
        assert_eq!(received[0].text, format!("{who} writes to you: Beware."));
        let own = told(&mut acquainted(), Seat::at(0), anonymous);
        assert_eq!(message(&own).from_seat, Some(1));
        assert!(own[0].text.starts_with("You write to "), "{}", own[0].text);
    }
}

#[test]
fn who_gets_a_signed_letter_has_met_its_writer() {
    for anonymous in [true, false] {
        let mut table = table();
        let orders = table.parse(None, "ADDKNOWN contact BELLONA TO ANTARES\nAPPLY NOW");
        let orders = orders.expect("orders of the game master");
        let given = OrdersGiven { orders, ..OrdersGiven::default() };
        table.take(step("gm", given), 1).expect("they may do that");
        let received = told(&mut table, bot(), anonymous);
        let met = received.iter().any(|event| matches!(event.body, Some(event::Body::Game(_))));
        assert_eq!(met, !anonymous);
        let messages = vec![write(&[1], "And you?")];
        let given = answer(&table, bot(), messages);
        assert_eq!(table.take(step(WORKER, given), 100).is_ok(), !anonymous);
    }
}
