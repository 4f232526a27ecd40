//! An authenticator (WebAuthn) with one passkey, whose responses a test can change.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _};
use serde_json::json;
use sha2::{Digest as _, Sha256};

pub const ID: &[u8] = b"credential";
const USER_PRESENT: u8 = 0x01;
const USER_VERIFIED: u8 = 0x04;
const HAS_CREDENTIAL: u8 = 0x40;

pub struct Authenticator {
    key: Key,
    pub host: String,
    pub origin: String,
    pub challenge: Vec<u8>,
    pub flags: u8,
    pub count: u32,
    pub user: String,
    pub cross_origin: bool,
}

enum Key {
    Ec(EcdsaKeyPair),
    Ed(Ed25519KeyPair),
}

impl Authenticator {
    pub fn new(ed: bool, host: &str, origin: &str, user: &str, challenge: Vec<u8>) -> Self {
        let random = SystemRandom::new();
        let key = if ed {
            let pkcs8 = Ed25519KeyPair::generate_pkcs8(&random).unwrap();
            Key::Ed(Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).unwrap())
        } else {
            let of = &ECDSA_P256_SHA256_ASN1_SIGNING;
            let pkcs8 = EcdsaKeyPair::generate_pkcs8(of, &random).unwrap();
            Key::Ec(EcdsaKeyPair::from_pkcs8(of, pkcs8.as_ref(), &random).unwrap())
        };
        Self {
            key,
            host: host.to_owned(),
            origin: origin.to_owned(),
            challenge,
            flags: USER_PRESENT | USER_VERIFIED,
            count: 0,
            user: user.to_owned(),
            cross_origin: false,
        }
    }

    fn client_data(&self, of: &str) -> Vec<u8> {
        let challenge = URL_SAFE_NO_PAD.encode(&self.challenge);
        json!({
            "type": of,
            "challenge": challenge,
            "origin": self.origin,
            "crossOrigin": self.cross_origin,
        })
        .to_string()
        .into_bytes()
    }

    fn data(&self, flags: u8) -> Vec<u8> {
        [&Sha256::digest(&self.host)[..], &[flags], &self.count.to_be_bytes()].concat()
    }

    pub fn cose(&self) -> Vec<u8> {
        match &self.key {
            Key::Ec(pair) => {
                let point = pair.public_key().as_ref();
                let head = [0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32];
                [&head, &point[1..33], &[0x22, 0x58, 32], &point[33..]].concat()
            }
            Key::Ed(pair) => {
                let head = [0xa4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x58, 32];
                [&head, pair.public_key().as_ref()].concat()
            }
        }
    }

    pub fn registration(&self, extra: &[u8]) -> String {
        let data = [
            &self.data(self.flags | HAS_CREDENTIAL)[..],
            &[0; 16],
            &u16::try_from(ID.len()).unwrap().to_be_bytes(),
            ID,
            &self.cose(),
            extra,
        ]
        .concat();
        // {"fmt": "none", "attStmt": {}, "authData": bytes}
        let object = [
            b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59".as_slice(),
            &u16::try_from(data.len()).unwrap().to_be_bytes(),
            &data,
        ]
        .concat();
        credential(&json!({
            "clientDataJSON": URL_SAFE_NO_PAD.encode(self.client_data("webauthn.create")),
            "attestationObject": URL_SAFE_NO_PAD.encode(object),
        }))
    }

    pub fn authentication(&self) -> String {
        let (client, data) = (self.client_data("webauthn.get"), self.data(self.flags));
        let signed = [&data[..], &Sha256::digest(&client)].concat();
        let signature = match &self.key {
            Key::Ec(pair) => pair.sign(&SystemRandom::new(), &signed).unwrap().as_ref().to_vec(),
            Key::Ed(pair) => pair.sign(&signed).as_ref().to_vec(),
        };
        credential(&json!({
            "clientDataJSON": URL_SAFE_NO_PAD.encode(client),
            "authenticatorData": URL_SAFE_NO_PAD.encode(data),
            "signature": URL_SAFE_NO_PAD.encode(signature),
            "userHandle": URL_SAFE_NO_PAD.encode(&self.user),
        }))
    }
}

fn credential(response: &serde_json::Value) -> String {
    let id = URL_SAFE_NO_PAD.encode(ID);
    json!({ "id": id, "rawId": id, "type": "public-key", "response": response }).to_string()
}
