//! A worker under the control of a test, to test leases without the AI client.

use heliopause_proto::v1::work_request::Message as Said;
use heliopause_proto::v1::work_response::Message as Say;
use heliopause_proto::v1::*;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, Streaming};

use crate::{Player, STARSHIPS, order_text};

/// A worker's stream.
pub struct Worker {
    says: mpsc::Sender<WorkRequest>,
    hears: Streaming<WorkResponse>,
}

impl Worker {
    /// Connects a worker that plays every profile of Starships at Large at every level.
    pub async fn attach(account: &Player, capacity: u32) -> Result<Self, Status> {
        let profile = |name| Self::profile(STARSHIPS, name, &["random", "standard", "strong"]);
        Self::attach_as(account, capacity, vec![profile("captain"), profile("death-star")]).await
    }

    pub fn profile(kind: &str, profile: &str, levels: &[&str]) -> WorkerProfile {
        let levels = levels.iter().map(|&level| level.to_owned()).collect();
        WorkerProfile { kind: kind.to_owned(), profile: profile.to_owned(), levels }
    }

    /// Connects a worker that plays these profiles.
    pub async fn attach_as(
        account: &Player,
        capacity: u32,
        profiles: Vec<WorkerProfile>,
    ) -> Result<Self, Status> {
        let hello = Hello { worker: "by hand".to_owned(), profiles, capacity };
        let (says, requests) = mpsc::channel(64);
        says.send(WorkRequest { message: Some(Said::Hello(hello)) })
            .await
            .expect("room for the first message");
        let hears = account.automation().work(ReceiverStream::new(requests)).await?.into_inner();
        Ok(Self { says, hears })
    }

    /// Returns the next message other than heartbeats, the welcome, and lease extensions.
    pub async fn hear(&mut self) -> Result<Say, Status> {
        loop {
            match self.next().await? {
                Say::Welcome(_) | Say::Renewed(_) => {}
                message => return Ok(message),
            }
        }
    }

    /// Returns the next message other than heartbeats.
    pub async fn next(&mut self) -> Result<Say, Status> {
        loop {
            let response = self
                .hears
                .message()
                .await?
                .ok_or_else(|| Status::cancelled("the stream has ended"))?;
            match response.message {
                Some(Say::Heartbeat(_)) | None => {}
                Some(message) => return Ok(message),
            }
        }
    }

    pub async fn lease(&mut self) -> Lease {
        loop {
            if let Say::Lease(lease) = self.hear().await.expect("a stream that goes on") {
                return lease;
            }
        }
    }

    pub async fn say(&self, message: Said) {
        self.says.send(WorkRequest { message: Some(message) }).await.expect("the stream is open");
    }

    pub async fn answer(&self, lease: &Lease, text: &str) {
        let orders = order_text(text);
        let lease = lease.lease;
        self.say(Said::Answer(Answer { lease, orders, ..Answer::default() })).await;
    }
}
