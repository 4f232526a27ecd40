//! Requests of all calls, given to the checks of the gate and the first steps of the services.

use std::sync::LazyLock;

use heliopause_engine::edge::fuzzing;
use heliopause_games::{Enveloped, games};
use heliopause_proto::v1::{GameOptions, GameOrder, GamePosition};
use heliopause_proto::{POOL, json};
use prost::Message as _;
use prost_reflect::{DynamicMessage, MessageDescriptor, ReflectMessage as _, Value};

use crate::messages;
use crate::source::Source;

struct Call {
    path: &'static str,
    request: Option<MessageDescriptor>,
}

static CALLS: LazyLock<Vec<Call>> = LazyLock::new(|| {
    let request = |path: &str| {
        let (service, method) = path[1..].split_once('/')?;
        let service = POOL.get_service_by_name(service)?;
        let found = service.methods().find(|known| known.name() == method)?;
        Some(found.input())
    };
    let calls = fuzzing::calls();
    let calls: Vec<Call> =
        calls.into_iter().map(|path| Call { path, request: request(path) }).collect();
    assert!(calls.iter().filter(|call| call.request.is_some()).count() > 60, "all services");
    calls
});

/// Fuzzes requests. The second byte selects an encoded request or choices that build one.
pub fn requests(data: &[u8]) {
    let mut source = Source::new(data);
    let call = &CALLS[usize::from(source.byte()) % CALLS.len()];
    let made = source.yes();
    let request = match &call.request {
        Some(of) if made => messages::message(of, &mut source).encode_to_vec(),
        _ => source.rest().to_vec(),
    };
    let Ok(things) = fuzzing::check(call.path, &request) else { return };
    assert!(things <= 200_000, "{}: {things} things", call.path);
    let Some(of) = &call.request else { return };
    let decoded = DynamicMessage::decode(of.clone(), request.as_slice());
    let Ok(decoded) = decoded else { return };
    read_parts(&decoded);
    fuzzing::pages(&request);
}

fn read_parts(message: &DynamicMessage) {
    let bytes = || message.encode_to_vec();
    match message.descriptor().full_name() {
        "heliopause.v1.GameOptions" => read(&bytes(), options),
        "heliopause.v1.GameOrder" => read(&bytes(), order),
        "heliopause.v1.GamePosition" => read(&bytes(), position),
        _ => message.fields().for_each(|(_, value)| look_into(value)),
    }
}

fn look_into(value: &Value) {
    match value {
        Value::Message(message) => read_parts(message),
        Value::List(items) => items.iter().for_each(look_into),
        Value::Map(entries) => entries.values().for_each(look_into),
        // Other values contain no messages.
        _ => {}
    }
}

fn read<M: prost::Message + prost::Name + Default + PartialEq>(bytes: &[u8], then: impl Fn(&M)) {
    let message = M::decode(bytes).expect("it was decoded before, as a part of another message");
    let value = json::to_value(&message);
    if let Ok(again) = json::from_value::<M>(&value) {
        assert!(
            again.encode_to_vec() == message.encode_to_vec() || again == message,
            "{} reads back from JSON as another message: {value}",
            M::full_name()
        );
    }
    then(&message);
}

fn options(message: &GameOptions) {
    macro_rules! each {
        ($($arm:ident: $game:ty;)+) => {$(
            for edition in <$game as heliopause_kernel::Game>::editions() {
                let _ = <$game>::open_options(&edition, message);
            }
        )+};
    }
    games!(each);
}

fn order(message: &GameOrder) {
    macro_rules! each {
        ($($arm:ident: $game:ty;)+) => { $(let _ = <$game>::open_order(message);)+ };
    }
    games!(each);
}

fn position(message: &GamePosition) {
    macro_rules! each {
        ($($arm:ident: $game:ty;)+) => { $(let _ = <$game>::open_position(message);)+ };
    }
    games!(each);
}
