//! Reading requests: in time, within their size, paid for by the byte, and checked by the contract
//! before they are decoded.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{BufMut as _, Bytes, BytesMut};
use heliopause_proto::v1::ErrorReason;
use http::HeaderMap;
use http_body::Frame;
use http_body_util::{BodyExt as _, Full};
use tonic::Status;
use tonic::body::Body;

use super::compression::{self, Encoding, too_large};
use super::errors::Failure;
use super::limits::{Charge, Holding};
use super::methods::Method;
use super::within::within;

/// How long a request may be on its way once its head is there.
pub(super) const BODY_TIME: Duration = Duration::from_secs(5);
/// What stands before each message: whether it is compressed, and its length.
const FRAME: usize = 5;
/// What a byte that was sent, and what each thing in a message, may take in memory once it is
/// decoded.
const BYTES_PER_BYTE: usize = 4;
const BYTES_PER_THING: usize = 128;

/// How large a message of a caller without an account may be: what they send is small.
const OF_STRANGERS: usize = 64 << 10;

/// How the requests of a call are read.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    pub(super) method: &'static Method,
    /// How large a message may be, also once it is inflated.
    pub(super) most: usize,
    /// How messages are compressed that are.
    encoding: Option<Encoding>,
}

impl Reading {
    /// How the requests of a call are read, by its headers. Whoever answers it gets its messages as
    /// they were.
    pub(super) fn new(
        method: &'static Method,
        headers: &mut HeaderMap,
        most: usize,
        is_known: bool,
    ) -> Result<Self, Failure> {
        let encoding = compression::of_request(headers)?;
        let most = if is_known { most } else { most.min(OF_STRANGERS) };
        Ok(Self { method, most, encoding })
    }

    /// A framed message as it was before it was compressed.
    fn plain(&self, framed: Bytes, charge: &mut Charge) -> Result<Bytes, Failure> {
        if framed.first() != Some(&1) {
            return Ok(framed);
        }
        let message = framed.get(FRAME..).unwrap_or_default();
        let message =
            compression::inflate(self.encoding, message, self.most, BYTES_PER_BYTE, charge)?;
        let mut plain = BytesMut::with_capacity(FRAME + message.len());
        plain.put_u8(0);
        plain.put_u32(u32::try_from(message.len()).unwrap_or(u32::MAX));
        plain.extend_from_slice(&message);
        Ok(plain.freeze())
    }
}

/// Reads how long the caller waits for the answer, as the gRPC protocol writes it: up to 8 digits and
/// a unit.
pub(super) fn time_limit(headers: &HeaderMap) -> Result<Option<Duration>, Failure> {
    const HEADER: &str = "grpc-timeout";
    let Some(value) = headers.get(HEADER) else { return Ok(None) };
    let limit = || {
        let text = value.to_str().ok()?;
        let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
        if digits.len() > 8 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let number: u64 = digits.parse().ok()?;
        Some(match unit {
            "H" => Duration::from_hours(number),
            "M" => Duration::from_mins(number),
            "S" => Duration::from_secs(number),
            "m" => Duration::from_millis(number),
            "u" => Duration::from_micros(number),
            "n" => Duration::from_nanos(number),
            _ => return None,
        })
    };
    limit().map(Some).ok_or_else(|| {
        let message = format!(
            "{HEADER}: is not a time. Send up to 8 digits and a unit: H, M, S, m, u or n, such as \
             500m."
        );
        Failure::field(HEADER, message)
    })
}

/// A request that was read.
pub(super) struct Request {
    pub(super) body: Body,
    /// What it takes in memory while it is worked on.
    pub(super) charge: Charge,
}

/// Reads the request of a call, or begins to read those of a stream. `length` is how long it is, as
/// far as it is known, also where it is refused: 0 for a stream of requests, which are read one by
/// one.
pub(super) async fn read(
    reading: Reading,
    body: Body,
    holding: &Arc<Holding>,
    length: &mut usize,
) -> Result<Request, Failure> {
    let mut charge = holding.charge();
    if reading.method.hears {
        let none = holding.charge();
        let checked = Checked { reading, inner: body, read: BytesMut::new(), charge };
        return Ok(Request { body: Body::new(checked), charge: none });
    }
    let whole = whole(body, FRAME + reading.most, &mut charge);
    let request = within(BODY_TIME, whole).await.ok_or_else(too_slow)??;
    *length = request.len();
    if request.is_empty() {
        return Ok(Request { body: Body::new(Full::new(request)), charge });
    }
    let framed = framed(&request, reading.most)?.ok_or_else(unreadable)?;
    if request.len() != FRAME + framed {
        return Err(unreadable());
    }
    if request.first() == Some(&1) {
        // Whatever comes of it, it may have been inflated as far as it may be.
        *length = reading.most;
    }
    let request = reading.plain(request, &mut charge)?;
    *length = request.len();
    check(reading.method, request.get(FRAME..).unwrap_or_default(), &mut charge)?;
    Ok(Request { body: Body::new(Full::new(request)), charge })
}

/// Reads all of a body.
async fn whole(mut body: Body, most: usize, charge: &mut Charge) -> Result<Bytes, Failure> {
    let (mut first, mut all) = (Bytes::new(), BytesMut::new());
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| broken_off())?.into_data() else { continue };
        let length = first.len() + all.len() + data.len();
        if length > most {
            return Err(too_large(most - FRAME));
        }
        charge.grow(data.len().saturating_mul(BYTES_PER_BYTE))?;
        // Most requests are one frame, which needs no copy.
        if length == data.len() {
            first = data;
        } else {
            if all.is_empty() {
                all.extend_from_slice(&std::mem::take(&mut first));
            }
            all.extend_from_slice(&data);
        }
    }
    Ok(if all.is_empty() { first } else { all.freeze() })
}

/// The length of the message that begins here, once it is there.
fn framed(read: &[u8], message_bytes: usize) -> Result<Option<usize>, Failure> {
    let Some((compressed, length)) = read.split_first_chunk::<1>() else { return Ok(None) };
    let Some((length, _)) = length.split_first_chunk::<4>() else { return Ok(None) };
    if compressed[0] > 1 {
        return Err(unreadable());
    }
    let length = u32::from_be_bytes(*length) as usize;
    if length > message_bytes { Err(too_large(message_bytes)) } else { Ok(Some(length)) }
}

/// Checks a message by the contract, and charges for what it grows to.
fn check(method: &Method, message: &[u8], charge: &mut Charge) -> Result<(), Failure> {
    let things = method.check(message)?;
    charge.grow(things.saturating_mul(BYTES_PER_THING))
}

fn too_slow() -> Failure {
    let message = format!("the request did not come within {} s", BODY_TIME.as_secs());
    Failure::new(ErrorReason::RateLimited, message).retry(Duration::from_secs(1))
}

pub(super) fn unreadable() -> Failure {
    Failure::field("", "the message could not be read: it is not of this call's type")
}

fn broken_off() -> Failure {
    Failure::field("", "the request broke off")
}

/// A stream of requests, each of which is passed on when it is whole and was checked.
struct Checked {
    reading: Reading,
    inner: Body,
    read: BytesMut,
    charge: Charge,
}

impl Checked {
    /// The next request, if it is whole.
    fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        let Some(length) = framed(&self.read, self.reading.most)? else { return Ok(None) };
        if self.read.len() < FRAME + length {
            return Ok(None);
        }
        let message = self.read.split_to(FRAME + length).freeze();
        let message = self.reading.plain(message, &mut self.charge)?;
        check(self.reading.method, message.get(FRAME..).unwrap_or_default(), &mut self.charge)?;
        Ok(Some(message))
    }

    fn add(&mut self, data: &[u8]) -> Result<(), Failure> {
        self.charge.grow(data.len().saturating_mul(BYTES_PER_BYTE))?;
        self.read.extend_from_slice(data);
        Ok(())
    }
}

impl http_body::Body for Checked {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        loop {
            if let Some(message) = self.next().map_err(Status::from)? {
                return Poll::Ready(Some(Ok(Frame::data(message))));
            }
            // What was passed on before has been heard.
            let unread = self.read.len().saturating_mul(BYTES_PER_BYTE);
            self.charge.set(unread).map_err(Status::from)?;
            let frame = std::task::ready!(Pin::new(&mut self.inner).poll_frame(context));
            match frame.transpose()?.map(Frame::into_data) {
                Some(Ok(data)) => self.add(&data).map_err(Status::from)?,
                Some(Err(_trailers)) => {}
                None if self.read.is_empty() => return Poll::Ready(None),
                None => {
                    self.read.clear();
                    return Poll::Ready(Some(Err(broken_off().into())));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Security S15: malformed times were ignored.
    #[test]
    fn the_time_of_a_call_is_read_as_the_protocol_writes_it() {
        let read = |text: &str| {
            let headers = [("grpc-timeout", text)].map(|(name, value)| {
                (
                    http::HeaderName::from_static(name),
                    http::HeaderValue::from_bytes(value.as_bytes()).unwrap(),
                )
            });
            time_limit(&headers.into_iter().collect()).map_err(|failure| failure.reason())
        };
        for (text, time) in [
            ("1n", Duration::from_nanos(1)),
            ("0S", Duration::ZERO),
            ("20u", Duration::from_micros(20)),
            ("500m", Duration::from_millis(500)),
            ("99999999H", Duration::from_hours(99_999_999)),
            ("2M", Duration::from_mins(2)),
        ] {
            assert_eq!(read(text), Ok(Some(time)), "{text}");
        }
        for text in ["", "1", "S", "-1S", "+1S", "1s", "1.5S", "123456789S", " 1S", "1 S", "\u{e9}"]
        {
            assert_eq!(read(text), Err(ErrorReason::InvalidField), "{text:?}");
        }
        assert_eq!(time_limit(&HeaderMap::new()).unwrap(), None);
    }
}
