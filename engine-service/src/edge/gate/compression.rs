//! Compression of requests and responses with gzip and zstd.
//!
//! The size of inflated data is checked while it grows, because a few kilobytes can inflate to
//! gigabytes. Inflated bytes and the window of a zstd frame are charged.

use std::io::{BufRead as _, Read, Write as _};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use heliopause_kernel::vocabulary;
use heliopause_proto::v1::ErrorReason;
use http::{HeaderMap, HeaderName, HeaderValue};
use http_body::Frame;
use tonic::Status;
use tonic::body::Body;
use zstd::stream::read::Decoder as ZstdDecoder;

use crate::edge::limits::Charge;
use crate::failure::{Failure, Result};

const ENCODING: HeaderName = HeaderName::from_static("grpc-encoding");
const ACCEPTS: HeaderName = HeaderName::from_static("grpc-accept-encoding");
const ACCEPTED: &str = "identity,gzip,zstd";
/// The length of a message's prefix: a compression flag and the message length.
pub(crate) const PREFIX_BYTES: usize = 5;
/// The minimum size to compress. Smaller messages fit into one packet and hardly shrink.
const COMPRESSED_FROM: usize = 1_024;
/// The fastest zstd level, because other calls need the processor too.
const ZSTD_LEVEL: i32 = 1;
/// The chunk size for inflating. Each chunk is charged before the next one is inflated.
const PART: usize = 64 << 10;
/// The largest window that a zstd frame may request, unless the message limit is larger. The usual
/// compression levels need less.
const WINDOW_MAX: u64 = 8 << 20;

vocabulary! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Encoding {
        Gzip = "gzip",
        Zstd = "zstd",
    }
}

impl Encoding {
    fn header(self) -> HeaderValue {
        HeaderValue::from_static(self.as_str())
    }
}

/// Returns the encoding of a request, or `None` for uncompressed messages. Removes the header,
/// because services receive inflated messages.
pub(crate) fn of_request(headers: &mut HeaderMap) -> Result<Option<Encoding>> {
    let Some(value) = headers.remove(ENCODING) else { return Ok(None) };
    let name = String::from_utf8_lossy(value.as_bytes()).into_owned();
    match name.parse() {
        Ok(encoding) => Ok(Some(encoding)),
        Err(_) if name == "identity" => Ok(None),
        Err(_) => Err(Failure::new(
            ErrorReason::UnknownEncoding,
            format!("This server does not support the encoding {name:?}; use {ACCEPTED}."),
        )
        .with("encoding", name)
        .with("accepted", ACCEPTED)),
    }
}

pub(crate) fn of_answer(headers: &HeaderMap) -> Option<Encoding> {
    let asked = headers.get(ACCEPTS)?.to_str().ok()?;
    let reads = |encoding| asked.split(',').any(|name| name.trim().parse() == Ok(encoding));
    [Encoding::Zstd, Encoding::Gzip].into_iter().find(|&encoding| reads(encoding))
}

pub(crate) fn add_accepted_encodings(headers: &mut HeaderMap) {
    headers.insert(ACCEPTS, HeaderValue::from_static(ACCEPTED));
}

/// Inflates a message to at most `most` bytes. Charges `bytes_per_byte` for each inflated byte, and
/// the window of a zstd frame.
pub(crate) fn inflate(
    encoding: Option<Encoding>,
    message: &[u8],
    most: usize,
    bytes_per_byte: usize,
    charge: &mut Charge,
) -> Result<Bytes> {
    let Some(encoding) = encoding else {
        let text = "The message is compressed, but the header grpc-encoding does not say how; use \
            gzip or zstd.";
        return Err(Failure::field("", text));
    };
    match encoding {
        Encoding::Gzip => {
            let mut decoder = GzDecoder::new(message);
            let inflated = grow(&mut decoder, most, bytes_per_byte, charge)?;
            whole(decoder.into_inner())?;
            Ok(inflated)
        }
        Encoding::Zstd => {
            let window = window(message).ok_or_else(corrupt)?;
            let window_max = WINDOW_MAX.max(most as u64);
            if window > window_max {
                let text = format!(
                    "The zstd window of {window} bytes is too large; the maximum is {window_max}."
                );
                return Err(Failure::field("", text));
            }
            charge.grow(usize::try_from(window).unwrap_or(usize::MAX))?;
            let mut decoder =
                ZstdDecoder::with_buffer(message).map_err(|_| corrupt())?.single_frame();
            let inflated = grow(&mut decoder, most, bytes_per_byte, charge)?;
            whole(decoder.finish())?;
            Ok(inflated)
        }
    }
}

fn grow(
    decoder: &mut impl Read,
    most: usize,
    bytes_per_byte: usize,
    charge: &mut Charge,
) -> Result<Bytes> {
    let mut inflated = Vec::new();
    loop {
        let before = inflated.len();
        let read =
            decoder.by_ref().take(PART.min(most + 1 - before) as u64).read_to_end(&mut inflated);
        let grown = read.map_err(|_| corrupt())?;
        if inflated.len() > most {
            return Err(too_large(most));
        }
        if grown == 0 {
            return Ok(inflated.into());
        }
        charge.grow(grown.saturating_mul(bytes_per_byte))?;
    }
}

fn whole(mut rest: &[u8]) -> Result<()> {
    let left = rest.fill_buf().map_err(|_| corrupt())?;
    if left.is_empty() { Ok(()) } else { Err(corrupt()) }
}

/// Returns the window size that a zstd frame requests (RFC 8878, 3.1.1), or `None` for an invalid
/// frame header.
fn window(frame: &[u8]) -> Option<u64> {
    let (magic, rest) = frame.split_first_chunk::<4>()?;
    let (&descriptor, rest) = rest.split_first()?;
    if u32::from_le_bytes(*magic) != 0xFD2F_B528 {
        return None;
    }
    if descriptor & 0x20 == 0 {
        let &window = rest.first()?;
        let base = 1_u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    // In a single-segment frame, the window is the content size, which follows the dictionary id.
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let size = rest.get(dictionary..)?;
    match descriptor >> 6 {
        0 => size.first().map(|&size| u64::from(size)),
        1 => size.first_chunk().map(|size| u64::from(u16::from_le_bytes(*size)) + 256),
        2 => size.first_chunk().map(|size| u64::from(u32::from_le_bytes(*size))),
        _ => size.first_chunk().map(|size| u64::from_le_bytes(*size)),
    }
}

fn corrupt() -> Failure {
    Failure::field("", "The message does not match its grpc-encoding.")
}

pub(crate) fn too_large(most: usize) -> Failure {
    let message = format!("The message exceeds the limit of {most} bytes; send less at once.");
    Failure::new(ErrorReason::MessageTooLarge, message).with("limit", most)
}

fn compressed(encoding: Encoding, message: &[u8]) -> Option<Bytes> {
    let small = match encoding {
        Encoding::Zstd => zstd::bulk::compress(message, ZSTD_LEVEL).ok()?,
        Encoding::Gzip => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(message).ok()?;
            encoder.finish().ok()?
        }
    };
    (small.len() < message.len()).then(|| frame(true, &small))
}

pub(crate) fn frame(is_compressed: bool, message: &[u8]) -> Bytes {
    let mut framed = BytesMut::with_capacity(PREFIX_BYTES + message.len());
    framed.put_u8(is_compressed.into());
    framed.put_u32(u32::try_from(message.len()).unwrap_or(u32::MAX));
    framed.extend_from_slice(message);
    framed.freeze()
}

/// Compresses the large messages. Returns all complete messages, and the incomplete message at the
/// end of the input.
fn pack(encoding: Encoding, mut messages: Bytes) -> (Bytes, Bytes) {
    let (mut at, mut large) = (0, false);
    while let Some(length) = framed(&messages, at) {
        large |= length >= COMPRESSED_FROM && messages[at] == 0;
        at += PREFIX_BYTES + length;
    }
    let whole = messages.split_to(at);
    if !large {
        return (whole, messages);
    }
    let (mut packed, mut rest) = (BytesMut::with_capacity(whole.len() / 2), whole);
    while let Some(length) = framed(&rest, 0) {
        let message = rest.split_to(PREFIX_BYTES + length);
        let worth = length >= COMPRESSED_FROM && message[0] == 0;
        match worth.then(|| compressed(encoding, &message[PREFIX_BYTES..])).flatten() {
            Some(small) => packed.extend_from_slice(&small),
            None => packed.extend_from_slice(&message),
        }
    }
    (packed.freeze(), messages)
}

fn framed(messages: &[u8], at: usize) -> Option<usize> {
    let mut head = messages.get(at..at + PREFIX_BYTES)?;
    head.advance(1);
    let length = head.get_u32() as usize;
    (messages.len() - at - PREFIX_BYTES >= length).then_some(length)
}

pub(crate) fn pack_answer(
    encoding: Encoding,
    response: http::Response<Body>,
) -> http::Response<Body> {
    let (mut head, body) = response.into_parts();
    head.headers.insert(ENCODING, encoding.header());
    let packed = Packed { encoding, inner: body, rest: Bytes::new() };
    http::Response::from_parts(head, Body::new(packed))
}

pub(crate) fn pack_message(encoding: Encoding, data: Bytes, headers: &mut HeaderMap) -> Bytes {
    let (packed, rest) = pack(encoding, data);
    if packed.first() == Some(&1) {
        headers.insert(ENCODING, encoding.header());
    }
    if rest.is_empty() { packed } else { [packed, rest].concat().into() }
}

struct Packed {
    encoding: Encoding,
    inner: Body,
    rest: Bytes,
}

impl http_body::Body for Packed {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        loop {
            let frame = match ready!(Pin::new(&mut self.inner).poll_frame(context)) {
                Some(Ok(frame)) => frame,
                ended => return Poll::Ready(ended),
            };
            let data = match frame.into_data() {
                Ok(data) => data,
                Err(frame) => return Poll::Ready(Some(Ok(frame))),
            };
            let rest = std::mem::take(&mut self.rest);
            let messages = if rest.is_empty() { data } else { [rest, data].concat().into() };
            let (packed, rest) = pack(self.encoding, messages);
            self.rest = rest;
            if !packed.is_empty() {
                return Poll::Ready(Some(Ok(Frame::data(packed))));
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.inner.is_end_stream()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use http_body_util::BodyExt as _;

    use super::*;
    use crate::config::Quotas;
    use crate::edge::limits::Limits;

    const BOTH: [Encoding; 2] = [Encoding::Gzip, Encoding::Zstd];

    fn charge() -> (Arc<Limits>, Charge) {
        let limits = Arc::new(Limits::new(&Quotas { bytes_in_flight: 1 << 30, ..Quotas::none() }));
        let holding = limits.begin(limits.address([192, 0, 2, 1].into()), None, false).unwrap();
        let charge = holding.charge();
        (limits, charge)
    }

    fn squeezed(encoding: Encoding, message: &[u8]) -> Vec<u8> {
        compressed(encoding, message).expect("it gets smaller")[PREFIX_BYTES..].to_vec()
    }

    #[test]
    fn compressed_messages_are_inflated_and_charged() {
        for encoding in BOTH {
            let (limits, mut charge) = charge();
            let message = b"the same again and ".repeat(1_000);
            let small = squeezed(encoding, &message);
            let inflated = inflate(Some(encoding), &small, message.len(), 4, &mut charge)
                .expect("it is of that size");
            assert_eq!(inflated, message);
            assert!(limits.bytes() >= 4 * message.len(), "{encoding:?}: {}", limits.bytes());
            drop(charge);
            assert_eq!(limits.bytes(), 0);
        }
    }

    #[test]
    fn decompression_bomb_is_rejected_while_it_grows() {
        for encoding in BOTH {
            let (limits, mut charge) = charge();
            let bomb = match encoding {
                Encoding::Gzip => {
                    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
                    (0..256).for_each(|_| encoder.write_all(&vec![0; 1 << 20]).unwrap());
                    encoder.finish().unwrap()
                }
                Encoding::Zstd => {
                    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
                    (0..256).for_each(|_| encoder.write_all(&vec![0; 1 << 20]).unwrap());
                    encoder.finish().unwrap()
                }
            };
            let refused =
                inflate(Some(encoding), &bomb, 1 << 20, 4, &mut charge).expect_err("it is a bomb");
            assert_eq!(refused.reason(), ErrorReason::MessageTooLarge, "{encoding:?}");
            assert!(limits.bytes() < 16 << 20, "{encoding:?}: {}", limits.bytes());
        }
    }

    #[test]
    fn too_large_window_is_rejected_before_allocation() {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
        encoder.window_log(27).unwrap();
        encoder.write_all(b"small").unwrap();
        let wide = encoder.finish().unwrap();
        assert_eq!(window(&wide), Some(1 << 27));
        let (limits, mut charge) = charge();
        let refused =
            inflate(Some(Encoding::Zstd), &wide, 1 << 20, 4, &mut charge).expect_err("128 MiB");
        assert_eq!(refused.reason(), ErrorReason::InvalidField);
        assert_eq!(limits.bytes(), 0);
        for length in [10, 300, 70_000] {
            let one = zstd::bulk::compress(&vec![7; length], ZSTD_LEVEL).unwrap();
            assert_eq!(window(&one), Some(length as u64));
        }
    }

    #[test]
    fn corrupt_truncated_or_trailing_data_is_rejected() {
        for encoding in BOTH {
            let whole = squeezed(encoding, &vec![7; 5_000]);
            let cut = whole[..whole.len() - 3].to_vec();
            let twice = [whole.clone(), whole.clone()].concat();
            let mut corrupt = whole.clone();
            corrupt[1] ^= 0xFF;
            for wrong in [cut, twice, corrupt, Vec::new(), vec![0; 64]] {
                let (_limits, mut charge) = charge();
                let refused = inflate(Some(encoding), &wrong, 1 << 20, 4, &mut charge);
                assert_eq!(
                    refused.as_ref().map_err(Failure::reason),
                    Err(ErrorReason::InvalidField),
                    "{encoding:?} {wrong:?}"
                );
            }
        }
        let (_limits, mut charge) = charge();
        assert!(inflate(None, b"", 1, 4, &mut charge).is_err(), "compressed, but not said how");
    }

    #[test]
    fn encodings_are_negotiated_in_both_directions() {
        let headers = |name: HeaderName, value: &'static str| {
            HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
        };
        assert_eq!(of_request(&mut HeaderMap::new()).unwrap(), None);
        assert_eq!(of_request(&mut headers(ENCODING, "identity")).unwrap(), None);
        let mut gzip = headers(ENCODING, "gzip");
        assert_eq!(of_request(&mut gzip).unwrap(), Some(Encoding::Gzip));
        assert!(gzip.is_empty(), "whoever answers gets it as it was");
        let refused = of_request(&mut headers(ENCODING, "br")).expect_err("nobody speaks that");
        assert_eq!(refused.reason(), ErrorReason::UnknownEncoding);
        assert_eq!(of_answer(&HeaderMap::new()), None);
        assert_eq!(of_answer(&headers(ACCEPTS, "identity,deflate, gzip")), Some(Encoding::Gzip));
        assert_eq!(of_answer(&headers(ACCEPTS, "gzip,zstd")), Some(Encoding::Zstd));
        assert_eq!(of_answer(&headers(ACCEPTS, "identity")), None);
    }

    #[tokio::test]
    async fn only_large_messages_are_compressed() {
        for encoding in BOTH {
            let (small, large) = (frame(false, b"small"), frame(false, &vec![b'a'; 100_000]));
            let all: Bytes = [small.clone(), large.clone(), small.clone()].concat().into();
            let parts = [all.slice(..7), all.slice(7..50_000), all.slice(50_000..)];
            let frames = parts.map(|part| Ok::<_, Status>(Frame::data(part)));
            let body = Body::new(http_body_util::StreamBody::new(tokio_stream::iter(frames)));
            let response = pack_answer(encoding, http::Response::new(body));
            assert_eq!(response.headers()[ENCODING], encoding.header());
            let sent = response.into_body().collect().await.unwrap().to_bytes();
            assert!(sent.starts_with(&small) && sent.ends_with(&small));
            let middle = sent.slice(small.len()..sent.len() - small.len());
            assert!(middle[0] == 1 && middle.len() < 1_000, "{encoding:?}: {}", middle.len());
            let (_limits, mut charge) = charge();
            let back =
                inflate(Some(encoding), &middle[PREFIX_BYTES..], 1 << 20, 1, &mut charge).unwrap();
            assert_eq!(back, large.slice(PREFIX_BYTES..));
        }
        let mut headers = HeaderMap::new();
        let small = frame(false, b"small");
        assert_eq!(pack_message(Encoding::Zstd, small.clone(), &mut headers), small);
        assert!(headers.is_empty(), "nothing is said to be compressed that is not");
        let noise: Vec<u8> = (0..5_000_u32)
            .flat_map(|n| n.wrapping_mul(2_654_435_761).rotate_left(n % 31).to_le_bytes())
            .collect();
        let packed = pack_message(Encoding::Gzip, frame(false, &noise), &mut headers);
        assert!(packed.len() <= PREFIX_BYTES + noise.len(), "it never grows");
    }
}
