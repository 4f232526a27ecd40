use super::*;
use crate::authenticator::{Authenticator, ID};

const PLAYER: &str = "p-1";
const CHALLENGE: [u8; 32] = [7; 32];

fn page() -> PageOrigin {
    PageOrigin { origin: "https://play.example".to_owned(), host: "play.example".to_owned() }
}

fn signs_in(device: &Authenticator, key: &[u8], count: u32) -> Checked<u32> {
    let assertion = Assertion::read(&device.authentication())?;
    assert_eq!(assertion.credential_id(), ID);
    assertion.check(&page(), &CHALLENGE, PLAYER, key, count)
}

fn new_device(ed: bool) -> Authenticator {
    Authenticator::new(ed, "play.example", "https://play.example", PLAYER, CHALLENGE.to_vec())
}

#[test]
fn a_registered_passkey_signs_in() {
    for ed in [false, true] {
        let device = new_device(ed);
        let new = register(&page(), &CHALLENGE, &device.registration(&[])).unwrap();
        assert_eq!((&new.id[..], new.sign_count), (ID, 0));
        assert_eq!(signs_in(&device, &new.public_key, 0), Ok(0));
        let other = new_device(ed);
        assert!(signs_in(&other, &new.public_key, 0).is_err(), "another key has signed");
    }
}

#[test]
fn every_wrong_statement_of_a_device_is_rejected() {
    type Change = fn(&mut Authenticator);
    let changes: [(&str, Change); 7] = [
        ("host", |device| device.host = "play.example.org".into()),
        ("origin", |device| device.origin = "https://play.example.org".into()),
        ("challenge", |device| device.challenge = vec![8; 32]),
        ("no user", |device| device.flags = USER_VERIFIED),
        ("unverified user", |device| device.flags = USER_PRESENT),
        ("backup", |device| device.flags |= BACKED_UP),
        ("frame", |device| device.cross_origin = true),
    ];
    for (what, change) in changes {
        let mut device = new_device(false);
        let new = register(&page(), &CHALLENGE, &device.registration(&[])).unwrap();
        change(&mut device);
        assert!(register(&page(), &CHALLENGE, &device.registration(&[])).is_err(), "{what}");
        assert!(signs_in(&device, &new.public_key, 0).is_err(), "{what}");
    }
    let mut device = new_device(false);
    device.user = "p-2".into();
    assert!(signs_in(&device, &device.cose(), 0).is_err(), "another account");
    let swapped = device.registration(&[]);
    assert!(Assertion::read(&swapped).is_err(), "a registration is not an authentication");
    for wrong in ["", "{}", "[]", &"[".repeat(1_000)] {
        assert!(Assertion::read(wrong).is_err() && register(&page(), &[], wrong).is_err());
    }
}

#[test]
fn a_counting_passkey_must_count_up() {
    let mut device = new_device(true);
    let key = device.cose();
    device.count = 5;
    assert_eq!(signs_in(&device, &key, 4), Ok(5));
    assert!(signs_in(&device, &key, 5).is_err());
    assert!(signs_in(&device, &key, 6).is_err());
    device.count = 0;
    assert!(signs_in(&device, &key, 6).is_err());
}

#[test]
fn extensions_are_skipped_and_other_bytes_rejected() {
    let mut device = new_device(false);
    assert!(register(&page(), &CHALLENGE, &device.registration(&[0xa0])).is_err());
    device.flags |= HAS_EXTENSIONS;
    assert!(register(&page(), &CHALLENGE, &device.registration(&[0xa0])).is_ok());
    assert!(register(&page(), &CHALLENGE, &device.registration(&[])).is_err());
    assert!(register(&page(), &CHALLENGE, &device.registration(&[0xa0, 0])).is_err());
}

#[test]
fn options_name_the_page_and_the_known_passkeys() {
    let known = [Bytes::from_static(ID)];
    let options = creation_options(&page(), &CHALLENGE, PLAYER, "Ann", &known);
    let options: serde_json::Value = serde_json::from_str(&options).unwrap();
    assert_eq!(options["rp"]["id"], "play.example");
    assert_eq!(options["excludeCredentials"][0]["id"], URL_SAFE_NO_PAD.encode(ID));
    assert_eq!(options["user"]["id"], URL_SAFE_NO_PAD.encode(PLAYER));
    let options: serde_json::Value =
        serde_json::from_str(&request_options(&page(), &CHALLENGE)).unwrap();
    assert_eq!(options["userVerification"], "required");
}
