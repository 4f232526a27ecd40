//! A hostile engine that puts terminal control codes into all strings.

use std::convert::Infallible;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytes::{BufMut as _, Bytes, BytesMut};
use heliopause_proto::POOL;
use heliopause_tests::{Person, binary};
use http::{HeaderMap, HeaderValue, Request, Response};
use http_body_util::{BodyExt as _, Full, combinators::UnsyncBoxBody};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use prost_reflect::prost::Message as _;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MapKey, MessageDescriptor, Value};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tonic_types::{ErrorDetails, StatusExt as _};

/// Codes that hide or color text, set the title, clear the screen, and reverse or restart lines.
const HOSTILE: &str =
    "x\x1b[8mhidden\x1b[0m\x1b[31mred\x1b]0;title\x07\x1b[2J\u{9b}8m\u{202e}turned\rover\x08";
const DEEPEST: usize = 9;

fn filled(kind: &MessageDescriptor, depth: usize, chance: &mut StdRng) -> DynamicMessage {
    let mut message = DynamicMessage::new(kind.clone());
    let chosen: Vec<FieldDescriptor> = kind
        .oneofs()
        .filter(|choice| !choice.is_synthetic())
        .filter_map(|choice| {
            let fields: Vec<FieldDescriptor> = choice.fields().collect();
            fields.get(chance.random_range(0..fields.len())).cloned()
        })
        .collect();
    for field in kind.fields() {
        let in_choice = field.containing_oneof().is_some_and(|choice| !choice.is_synthetic());
        let is_left_out = in_choice && !chosen.contains(&field);
        if is_left_out || depth >= DEEPEST && matches!(field.kind(), Kind::Message(_)) {
            continue;
        }
        let value = if field.is_map() {
            let Kind::Message(entry) = field.kind() else { continue };
            let key = value(&entry.map_entry_key_field().kind(), depth, chance).into_map_key();
            let value = value(&entry.map_entry_value_field().kind(), depth, chance);
            let key = key.unwrap_or_else(|| MapKey::String(HOSTILE.to_owned()));
            Value::Map([(key, value)].into_iter().collect())
        } else if field.is_list() {
            let count = chance.random_range(1..3);
            Value::List((0..count).map(|_| value(&field.kind(), depth, chance)).collect())
        } else {
            value(&field.kind(), depth, chance)
        };
        message.set_field(&field, value);
    }
    message
}

fn value(kind: &Kind, depth: usize, chance: &mut StdRng) -> Value {
    let number = chance.random_range(0..4_u8);
    match kind {
        Kind::Message(kind) if kind.full_name().starts_with("google.protobuf.") => {
            let mut moment = DynamicMessage::new(kind.clone());
            moment.set_field_by_name("seconds", Value::I64(number.into()));
            Value::Message(moment)
        }
        Kind::Message(kind) => Value::Message(filled(kind, depth + 1, chance)),
        Kind::Enum(kind) => {
            let values: Vec<i32> = kind.values().map(|value| value.number()).collect();
            Value::EnumNumber(values[chance.random_range(0..values.len())])
        }
        Kind::String => Value::String(HOSTILE.to_owned()),
        Kind::Bytes => Value::Bytes(Bytes::from_static(HOSTILE.as_bytes())),
        Kind::Bool => Value::Bool(number % 2 == 0),
        Kind::Float => Value::F32(number.into()),
        Kind::Double => Value::F64(number.into()),
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Value::I32(number.into()),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Value::I64(number.into()),
        Kind::Uint32 | Kind::Fixed32 => Value::U32(number.into()),
        Kind::Uint64 | Kind::Fixed64 => Value::U64(number.into()),
    }
}

fn answer(path: &str, chance: &mut StdRng) -> Vec<u8> {
    let (service, method) = path.trim_start_matches('/').split_once('/').expect("a method's path");
    // Report `SERVING` as the health service.
    let Some(service) = POOL.get_service_by_name(service) else { return vec![8, 1] };
    let method = service.methods().find(|known| known.name() == method).expect("a method");
    filled(&method.output(), 0, chance).encode_to_vec()
}

type Body = UnsyncBoxBody<Bytes, Infallible>;

async fn serve(listener: TcpListener, refuses: bool) {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    while let Ok((stream, _)) = listener.accept().await {
        let reply = move |request: Request<Incoming>| async move {
            let mut chance = StdRng::seed_from_u64(CALLS.fetch_add(1, Relaxed));
            let path = request.uri().path();
            if refuses && path.starts_with("/heliopause") && chance.random_bool(0.7) {
                return Ok::<_, Infallible>(refusal().into_http::<Body>());
            }
            let message = answer(path, &mut chance);
            let mut frame = BytesMut::new();
            frame.put_u8(0);
            frame.put_u32(message.len() as u32);
            frame.put_slice(&message);
            let mut trailers = HeaderMap::new();
            trailers.insert("grpc-status", HeaderValue::from_static("0"));
            let body = Full::new(frame.freeze())
                .with_trailers(async move { Some(Ok::<_, Infallible>(trailers)) });
            Ok(Response::builder()
                .header("content-type", "application/grpc")
                .body(body.boxed_unsync())
                .expect("a response"))
        };
        tokio::spawn(async move {
            let service = hyper::service::service_fn(reply);
            let _ = auto::Builder::new(TokioExecutor::new())
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

fn refusal() -> tonic::Status {
    let words = ["rule", "field", "role", "quota", "limit", "incident"];
    let mut details = ErrorDetails::new();
    details
        .set_error_info(
            "ORDER_REFUSED",
            "heliopause",
            words.map(|word| (word.into(), HOSTILE.into())),
        )
        .add_bad_request_violation(HOSTILE, HOSTILE);
    tonic::Status::with_error_details(tonic::Code::FailedPrecondition, HOSTILE, details)
}

/// The commands to run, one per line.
const COMMANDS: &str = include_str!("hostile_commands.txt");

fn is_clean(written: &str) -> bool {
    let codes =
        ["\x1b[8m", "\x1b[31m", "\x1b]", "\x1b[2J", "\x07", "\u{9b}", "\u{202e}", "\r", "\x08"];
    codes.iter().all(|code| !written.contains(code))
}

fn run(url: &str, command: &str, json: bool) -> Output {
    let person = Person::new(url);
    let mut program = Command::new("timeout");
    program.arg("3").arg(binary("cli-client"));
    program.args(["--engine", url, "--color", "always"]);
    program.args(json.then_some("--json")).args(command.split(' '));
    program.env("HELIOPAUSE_CONFIG_DIR", person.home.path()).env("HELIOPAUSE_TOKEN", "hp_0");
    program.stdin(std::process::Stdio::null());
    program.output().expect("the program can be started")
}

#[tokio::test(flavor = "multi_thread")]
async fn no_code_of_a_hostile_engine_reaches_the_terminal() {
    let mut said_something = 0;
    for refuses in [false, true] {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(serve(listener, refuses));
        // Most commands wait for a stream until the time is up, so several run at once.
        let runs: Vec<_> =
            COMMANDS.lines().flat_map(|command| [(command, false), (command, true)]).collect();
        for together in runs.chunks(8) {
            let mut outputs = JoinSet::new();
            for &(command, json) in together {
                let url = url.clone();
                outputs.spawn_blocking(move || (command, json, run(&url, command, json)));
            }
            for (command, json, output) in outputs.join_all().await {
                for bytes in [&output.stdout, &output.stderr] {
                    let written = String::from_utf8_lossy(bytes);
                    said_something += usize::from(written.contains("hidden"));
                    assert!(is_clean(&written), "{command} (json: {json}): {written:?}");
                }
                let usage = String::from_utf8_lossy(&output.stderr).contains("Usage:");
                assert!(!usage, "{command}: {}", String::from_utf8_lossy(&output.stderr));
            }
        }
    }
    assert!(
        said_something > COMMANDS.lines().count(),
        "the engine's texts are shown: {said_something}"
    );
}
