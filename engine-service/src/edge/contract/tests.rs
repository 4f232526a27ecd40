use super::*;
use crate::edge::methods::method;

/// A request that has one field at its limit, and one that has it beyond.
pub(in crate::edge) struct Case {
    /// The field, as a refusal names it.
    pub(in crate::edge) field: String,
    pub(in crate::edge) good: Vec<u8>,
    pub(in crate::edge) bad: Vec<u8>,
}

/// Where a message lies in a request: the numbers and names of the fields around it.
type Place = Vec<(u32, String)>;

/// All fields of a request that have a limit, each once, by walking its descriptors and not by the
/// rules under test.
pub(in crate::edge) fn cases(request: &MessageDescriptor) -> Vec<Case> {
    fields(request).iter().flat_map(|(field, place)| cases_of(field, place)).collect()
}

/// A string of a request.
pub(in crate::edge) struct Text {
    /// The field, as a refusal names it.
    pub(in crate::edge) field: String,
    /// What it may hold, by the number that the descriptors have for it; 0 if they say nothing.
    pub(in crate::edge) profile: i32,
    number: u32,
    place: Place,
}

impl Text {
    /// A request that says this there.
    pub(in crate::edge) fn saying(&self, text: &str) -> Vec<u8> {
        wrap(delimited(self.number, text.as_bytes()), &self.place)
    }
}

/// All strings of a request, each once.
pub(in crate::edge) fn texts(request: &MessageDescriptor) -> Vec<Text> {
    let text = |(field, place): (FieldDescriptor, Place)| {
        let own =
            if is_many(&field) { format!("{}[0]", field.name()) } else { field.name().to_owned() };
        let path =
            place.iter().map(|(_, name)| name.clone()).chain([own]).collect::<Vec<_>>().join(".");
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

/// All fields of a request and of what can be in it, each once, with where they lie.
fn fields(request: &MessageDescriptor) -> Vec<(FieldDescriptor, Place)> {
    let mut seen = HashSet::new();
    let mut waiting = vec![(request.clone(), Place::new())];
    let mut fields = Vec::new();
    while let Some((message, place)) = waiting.pop() {
        if !seen.insert(message.full_name().to_owned()) {
            continue;
        }
        for field in message.fields() {
            fields.push((field.clone(), place.clone()));
            if let Kind::Message(inner) = field.kind() {
                let mut place = place.clone();
                place.push((
                    field.number(),
                    if is_many(&field) {
                        format!("{}[0]", field.name())
                    } else {
                        field.name().to_owned()
                    },
                ));
                waiting.push((inner, place));
            }
        }
    }
    fields
}

fn is_many(field: &FieldDescriptor) -> bool {
    field.is_list() || field.is_map()
}

fn cases_of(field: &FieldDescriptor, place: &[(u32, String)]) -> Vec<Case> {
    let said = |name| option(&field.options(), field.parent_message().parent_pool(), name);
    let name = |nth: u32| {
        if is_many(field) { format!("{}[{nth}]", field.name()) } else { field.name().to_owned() }
    };
    let case = |field: String, good: Vec<u8>, bad: Vec<u8>| {
        let path =
            place.iter().map(|(_, name)| name.clone()).chain([field]).collect::<Vec<_>>().join(".");
        Case { field: path, good: wrap(good, place), bad: wrap(bad, place) }
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
            cases.push(case(name(0), text(b'x', most), text(b'x', most + 1)));
            if let Some(most) = said("max_lines") {
                cases.push(case(name(0), text(b'\n', most), text(b'\n', most + 1)));
            }
        }
        Kind::Bytes => {
            let most = said("max_length").unwrap_or(64);
            cases.push(case(name(0), text(0, most), text(0, most + 1)));
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
    let Breach { field, message, .. } = method(path).check(message).expect_err("a breach");
    (field, message)
}

/// Security D8: 4 million receivers were accepted and stored.
#[test]
fn a_message_has_as_many_receivers_as_there_are_seats() {
    use heliopause_proto::v1::{Pace, PhasePace, SendMessageRequest, SetPaceRequest};
    use prost::Message as _;
    let sent = |count| {
        SendMessageRequest { to_seats: vec![1; count], ..SendMessageRequest::default() }
            .encode_to_vec()
    };
    assert_eq!(method(SEND).check(&sent(64)), Ok(1), "a packed list is one thing");
    assert_eq!(
        refused(SEND, &sent(65)),
        ("to_seats".to_owned(), "it has more than 64 values".to_owned())
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
fn a_value_of_an_enum_is_one_that_the_contract_has() {
    use heliopause_proto::v1::DrawMapRequest;
    use prost::Message as _;
    let drawn = |format| DrawMapRequest { format, ..DrawMapRequest::default() }.encode_to_vec();
    let draw = "/heliopause.v1.GameService/DrawMap";
    assert_eq!(method(draw).check(&drawn(1)), Ok(0));
    for unknown in [99, -1, i32::MAX] {
        let told = format!("its enum has no value {unknown}");
        assert_eq!(refused(draw, &drawn(unknown)), ("format".to_owned(), told));
    }
}

#[test]
fn characters_are_counted_and_not_bytes() {
    let text = |word: &str, count| delimited(7, word.repeat(count).as_bytes());
    assert!(method(SEND).check(&text("é😀", 2_000)).is_ok());
    assert_eq!(
        refused(SEND, &text("é", 4_001)),
        ("text".to_owned(), "it has more than 4000 characters".to_owned())
    );
}

/// Security D3: 4 MB of short lines took seconds.
#[test]
fn a_text_of_orders_has_as_many_lines_as_its_limit_whether_or_not_the_last_one_ends() {
    let lines = |text: &str| delimited(3, &delimited(2, text.as_bytes()));
    assert!(method(VALIDATE).check(&lines(&"end\n".repeat(10_000))).is_ok());
    let (field, message) = refused(VALIDATE, &lines(&("end\n".repeat(10_000) + "end")));
    assert_eq!((field.as_str(), message.as_str()), ("orders.text", "it has more than 10000 lines"));
}

#[test]
fn what_can_be_joined_on_the_wire_is_not_sent_in_parts() {
    let orders = delimited(3, &delimited(1, &[]).repeat(5_000));
    assert!(method(VALIDATE).check(&orders).is_ok());
    let twice = ("orders".to_owned(), "it is there twice".to_owned());
    assert_eq!(refused(VALIDATE, &orders.repeat(2)), twice, "its lists would be joined");
    let id = delimited(1, b"g").repeat(3);
    assert!(method(VALIDATE).check(&id).is_ok(), "the last one counts, as everywhere");
}

#[test]
fn there_is_an_end_to_the_things_in_a_message() {
    // 2,000 sheets of 100 lines each: each list is within its limit.
    let sheet = delimited(1, &delimited(2, &delimited(1, &delimited(1, &[]).repeat(100))));
    assert!(method(VALIDATE).check(&delimited(3, &sheet.repeat(1_000))).is_ok());
    let (field, message) = refused(VALIDATE, &delimited(3, &sheet.repeat(2_000)));
    assert!(
        field.starts_with("orders.orders[") && message.contains("200000"),
        "{field}: {message}"
    );
}

#[test]
fn what_is_no_message_is_refused_and_unknown_fields_are_passed_over() {
    for wrong in [&[0xFF; 20][..], &[0x0A, 0x05, 1], &[0x0A], &[0x00, 0x01], &[0x0C]] {
        assert_eq!(method(SEND).check(wrong), Err(Breach::unreadable()), "{wrong:?}");
    }
    let unknown = [delimited(1_000, b"more"), key(1_001, 0), vec![1]].concat();
    assert_eq!(method(SEND).check(&unknown), Ok(0));
}

/// Security C2: bidi and invisible characters reached other terminals.
#[test]
fn a_refused_text_names_the_character_and_its_place() {
    let breach =
        method(SEND).check(&delimited(7, "yes\u{202e}on".as_bytes())).expect_err("a breach");
    let flaw = breach.flaw.expect("a character is at fault");
    assert_eq!(
        (breach.field.as_str(), flaw.position, flaw.code_point()),
        ("text", 4, "U+202E".to_owned())
    );
    assert!(method(SEND).check(&delimited(7, "one\n\ttwo 👩‍🚀 می‌خواهم".as_bytes())).is_ok());
    let (field, message) = refused(SEND, &delimited(7, &[b'a', 0xFF]));
    assert_eq!((field.as_str(), message.as_str()), ("text", "it is not text in UTF-8"));
}

#[test]
fn names_of_one_request_do_not_look_the_same() {
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
    assert_eq!(
        (field.as_str(), message.as_str()),
        ("options.diplomacy.names[2]", "it looks like another name of this request")
    );
    assert_eq!(
        refused(create, &request(&["Cid", "Сid"])).0,
        "options.diplomacy.names[1]",
        "of two scripts"
    );
}
