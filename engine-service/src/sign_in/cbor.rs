//! A reader of CBOR (RFC 8949), as far as authenticators use it: items of definite length.

/// The maximum nesting. An attestation object nests 4 deep.
const DEPTH_MAX: usize = 8;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value<'a> {
    Int(i64),
    Bytes(&'a [u8]),
    Text(&'a str),
    List(Vec<Value<'a>>),
    Map(Vec<(Value<'a>, Value<'a>)>),
    /// A simple value or a floating-point number.
    Other,
}

impl<'a> Value<'a> {
    /// Reads an item from the start of `rest`. Returns `None` if it is malformed.
    pub(super) fn read(rest: &mut &'a [u8]) -> Option<Self> {
        Self::nested(rest, 0)
    }

    fn nested(rest: &mut &'a [u8], depth: usize) -> Option<Self> {
        if depth > DEPTH_MAX {
            return None;
        }
        let (kind, short) = {
            let first = *take(rest, 1)?.first()?;
            (first >> 5, first & 0x1f)
        };
        let argument = match short {
            0..=23 => u64::from(short),
            24..=27 => {
                let bytes = take(rest, 1 << (short - 24))?;
                bytes.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
            }
            _ => return None,
        };
        let length = usize::try_from(argument).ok();
        match kind {
            0 => i64::try_from(argument).ok().map(Self::Int),
            1 => i64::try_from(argument).ok().map(|number| Self::Int(-1 - number)),
            2 => take(rest, length?).map(Self::Bytes),
            3 => std::str::from_utf8(take(rest, length?)?).ok().map(Self::Text),
            4 => {
                let mut list = Vec::new();
                for _ in 0..argument {
                    list.push(Self::nested(rest, depth + 1)?);
                }
                Some(Self::List(list))
            }
            5 => {
                let mut map = Vec::new();
                for _ in 0..argument {
                    map.push((Self::nested(rest, depth + 1)?, Self::nested(rest, depth + 1)?));
                }
                Some(Self::Map(map))
            }
            6 => Self::nested(rest, depth + 1),
            _ => Some(Self::Other),
        }
    }

    pub(super) fn get(&self, key: &Value<'_>) -> Option<&Self> {
        let Self::Map(map) = self else { return None };
        map.iter().find(|(found, _)| found == key).map(|(_, value)| value)
    }

    pub(super) fn int(&self, key: i64) -> Option<i64> {
        match self.get(&Value::Int(key))? {
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn bytes(&self, key: i64) -> Option<&'a [u8]> {
        match self.get(&Value::Int(key))? {
            Self::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(length)?;
    *rest = left;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Examples from RFC 8949, appendix A.
    #[test]
    fn items_are_read() {
        let cases: [(&[u8], Value<'_>); 9] = [
            (&[0x17], Value::Int(23)),
            (&[0x18, 0x64], Value::Int(100)),
            (&[0x1a, 0x00, 0x0f, 0x42, 0x40], Value::Int(1_000_000)),
            (&[0x39, 0x03, 0xe7], Value::Int(-1_000)),
            (&[0x44, 1, 2, 3, 4], Value::Bytes(&[1, 2, 3, 4])),
            (&[0x62, 0xc3, 0xbc], Value::Text("\u{fc}")),
            (&[0x82, 1, 0x20], Value::List(vec![Value::Int(1), Value::Int(-1)])),
            (&[0xa1, 1, 2], Value::Map(vec![(Value::Int(1), Value::Int(2))])),
            (&[0xf5], Value::Other),
        ];
        for (mut bytes, expected) in cases {
            assert_eq!(Value::read(&mut bytes), Some(expected));
            assert!(bytes.is_empty());
        }
    }

    #[test]
    fn malformed_items_are_rejected() {
        let deep = [0x81; 100];
        let cases: [&[u8]; 8] = [
            &[],
            &[0x18],
            &[0x44, 1, 2],
            &[0x5f, 0x41, 1, 0xff],
            &[0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            &[0x1b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            &[0x61, 0xff],
            &deep,
        ];
        for mut bytes in cases {
            assert_eq!(Value::read(&mut bytes), None, "{bytes:?}");
        }
    }
}
