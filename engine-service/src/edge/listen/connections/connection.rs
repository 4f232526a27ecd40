//! A client connection. It yields to other connections, and closes when idle or stalled.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, Sleep};
use tonic::transport::server::Connected;

use super::Timeouts;
use super::peer::Peer;
use crate::edge::limits::{self, Owed};
use crate::edge::listen::protocols::PortProtocol;
use crate::edge::listen::sockets::Socket;

/// The number of bytes read from a connection before it yields. Reading small frames can cost as
/// much as many calls.
pub(super) const TURN: usize = 8 << 10;
const PART: usize = 1 << 10;
/// The bytes read without a pause: the headers that identify the caller, and a TLS handshake.
const HANDSHAKE_BYTES: usize = 1 << 10;
const TLS_HANDSHAKE_BYTES: usize = 4 << 10;

#[derive(Debug)]
pub(crate) struct Connection {
    stream: Socket,
    peer: Peer,
    timeouts: Timeouts,
    check_timer: Pin<Box<Sleep>>,
    protocol_check: ProtocolCheck,
    turn: usize,
    pause: Option<Pin<Box<Sleep>>>,
    handshake_bytes: usize,
    /// The slot that the connection occupies, and the guard that counts the connection for its
    /// address.
    slot: (OwnedSemaphorePermit, Option<limits::Connected>),
}

impl Connection {
    pub(super) fn new(
        stream: Socket,
        peer: Peer,
        timeouts: Timeouts,
        slot: (OwnedSemaphorePermit, Option<limits::Connected>),
        speaks: PortProtocol,
        wait: Option<Duration>,
    ) -> Self {
        metrics::gauge!("heliopause_connections").increment(1.0);
        let check_timer = Box::pin(tokio::time::sleep(timeouts.idle_timeout));
        let handshake_bytes = match speaks {
            PortProtocol::Plain => HANDSHAKE_BYTES,
            PortProtocol::Tls => TLS_HANDSHAKE_BYTES,
        };
        let protocol_check = ProtocolCheck::Unknown(speaks);
        let pause = wait.map(|wait| Box::pin(tokio::time::sleep(wait)));
        Self {
            stream,
            peer,
            timeouts,
            check_timer,
            protocol_check,
            turn: 0,
            pause,
            handshake_bytes,
            slot,
        }
    }

    /// Counts received bytes that are not yet assigned to a call. Returns an error, which closes
    /// the connection, if they exceed the budget.
    fn count(&mut self, bytes: usize) -> io::Result<()> {
        let Some(counted) = &mut self.slot.1 else { return Ok(()) };
        if self.peer.is_calling() {
            counted.clear();
            return Ok(());
        }
        if counted.take(bytes) { Ok(()) } else { Err(io::ErrorKind::OutOfMemory.into()) }
    }

    fn read_in_turn(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.turn >= TURN {
            self.turn = 0;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        ready!(self.wait(context));
        let is_anonymous = !self.peer.is_known();
        let before = buffer.filled().len();
        let read = if is_anonymous {
            self.read_part(context, buffer)
        } else {
            Pin::new(&mut self.stream).poll_read(context, buffer)
        };
        if read.is_pending() {
            self.turn = 0;
        }
        ready!(read)?;
        let bytes = buffer.filled().len() - before;
        self.turn += bytes;
        if is_anonymous {
            self.pause_after(bytes)?;
        }
        self.count(bytes)?;
        Poll::Ready(Ok(()))
    }

    /// Sets the pause before the next read. Returns an error, which closes the connection, if the
    /// pause would be too long.
    fn pause_after(&mut self, bytes: usize) -> io::Result<()> {
        let owed = self
            .slot
            .1
            .as_ref()
            .map_or(Owed::Nothing, |counted| counted.read_anonymous(bytes as u32));
        let in_handshake = self.handshake_bytes > 0;
        self.handshake_bytes = self.handshake_bytes.saturating_sub(bytes);
        match owed {
            Owed::Nothing => {}
            // A new client must be able to identify itself despite floods from its address.
            Owed::For(_) | Owed::TooMuch if in_handshake => {}
            Owed::For(pause) => self.pause = Some(Box::pin(tokio::time::sleep(pause))),
            Owed::TooMuch => return Err(io::ErrorKind::QuotaExceeded.into()),
        }
        Ok(())
    }

    fn read_part(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let room = buffer.remaining().min(PART);
        let mut part = ReadBuf::new(buffer.initialize_unfilled_to(room));
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut part))?;
        let bytes = part.filled().len();
        buffer.advance(bytes);
        Poll::Ready(Ok(()))
    }

    fn wait(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if let Some(pause) = &mut self.pause {
            if !self.peer.is_known() {
                ready!(pause.as_mut().poll(context));
            }
            self.pause = None;
        }
        Poll::Ready(())
    }

    /// Returns an error, which closes the connection, if the connection was idle or stalled for too
    /// long, or if its slot is needed.
    fn check_time(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if self.peer.is_evicted(context) {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        while self.check_timer.as_mut().poll(context).is_ready() {
            if !self.peer.has_made_call() || self.peer.is_stalled(self.timeouts.stall_timeout) {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.check_timer.as_mut().reset(Instant::now() + self.timeouts.stall_timeout / 6);
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug)]
enum ProtocolCheck {
    Unknown(PortProtocol),
    Passed,
    /// The client was sent an error. The server still reads the client's data, because a reset
    /// would discard the error.
    Rejected,
}

impl Connection {
    fn check_protocol(&mut self, first: &[u8], speaks: PortProtocol, context: &mut Context<'_>) {
        self.protocol_check = match speaks.error_for(first) {
            None => ProtocolCheck::Passed,
            Some(told) => {
                // The error always fits into a new connection's buffer, so one write is enough.
                let _ = Pin::new(&mut self.stream).poll_write(context, &told);
                let _ = Pin::new(&mut self.stream).poll_shutdown(context);
                ProtocolCheck::Rejected
            }
        };
    }

    fn discard_rest(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            let mut bytes = [0; 1_024];
            let mut buffer = ReadBuf::new(&mut bytes);
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
            if buffer.filled().is_empty() {
                return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
            }
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        metrics::gauge!("heliopause_connections").decrement(1.0);
    }
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer.clone()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check_time(context)?;
        let read = buffer.filled().len();
        match self.protocol_check {
            ProtocolCheck::Passed => return self.read_in_turn(context, buffer),
            ProtocolCheck::Rejected => return self.discard_rest(context),
            ProtocolCheck::Unknown(speaks) => {
                ready!(self.read_in_turn(context, buffer))?;
                self.check_protocol(&buffer.filled()[read..], speaks, context);
            }
        }
        if matches!(self.protocol_check, ProtocolCheck::Rejected) {
            buffer.set_filled(read);
            return self.discard_rest(context);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check_time(context)?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
