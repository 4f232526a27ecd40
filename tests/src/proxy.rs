//! A TCP proxy whose line can be cut, held, and mended.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Whole,
    /// Connections stay and can be made, but nothing comes through.
    Held,
    Cut,
}

/// A proxy to a port of this machine.
pub struct Proxy {
    address: SocketAddr,
    port_behind: u16,
    line: Arc<watch::Sender<Line>>,
}

impl Proxy {
    /// A proxy to a port.
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

    /// An address behind the proxy, by way of the proxy.
    pub fn on_the_way_to(&self, address: &str) -> String {
        address.replace(&format!(":{}/", self.port_behind), &format!(":{}/", self.address.port()))
    }

    /// Breaks all connections, and lets none be made.
    pub fn cut(&self) {
        self.line.send_replace(Line::Cut);
    }

    /// Lets nothing through, and breaks nothing: whoever is behind it seems to hang.
    pub fn hold(&self) {
        self.line.send_replace(Line::Held);
    }

    /// Lets everything through again, and connections be made.
    pub fn mend(&self) {
        self.line.send_replace(Line::Whole);
    }
}

async fn connect(from: TcpStream, port: u16, mut line: watch::Receiver<Line>) {
    let Ok(to) = TcpStream::connect(("127.0.0.1", port)).await else { return };
    // What is behind the proxy must not seem slower than it is.
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

/// Passes on what comes, one way, until somebody hangs up.
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
