//! Sign-in with the account of another provider: OpenID Connect by discovery, with the code flow and
//! PKCE.
//!
//! The ID token comes from the provider's token endpoint over TLS, so its signature is not checked
//! (OpenID Connect Core, section 3.1.3.7, point 6). The engine requests no scope besides `openid`
//! and stores only the provider's id of the user.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use bytes::Bytes;
use heliopause_proto::store::v1::ProviderAttempt;
use heliopause_proto::v1::{ErrorReason, ProviderProof};
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use tokio::sync::Mutex;

use crate::channels::webhook::{Target, Webhooks};
use crate::config::{PageOrigin, ProviderSettings};
use crate::failure::{Failure, Result};
use crate::random;
use crate::store::Millis;

/// The time for which a discovery document is used.
const DISCOVERY_AGE: Duration = Duration::from_hours(1);
/// The tolerance for the clocks of providers.
const CLOCKS_DIFFER: f64 = 60.0;
const SUBJECT_BYTES: usize = 255;
/// The characters that need no encoding in forms and queries.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

pub(super) struct Providers {
    http: Webhooks,
    providers: Vec<Provider>,
}

struct Provider {
    settings: ProviderSettings,
    discovered: Mutex<Option<(Instant, Discovered)>>,
}

/// The used part of a discovery document.
#[derive(Clone, Debug, Deserialize)]
struct Discovered {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Vec<String>,
}

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
}

#[derive(Debug, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: Audience,
    exp: f64,
    nonce: Option<String>,
    azp: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

impl Providers {
    pub(super) fn new(settings: &[ProviderSettings]) -> Self {
        let provider = |settings: &ProviderSettings| Provider {
            settings: settings.clone(),
            discovered: Mutex::default(),
        };
        // The operator has chosen the addresses, so they may be private.
        Self { http: Webhooks::new(true), providers: settings.iter().map(provider).collect() }
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.providers.iter().map(|provider| provider.settings.name.clone()).collect()
    }

    fn find(&self, name: &str) -> Result<&Provider> {
        let found = self.providers.iter().find(|provider| provider.settings.name == name);
        found.ok_or_else(|| super::off("provider"))
    }

    /// Starts an attempt. Returns it with the URL to open.
    pub(super) async fn start(
        &self,
        page: &PageOrigin,
        name: &str,
    ) -> Result<(ProviderAttempt, String)> {
        let provider = self.find(name)?;
        let endpoint = self.discover(provider).await?.authorization_endpoint;
        let attempt = ProviderAttempt {
            provider: name.to_owned(),
            state: random::long_secret(),
            nonce: random::long_secret(),
            verifier: random::long_secret() + &random::long_secret(),
        };
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&attempt.verifier));
        let query = form(&[
            ("response_type", "code"),
            ("scope", "openid"),
            ("client_id", &provider.settings.client_id),
            ("redirect_uri", &redirect(page)),
            ("state", &attempt.state),
            ("nonce", &attempt.nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ]);
        let joint = if endpoint.contains('?') { '&' } else { '?' };
        Ok((attempt, format!("{endpoint}{joint}{query}")))
    }

    /// Finishes an attempt. Returns the provider's issuer and its id of the user.
    pub(super) async fn finish(
        &self,
        page: &PageOrigin,
        attempt: &ProviderAttempt,
        proof: &ProviderProof,
        now: Millis,
    ) -> Result<(String, String)> {
        if !bool::from(proof.state.as_bytes().ct_eq(attempt.state.as_bytes())) {
            let text = "The state is not that of this attempt; start again.";
            return Err(Failure::field("proof.provider.state", text));
        }
        let provider = self.find(&attempt.provider)?;
        let discovered = self.discover(provider).await?;
        let ProviderSettings { client_id, secret, issuer, .. } = &provider.settings;
        let redirect = redirect(page);
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("code", &proof.code),
            ("redirect_uri", &redirect),
            ("code_verifier", &attempt.verifier),
            ("client_id", client_id),
        ];
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
        let methods = &discovered.token_endpoint_auth_methods_supported;
        let supports = |method: &str| methods.iter().any(|supported| supported == method);
        if let Some(secret) = secret {
            // Without a list, providers support the basic method.
            if supports("client_secret_post") && !supports("client_secret_basic") {
                fields.push(("client_secret", secret.reveal()));
            } else {
                let pair = format!("{}:{}", encoded(client_id), encoded(secret.reveal()));
                let basic = format!("Basic {}", STANDARD.encode(pair));
                let mut value = HeaderValue::try_from(basic).map_err(Failure::internal)?;
                value.set_sensitive(true);
                headers.insert(AUTHORIZATION, value);
            }
        }
        let body = form(&fields).into();
        let tokens: Tokens =
            self.fetch(provider, &discovered.token_endpoint, Method::POST, headers, body).await?;
        let claims = claims(&tokens.id_token)
            .ok_or_else(|| failed(provider, "its ID token is malformed"))?;
        #[expect(clippy::cast_precision_loss, reason = "times are far below 2^52")]
        let seconds = now as f64 / 1_000.0;
        check(&claims, issuer, client_id, &attempt.nonce, seconds).map_err(|claim| {
            failed(provider, &format!("the claim {claim} of its ID token is wrong"))
        })?;
        Ok((claims.iss, claims.sub))
    }

    async fn discover(&self, provider: &Provider) -> Result<Discovered> {
        let mut known = provider.discovered.lock().await;
        if let Some((at, discovered)) = &*known
            && at.elapsed() < DISCOVERY_AGE
        {
            return Ok(discovered.clone());
        }
        let issuer = &provider.settings.issuer;
        let url = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        let (headers, body) = Default::default();
        let discovered: Discovered = self.fetch(provider, &url, Method::GET, headers, body).await?;
        if discovered.issuer != *issuer {
            return Err(failed(provider, "its discovery document is of another issuer"));
        }
        // The browser opens this address, so it must be a web address.
        target(provider, &discovered.authorization_endpoint)?;
        *known = Some((Instant::now(), discovered.clone()));
        Ok(discovered)
    }

    async fn fetch<T: DeserializeOwned>(
        &self,
        provider: &Provider,
        url: &str,
        method: Method,
        mut headers: HeaderMap,
        body: Bytes,
    ) -> Result<T> {
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let target = target(provider, url)?;
        let response = self.http.fetch(&target, method, headers, body).await.map_err(|error| {
            let name = &provider.settings.name;
            tracing::warn!(provider = name, why = error.why, "a provider does not respond");
            failed(provider, "it does not respond")
        })?;
        let status = response.status();
        if !status.is_success() {
            return Err(failed(provider, &format!("it responded with {status}")));
        }
        let read = serde_json::from_slice(response.body());
        read.map_err(|_| failed(provider, "its response is malformed"))
    }
}

/// Returns the target of a provider's endpoint. Only a provider on this machine may be without TLS.
fn target(provider: &Provider, url: &str) -> Result<Target> {
    let local = provider.settings.issuer.starts_with("http://");
    Target::of(url, local)
        .map_err(|_| failed(provider, "its discovery document has a wrong endpoint"))
}

fn failed(provider: &Provider, what: &str) -> Failure {
    let name = &provider.settings.name;
    let text = format!("Signing in with {name} failed: {what}; start again.");
    Failure::new(ErrorReason::ProviderFailed, text).with("provider", name)
}

fn redirect(page: &PageOrigin) -> String {
    format!("{}/sign-in", page.origin)
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

fn form(fields: &[(&str, &str)]) -> String {
    let pairs = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value)));
    pairs.collect::<Vec<_>>().join("&")
}

/// Reads the claims of an ID token.
fn claims(token: &str) -> Option<Claims> {
    let mut parts = token.split('.');
    let (_, payload, _) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()
}

/// Checks the claims of an ID token (section 3.1.3.7). Returns the name of a wrong claim.
fn check(
    claims: &Claims,
    issuer: &str,
    client_id: &str,
    nonce: &str,
    seconds: f64,
) -> Result<(), &'static str> {
    let (is_meant, is_shared) = match &claims.aud {
        Audience::One(one) => (one == client_id, false),
        Audience::Several(several) => {
            (several.iter().any(|one| one == client_id), several.len() > 1)
        }
    };
    let azp = claims.azp.as_deref();
    let checks = [
        ("iss", claims.iss == issuer),
        ("aud", is_meant),
        ("azp", azp.map_or(!is_shared, |azp| azp == client_id)),
        ("exp", claims.exp + CLOCKS_DIFFER > seconds),
        ("nonce", claims.nonce.as_deref() == Some(nonce)),
        ("sub", (1..=SUBJECT_BYTES).contains(&claims.sub.len())),
    ];
    checks.iter().find(|(_, holds)| !holds).map_or(Ok(()), |(claim, _)| Err(*claim))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn token(claims: &Value) -> String {
        format!("e30.{}.signature", URL_SAFE_NO_PAD.encode(claims.to_string()))
    }

    fn good() -> Value {
        json!({
            "iss": "https://id.example", "sub": "1", "aud": "client", "exp": 1_000, "nonce": "n",
        })
    }

    fn checked(value: &Value) -> Result<(), &'static str> {
        let claims = claims(&token(value)).ok_or("token")?;
        check(&claims, "https://id.example", "client", "n", 1_030.0)
    }

    #[test]
    fn claims_are_checked() {
        assert_eq!(checked(&good()), Ok(()));
        let both = json!(["client", "other"]);
        let cases = [
            ("iss", json!("https://id.example/"), Err("iss")),
            ("sub", json!(""), Err("sub")),
            ("sub", json!("x".repeat(256)), Err("sub")),
            ("sub", json!(1), Err("token")),
            ("aud", json!("other"), Err("aud")),
            ("aud", json!(["client"]), Ok(())),
            ("aud", both.clone(), Err("azp")),
            ("azp", json!("other"), Err("azp")),
            ("azp", json!("client"), Ok(())),
            ("exp", json!(969.5), Err("exp")),
            ("exp", json!(970.5), Ok(())),
            ("nonce", json!("m"), Err("nonce")),
            ("nonce", Value::Null, Err("nonce")),
        ];
        for (claim, value, expected) in cases {
            let mut claims = good();
            claims[claim] = value;
            assert_eq!(checked(&claims), expected, "{claims}");
        }
        let mut shared = good();
        (shared["aud"], shared["azp"]) = (both, json!("client"));
        assert_eq!(checked(&shared), Ok(()));
    }

    #[test]
    fn malformed_tokens_are_rejected() {
        let good = token(&good());
        assert!(claims(&good).is_some());
        for wrong in ["", "..", "e30", &good[..good.len() - 10], &format!("{good}.x"), "e30.e30.x"]
        {
            assert!(claims(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn forms_are_encoded() {
        let encoded = form(&[("a", "b c&d"), ("redirect_uri", "https://x/?y=z")]);
        assert_eq!(encoded, "a=b%20c%26d&redirect_uri=https%3A%2F%2Fx%2F%3Fy%3Dz");
    }
}
