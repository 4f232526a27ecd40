//! Messages of automation, and the privacy of texts.

use bytes::Bytes;
use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::star_empires::v1::{EmpireNames, Options, Order, Sheet, order};
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{
    AutomatedSeat, DelegationRule, ErrorReason, GameOptions, GameOrder, event, game_options,
    game_order,
};
use heliopause_table::{Fault, Subscriber, Table, chain, unhashed, verify};
use prost::Message as _;
use step::Kind;

use crate::scene::{Scene, WORKER, automated, created, open, person, step, taken};

const SECRET: [u8; 32] = [7; 32];

fn empires(seats: Vec<PlannedSeat>) -> Created {
    let named = |empire: &str| EmpireNames { empire: empire.to_owned(), ..EmpireNames::default() };
    let empires = ["ANTARES", "BELLONA", "CASTOR"][..seats.len()].iter().copied().map(named);
    let options = Options { empires: empires.collect(), ..Options::default() };
    let options = Some(GameOptions { game: Some(game_options::Game::StarEmpires(options)) });
    let seed_commitment = chain::commitment(&SECRET).to_vec().into();
    Created { options, seats, seed_commitment, pace: None, ..created("star-empires", &[]) }
}

fn table() -> Table {
    create(false)
}

fn create(open_letters: bool) -> Table {
    let delegation = DelegationRule::Free.into();
    let created = Created {
        delegation,
        open_messages: open_letters,
        ..empires(vec![taken("ann"), automated()])
    };
    Scene::with(SECRET, created).expect("a table").table
}

fn introduced_table() -> Table {
    let mut table = table();
    let text =
        "ADDKNOWN contact ANTARES TO BELLONA\nADDKNOWN contact BELLONA TO ANTARES\nAPPLY NOW";
    let orders = table.parse(None, text).expect("orders of the game master");
    table
        .apply(gives("gm", OrdersGiven { orders, ..OrdersGiven::default() }), 1)
        .expect("they may");
    table
}

fn answer(table: &Table, seat: Seat, messages: Vec<MessageSent>) -> OrdersGiven {
    let decision_state = table.decision_state(seat);
    let sheet = order::Kind::Sheet(Sheet::default());
    let order = game_order::Game::StarEmpires(Order { kind: Some(sheet) });
    OrdersGiven {
        seat: seat.number(),
        phase: decision_state.phase,
        revision: decision_state.revision,
        orders: vec![GameOrder { game: Some(order) }],
        automation: "emperor (standard)".to_owned(),
        messages,
        ..OrdersGiven::default()
    }
}

fn gives(by: &str, given: OrdersGiven) -> Step {
    step(by, Kind::OrdersGiven(given))
}

fn sends(text: &str) -> Step {
    step("ann", Kind::MessageSent(MessageSent { from_seat: 1, ..write(&[2], text) }))
}

fn write(to: &[u32], text: &str) -> MessageSent {
    MessageSent { to_seats: to.to_vec(), text: text.to_owned(), ..MessageSent::default() }
}

fn bot() -> Seat {
    Seat::at(1)
}

fn refused(mut table: Table, by: &str, given: OrdersGiven) -> Fault {
    let before = table.snapshot();
    let fault = table.apply(gives(by, given), 100).expect_err("it cannot be sent");
    assert!(before == table.snapshot(), "a refused answer has changed nothing");
    fault
}

fn about(fault: &Fault) -> (ErrorReason, Option<&str>) {
    (fault.reason, fault.field.as_deref())
}

#[test]
fn automation_messages_are_signed_by_the_seat() {
    let mut table = introduced_table();
    let messages = vec![write(&[1], "Peace until round 8?"), write(&[1], "I mean it.")];
    let given = answer(&table, bot(), messages);
    let taken = table.apply(gives(WORKER, given), 100).expect("an answer with messages");
    for reader in [bot(), Seat::at(0)] {
        let events: Vec<_> = Table::events_for(&taken.entry, Viewer::Seat(reader)).collect();
        let sent = events.iter().filter_map(|event| match &event.body {
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
fn invalid_messages_reject_the_whole_answer() {
    for (messages, reason) in [
        (vec![write(&[1], "x"); 9], ErrorReason::InvalidField),
        (vec![write(&[1], &"x".repeat(501))], ErrorReason::InvalidField),
        (vec![write(&[1], " ")], ErrorReason::InvalidField),
        (vec![write(&[], "To nobody.")], ErrorReason::InvalidField),
        (vec![write(&[2], "To myself.")], ErrorReason::InvalidField),
    ] {
        let table = introduced_table();
        let fault = refused(introduced_table(), WORKER, answer(&table, bot(), messages.clone()));
        assert_eq!(about(&fault), (reason, Some("messages")), "{messages:?}: {fault}");
    }
    for messages in [vec![write(&[1], "Peace."); 8], vec![write(&[1], &"x".repeat(500))]] {
        let mut table = introduced_table();
        let given = answer(&table, bot(), messages);
        table.apply(gives(WORKER, given), 100).expect("it is not too much");
    }
    let strangers = table();
    let given = answer(&strangers, bot(), vec![write(&[1], "Who are you?")]);
    let fault = refused(strangers, WORKER, given);
    assert_eq!(about(&fault), (ErrorReason::MessageRefused, Some("messages")));
    assert!(fault.metadata.contains(&("refusal", "no-contact".to_owned())), "{:?}", fault.metadata);
}

#[test]
fn stand_in_automation_and_players_cannot_attach_messages() {
    let own = Seat::at(0);
    let mut table = introduced_table();
    let by_hand =
        OrdersGiven { automation: String::new(), ..answer(&table, own, vec![write(&[2], "x")]) };
    let fault = refused(introduced_table(), "ann", by_hand);
    assert_eq!(about(&fault), (ErrorReason::MessageRefused, Some("messages")));
    let delegated =
        Kind::Delegated(Delegated { seat: own.number(), to: Some(AutomatedSeat::default()) });
    table.apply(step("ann", delegated), 2).expect("they may");
    assert!(!table.wanted().iter().any(|wanted| wanted.seat == own && wanted.may_write));
    let given = answer(&table, own, vec![write(&[2], "x")]);
    let fault = refused(table, WORKER, given);
    assert_eq!(about(&fault), (ErrorReason::MessageRefused, Some("messages")));
}

#[test]
fn messages_allow_only_newlines_and_tabs_as_controls() {
    let send = |text: &str| introduced_table().apply(sends(text), 2).map(|_| ());
    send("First:\n\tpeace.").expect("it can be read");
    for bad in ["\u{7}", "Peace\r\n", "\u{1b}[2J", "\u{85}"] {
        let fault = send(&format!("Peace{bad}.")).expect_err("it cannot be shown");
        assert_eq!(about(&fault), (ErrorReason::InvalidField, Some("text")), "{bad:?}");
    }
}

#[test]
fn players_read_others_messages_only_after_an_open_game() {
    for open_letters in [false, true] {
        let mut table = create(open_letters);
        let readers = |table: &Table| ["gm", "ann", ""].map(|who| table.may_read_messages(who));
        assert_eq!(readers(&table), [true, false, false]);
        let end = Kind::OutcomeDeclared(OutcomeDeclared::default());
        table.apply(step("gm", end), 1).expect("the game master says so");
        assert_eq!(readers(&table), [true, open_letters, open_letters]);
    }
}

fn published_events(
    table: &mut Table,
    seat: Seat,
    anonymous: bool,
) -> Vec<heliopause_proto::v1::Event> {
    let sent = MessageSent { from_seat: 1, anonymous, ..write(&[2], "Beware.") };
    let entry =
        table.apply(step("ann", Kind::MessageSent(sent)), 10).expect("they may write").entry;
    Table::events_for(&entry, Viewer::Seat(seat)).collect()
}

#[test]
fn anonymous_senders_are_hidden_from_others() {
    let message = |events: &[heliopause_proto::v1::Event]| {
        let body = events.first().and_then(|event| event.body.clone());
        match body {
            Some(event::Body::Message(message)) => message,
            other => panic!("{other:?}"),
        }
    };
    for anonymous in [true, false] {
        let mut table = introduced_table();
        let received = published_events(&mut table, bot(), anonymous);
        let letter = message(&received);
        assert_eq!(letter.from_seat, (!anonymous).then_some(1));
        assert_eq!((letter.to_seats, letter.anonymous), (vec![2], anonymous));
        let who = if anonymous { "A player" } else { "ANN" };
        assert_eq!(received[0].text, format!("{who} writes to you: Beware."));
        let own = published_events(&mut introduced_table(), Seat::at(0), anonymous);
        assert_eq!(message(&own).from_seat, Some(1));
        assert!(own[0].text.starts_with("You write to "), "{}", own[0].text);
    }
}

#[test]
fn signed_messages_introduce_their_sender() {
    for anonymous in [true, false] {
        let mut table = table();
        let orders = table.parse(None, "ADDKNOWN contact BELLONA TO ANTARES\nAPPLY NOW");
        let orders = orders.expect("orders of the game master");
        let given = OrdersGiven { orders, ..OrdersGiven::default() };
        table.apply(gives("gm", given), 1).expect("they may do that");
        let received = published_events(&mut table, bot(), anonymous);
        let met = received.iter().any(|event| matches!(event.body, Some(event::Body::Game(_))));
        assert_eq!(met, !anonymous);
        let messages = vec![write(&[1], "And you?")];
        let given = answer(&table, bot(), messages);
        assert_eq!(table.apply(gives(WORKER, given), 100).is_ok(), !anonymous);
    }
}

/// Message texts in the journal of [`written`].
const LETTERS: [&str; 3] = ["attack at dawn", "peace", "behave"];
const NEVER_EXPORTED: [&str; 3] = ["plan of a worker", "invite code", "request id"];

fn written() -> Vec<Bytes> {
    let [memo, code, request] = NEVER_EXPORTED;
    let created = Created {
        is_private: true,
        invite_code: code.to_owned(),
        ..empires(vec![taken("ann"), automated(), open()])
    };
    let (mut table, laid) = Table::create(created, SECRET, "gm", 0).expect("a table");
    let mut journal = vec![laid.stored];
    let mut take = |table: &mut Table, by: &str, kind: Kind| {
        let (request_id, request_digest) = (request.to_owned() + by, vec![1; 32].into());
        let mut step = Step { request_id, request_digest, ..step(by, kind) };
        unhashed::salt(&mut step, || [journal.len() as u8; 16]);
        journal.push(table.apply(step, 10).unwrap_or_else(|fault| panic!("{by}: {fault}")).stored);
    };
    let joined =
        Joined { player: Some(person("bob")), invite_code: code.to_owned(), ..Joined::default() };
    take(&mut table, "bob", Kind::Joined(joined));
    let known = "ADDKNOWN contact ANTARES TO BELLONA\nADDKNOWN contact BELLONA TO ANTARES\n\
                 ADDKNOWN contact CASTOR TO ANTARES\nADDKNOWN contact ANTARES TO CASTOR\nAPPLY NOW";
    let orders = table.parse(None, known).expect("orders of the game master");
    take(&mut table, "gm", Kind::OrdersGiven(OrdersGiven { orders, ..OrdersGiven::default() }));
    let sent = |from_seat, to: &[u32], text: &str| MessageSent { from_seat, ..write(to, text) };
    take(&mut table, "ann", Kind::MessageSent(sent(1, &[3], LETTERS[0])));
    let messages = vec![sent(0, &[1], LETTERS[1]), sent(0, &[1], "or war")];
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
fn exports_hold_only_visible_texts_and_verify() {
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
            .map(|entry| Subscriber::new(reader).exported(entry.clone(), all).expect("an entry"))
            .collect();
        assert_eq!(LETTERS.map(|text| holds(&export, text)), reads, "{reader:?}");
        assert!(NEVER_EXPORTED.iter().all(|text| !holds(&export, text)), "{reader:?}");
        assert_eq!(proved(&export), whole, "{reader:?}");
        for entry in export.iter().map(|entry| Entry::decode(entry.clone()).expect("an entry")) {
            let texts = entry.unhashed.map_or(0, |unhashed| unhashed.texts.len());
            let messages = entry.events.iter().filter(|event| event.message_text > 0);
            assert!(texts <= messages.count(), "no text without a message");
        }
    }
}

#[test]
fn changed_texts_salts_and_positions_are_detected() {
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
fn commitments_hide_texts_without_the_salt() {
    let commitments = |letter: &str| -> Vec<Bytes> {
        let mut table = introduced_table();
        let mut step = sends(letter);
        unhashed::salt(&mut step, || [letter.len() as u8; 16]);
        table.apply(step, 2).expect("they may write").entry.text_commitments
    };
    let own = chain::text_commitment(&[3; 16], "yes");
    assert_eq!(commitments("yes"), [Bytes::copy_from_slice(&own)]);
    // The secret is published at the end of the game, so no salt may be derived from it.
    for guess in [&[][..], &SECRET, &chain::sha256(&[&SECRET])] {
        assert_ne!(chain::text_commitment(guess, "yes"), own);
    }
}
