//! A device that receives push messages: it decrypts them as a browser does, and checks their
//! signature as a push service does.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use heliopause_proto::v1::PushSubscription;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use ring::rand::SystemRandom;
use ring::signature;
use serde_json::Value;

use crate::WebhookRequest;

const AUTH: [u8; 16] = [7; 16];

/// The keys of one subscription. They decrypt one message.
pub struct PushDevice {
    private: EphemeralPrivateKey,
    point: Vec<u8>,
}

struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn derive(salt: &[u8], input: &[u8], info: &[&[u8]], length: usize) -> Vec<u8> {
    let mut derived = vec![0; length];
    let key = Salt::new(HKDF_SHA256, salt).extract(input);
    key.expand(info, Length(length)).unwrap().fill(&mut derived).unwrap();
    derived
}

impl PushDevice {
    /// Subscribes at a push service.
    pub fn subscribe(endpoint: String) -> (Self, PushSubscription) {
        let private = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).unwrap();
        let point = private.compute_public_key().unwrap().as_ref().to_vec();
        let key = point.clone().into();
        (Self { private, point }, PushSubscription { endpoint, key, auth: AUTH.to_vec().into() })
    }

    /// Decrypts a message (RFC 8291).
    pub fn decrypt(self, body: &[u8]) -> Value {
        let (salt, rest) = body.split_at(16);
        let (size, rest) = rest.split_at(4);
        assert_eq!(size, 4_096_u32.to_be_bytes());
        assert_eq!(rest[0], 65);
        let (sender, record) = rest[1..].split_at(65);
        let peer = UnparsedPublicKey::new(&ECDH_P256, sender);
        let shared = agree_ephemeral(self.private, &peer, |shared| {
            derive(&AUTH, shared, &[b"WebPush: info\0", &self.point, sender], 32)
        })
        .unwrap();
        let key = derive(salt, &shared, &[b"Content-Encoding: aes128gcm\0"], 16);
        let nonce = derive(salt, &shared, &[b"Content-Encoding: nonce\0"], 12);
        let mut record = record.to_vec();
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).unwrap());
        let nonce = Nonce::try_assume_unique_for_key(&nonce).unwrap();
        let text = key.open_in_place(nonce, Aad::empty(), &mut record).expect("a genuine message");
        assert_eq!(text.last(), Some(&2), "one record");
        serde_json::from_slice(&text[..text.len() - 1]).expect("JSON")
    }
}

/// Checks the signature of a request (RFC 8292) and returns its claims.
pub fn claims(posted: &WebhookRequest, server_key: &[u8]) -> Value {
    let header = posted.headers["authorization"].strip_prefix("vapid t=").expect("VAPID");
    let (token, key) = header.split_once(", k=").expect("a key");
    assert_eq!(URL_SAFE_NO_PAD.decode(key).unwrap(), server_key);
    let (signed, signature) = token.rsplit_once('.').expect("a signature");
    signature::UnparsedPublicKey::new(&signature::ECDSA_P256_SHA256_FIXED, server_key)
        .verify(signed.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).unwrap())
        .expect("a genuine signature");
    let claims = signed.split_once('.').expect("claims").1;
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).expect("JSON")
}
