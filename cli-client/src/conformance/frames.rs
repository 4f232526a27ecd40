//! gRPC frames: one byte for compression, four for the length, then the message.

use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};

const HEAD: usize = 5;

pub fn frame(message: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(HEAD + message.len());
    frame.put_u8(0);
    frame.put_u32(message.len() as u32);
    frame.put_slice(message);
    frame.freeze()
}

/// An incremental decoder for frames.
#[derive(Debug, Default)]
pub struct Frames(BytesMut);

impl Frames {
    pub fn extend(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub fn take(&mut self) -> Option<Bytes> {
        let length = self.0.get(1..HEAD)?.get_u32() as usize;
        if self.0.len() < HEAD + length {
            return None;
        }
        self.0.advance(HEAD);
        Some(self.0.split_to(length).freeze())
    }
}

/// Decodes the only message of a request. Returns `None` if the message is incomplete.
pub fn only(bytes: &[u8]) -> Option<Bytes> {
    let mut frames = Frames::default();
    frames.extend(bytes);
    frames.take()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_decoded_from_any_fragments() {
        let messages: [&[u8]; 3] = [b"", b"a", b"a longer one"];
        let (mut frames, mut found) = (Frames::default(), Vec::new());
        for byte in messages.iter().flat_map(|message| frame(message)) {
            frames.extend(&[byte]);
            found.extend(frames.take());
        }
        assert_eq!(found, messages);
    }
}
