//! Messages with random faults, as from untrusted clients.

use prost::Message;
use prost::bytes::Buf;
use prost::encoding::{WireType, decode_key, decode_varint, encode_key, encode_varint};

use crate::Rng;

/// Values near common bounds, for damaged fields.
const WILD: [u64; 14] = [0, 1, 2, 3, 4, 5, 7, 9, 15, 44, 60, 255, 65_535, u32::MAX as u64];

#[derive(Clone)]
enum Field {
    Number(u64),
    Message(Vec<(u32, Self)>),
    Bytes(Vec<u8>),
    Fixed(WireType, Vec<u8>),
}

/// Returns the message with up to three changed, missing, duplicated or swapped fields.
pub fn message<M: Message + Default>(message: &M, chance: &mut Rng) -> M {
    let bytes = message.encode_to_vec();
    let mut fields = parse(&bytes).expect("a message is made of fields");
    for _ in 0..=chance.below(3) {
        damage(&mut fields, chance);
    }
    // If the changed bytes do not decode, such as invalid UTF-8, return the original message.
    M::decode(&written(&fields)[..])
        .unwrap_or_else(|_| M::decode(&bytes[..]).expect("a message reads back"))
}

/// Returns the text with up to three characters inserted, replaced or removed.
pub fn text(text: &str, chance: &mut Rng) -> String {
    let mut signs: Vec<char> = text.chars().collect();
    for _ in 0..chance.below(4) {
        let at = chance.below(signs.len());
        let sign = char::from(chance.below(96) as u8 + b' ');
        match chance.below(3) {
            0 => signs.insert(at, sign),
            _ if signs.is_empty() => {}
            1 => signs[at] = sign,
            _ => drop(signs.remove(at)),
        }
    }
    signs.into_iter().collect()
}

fn parse(mut bytes: &[u8]) -> Option<Vec<(u32, Field)>> {
    let mut fields = Vec::new();
    while bytes.has_remaining() {
        let (tag, wire) = decode_key(&mut bytes).ok()?;
        let fixed = match wire {
            WireType::Varint => {
                fields.push((tag, Field::Number(decode_varint(&mut bytes).ok()?)));
                continue;
            }
            WireType::LengthDelimited => usize::try_from(decode_varint(&mut bytes).ok()?).ok()?,
            WireType::SixtyFourBit => 8,
            WireType::ThirtyTwoBit => 4,
            WireType::StartGroup | WireType::EndGroup => return None,
        };
        let (inner, rest) = bytes.split_at_checked(fixed)?;
        bytes = rest;
        let field = match wire {
            WireType::LengthDelimited => {
                parse(inner).map_or_else(|| Field::Bytes(inner.to_vec()), Field::Message)
            }
            wire => Field::Fixed(wire, inner.to_vec()),
        };
        fields.push((tag, field));
    }
    Some(fields)
}

fn written(fields: &[(u32, Field)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (tag, field) in fields {
        match field {
            Field::Number(number) => {
                encode_key(*tag, WireType::Varint, &mut bytes);
                encode_varint(*number, &mut bytes);
            }
            Field::Message(inner) => delimited(*tag, &written(inner), &mut bytes),
            Field::Bytes(inner) => delimited(*tag, inner, &mut bytes),
            Field::Fixed(wire, inner) => {
                encode_key(*tag, *wire, &mut bytes);
                bytes.extend_from_slice(inner);
            }
        }
    }
    bytes
}

fn delimited(tag: u32, inner: &[u8], bytes: &mut Vec<u8>) {
    encode_key(tag, WireType::LengthDelimited, bytes);
    encode_varint(inner.len() as u64, bytes);
    bytes.extend_from_slice(inner);
}

fn damage(fields: &mut Vec<(u32, Field)>, chance: &mut Rng) {
    if fields.is_empty() {
        return;
    }
    let at = chance.below(fields.len());
    if let Field::Message(inner) = &mut fields[at].1
        && !inner.is_empty()
        && !chance.one_in(4)
    {
        return damage(inner, chance);
    }
    match chance.below(6) {
        0 => drop(fields.remove(at)),
        1 => {
            let field = fields[at].clone();
            fields.insert(at, field);
        }
        2 => {
            let other = chance.below(fields.len());
            let tag = fields[at].0;
            // Fields with different tags may have different types.
            if fields[other].0 == tag {
                fields.swap(at, other);
            } else {
                fields.push((tag, Field::Number(chance.pick(&WILD))));
            }
        }
        3 => fields.push((1 + chance.below(30) as u32, Field::Number(chance.pick(&WILD)))),
        _ => match &mut fields[at].1 {
            Field::Number(number) => *number = chance.pick(&WILD),
            Field::Message(inner) => inner.truncate(chance.below(inner.len().max(1))),
            Field::Bytes(bytes) | Field::Fixed(_, bytes) => change(bytes, chance),
        },
    }
}

fn change(bytes: &mut [u8], chance: &mut Rng) {
    let at = chance.below(bytes.len());
    if let Some(byte) = bytes.get_mut(at) {
        *byte = chance.pick(b"0123459ABCPST \0\x7f");
    }
}
