//! A worker that answers by hand, to test leases without the AI client.

use heliopause_proto::v1::work_request::Message as Said;
use heliopause_proto::v1::work_response::Message as Say;
use heliopause_proto::v1::*;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, Streaming};

use crate::{Player, STARSHIPS};

/// A worker's stream.
pub struct Worker {
    says: mpsc::Sender<WorkRequest>,
    hears: Streaming<WorkResponse>,
}

impl Worker {
    /// A worker that plays every profile of the game at every level.
    pub async fn hire(account: &Player, capacity: u32) -> Result<Self, Status> {
        let levels = || ["random", "standard", "strong"].map(str::to_owned).to_vec();
        let profile = |profile: &str| WorkerProfile {
            kind: STARSHIPS.to_owned(),
            profile: profile.to_owned(),
            levels: levels(),
        };
        let profiles = vec![profile("captain"), profile("death-star")];
        Self::hire_as(account, Hello { worker: "by hand".to_owned(), profiles, capacity }).await
    }

    /// A worker with a Hello of its own.
    pub async fn hire_as(account: &Player, hello: Hello) -> Result<Self, Status> {
        let (says, requests) = mpsc::channel(64);
        says.send(WorkRequest { message: Some(Said::Hello(hello)) })
            .await
            .expect("room for the first message");
        let hears = account.automation().work(ReceiverStream::new(requests)).await?.into_inner();
        Ok(Self { says, hears })
    }

    /// The next message but signs of life, the welcome, and that a lease lasts longer.
    pub async fn hear(&mut self) -> Result<Say, Status> {
        loop {
            let response = self
                .hears
                .message()
                .await?
                .ok_or_else(|| Status::cancelled("the stream has ended"))?;
            match response.message {
                Some(Say::Heartbeat(_) | Say::Welcome(_) | Say::Renewed(_)) | None => {}
                Some(message) => return Ok(message),
            }
        }
    }

    /// The very next message but signs of life.
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

    /// Waits for a lease.
    pub async fn lease(&mut self) -> Lease {
        loop {
            if let Say::Lease(lease) = self.hear().await.expect("a stream that goes on") {
                return lease;
            }
        }
    }

    /// Says something.
    pub async fn say(&self, message: Said) {
        self.says.send(WorkRequest { message: Some(message) }).await.expect("the stream is open");
    }

    /// Answers a lease with orders as text.
    pub async fn answer(&self, lease: &Lease, text: &str) {
        let orders = Some(Orders { text: text.to_owned(), ..Orders::default() });
        let lease = lease.lease;
        self.say(Said::Answer(Answer { lease, orders, ..Answer::default() })).await;
    }
}
