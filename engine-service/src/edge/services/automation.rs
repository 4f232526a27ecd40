//! `AutomationService`: the streams on which workers get leases and send answers.

use std::pin::Pin;
use std::sync::Arc;

use futures_util::{FutureExt as _, StreamExt as _};
use heliopause_proto::v1::automation_service_server::AutomationService;
use heliopause_proto::v1::work_request::Message as Said;
use heliopause_proto::v1::work_response::Message as Say;
use heliopause_proto::v1::*;
use tokio::sync::{mpsc, oneshot};
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Streaming};

use super::tables::Tables;
use super::{Reply, Result};
use crate::edge::caller;
use crate::failure::{Failure, draining, status};
use crate::host::{Host, WorkerPass, timestamp};
use crate::tournaments::Tournaments;

/// The number of messages that are queued for a worker before the server waits.
const MAILBOX: usize = 512;
/// The heartbeat interval. Without heartbeats, a worker behind a proxy cannot detect a hanging
/// engine.
const HEARTBEAT: std::time::Duration = std::time::Duration::from_secs(1);

pub(crate) struct AutomationApi {
    pub(crate) tables: Tables,
    pub(crate) tournaments: Arc<Tournaments>,
}

#[tonic::async_trait]
impl AutomationService for AutomationApi {
    type WorkStream = Pin<Box<dyn Stream<Item = Result<WorkResponse>> + Send>>;

    async fn work(&self, request: Request<Streaming<WorkRequest>>) -> Reply<Self::WorkStream> {
        let caller = caller(&request)?;
        let mut requests = request.into_inner();
        let first = requests.message().await?.and_then(|request| request.message);
        let Some(Said::Hello(hello)) = first else {
            return Err(Failure::field("message", "The first message must be a Hello.").into());
        };
        let (mailbox, responses) = mpsc::channel(MAILBOX);
        let registered = self.tournaments.profiles_of(&caller.player_id).await?;
        let automation = self.tables.host.automation();
        let pass = automation
            .add_worker(&caller.player_id, &hello, &registered, mailbox.clone())
            .map_err(status)?;
        tracing::info!(worker = hello.worker, capacity = hello.capacity, "worker connected");
        let host = self.tables.host.clone();
        let (ended, ending) = oneshot::channel();
        tokio::spawn(async move {
            let received = tokio::select! {
                received = handle_requests(&host, &pass, requests, &mailbox) => received,
                () = mailbox.closed() => Ok(()),
                () = host.drained() => Err(status(draining())),
            };
            if let Err(status) = received {
                // Sending fails if the client has disconnected.
                drop(ended.send(Err(status)));
            }
            tracing::info!(worker = hello.worker, "worker disconnected");
        });
        // If the task above sent an error, the stream ends with this error.
        let ending = ending.into_stream().filter_map(|ending| std::future::ready(ending.ok()));
        Ok(Response::new(Box::pin(ReceiverStream::new(responses).map(Ok).chain(ending))))
    }
}

async fn handle_requests(
    host: &Host,
    pass: &WorkerPass,
    mut requests: Streaming<WorkRequest>,
    mailbox: &mpsc::Sender<WorkResponse>,
) -> Result<()> {
    let mut heartbeat = tokio::time::interval(HEARTBEAT);
    loop {
        let response = tokio::select! {
            _ = heartbeat.tick() => {
                let time = Some(timestamp(host.now()));
                Some(WorkResponse { message: Some(Say::Heartbeat(Heartbeat { time })) })
            }
            received = requests.message() => match received? {
                Some(request) => handle_request(pass, request).await?,
                None => return Ok(()),
            },
        };
        if let Some(response) = response
            && mailbox.send(response).await.is_err()
        {
            return Ok(());
        }
    }
}

async fn handle_request(pass: &WorkerPass, request: WorkRequest) -> Result<Option<WorkResponse>> {
    let Some(message) = request.message else { return Ok(None) };
    match message {
        Said::Answer(answer) => {
            pass.answer(answer).await;
            Ok(None)
        }
        Said::Renew(renew) => Ok(Some(pass.renew(renew.lease).await)),
        Said::Release(given_back) => {
            pass.give_back(&given_back);
            Ok(None)
        }
        Said::Hello(_) => Err(Failure::field(
            "hello",
            "Only the first message can be a Hello; open another stream.",
        )
        .into()),
    }
}
