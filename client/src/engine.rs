//! The connection to an engine.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use heliopause_connect::{Address, Addresses, Engines, trust};
use heliopause_proto::diplomacy::v1::adjudication_service_client::AdjudicationServiceClient;
use heliopause_proto::v1::admin_service_client::AdminServiceClient;
use heliopause_proto::v1::game_master_service_client::GameMasterServiceClient;
use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::player_service_client::PlayerServiceClient;
use heliopause_proto::v1::sandbox_service_client::SandboxServiceClient;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::{Code, Request, Response, Status};
use tonic_types::StatusExt as _;

use crate::failure::{Failure, about};
use crate::line::{Calls, Line};

/// How large an answer may be: a game master's view of a large galaxy has many megabytes.
const LARGEST_MESSAGE: usize = 256 << 20;

/// A service with the caller's token on every call.
pub type Authorized = InterceptedService<Calls, Token>;

/// A connected engine, or one of several that share their games. Cheap to clone; all clones share
/// one line.
#[derive(Clone, Debug)]
pub struct Engine {
    line: Arc<Line>,
    token: Token,
}

impl Engine {
    /// Connects, so that an engine that is not there is told at once. Several URLs stand with
    /// commas between them.
    pub async fn connect(urls: &str, tls_ca: Option<&Path>) -> Result<Self, Failure> {
        Self::connect_to(engines(urls, tls_ca)?, urls).await
    }

    /// Connects to one of these engines, which errors name so.
    pub async fn connect_to(engines: Engines, named: &str) -> Result<Self, Failure> {
        let opened = Line::open(engines).await;
        let line = opened.map_err(|error| Failure::unreachable(named, &error.to_string()))?;
        Ok(Self { line: Arc::new(line), token: Token(None) })
    }

    /// The same engine, called with a token.
    pub fn with_token(&self, token: &str) -> Result<Self, Failure> {
        Ok(Self { token: Token::new(token)?, ..self.clone() })
    }

    /// The line to it.
    pub fn line(&self) -> &Line {
        &self.line
    }

    fn calls(&self) -> Calls {
        Calls(self.line.clone())
    }

    /// Accounts.
    pub fn players(&self) -> PlayerServiceClient<Authorized> {
        PlayerServiceClient::with_interceptor(self.calls(), self.token.clone())
    }

    /// Playing.
    pub fn games(&self) -> GameServiceClient<Authorized> {
        GameServiceClient::with_interceptor(self.calls(), self.token.clone())
            .max_decoding_message_size(LARGEST_MESSAGE)
    }

    /// Leading games.
    pub fn masters(&self) -> GameMasterServiceClient<Authorized> {
        GameMasterServiceClient::with_interceptor(self.calls(), self.token.clone())
            .max_decoding_message_size(LARGEST_MESSAGE)
    }

    /// Operating the engine.
    pub fn admin(&self) -> AdminServiceClient<Authorized> {
        AdminServiceClient::with_interceptor(self.calls(), self.token.clone())
    }

    /// Adjudication without a game.
    pub fn adjudication(&self) -> AdjudicationServiceClient<Authorized> {
        AdjudicationServiceClient::with_interceptor(self.calls(), self.token.clone())
            .max_decoding_message_size(LARGEST_MESSAGE)
    }

    /// Sandbox games.
    pub fn sandbox(&self) -> SandboxServiceClient<Authorized> {
        SandboxServiceClient::with_interceptor(self.calls(), self.token.clone())
            .max_decoding_message_size(LARGEST_MESSAGE)
    }
}

fn engines(urls: &str, tls_ca: Option<&Path>) -> Result<Engines, Failure> {
    let wrong = |why: &dyn Display| {
        Failure::usage(format!("`{urls}` is not the URL of an engine: {why}."))
            .advise("Write for example http://127.0.0.1:50051, or https://games.example.org.")
    };
    let read = urls.split(',').map(str::parse).collect::<Result<Vec<Address>, _>>();
    let addresses = Addresses::new(read.map_err(|why| wrong(&why))?).map_err(|why| wrong(&why))?;
    let read = |path| std::fs::read(path).map_err(|error| about(path, &error));
    let tls = addresses.are_protected().then(|| tls_ca.map(read).transpose().map(trust));
    let tls = tls.transpose()?;
    Ok(Engines::new(addresses.endpoints(tls.as_ref()).map_err(|why| wrong(&why))?))
}

/// Puts the caller's token on every call.
#[derive(Clone, Debug)]
pub struct Token(Option<MetadataValue<Ascii>>);

impl Token {
    fn new(token: &str) -> Result<Self, Failure> {
        let mut value: MetadataValue<Ascii> = format!("Bearer {}", token.trim())
            .parse()
            .map_err(|_| Failure::usage("The token holds characters that no token has."))?;
        value.set_sensitive(true);
        Ok(Self(Some(value)))
    }
}

impl Interceptor for Token {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(token) = &self.0 {
            request.metadata_mut().insert("authorization", token.clone());
        }
        Ok(request)
    }
}

/// A fresh name for a request, so that a retry of it is recognized.
pub fn request_id() -> Result<String, Failure> {
    let bytes: [u8; 16] = random()?;
    Ok(hex(&bytes))
}

/// How often a call is made again whose end is not known, and how long it waits each time.
const AGAIN: u32 = 4;
const AGAIN_AFTER: Duration = Duration::from_millis(500);

/// Makes a call that changes something, and makes it again with the same request id while it is not
/// known what came of it: the engine does it once, and answers every time what it answered first.
pub async fn once<T: Clone, R>(
    request: T,
    call: impl AsyncFn(T) -> Result<Response<R>, Status>,
) -> Result<R, Status> {
    let mut left = AGAIN;
    loop {
        match call(request.clone()).await {
            Ok(response) => return Ok(response.into_inner()),
            Err(status)
                if left > 0
                    && matches!(status.code(), Code::Unavailable | Code::Aborted)
                    && is_passing(&status) =>
            {
                left -= 1;
                tokio::time::sleep(AGAIN_AFTER).await;
            }
            Err(status) => return Err(status),
        }
    }
}

/// Whether the same call may get further: no engine answered, or the one that did says when to come
/// again.
fn is_passing(status: &Status) -> bool {
    let details = status.get_error_details();
    details.error_info().is_none() || details.retry_info().is_some()
}

/// Random bytes from the operating system.
pub fn random<const N: usize>() -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::failed(format!("No random numbers: {error}.")))?;
    Ok(bytes)
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |four: u8| char::from_digit(u32::from(four), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
