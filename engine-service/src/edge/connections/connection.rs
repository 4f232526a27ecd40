//! One connection: reads in turn with the others, ends if it says nothing or reads nothing, and
//! turns away whoever speaks another protocol.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, Sleep};
use tonic::transport::server::Connected;

use super::Patience;
use super::peer::Peer;
use crate::edge::limits::{self, Owed};
use crate::edge::protocols::Speaks;
use crate::edge::sockets::Socket;

/// How much of one connection is read before others have their turn: a flood of small frames is as
/// much work as many calls.
pub(super) const TURN: usize = 8 << 10;
/// How much is read at once of a connection on which nobody is known yet.
const PART: usize = 1 << 10;
/// How much of it is read without waiting, for it holds what makes a caller known: the head of a
/// call, and a TLS handshake before it.
const INTRODUCTION: usize = 1 << 10;
const INTRODUCTION_OF_TLS: usize = 4 << 10;

/// A connection, which ends if it says nothing or reads nothing.
#[derive(Debug)]
pub(in crate::edge) struct Connection {
    stream: Socket,
    peer: Peer,
    patience: Patience,
    look: Pin<Box<Sleep>>,
    manner: Manner,
    /// How much was read in this turn.
    turn: usize,
    /// How long nothing is read of it, as long as nobody is known on it.
    pause: Option<Pin<Box<Sleep>>>,
    /// How much of it is read yet without waiting.
    introduction: usize,
    /// What it takes of the server's connections, and of its address'.
    place: (OwnedSemaphorePermit, Option<limits::Connected>),
}

impl Connection {
    pub(super) fn new(
        stream: Socket,
        peer: Peer,
        patience: Patience,
        place: (OwnedSemaphorePermit, Option<limits::Connected>),
        speaks: Speaks,
        wait: Option<Duration>,
    ) -> Self {
        stream.send_at_once();
        metrics::gauge!("heliopause_connections").increment(1.0);
        let look = Box::pin(tokio::time::sleep(patience.silence));
        let introduction = match speaks {
            Speaks::Plain => INTRODUCTION,
            Speaks::Tls => INTRODUCTION_OF_TLS,
        };
        let manner = Manner::Awaited(speaks);
        let pause = wait.map(|wait| Box::pin(tokio::time::sleep(wait)));
        Self { stream, peer, patience, look, manner, turn: 0, pause, introduction, place }
    }

    /// Counts what has come, or ends the connection if there is no room for it.
    fn count(&mut self, bytes: usize) -> io::Result<()> {
        let Some(counted) = &mut self.place.1 else { return Ok(()) };
        if self.peer.is_calling() {
            counted.clear();
            return Ok(());
        }
        if counted.take(bytes) { Ok(()) } else { Err(io::ErrorKind::OutOfMemory.into()) }
    }

    /// Reads what has come, and lets others have their turn when that was much.
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
        let stranger = !self.peer.is_known();
        let before = buffer.filled().len();
        let read = if stranger {
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
        if stranger {
            self.pause_after(bytes)?;
        }
        self.count(bytes)?;
        Poll::Ready(Ok(()))
    }

    /// Lets somebody whom nobody knows wait for what they sent. Whoever floods is not waited for.
    fn pause_after(&mut self, bytes: usize) -> io::Result<()> {
        let owed = self
            .place
            .1
            .as_ref()
            .map_or(Owed::Nothing, |counted| counted.read_of_stranger(bytes as u32));
        let introduces = self.introduction > 0;
        self.introduction = self.introduction.saturating_sub(bytes);
        match owed {
            Owed::Nothing => {}
            // Whoever comes anew from the address of a flood can say who they are.
            Owed::For(_) | Owed::TooMuch if introduces => {}
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

    /// Waits for the turn of somebody whom nobody knows, until somebody is known.
    fn wait(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if let Some(pause) = &mut self.pause {
            if !self.peer.is_known() {
                ready!(pause.as_mut().poll(context));
            }
            self.pause = None;
        }
        Poll::Ready(())
    }

    /// Ends the connection if it was silent, or stood still, for too long, or has to make room.
    fn check_time(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if self.peer.is_ousted(context) {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        while self.look.as_mut().poll(context).is_ready() {
            if !self.peer.was_heard() || self.peer.stands_still(self.patience.standstill) {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.look.as_mut().reset(Instant::now() + self.patience.standstill / 6);
        }
        Ok(())
    }
}

/// Whether the other end speaks what this end does.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// It has said nothing yet.
    Awaited(Speaks),
    /// It does.
    Right,
    /// It does not, and was told so. What it still sends is read, or the system would take back
    /// what it was told.
    TurnedAway,
}

impl Connection {
    /// Looks at the first bytes that were read. Whoever speaks something else is told so; its bytes
    /// go no further.
    fn look_at(&mut self, first: &[u8], speaks: Speaks, context: &mut Context<'_>) {
        self.manner = match speaks.correct(first) {
            None => Manner::Right,
            Some(told) => {
                // So little always has room in a new connection; who does not read it has lost
                // nothing.
                let _ = Pin::new(&mut self.stream).poll_write(context, &told);
                let _ = Pin::new(&mut self.stream).poll_shutdown(context);
                Manner::TurnedAway
            }
        };
    }

    /// Reads to the end what is meant for another port.
    fn read_away(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
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
        match self.manner {
            Manner::Right => return self.read_in_turn(context, buffer),
            Manner::TurnedAway => return self.read_away(context),
            Manner::Awaited(speaks) => {
                ready!(self.read_in_turn(context, buffer))?;
                self.look_at(&buffer.filled()[read..], speaks, context);
            }
        }
        if matches!(self.manner, Manner::TurnedAway) {
            buffer.set_filled(read);
            return self.read_away(context);
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
