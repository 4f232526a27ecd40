//! Server shutdown in two steps: the server announces that it will stop, and later closes.

use tokio::sync::watch;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
enum Phase {
    Serving,
    Draining,
    NotServing,
    Closing,
}

/// The shutdown state of the server. It never returns to an earlier phase.
#[derive(Clone, Debug)]
pub struct Drain(watch::Sender<Phase>);

impl Default for Drain {
    fn default() -> Self {
        Self(watch::Sender::new(Phase::Serving))
    }
}

impl Drain {
    /// Announces that the server will stop soon. The server keeps serving in the meantime.
    pub fn begin(&self) {
        self.advance(Phase::Draining);
    }

    pub fn has_begun(&self) -> bool {
        *self.0.borrow() >= Phase::Draining
    }

    pub async fn begun(&self) {
        self.reach(Phase::Draining).await;
    }

    /// Records that the health checks report the shutdown.
    pub(crate) fn announce(&self) {
        self.advance(Phase::NotServing);
    }

    pub(crate) async fn announced(&self) {
        self.reach(Phase::NotServing).await;
    }

    /// Stops accepting connections, ends streams, and disconnects clients after the last response.
    pub(crate) fn close(&self) {
        self.advance(Phase::Closing);
    }

    pub(crate) async fn closing(&self) {
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
    async fn shutdown_state_only_moves_forward() {
        let drain = Drain::default();
        assert!(!drain.has_begun());
        drain.close();
        assert!(drain.has_begun(), "what closes has begun to drain");
        drain.begin();
        drain.begun().await;
        drain.closing().await;
    }
}
