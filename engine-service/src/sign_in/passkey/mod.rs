//! Passkeys: registration and authentication as in sections 7.1 and 7.2 of WebAuthn, level 3.
//!
//! The engine requests no attestation and does not evaluate any: it accepts every authenticator that
//! verifies its user.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents,
    UnparsedPublicKey,
};
use serde::{Deserialize, Deserializer};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use super::LIFETIME;
use super::cbor::Value;
use crate::config::PageOrigin;

const NAME: &str = "Heliopause";
const CREDENTIAL_ID_BYTES: usize = 1_023;

/// The flags of authenticator data.
const USER_PRESENT: u8 = 0x01;
const USER_VERIFIED: u8 = 0x04;
const BACKUP_ELIGIBLE: u8 = 0x08;
const BACKED_UP: u8 = 0x10;
const HAS_CREDENTIAL: u8 = 0x40;
const HAS_EXTENSIONS: u8 = 0x80;

/// The COSE numbers of the accepted algorithms, best first.
const ED_DSA: i64 = -8;
const ES_256: i64 = -7;
const RS_256: i64 = -257;

#[derive(Debug)]
pub(super) struct NewPasskey {
    pub(super) id: Bytes,
    pub(super) public_key: Bytes,
    pub(super) sign_count: u32,
}

type Checked<T> = Result<T, &'static str>;

/// Bytes in unpadded base64url, as browsers write them.
#[derive(Debug, Default)]
struct Encoded(Vec<u8>);

impl<'de> Deserialize<'de> for Encoded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        URL_SAFE_NO_PAD.decode(text).map(Self).map_err(serde::de::Error::custom)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Credential<R> {
    raw_id: Encoded,
    r#type: String,
    response: R,
}

#[derive(Deserialize)]
struct Registration {
    #[serde(rename = "clientDataJSON")]
    client_data: Encoded,
    #[serde(rename = "attestationObject")]
    attestation: Encoded,
}

#[derive(Deserialize)]
struct Authentication {
    #[serde(rename = "clientDataJSON")]
    client_data: Encoded,
    #[serde(rename = "authenticatorData")]
    authenticator_data: Encoded,
    signature: Encoded,
    #[serde(rename = "userHandle")]
    user: Option<Encoded>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClientData {
    r#type: String,
    challenge: Encoded,
    origin: String,
    #[serde(default)]
    cross_origin: bool,
}

pub(super) fn creation_options(
    page: &PageOrigin,
    challenge: &[u8],
    player_id: &str,
    name: &str,
    known: &[Bytes],
) -> String {
    let descriptor = |id: &Bytes| json!({ "type": "public-key", "id": URL_SAFE_NO_PAD.encode(id) });
    let algorithms = [ED_DSA, ES_256, RS_256];
    let algorithms = algorithms.map(|number| json!({ "type": "public-key", "alg": number }));
    json!({
        "rp": { "id": page.host, "name": NAME },
        "user": {
            "id": URL_SAFE_NO_PAD.encode(player_id),
            "name": name,
            "displayName": name,
        },
        "challenge": URL_SAFE_NO_PAD.encode(challenge),
        "pubKeyCredParams": algorithms,
        "timeout": LIFETIME,
        "excludeCredentials": known.iter().map(descriptor).collect::<Vec<_>>(),
        "authenticatorSelection": {
            "residentKey": "required",
            "requireResidentKey": true,
            "userVerification": "required",
        },
        "attestation": "none",
    })
    .to_string()
}

pub(super) fn request_options(page: &PageOrigin, challenge: &[u8]) -> String {
    json!({
        "rpId": page.host,
        "challenge": URL_SAFE_NO_PAD.encode(challenge),
        "timeout": LIFETIME,
        "allowCredentials": [],
        "userVerification": "required",
    })
    .to_string()
}

/// Checks the registration of a passkey (section 7.1).
pub(super) fn register(page: &PageOrigin, challenge: &[u8], json: &str) -> Checked<NewPasskey> {
    const UNREADABLE: &str = "The attestation object is malformed.";
    let credential: Credential<Registration> = read(json)?;
    check_client_data(page, challenge, "webauthn.create", &credential.response.client_data.0)?;
    let object = Value::read(&mut &credential.response.attestation.0[..]).ok_or(UNREADABLE)?;
    let Some(Value::Bytes(data)) = object.get(&Value::Text("authData")) else {
        return Err(UNREADABLE);
    };
    let (flags, sign_count, rest) = authenticator_data(page, data)?;
    if flags & HAS_CREDENTIAL == 0 {
        return Err("The authenticator data has no credential.");
    }
    // The id of the authenticator's model, and the length of the credential's id.
    let (head, rest) = rest.split_at_checked(18).ok_or(UNREADABLE)?;
    let length = usize::from(u16::from_be_bytes([head[16], head[17]]));
    let (id, mut rest) = rest.split_at_checked(length).ok_or(UNREADABLE)?;
    if id.is_empty() || length > CREDENTIAL_ID_BYTES || id != &credential.raw_id.0[..] {
        return Err("The id of the credential is not valid.");
    }
    let key = rest;
    Value::read(&mut rest).ok_or(UNREADABLE)?;
    let key = &key[..key.len() - rest.len()];
    PublicKey::read(key)?;
    if flags & HAS_EXTENSIONS != 0 {
        Value::read(&mut rest).ok_or(UNREADABLE)?;
    }
    if !rest.is_empty() {
        return Err(UNREADABLE);
    }
    Ok(NewPasskey {
        id: Bytes::copy_from_slice(id),
        public_key: Bytes::copy_from_slice(key),
        sign_count,
    })
}

/// The response of an authenticator that signs in.
pub(super) struct Assertion(Credential<Authentication>);

impl Assertion {
    pub(super) fn read(json: &str) -> Checked<Self> {
        read(json).map(Self)
    }

    pub(super) fn credential_id(&self) -> &[u8] {
        &self.0.raw_id.0
    }

    /// Checks the authentication with the stored key of the credential (section 7.2). Returns the
    /// new number of signatures.
    pub(super) fn check(
        &self,
        page: &PageOrigin,
        challenge: &[u8],
        player_id: &str,
        public_key: &[u8],
        sign_count: u32,
    ) -> Checked<u32> {
        let response = &self.0.response;
        let user = response.user.as_ref().map(|user| &user.0[..]);
        if user != Some(player_id.as_bytes()) {
            return Err("The passkey is not that of the account.");
        }
        check_client_data(page, challenge, "webauthn.get", &response.client_data.0)?;
        let data = &response.authenticator_data.0;
        let (_, counted, _) = authenticator_data(page, data)?;
        let signed = [&data[..], &Sha256::digest(&response.client_data.0)].concat();
        PublicKey::read(public_key)?.verify(&signed, &response.signature.0)?;
        if (counted > 0 || sign_count > 0) && counted <= sign_count {
            return Err("The passkey has signed less often than before, so there may be a copy.");
        }
        Ok(counted)
    }
}

fn read<'a, R: Deserialize<'a>>(json: &'a str) -> Checked<Credential<R>> {
    let malformed = |_| "Expected the credential as JSON, as the browser writes it.";
    let credential: Credential<R> = serde_json::from_str(json).map_err(malformed)?;
    if credential.r#type == "public-key" {
        Ok(credential)
    } else {
        Err("The credential has another type than public-key.")
    }
}

fn check_client_data(
    page: &PageOrigin,
    challenge: &[u8],
    expected_type: &str,
    json: &[u8],
) -> Checked<()> {
    let data: ClientData =
        serde_json::from_slice(json).map_err(|_| "The client data is malformed.")?;
    if data.r#type != expected_type {
        return Err("The client data is of another operation.");
    }
    if !bool::from(data.challenge.0.ct_eq(challenge)) {
        return Err("The challenge is not that of this attempt.");
    }
    if data.origin != page.origin || data.cross_origin {
        return Err("The passkey was used on another page than this server's.");
    }
    Ok(())
}

/// Checks authenticator data. Returns its flags, its number of signatures, and the rest.
fn authenticator_data<'a>(page: &PageOrigin, data: &'a [u8]) -> Checked<(u8, u32, &'a [u8])> {
    let (head, rest) =
        data.split_first_chunk::<37>().ok_or("The authenticator data is too short.")?;
    if head[..32] != Sha256::digest(&page.host)[..] {
        return Err("The passkey belongs to another host.");
    }
    let flags = head[32];
    if flags & USER_PRESENT == 0 || flags & USER_VERIFIED == 0 {
        return Err("The device did not verify its user, for example by PIN or fingerprint.");
    }
    if flags & BACKED_UP != 0 && flags & BACKUP_ELIGIBLE == 0 {
        return Err("The flags of the authenticator data contradict each other.");
    }
    Ok((flags, u32::from_be_bytes([head[33], head[34], head[35], head[36]]), rest))
}

/// A COSE key (RFC 9053) of an accepted algorithm.
enum PublicKey<'a> {
    /// An uncompressed point of P-256.
    Es256([u8; 65]),
    EdDsa(&'a [u8]),
    Rs256 {
        n: &'a [u8],
        e: &'a [u8],
    },
}

impl<'a> PublicKey<'a> {
    fn read(key: &'a [u8]) -> Checked<Self> {
        const UNKNOWN: &str = "The key of the passkey has an unknown algorithm.";
        let map = Value::read(&mut &key[..]).ok_or(UNKNOWN)?;
        // 1: key type; 3: algorithm; negative labels: parameters of the key type.
        match (map.int(1), map.int(3)) {
            (Some(2), Some(ES_256)) if map.int(-1) == Some(1) => {
                let coordinate = |label| map.bytes(label).filter(|bytes| bytes.len() == 32);
                let (x, y) = coordinate(-2).zip(coordinate(-3)).ok_or(UNKNOWN)?;
                let mut point = [4; 65];
                point[1..33].copy_from_slice(x);
                point[33..].copy_from_slice(y);
                Ok(Self::Es256(point))
            }
            (Some(1), Some(ED_DSA)) if map.int(-1) == Some(6) => {
                let x = map.bytes(-2).filter(|bytes| bytes.len() == 32);
                x.map(Self::EdDsa).ok_or(UNKNOWN)
            }
            (Some(3), Some(RS_256)) => {
                let (n, e) = map.bytes(-1).zip(map.bytes(-2)).ok_or(UNKNOWN)?;
                Ok(Self::Rs256 { n, e })
            }
            _ => Err(UNKNOWN),
        }
    }

    fn verify(&self, signed: &[u8], signature: &[u8]) -> Checked<()> {
        let verified = match self {
            Self::Es256(point) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point).verify(signed, signature)
            }
            Self::EdDsa(key) => UnparsedPublicKey::new(&ED25519, key).verify(signed, signature),
            Self::Rs256 { n, e } => {
                let key = RsaPublicKeyComponents { n, e };
                key.verify(&RSA_PKCS1_2048_8192_SHA256, signed, signature)
            }
        };
        verified.map_err(|_| "The signature of the passkey is wrong.")
    }
}

#[cfg(test)]
mod tests;
