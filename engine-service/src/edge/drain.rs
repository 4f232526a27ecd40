//! How the server stops: first it says so and serves on, then it lets go whoever is connected.

use tokio::sync::watch;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
enum Phase {
    Serving,
    Draining,
    Closing,
}

/// The server's way from serving to stopping. It goes one way only.
#[derive(Clone, Debug)]
pub struct Drain(watch::Sender<Phase>);

impl Default for Drain {
    fn default() -> Self {
        Self(watch::Sender::new(Phase::Serving))
    }
}

impl Drain {
    /// Says from now on that the server is about to stop. It serves on, for whoever was not told
    /// yet.
    pub fn begin(&self) {
        self.advance(Phase::Draining);
    }

    /// Whether the server is about to stop.
    pub fn has_begun(&self) -> bool {
        *self.0.borrow() >= Phase::Draining
    }

    /// Resolves when the server is about to stop.
    pub async fn begun(&self) {
        self.reach(Phase::Draining).await;
    }

    /// Takes no more connections, ends streams, and asks those that are connected to go once they
    /// have been answered.
    pub(super) fn close(&self) {
        self.advance(Phase::Closing);
    }

    /// Resolves when streams and connections are to end.
    pub(super) async fn closing(&self) {
        self.reach(Phase::Closing).await;
    }

    fn advance(&self, to: Phase) {
        self.0.send_if_modified(|phase| {
            let forward = *phase < to;
            if forward {
                *phase = to;
            }
            forward
        });
    }

    async fn reach(&self, wanted: Phase) {
        let mut phase = self.0.subscribe();
        // The sender is alive as long as `self` is.
        let _ = phase.wait_for(|phase| *phase >= wanted).await;
    }
}

#[cfg(test)]
mod tests {
    use super::Drain;

    #[tokio::test]
    async fn it_goes_one_way_only() {
        let drain = Drain::default();
        assert!(!drain.has_begun());
        drain.close();
        assert!(drain.has_begun(), "what closes has begun to drain");
        drain.begin();
        drain.begun().await;
        drain.closing().await;
    }
}
