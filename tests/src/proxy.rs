//! A TCP proxy that can cut, hold and restore connections.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Whole,
    /// Connections stay open and new connections are accepted, but no data passes.
    Held,
    Cut,
}

/// A proxy to a local port.
pub struct Proxy {
    address: SocketAddr,
    port_behind: u16,
    line: Arc<watch::Sender<Line>>,
}

impl Proxy {
    pub async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound port");
        let line = Arc::new(watch::Sender::new(Line::Whole));
        let state = line.clone();
        tokio::spawn(async move {
            while let Ok((from, _)) = listener.accept().await {
                if *state.borrow() != Line::Cut {
                    tokio::spawn(connect(from, port, state.subscribe()));
                }
            }
        });
        Self { address, port_behind: port, line }
    }

    pub fn proxied(&self, address: &str) -> String {
        address.replace(&format!(":{}/", self.port_behind), &format!(":{}/", self.address.port()))
    }

    pub fn cut(&self) {
        self.line.send_replace(Line::Cut);
    }

    pub fn hold(&self) {
        self.line.send_replace(Line::Held);
    }

    pub fn restore(&self) {
        self.line.send_replace(Line::Whole);
    }
}

async fn connect(from: TcpStream, port: u16, mut line: watch::Receiver<Line>) {
    let Ok(to) = TcpStream::connect(("127.0.0.1", port)).await else { return };
    if from.set_nodelay(true).is_err() || to.set_nodelay(true).is_err() {
        return;
    }
    let (here, there) = (from.into_split(), to.into_split());
    let (forth, back) = (line.clone(), line.clone());
    tokio::select! {
        () = pass(here.0, there.1, forth) => {}
        () = pass(there.0, here.1, back) => {}
        _ = line.wait_for(|line| *line == Line::Cut) => {}
    }
}

async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut line: watch::Receiver<Line>,
) {
    let mut bytes = vec![0; 16 << 10];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        if line.wait_for(|line| *line == Line::Whole).await.is_err()
            || to.write_all(&bytes[..count]).await.is_err()
        {
            return;
        }
    }
}
