//! A small provider of OpenID Connect: discovery, and a token endpoint with PKCE.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

pub const CLIENT: &str = "heliopause";
pub const SECRET: &str = "sword fish";

/// The provider, which stops with the test.
#[derive(Clone)]
pub struct IdentityProvider {
    pub issuer: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// The claims and the PKCE challenge for each unused code.
    logins: HashMap<String, (Value, String)>,
    /// The claims to change in the next ID tokens.
    changed: Vec<(String, Value)>,
}

impl IdentityProvider {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let issuer = format!("http://{}", listener.local_addr().expect("an address"));
        let provider = Self { issuer, state: Arc::default() };
        let serving = provider.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let provider = serving.clone();
                tokio::spawn(async move { provider.serve(stream).await });
            }
        });
        provider
    }

    /// Changes a claim of the next ID tokens.
    pub fn claims(&self, claim: &str, value: Value) {
        self.state.lock().unwrap().changed.push((claim.to_owned(), value));
    }

    pub fn claims_are_right(&self) {
        self.state.lock().unwrap().changed.clear();
    }

    /// Lets a user sign in at the URL that the engine gave. Returns the code and the state with
    /// which the provider would open the page.
    pub fn user_signs_in(&self, url: &str, subject: &str) -> (String, String) {
        let (endpoint, query) = url.split_once('?').expect("a query");
        assert_eq!(endpoint, format!("{}/authorize", self.issuer));
        let query = fields(query);
        assert_eq!((query["response_type"].as_str(), query["scope"].as_str()), ("code", "openid"));
        assert_eq!(query["code_challenge_method"], "S256");
        assert_eq!(query["client_id"], CLIENT);
        let claims = json!({
            "iss": self.issuer, "sub": subject, "aud": CLIENT, "nonce": query["nonce"],
            "exp": jiff::Timestamp::now().as_second() + 60,
        });
        let mut state = self.state.lock().unwrap();
        let code = format!("code {}", state.logins.len() + 1);
        state.logins.insert(code.clone(), (claims, query["code_challenge"].clone()));
        (code, query["state"].clone())
    }

    async fn serve(&self, mut stream: TcpStream) {
        let mut request = Vec::new();
        let (head, body) = loop {
            let mut part = [0; 4_096];
            let read = stream.read(&mut part).await.unwrap_or(0);
            if read == 0 {
                return;
            }
            request.extend_from_slice(&part[..read]);
            let text = String::from_utf8_lossy(&request).into_owned();
            let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
            let length = header(head, "content-length").map_or(0, |length| length.parse().unwrap());
            if body.len() >= length {
                break (head.to_owned(), body.to_owned());
            }
        };
        let answer = match head.split(' ').nth(1) {
            Some("/.well-known/openid-configuration") => Some(json!({
                "issuer": self.issuer,
                "authorization_endpoint": format!("{}/authorize", self.issuer),
                "token_endpoint": format!("{}/token", self.issuer),
            })),
            Some("/token") => self.token(&head, &body),
            _ => None,
        };
        let (status, body) = match answer {
            Some(json) => ("200 OK", json.to_string()),
            None => ("400 Bad Request", json!({ "error": "invalid_grant" }).to_string()),
        };
        let length = body.len();
        let text = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n\r\n{body}");
        let _ = stream.write_all(text.as_bytes()).await;
    }

    /// Exchanges a code once, for the client with its secret and the verifier.
    fn token(&self, head: &str, body: &str) -> Option<Value> {
        let basic = format!("Basic {}", STANDARD.encode(format!("{CLIENT}:sword%20fish")));
        assert_eq!(header(head, "authorization"), Some(basic.as_str()), "{SECRET}");
        let fields = fields(body);
        let mut state = self.state.lock().unwrap();
        let (mut claims, challenge) = state.logins.remove(&fields["code"])?;
        let verifier = Sha256::digest(&fields["code_verifier"]);
        if URL_SAFE_NO_PAD.encode(verifier) != challenge {
            return None;
        }
        for (claim, value) in &state.changed {
            claims[claim] = value.clone();
        }
        let token = format!("e30.{}.c2ln", URL_SAFE_NO_PAD.encode(claims.to_string()));
        Some(json!({ "access_token": "x", "token_type": "Bearer", "id_token": token }))
    }
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let is_it = |line: &&str| line.to_lowercase().starts_with(&format!("{name}:"));
    head.lines().find(is_it).map(|line| line[name.len() + 1..].trim())
}

fn fields(query: &str) -> HashMap<String, String> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let decoded =
        |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into();
    pairs.map(|(name, value)| (name.to_owned(), decoded(value))).collect()
}
