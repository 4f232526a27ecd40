//! What automation writes for its seats, and messages for which the game has no receiver.

use bytes::Bytes;
use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::star_empires::v1::{EmpireNames, Options, Order, Sheet, order};
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{
    AutomatedSeat, DelegationRule, ErrorReason, GameOptions, GameOrder, OpenSeat, event,
    game_options, game_order,
};
use heliopause_table::{Fault, Subscriber, Table, chain, unhashed, verify};
use prost::Message as _;
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
fn answer(table: &Table, seat: Seat, messages: Vec<MessageSent>) -> OrdersGiven {
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

fn write(to: &[u32], text: &str) -> MessageSent {
    MessageSent { to_seats: to.to_vec(), text: text.to_owned(), ..MessageSent::default() }
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
    let with = |messages: Vec<MessageSent>| {
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

/// What the journal of [`written`] keeps from most readers: what Ann wrote to Bob, what automation
/// wrote to Ann, and what the game master wrote to all; a memo, an invite code and a request id.
const LETTERS: [&str; 3] = ["attack at dawn", "peace", "behave"];
const NEVER_EXPORTED: [&str; 3] = ["plan of a worker", "invite code", "request id"];

/// A private game that is over, in which three empires and the game master wrote to each other, and
/// its journal as stored.
fn written() -> Vec<Bytes> {
    let [memo, code, request] = NEVER_EXPORTED;
    let ann = planned_seat::Plan::Taken(Taken { player: Some(person("ann")), ..Taken::default() });
    let automated = planned_seat::Plan::Automated(AutomatedSeat::default());
    let open = planned_seat::Plan::Open(OpenSeat {});
    let named = |empire: &str| EmpireNames { empire: empire.to_owned(), ..EmpireNames::default() };
    let empires = ["ANTARES", "BELLONA", "CASTOR"].map(named).into();
    let options = Options { empires, ..Options::default() };
    let created = Created {
        kind: "star-empires".to_owned(),
        options: Some(GameOptions { game: Some(game_options::Game::StarEmpires(options)) }),
        seats: [ann, automated, open].map(|plan| PlannedSeat { plan: Some(plan) }).into(),
        game_master: Some(person("gm")),
        seed_commitment: chain::commitment(&SECRET).to_vec().into(),
        game_id: "table".to_owned(),
        start_when_full: true,
        is_private: true,
        invite_code: code.to_owned(),
        ..Created::default()
    };
    let (mut table, laid) = Table::lay(created, SECRET, "gm", 0).expect("a table");
    let mut journal = vec![laid.stored];
    let mut take = |table: &mut Table, by: &str, kind: Kind| {
        let (request_id, request_digest) = (request.to_owned() + by, vec![1; 32].into());
        let mut step = Step { by: by.to_owned(), request_id, request_digest, kind: Some(kind) };
        unhashed::salt(&mut step, || [journal.len() as u8; 16]);
        journal.push(table.take(step, 10).unwrap_or_else(|fault| panic!("{by}: {fault}")).stored);
    };
    let joined =
        Joined { player: Some(person("bob")), invite_code: code.to_owned(), ..Joined::default() };
    take(&mut table, "bob", Kind::Joined(joined));
    let known = "ADDKNOWN contact ANTARES TO BELLONA\nADDKNOWN contact BELLONA TO ANTARES\n\
                 ADDKNOWN contact CASTOR TO ANTARES\nADDKNOWN contact ANTARES TO CASTOR\nAPPLY NOW";
    let orders = table.parse(None, known).expect("orders of the game master");
    take(&mut table, "gm", Kind::OrdersGiven(OrdersGiven { orders, ..OrdersGiven::default() }));
    let sent = |from_seat: u32, to_seats: &[u32], text: &str| MessageSent {
        from_seat,
        to_seats: to_seats.to_vec(),
        text: text.to_owned(),
        ..MessageSent::default()
    };
    take(&mut table, "ann", Kind::MessageSent(sent(1, &[3], LETTERS[0])));
    let messages = vec![sent(0, &[1], LETTERS[1]), sent(0, &[1], LETTERS[1])];
    let memo = Some(memo.as_bytes().to_vec().into());
    let given = OrdersGiven { memo, ..answer(&table, bot(), messages) };
    take(&mut table, WORKER, Kind::OrdersGiven(given));
    take(&mut table, "gm", Kind::MessageSent(sent(0, &[1, 2, 3], LETTERS[2])));
    take(&mut table, "gm", Kind::OutcomeDeclared(OutcomeDeclared::default()));
    journal
}

fn proved<'a>(journal: impl IntoIterator<Item = &'a Bytes>) -> verify::Report {
    let mut verifier = verify::Verifier::new(SECRET);
    journal.into_iter().for_each(|entry| verifier.entry(entry));
    verifier.finish()
}

fn holds(journal: &[Bytes], text: &str) -> bool {
    let text = text.as_bytes();
    journal.iter().any(|entry| entry.windows(text.len()).any(|window| window == text))
}

#[test]
fn an_export_holds_the_texts_that_its_reader_may_read_and_is_proved_like_the_journal() {
    let journal = written();
    let whole = proved(&journal);
    assert_eq!((whole.fault.clone(), whole.replayed), (None, journal.len() as u64));
    assert!(LETTERS.iter().chain(&NEVER_EXPORTED).all(|text| holds(&journal, text)));
    let seat = |index| Viewer::Seat(Seat::at(index));
    for (reader, all, reads) in [
        (Viewer::Spectator, false, [false, false, false]),
        (seat(0), false, [true, true, true]),
        (seat(1), false, [false, true, true]),
        (seat(2), false, [true, false, true]),
        (Viewer::Spectator, true, [true, true, true]),
    ] {
        let export: Vec<Bytes> = journal
            .iter()
            .map(|entry| {
                unhashed::exported(entry.clone(), &Subscriber::new(reader), all).expect("an entry")
            })
            .collect();
        assert_eq!(LETTERS.map(|text| holds(&export, text)), reads, "{reader:?}");
        assert!(NEVER_EXPORTED.iter().all(|text| !holds(&export, text)), "{reader:?}");
        assert_eq!(proved(&export), whole, "{reader:?}");
        for entry in export.iter().map(|entry| Entry::decode(entry.clone()).expect("an entry")) {
            let texts = entry.unhashed.map_or(0, |unhashed| unhashed.texts.len());
            let told = entry.events.iter().filter(|told| told.message_text > 0);
            assert!(texts <= told.count(), "no text without a message");
        }
    }
}

#[test]
fn a_text_that_was_changed_is_found_with_its_salt_and_its_place() {
    let journal = written();
    let number = 4;
    let with = |change: &dyn Fn(&mut Vec<MessageText>)| {
        let mut entry = Entry::decode(journal[number - 1].clone()).expect("an entry");
        change(&mut entry.unhashed.as_mut().expect("Ann's letter").texts);
        let mut changed = journal.clone();
        changed[number - 1] = entry.encode_to_vec().into();
        proved(&changed).fault
    };
    assert_eq!(with(&|_| {}), None);
    assert_eq!(with(&Vec::clear), None, "a text may be left out");
    let found = Some("a message's text in entry 4 was changed".to_owned());
    assert_eq!(with(&|texts| texts[0].text.push('!')), found);
    assert_eq!(with(&|texts| texts[0].text.clear()), found);
    assert_eq!(with(&|texts| texts[0].salt = vec![9; 16].into()), found);
    assert_eq!(with(&|texts| texts[0].number = 2), found);
    assert_eq!(with(&|texts| texts[0].number = 0), found);
}

#[test]
fn a_commitment_tells_nothing_of_its_text_without_the_salt() {
    let commitments = |letter: &str| -> Vec<Bytes> {
        let mut table = acquainted();
        let sent = MessageSent {
            from_seat: 1,
            to_seats: vec![2],
            text: letter.to_owned(),
            ..MessageSent::default()
        };
        let mut step =
            Step { by: "ann".to_owned(), kind: Some(Kind::MessageSent(sent)), ..Step::default() };
        unhashed::salt(&mut step, || [letter.len() as u8; 16]);
        table.take(step, 2).expect("they may write").entry.text_commitments
    };
    let own = chain::text_commitment(&[3; 16], "yes");
    assert_eq!(commitments("yes"), [Bytes::copy_from_slice(&own)]);
    // The secret is published at the end of the game. No salt follows from it.
    for guess in [&[][..], &SECRET, &chain::sha256(&[&SECRET])] {
        assert_ne!(chain::text_commitment(guess, "yes"), own);
    }
}
