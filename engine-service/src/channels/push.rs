//! Notices by Web Push: encrypted for a device (RFC 8291) and signed for its push service
//! (RFC 8292).
//!
//! Each device has its own signing key, so all engines of an operator share the keys through the
//! store, and a leaked subscription is useless without its key.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use heliopause_proto::v1::PushSubscription;
use http::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, Salt};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::json;

use super::templates::ReadyNotice;
use super::webhook::{Post, Target};
use crate::random;

const POINT_BYTES: usize = 65;
const AUTH_BYTES: usize = 16;
/// The size of an encryption record. A message is one record; services accept up to 4,096 bytes.
const RECORD_BYTES: u32 = 4_096;
/// Devices show little text. A longer one could exceed the record.
const TEXT_CHARS: usize = 300;
/// The time for which a push service keeps a message for a device that is switched off.
const KEEP_SECONDS: u32 = 24 * 60 * 60;
/// The lifetime of a signature. The standard allows up to 24 hours.
const SIGNED_SECONDS: i64 = 12 * 60 * 60;

static RANDOM: LazyLock<SystemRandom> = LazyLock::new(SystemRandom::new);

/// Creates the key of a device. Returns the private key in PKCS #8 and the public point.
pub(super) fn new_key() -> (Bytes, Bytes) {
    let private = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &*RANDOM)
        .expect("the operating system has random bytes");
    let pair = key_pair(private.as_ref()).expect("the key was just generated");
    let copy = Bytes::copy_from_slice;
    (copy(private.as_ref()), copy(pair.public_key().as_ref()))
}

fn key_pair(private: &[u8]) -> Option<EcdsaKeyPair> {
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, private, &*RANDOM).ok()
}

/// Checks a subscription's keys. Returns the wrong field and what is wrong with it.
pub(super) fn check(subscription: &PushSubscription) -> Result<(), (&'static str, String)> {
    let found = subscription.auth.len();
    if found != AUTH_BYTES {
        return Err(("auth", format!("Expected {AUTH_BYTES} bytes, found {found}.")));
    }
    encrypt(subscription, b"")
        .map(drop)
        .map_err(|_| ("key", format!("Expected a point of P-256 in {POINT_BYTES} bytes.")))
}

/// Returns the request that shows a notice on a device, or `None` if a stored key is unreadable.
pub(super) fn post(
    notice: &ReadyNotice,
    subscription: &PushSubscription,
    private: &[u8],
    target: &Target,
    contact: Option<&str>,
) -> Option<Post> {
    let body = encrypt(subscription, payload(notice).to_string().as_bytes()).ok()?;
    let signature = authorization(private, &target.origin(), contact)?;
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, HeaderValue::try_from(signature).ok()?);
    headers.insert(CONTENT_ENCODING, HeaderValue::from_static("aes128gcm"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(HeaderName::from_static("ttl"), HeaderValue::from(KEEP_SECONDS));
    headers.insert(HeaderName::from_static("urgency"), HeaderValue::from_static("high"));
    Some(Post { headers, body, ends_when_missing: true })
}

/// Returns what a service worker needs to show the notice. A later notice with the same tag
/// replaces the earlier one.
fn payload(notice: &ReadyNotice) -> serde_json::Value {
    let line = notice.line();
    let text = match line.char_indices().nth(TEXT_CHARS) {
        None => line,
        Some((end, _)) => format!("{}…", &line[..end]),
    };
    let body = [Some(text), notice.due_words()].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let (url, tag) = match notice.news.game_id.as_str() {
        "" => ("/account".to_owned(), notice.id.clone()),
        game_id => (format!("/game/{game_id}"), format!("{game_id} {}", notice.headline())),
    };
    json!({ "title": notice.title(), "body": body, "url": url, "tag": tag })
}

struct Length(usize);

impl ring::hkdf::KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn derive<const N: usize>(
    salt: &[u8],
    input: &[u8],
    info: &[&[u8]],
) -> Result<[u8; N], Unspecified> {
    let mut derived = [0; N];
    Salt::new(HKDF_SHA256, salt).extract(input).expand(info, Length(N))?.fill(&mut derived)?;
    Ok(derived)
}

/// Encrypts a text for a device (RFC 8291). The body starts with the salt, the record size and the
/// public point of a key that is used once.
fn encrypt(subscription: &PushSubscription, text: &[u8]) -> Result<Bytes, Unspecified> {
    let own = EphemeralPrivateKey::generate(&ECDH_P256, &*RANDOM)?;
    let point = own.compute_public_key()?;
    let device = UnparsedPublicKey::new(&ECDH_P256, &subscription.key);
    let shared = agree_ephemeral(own, &device, |shared| {
        let info = [b"WebPush: info\0", &subscription.key[..], point.as_ref()];
        derive::<32>(&subscription.auth, shared, &info)
    })??;
    let salt = random::salt();
    let key = derive::<16>(&salt, &shared, &[b"Content-Encoding: aes128gcm\0"])?;
    let nonce = derive::<12>(&salt, &shared, &[b"Content-Encoding: nonce\0"])?;
    // The delimiter 2 marks the last record.
    let mut record = [text, &[2]].concat();
    LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key)?).seal_in_place_append_tag(
        Nonce::assume_unique_for_key(nonce),
        Aad::empty(),
        &mut record,
    )?;
    let length = [POINT_BYTES as u8];
    Ok([&salt[..], &RECORD_BYTES.to_be_bytes(), &length, point.as_ref(), &record].concat().into())
}

/// Signs a request for the push service at `origin` (RFC 8292).
fn authorization(private: &[u8], origin: &str, contact: Option<&str>) -> Option<String> {
    let pair = key_pair(private)?;
    let mut claims =
        json!({ "aud": origin, "exp": jiff::Timestamp::now().as_second() + SIGNED_SECONDS });
    if let Some(address) = contact {
        claims["sub"] = json!(format!("mailto:{address}"));
    }
    let part = |value: &serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", part(&json!({ "typ": "JWT", "alg": "ES256" })), part(&claims));
    let signature = URL_SAFE_NO_PAD.encode(pair.sign(&*RANDOM, signed.as_bytes()).ok()?);
    let key = URL_SAFE_NO_PAD.encode(pair.public_key());
    Some(format!("vapid t={signed}.{signature}, k={key}"))
}
