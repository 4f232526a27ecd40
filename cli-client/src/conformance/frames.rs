//! The frames of gRPC: a byte that says whether a message is compressed, four of its length, the message.

use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};
use prost::Message;

const HEAD: usize = 5;

/// A message as a frame.
pub fn frame(message: &impl Message) -> Bytes {
    let length = message.encoded_len();
    let mut frame = BytesMut::with_capacity(HEAD + length);
    frame.put_u8(0);
    frame.put_u32(length as u32);
    // A buffer that grows has room for it.
    message.encode_raw(&mut frame);
    frame.freeze()
}

/// Takes frames out of what has come so far.
#[derive(Debug, Default)]
pub struct Frames(BytesMut);

impl Frames {
    /// More has come.
    pub fn extend(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// The next whole message, without its head.
    pub fn take(&mut self) -> Option<Bytes> {
        let length = self.0.get(1..HEAD)?.get_u32() as usize;
        if self.0.len() < HEAD + length {
            return None;
        }
        self.0.advance(HEAD);
        Some(self.0.split_to(length).freeze())
    }
}

/// The one message of a request.
pub fn only(bytes: &[u8]) -> Option<Bytes> {
    let mut frames = Frames::default();
    frames.extend(bytes);
    frames.take()
}

#[cfg(test)]
mod tests {
    use heliopause_proto::v1::RegisterRequest;

    use super::*;

    #[test]
    fn frames_are_found_however_they_are_cut() {
        let messages = ["", "a", "a longer one"]
            .map(|name| RegisterRequest { name: name.to_owned(), ..RegisterRequest::default() });
        let all: Vec<u8> = messages.iter().flat_map(frame).collect();
        let (mut frames, mut found) = (Frames::default(), Vec::new());
        for byte in all {
            frames.extend(&[byte]);
            while let Some(message) = frames.take() {
                found.push(RegisterRequest::decode(message).expect("a message"));
            }
        }
        assert_eq!(found, messages);
    }
}
