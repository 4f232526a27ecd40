use super::*;
use crate::edge::gate::methods::method;

/// A request with a field at its limit, and one with the field beyond the limit.
pub(crate) struct Case {
    pub(crate) field: String,
    pub(crate) good: Vec<u8>,
    pub(crate) bad: Vec<u8>,
}

/// The number and the name of each enclosing field.
type FieldPath = Vec<(u32, String)>;

/// Returns a case for each limited field, derived from the descriptors instead of the rules.
pub(crate) fn cases(request: &MessageDescriptor) -> Vec<Case> {
    fields(request).iter().flat_map(|(field, place)| cases_of(field, place)).collect()
}

pub(crate) struct Text {
    pub(crate) field: String,
    /// The number of the field's text profile in the descriptors, or 0 for none.
    pub(crate) profile: i32,
    number: u32,
    place: FieldPath,
}

impl Text {
    pub(crate) fn with_text(&self, text: &str) -> Vec<u8> {
        wrap(delimited(self.number, text.as_bytes()), &self.place)
    }
}

pub(crate) fn texts(request: &MessageDescriptor) -> Vec<Text> {
    let text = |(field, place): (FieldDescriptor, FieldPath)| {
        let path = path(&place, name(&field, 0));
        let extension =
            field.parent_message().parent_pool().get_extension_by_name("heliopause.limits.v1.text");
        let profile =
            extension.and_then(|text| field.options().get_extension(&text).as_enum_number());
        Text { field: path, profile: profile.unwrap_or_default(), number: field.number(), place }
    };
    fields(request)
        .into_iter()
        .filter(|(field, _)| matches!(field.kind(), Kind::String))
        .map(text)
        .collect()
}

fn fields(request: &MessageDescriptor) -> Vec<(FieldDescriptor, FieldPath)> {
    let mut seen = HashSet::new();
    let mut waiting = vec![(request.clone(), FieldPath::new())];
    let mut fields = Vec::new();
    while let Some((message, place)) = waiting.pop() {
        if !seen.insert(message.full_name().to_owned()) {
            continue;
        }
        for field in message.fields() {
            fields.push((field.clone(), place.clone()));
            if let Kind::Message(inner) = field.kind() {
                let mut place = place.clone();
                place.push((field.number(), name(&field, 0)));
                waiting.push((inner, place));
            }
        }
    }
    fields
}

fn is_many(field: &FieldDescriptor) -> bool {
    field.is_list() || field.is_map()
}

fn name(field: &FieldDescriptor, nth: u32) -> String {
    if is_many(field) { format!("{}[{nth}]", field.name()) } else { field.name().to_owned() }
}

fn path(place: &[(u32, String)], own: String) -> String {
    place.iter().map(|(_, name)| name.clone()).chain([own]).collect::<Vec<_>>().join(".")
}

fn cases_of(field: &FieldDescriptor, place: &[(u32, String)]) -> Vec<Case> {
    let said = |name| option(&field.options(), field.parent_message().parent_pool(), name);
    let case = |field: String, good: Vec<u8>, bad: Vec<u8>| Case {
        field: path(place, field),
        good: wrap(good, place),
        bad: wrap(bad, place),
    };
    let mut cases = Vec::new();
    if is_many(field) {
        let file = field.parent_message().parent_file();
        let of_file =
            option(&file.options(), field.parent_message().parent_pool(), "max_items_of_fields");
        let most = said("max_items").or(of_file).unwrap_or(64) as usize;
        let one = match field.kind() {
            Kind::String | Kind::Bytes | Kind::Message(_) => delimited(field.number(), &[]),
            Kind::Double | Kind::Fixed64 | Kind::Sfixed64 => {
                [key(field.number(), 1), vec![0; 8]].concat()
            }
            Kind::Float | Kind::Fixed32 | Kind::Sfixed32 => {
                [key(field.number(), 5), vec![0; 4]].concat()
            }
            _ => [key(field.number(), 0), vec![0]].concat(),
        };
        cases.push(case(field.name().to_owned(), one.repeat(most), one.repeat(most + 1)));
        if field.is_packed() && !matches!(field.kind(), Kind::Double | Kind::Float) {
            let packed = |count| delimited(field.number(), &vec![0; count]);
            cases.push(case(field.name().to_owned(), packed(most), packed(most + 1)));
        }
    }
    let text =
        |filling: u8, length: u32| delimited(field.number(), &vec![filling; length as usize]);
    match field.kind() {
        Kind::String => {
            let most = said("max_length").unwrap_or(256);
            cases.push(case(name(field, 0), text(b'x', most), text(b'x', most + 1)));
            if let Some(most) = said("max_lines") {
                cases.push(case(name(field, 0), text(b'\n', most), text(b'\n', most + 1)));
            }
        }
        Kind::Bytes => {
            let most = said("max_length").unwrap_or(64);
            cases.push(case(name(field, 0), text(0, most), text(0, most + 1)));
        }
        _ => {}
    }
    cases
}

fn key(number: u32, wire: u32) -> Vec<u8> {
    let mut key = Vec::new();
    prost::encoding::encode_varint(u64::from((number << 3) | wire), &mut key);
    key
}

fn delimited(number: u32, value: &[u8]) -> Vec<u8> {
    let mut field = key(number, 2);
    prost::encoding::encode_varint(value.len() as u64, &mut field);
    field.extend_from_slice(value);
    field
}

fn wrap(field: Vec<u8>, place: &[(u32, String)]) -> Vec<u8> {
    place.iter().rev().fold(field, |inner, (number, _)| delimited(*number, &inner))
}

const SEND: &str = "/heliopause.v1.GameService/SendMessage";
const VALIDATE: &str = "/heliopause.v1.GameService/ValidateOrders";

fn refused(path: &str, message: &[u8]) -> (String, String) {
    let Violation { field, message, .. } = method(path).check(message).expect_err("a breach");
    (field, message)
}

/// Security D8: a message with 4 million recipients was accepted and stored.
#[test]
fn receivers_of_a_message_are_limited_to_the_seats() {
    use heliopause_proto::v1::{Pace, PhasePace, SendMessageRequest, SetPaceRequest};
    use prost::Message as _;
    let sent = |count| {
        SendMessageRequest { to_seats: vec![1; count], ..SendMessageRequest::default() }
            .encode_to_vec()
    };
    assert_eq!(method(SEND).check(&sent(64)), Ok(1), "a packed list is one thing");
    assert_eq!(
        refused(SEND, &sent(65)),
        ("to_seats".to_owned(), "the field has too many values; the limit is 64".to_owned())
    );
    assert_eq!(refused(SEND, &sent(4_000_000)).0, "to_seats");
    let paced = |count| {
        let by_kind =
            [("turn".to_owned(), PhasePace { weekdays: vec![1; count], ..PhasePace::default() })]
                .into();
        SetPaceRequest {
            pace: Some(Pace { by_kind, ..Pace::default() }),
            ..SetPaceRequest::default()
        }
        .encode_to_vec()
    };
    let set_pace = "/heliopause.v1.GameMasterService/SetPace";
    assert!(method(set_pace).check(&paced(7)).is_ok());
    assert_eq!(refused(set_pace, &paced(8)).0, "pace.by_kind[0].value.weekdays");
}

#[test]
fn unknown_enum_values_are_rejected() {
    use heliopause_proto::v1::DrawMapRequest;
    use prost::Message as _;
    let drawn = |format| DrawMapRequest { format, ..DrawMapRequest::default() }.encode_to_vec();
    let draw = "/heliopause.v1.GameService/DrawMap";
    assert_eq!(method(draw).check(&drawn(1)), Ok(0));
    for unknown in [99, -1, i32::MAX] {
        let told = format!("the value {unknown} is unknown; use a value of the contract");
        assert_eq!(refused(draw, &drawn(unknown)), ("format".to_owned(), told));
    }
}

#[test]
fn text_limits_count_characters_instead_of_bytes() {
    let text = |word: &str, count| delimited(7, word.repeat(count).as_bytes());
    assert!(method(SEND).check(&text("é😀", 2_000)).is_ok());
    assert_eq!(
        refused(SEND, &text("é", 4_001)),
        ("text".to_owned(), "4001 characters are too many; the limit is 4000".to_owned())
    );
}

/// Security D3: parsing 4 MB of short lines took seconds.
#[test]
fn orders_text_is_limited_by_lines_with_or_without_a_final_break() {
    let lines = |text: &str| delimited(3, &delimited(2, text.as_bytes()));
    assert!(method(VALIDATE).check(&lines(&"end\n".repeat(10_000))).is_ok());
    let (field, message) = refused(VALIDATE, &lines(&("end\n".repeat(10_000) + "end")));
    let expected = "10001 lines are too many; the limit is 10000";
    assert_eq!((field.as_str(), message.as_str()), ("orders.text", expected));
}

#[test]
fn message_fields_must_not_be_sent_twice() {
    let orders = delimited(3, &delimited(1, &[]).repeat(5_000));
    assert!(method(VALIDATE).check(&orders).is_ok());
    let twice = ("orders".to_owned(), "the field occurs more than once; send it once".to_owned());
    assert_eq!(refused(VALIDATE, &orders.repeat(2)), twice, "its lists would be joined");
    let id = delimited(1, b"g").repeat(3);
    assert!(method(VALIDATE).check(&id).is_ok(), "the last one counts, as everywhere");
}

#[test]
fn elements_of_a_message_are_limited() {
    // Every list is within its own limit, but 2,000 sheets of 100 lines exceed the total.
    let sheet = delimited(1, &delimited(2, &delimited(1, &delimited(1, &[]).repeat(100))));
    assert!(method(VALIDATE).check(&delimited(3, &sheet.repeat(1_000))).is_ok());
    let (field, message) = refused(VALIDATE, &delimited(3, &sheet.repeat(2_000)));
    assert!(
        field.starts_with("orders.orders[") && message.contains("200000"),
        "{field}: {message}"
    );
}

#[test]
fn malformed_messages_are_rejected_and_unknown_fields_ignored() {
    for wrong in [&[0xFF; 20][..], &[0x0A, 0x05, 1], &[0x0A], &[0x00, 0x01], &[0x0C]] {
        assert_eq!(method(SEND).check(wrong), Err(Violation::unreadable()), "{wrong:?}");
    }
    let unknown = [delimited(1_000, b"more"), key(1_001, 0), vec![1]].concat();
    assert_eq!(method(SEND).check(&unknown), Ok(0));
}

/// Security C2: bidirectional and invisible characters reached other players' terminals.
#[test]
fn text_error_names_the_character_and_its_position() {
    let violation =
        method(SEND).check(&delimited(7, "yes\u{202e}on".as_bytes())).expect_err("a breach");
    let flaw = violation.flaw.expect("a character is at fault");
    assert_eq!(
        (violation.field.as_str(), flaw.position, flaw.code_point()),
        ("text", 4, "U+202E".to_owned())
    );
    assert!(method(SEND).check(&delimited(7, "one\n\ttwo 👩‍🚀 می‌خواهم".as_bytes())).is_ok());
    let (field, message) = refused(SEND, &delimited(7, &[b'a', 0xFF]));
    assert_eq!((field.as_str(), message.as_str()), ("text", "expected text in UTF-8"));
}

#[test]
fn look_alike_names_in_one_request_are_rejected() {
    let create = "/heliopause.v1.GameService/CreateGame";
    let request = |names: &[&str]| {
        use heliopause_proto::diplomacy::v1::Options;
        use heliopause_proto::v1::{CreateGameRequest, GameOptions, game_options};
        use prost::Message as _;
        let options = Options {
            names: names.iter().map(ToString::to_string).collect(),
            ..Options::default()
        };
        let options = Some(GameOptions { game: Some(game_options::Game::Diplomacy(options)) });
        CreateGameRequest { options, ..CreateGameRequest::default() }.encode_to_vec()
    };
    assert!(method(create).check(&request(&["Béatrice", "Ольга", "李"])).is_ok());
    let (field, message) = refused(create, &request(&["Bob1", "Cid", "Bobl"]));
    assert_eq!(field, "options.diplomacy.names[2]");
    assert_eq!(
        message,
        "\"Bobl\" looks like another name in this request; choose a different name"
    );
    assert_eq!(
        refused(create, &request(&["Cid", "Сid"])).0,
        "options.diplomacy.names[1]",
        "of two scripts"
    );
}
