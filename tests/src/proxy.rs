//! A TCP proxy whose line can be cut and mended.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A proxy to a port of this machine.
pub struct Proxy {
    address: SocketAddr,
    mended: Arc<watch::Sender<bool>>,
}

impl Proxy {
    /// A proxy to a port.
    pub async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound port");
        let mended = Arc::new(watch::Sender::new(true));
        let line = mended.clone();
        tokio::spawn(async move {
            while let Ok((mut from, _)) = listener.accept().await {
                let mut state = line.subscribe();
                if !*state.borrow() {
                    continue;
                }
                tokio::spawn(async move {
                    let Ok(mut to) = TcpStream::connect(("127.0.0.1", port)).await else { return };
                    tokio::select! {
                        _ = copy_bidirectional(&mut from, &mut to) => {}
                        _ = state.wait_for(|mended| !mended) => {}
                    }
                });
            }
        });
        Self { address, mended }
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Breaks all connections, and lets none be made.
    pub fn cut(&self) {
        self.mended.send_replace(false);
    }

    /// Lets connections be made again.
    pub fn mend(&self) {
        self.mended.send_replace(true);
    }
}
