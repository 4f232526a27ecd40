//! The lexer, which splits a line into words and signs.

use heliopause_kernel::{Malformed, quoted};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Word,
    /// Text in double quotes: a name, never a keyword.
    Quoted,
    Signed,
    /// One of `( ) , @ * /`.
    Sign(u8),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    /// Byte offsets in the line, without the quotes.
    pub start: u32,
    pub end: u32,
}

#[derive(Default)]
pub(super) struct Lexer(Vec<Token>);

/// Returns the column of a byte, in characters from 1.
pub(super) fn column(line: &str, byte: usize) -> u32 {
    let before = line.char_indices().take_while(|&(at, _)| at < byte).count();
    u32::try_from(before + 1).unwrap_or(u32::MAX)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl Lexer {
    pub(super) fn split(&mut self, line: &str, number: u32) -> Result<&[Token], Malformed> {
        self.0.clear();
        let bytes = line.as_bytes();
        if u32::try_from(bytes.len()).is_err() {
            let text = "The line is too long; split it into shorter orders.";
            return Err(Malformed::text(number, 1, text));
        }
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let run = |from: usize, belongs: fn(u8) -> bool| {
                bytes[from..]
                    .iter()
                    .position(|&byte| !belongs(byte))
                    .map_or(bytes.len(), |length| from + length)
            };
            let (kind, start, end, next) = match byte {
                b' ' | b'\t' => {
                    at += 1;
                    continue;
                }
                b'#' => break,
                b'(' | b')' | b',' | b'@' | b'*' | b'/' => (Kind::Sign(byte), at, at + 1, at + 1),
                b'"' => {
                    let end = run(at + 1, |byte| byte != b'"');
                    if end == bytes.len() {
                        let text = "expected a closing \", found the end of the line";
                        return Err(Malformed::text(number, column(line, at), text));
                    }
                    (Kind::Quoted, at + 1, end, end + 1)
                }
                b'+' | b'-' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {
                    let end = run(at + 1, is_word);
                    (Kind::Signed, at, end, end)
                }
                _ if is_word(byte) => {
                    let end = run(at, is_word);
                    (Kind::Word, at, end, end)
                }
                _ => return Err(unexpected_character(line, number, at)),
            };
            self.0.push(Token { kind, start: start as u32, end: end as u32 });
            at = next;
        }
        Ok(&self.0)
    }
}

fn unexpected_character(line: &str, number: u32, at: usize) -> Malformed {
    let found: String = line[at..].chars().take(1).collect();
    let text = format!("expected a name, a number or a sector, found {}", quoted(&found));
    Malformed::text(number, column(line, at), text)
}
