//! Calls to an engine, with the caller's token and safe retries.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::connect::{Address, Addresses, Engines, trust};
use heliopause_proto::diplomacy::v1::adjudication_service_client::AdjudicationServiceClient;
use heliopause_proto::v1::admin_service_client::AdminServiceClient;
use heliopause_proto::v1::analysis_service_client::AnalysisServiceClient;
use heliopause_proto::v1::chat_service_client::ChatServiceClient;
use heliopause_proto::v1::game_master_service_client::GameMasterServiceClient;
use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::player_service_client::PlayerServiceClient;
use heliopause_proto::v1::profile_service_client::ProfileServiceClient;
use heliopause_proto::v1::quick_play_service_client::QuickPlayServiceClient;
use heliopause_proto::v1::sandbox_service_client::SandboxServiceClient;
use heliopause_proto::v1::sign_in_service_client::SignInServiceClient;
use heliopause_proto::v1::tournament_service_client::TournamentServiceClient;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Endpoint;
use tonic::{Code, Request, Response, Status};
use tonic_types::StatusExt as _;

use crate::failure::{Failure, about};
use crate::line::{Calls, Line};

/// The maximum size of a message. A game master's view of a large galaxy takes many megabytes.
const LARGEST_MESSAGE: usize = 256 << 20;

/// A service that sends the caller's token with every call.
pub type Authorized = InterceptedService<Calls, Token>;

/// A connection to one of several engines that share their games. Clones share the connection.
#[derive(Clone, Debug)]
pub struct Engine {
    line: Arc<Line>,
    token: Token,
}

impl Engine {
    /// Connects to an engine at one of several comma-separated URLs.
    pub async fn connect(urls: &str, tls_ca: Option<&Path>) -> Result<Self, Failure> {
        Self::connect_to(engines(urls, tls_ca)?, urls).await
    }

    /// Connects to one of these engines. Errors refer to them as `named`.
    pub async fn connect_to(engines: Engines, named: &str) -> Result<Self, Failure> {
        let opened = Line::open(engines).await;
        let line = opened.map_err(|error| Failure::unreachable(named, &error.to_string()))?;
        Ok(Self { line: Arc::new(line), token: Token(None) })
    }

    pub fn with_token(&self, token: &str) -> Result<Self, Failure> {
        Ok(Self { token: Token::new(token)?, ..self.clone() })
    }

    pub fn line(&self) -> &Line {
        &self.line
    }

    fn calls(&self) -> Calls {
        Calls(self.line.clone())
    }

    pub fn players(&self) -> PlayerServiceClient<Authorized> {
        PlayerServiceClient::with_interceptor(self.calls(), self.token.clone())
    }

    pub fn analyses(&self) -> AnalysisServiceClient<Authorized> {
        AnalysisServiceClient::with_interceptor(self.calls(), self.token.clone())
    }

    pub fn profiles(&self) -> ProfileServiceClient<Authorized> {
        ProfileServiceClient::with_interceptor(self.calls(), self.token.clone())
    }

    pub fn quick_play(&self) -> QuickPlayServiceClient<Authorized> {
        QuickPlayServiceClient::with_interceptor(self.calls(), self.token.clone())
    }

    pub fn tournaments(&self) -> TournamentServiceClient<Authorized> {
        TournamentServiceClient::with_interceptor(self.calls(), self.token.clone())
    }

    pub fn chat(&self) -> ChatServiceClient<Authorized> {
        ChatServiceClient::with_interceptor(self.calls(), self.token.clone())
    }

    pub fn sign_in(&self) -> SignInServiceClient<Authorized> {
        SignInServiceClient::with_interceptor(self.calls(), self.token.clone())
    }

    pub fn games(&self) -> GameServiceClient<Authorized> {
        GameServiceClient::with_interceptor(self.calls(), self.token.clone())
            .max_decoding_message_size(LARGEST_MESSAGE)
    }

    pub fn masters(&self) -> GameMasterServiceClient<Authorized> {
        GameMasterServiceClient::with_interceptor(self.calls(), self.token.clone())
            .max_decoding_message_size(LARGEST_MESSAGE)
    }

    pub fn admin(&self) -> AdminServiceClient<Authorized> {
        AdminServiceClient::with_interceptor(self.calls(), self.token.clone())
    }

    pub fn adjudication(&self) -> AdjudicationServiceClient<Authorized> {
        AdjudicationServiceClient::with_interceptor(self.calls(), self.token.clone())
            .max_decoding_message_size(LARGEST_MESSAGE)
    }

    pub fn sandbox(&self) -> SandboxServiceClient<Authorized> {
        SandboxServiceClient::with_interceptor(self.calls(), self.token.clone())
            .max_decoding_message_size(LARGEST_MESSAGE)
    }
}

fn engines(urls: &str, tls_ca: Option<&Path>) -> Result<Engines, Failure> {
    const EXAMPLES: &str = "Examples: http://127.0.0.1:50051, https://games.example.org.";
    let address = |url: &str| {
        url.parse::<Address>().map_err(|why| {
            Failure::usage(format!("`{url}` is not an engine URL: {why}.")).advise(EXAMPLES)
        })
    };
    let wrong = |why: &dyn Display| {
        Failure::usage(format!("`{urls}` cannot be used: {why}.")).advise(EXAMPLES)
    };
    let addresses = urls.split(',').map(address).collect::<Result<Vec<Address>, _>>()?;
    let addresses = Addresses::new(addresses).map_err(|why| wrong(&why))?;
    let read = |path| std::fs::read(path).map_err(|error| about(path, &error));
    let tls = addresses.are_protected().then(|| tls_ca.map(read).transpose().map(trust));
    let tls = tls.transpose()?;
    // Players recognize their sessions by it.
    let agent = format!("{} ({})", env!("CARGO_PKG_NAME"), std::env::consts::OS);
    let named = |endpoint: Endpoint| endpoint.user_agent(agent.clone());
    let endpoints = addresses.endpoints(tls.as_ref()).map_err(|why| wrong(&why))?;
    let endpoints: Result<Vec<_>, _> = endpoints.into_iter().map(named).collect();
    Ok(Engines::new(endpoints.map_err(|why| wrong(&why))?))
}

/// An interceptor that adds the caller's token to every call.
#[derive(Clone, Debug)]
pub struct Token(Option<MetadataValue<Ascii>>);

impl Token {
    fn new(token: &str) -> Result<Self, Failure> {
        let told = "The token contains invalid characters; only printable ASCII is allowed.";
        let value = format!("Bearer {}", token.trim()).parse();
        let mut value: MetadataValue<Ascii> = value.map_err(|_| Failure::usage(told))?;
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

/// Creates a random request id, by which the engine recognizes retries.
pub fn request_id() -> Result<String, Failure> {
    let bytes: [u8; 16] = random()?;
    Ok(hex(&bytes))
}

const RETRIES_MAX: u32 = 4;
const RETRY_AFTER: Duration = Duration::from_millis(500);

/// Makes a modifying call. Retries it up to four times with the same request id while the result is
/// unknown. The engine executes the call once and responds to each retry with the first result.
pub async fn once<T: Clone, R>(
    request: T,
    call: impl AsyncFn(T) -> Result<Response<R>, Status>,
) -> Result<R, Status> {
    let mut left = RETRIES_MAX;
    loop {
        match call(request.clone()).await {
            Ok(response) => return Ok(response.into_inner()),
            Err(status)
                if left > 0
                    && matches!(status.code(), Code::Unavailable | Code::Aborted)
                    && is_retryable(&status) =>
            {
                left -= 1;
                tokio::time::sleep(RETRY_AFTER).await;
            }
            Err(status) => return Err(status),
        }
    }
}

fn is_retryable(status: &Status) -> bool {
    let details = status.get_error_details();
    details.error_info().is_none() || details.retry_info().is_some()
}

/// Returns random bytes from the operating system.
pub fn random<const N: usize>() -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        Failure::failed(format!("Cannot get random numbers from the system: {error}."))
    })?;
    Ok(bytes)
}

/// Encodes bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |four: u8| char::from_digit(u32::from(four), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
