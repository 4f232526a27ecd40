//! Reading requests. Bytes are charged, and messages are checked before decoding.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use heliopause_proto::v1::ErrorReason;
use http::HeaderMap;
use http_body::Frame;
use http_body_util::{BodyExt as _, Full};
use tokio::time::timeout;
use tonic::Status;
use tonic::body::Body;

use super::compression::{self, Encoding, PREFIX_BYTES, frame, too_large};
use super::methods::Method;
use crate::edge::limits::{CallGuard, Charge};
use crate::failure::{Failure, Result};

/// The maximum time from the headers of a request to the end of its body.
const BODY_TIME: Duration = Duration::from_secs(5);
/// The estimated memory of a decoded message: per byte received, and per element.
const BYTES_PER_BYTE: usize = 4;
const BYTES_PER_ELEMENT: usize = 128;

/// The message limit of anonymous callers, whose methods have small requests.
const ANONYMOUS_BYTES: usize = 64 << 10;

#[derive(Clone, Copy)]
pub(crate) struct Reading {
    pub(crate) method: &'static Method,
    /// The maximum message size, before and after inflation.
    pub(crate) most: usize,
    encoding: Option<Encoding>,
}

impl Reading {
    /// Removes the encoding header, because services receive inflated messages.
    pub(crate) fn new(
        method: &'static Method,
        headers: &mut HeaderMap,
        most: usize,
        is_known: bool,
    ) -> Result<Self> {
        let encoding = compression::of_request(headers)?;
        let most = if is_known { most } else { most.min(ANONYMOUS_BYTES) };
        Ok(Self { method, most, encoding })
    }

    fn plain(&self, framed: Bytes, charge: &mut Charge) -> Result<Bytes> {
        if framed.first() != Some(&1) {
            return Ok(framed);
        }
        let message = framed.get(PREFIX_BYTES..).unwrap_or_default();
        let message =
            compression::inflate(self.encoding, message, self.most, BYTES_PER_BYTE, charge)?;
        Ok(frame(false, &message))
    }
}

/// Parses the `grpc-timeout` header: up to 8 digits and a unit. Returns `None` without the header.
pub(crate) fn time_limit(headers: &HeaderMap) -> Result<Option<Duration>> {
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
            "{HEADER}: {value:?} is not a time; expected up to 8 digits and a unit (H, M, S, m, \
             u or n), such as 500m."
        );
        Failure::field(HEADER, message)
    })
}

pub(crate) struct Request {
    pub(crate) body: Body,
    pub(crate) charge: Charge,
}

/// Reads a request, or wraps a stream of requests. Sets `length` to the known size of the request,
/// even if the request is rejected. `length` stays 0 for a stream.
pub(crate) async fn read(
    reading: Reading,
    body: Body,
    holding: &Arc<CallGuard>,
    length: &mut usize,
) -> Result<Request> {
    let mut charge = holding.charge();
    if reading.method.streams_requests {
        let none = holding.charge();
        let checked = Checked { reading, inner: body, read: BytesMut::new(), charge };
        return Ok(Request { body: Body::new(checked), charge: none });
    }
    let whole = whole(body, PREFIX_BYTES + reading.most, &mut charge);
    let request = timeout(BODY_TIME, whole).await.map_err(|_| too_slow())??;
    *length = request.len();
    if request.is_empty() {
        return Ok(Request { body: Body::new(Full::new(request)), charge });
    }
    let framed = framed(&request, reading.most)?.ok_or_else(unreadable)?;
    if request.len() != PREFIX_BYTES + framed {
        return Err(unreadable());
    }
    if request.first() == Some(&1) {
        // Charge the maximum, because inflation may fail halfway.
        *length = reading.most;
    }
    let request = reading.plain(request, &mut charge)?;
    *length = request.len();
    check(reading.method, request.get(PREFIX_BYTES..).unwrap_or_default(), &mut charge)?;
    Ok(Request { body: Body::new(Full::new(request)), charge })
}

async fn whole(mut body: Body, most: usize, charge: &mut Charge) -> Result<Bytes> {
    let (mut first, mut all) = (Bytes::new(), BytesMut::new());
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| truncated())?.into_data() else { continue };
        let length = first.len() + all.len() + data.len();
        if length > most {
            return Err(too_large(most - PREFIX_BYTES));
        }
        charge.grow(data.len().saturating_mul(BYTES_PER_BYTE))?;
        // Most requests are one frame and need no copy.
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

fn framed(read: &[u8], message_bytes: usize) -> Result<Option<usize>> {
    let Some((compressed, length)) = read.split_first_chunk::<1>() else { return Ok(None) };
    let Some((length, _)) = length.split_first_chunk::<4>() else { return Ok(None) };
    if compressed[0] > 1 {
        return Err(unreadable());
    }
    let length = u32::from_be_bytes(*length) as usize;
    if length > message_bytes { Err(too_large(message_bytes)) } else { Ok(Some(length)) }
}

fn check(method: &Method, message: &[u8], charge: &mut Charge) -> Result<()> {
    let elements = method.check(message)?;
    charge.grow(elements.saturating_mul(BYTES_PER_ELEMENT))
}

fn too_slow() -> Failure {
    let seconds = BODY_TIME.as_secs();
    let message = format!("The request did not arrive within {seconds} s; send it again.");
    Failure::new(ErrorReason::RateLimited, message).retry(Duration::from_secs(1))
}

pub(crate) fn unreadable() -> Failure {
    Failure::field("", "The message does not have the request type of this call.")
}

fn truncated() -> Failure {
    Failure::field("", "The request is incomplete; send it again.")
}

struct Checked {
    reading: Reading,
    inner: Body,
    read: BytesMut,
    charge: Charge,
}

impl Checked {
    fn next(&mut self) -> Result<Option<Bytes>> {
        let Some(length) = framed(&self.read, self.reading.most)? else { return Ok(None) };
        if self.read.len() < PREFIX_BYTES + length {
            return Ok(None);
        }
        let message = self.read.split_to(PREFIX_BYTES + length).freeze();
        let message = self.reading.plain(message, &mut self.charge)?;
        check(
            self.reading.method,
            message.get(PREFIX_BYTES..).unwrap_or_default(),
            &mut self.charge,
        )?;
        Ok(Some(message))
    }

    fn add(&mut self, data: &[u8]) -> Result<()> {
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
            // Charge only the unread bytes: the service has already received the earlier messages.
            let unread = self.read.len().saturating_mul(BYTES_PER_BYTE);
            self.charge.set(unread).map_err(Status::from)?;
            let frame = std::task::ready!(Pin::new(&mut self.inner).poll_frame(context));
            match frame.transpose()?.map(Frame::into_data) {
                Some(Ok(data)) => self.add(&data).map_err(Status::from)?,
                Some(Err(_trailers)) => {}
                None if self.read.is_empty() => return Poll::Ready(None),
                None => {
                    self.read.clear();
                    return Poll::Ready(Some(Err(truncated().into())));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Security S15: malformed timeouts were ignored.
    #[test]
    fn grpc_timeout_header_is_parsed() {
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
