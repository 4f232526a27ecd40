//! AutomationService: the stream of a worker.

use std::pin::Pin;

use futures_util::{FutureExt as _, StreamExt as _};
use heliopause_proto::v1::automation_service_server::AutomationService;
use heliopause_proto::v1::work_request::Message as Said;
use heliopause_proto::v1::work_response::Message as Say;
use heliopause_proto::v1::*;
use tokio::sync::{mpsc, oneshot};
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status, Streaming};

use super::caller;
use super::errors::{Failure, status};
use super::tables::Tables;
use crate::host::{Host, WorkerPass, timestamp};

/// How many messages wait for a worker before the server waits for it.
const MAILBOX: usize = 512;
/// A sign of life comes this often: a worker whose engine hangs behind a proxy has nothing else to
/// know it by.
const HEARTBEAT: std::time::Duration = std::time::Duration::from_secs(1);

/// The service.
pub(super) struct AutomationApi(pub(super) Tables);

#[tonic::async_trait]
impl AutomationService for AutomationApi {
    type WorkStream = Pin<Box<dyn Stream<Item = Result<WorkResponse, Status>> + Send>>;

    async fn work(
        &self,
        request: Request<Streaming<WorkRequest>>,
    ) -> Result<Response<Self::WorkStream>, Status> {
        // The gate has checked that the account is a worker's.
        let caller = caller(&request)?;
        let mut requests = request.into_inner();
        let first = requests.message().await?.and_then(|request| request.message);
        let Some(Said::Hello(hello)) = first else {
            return Err(Failure::field("message", "The first message must be a Hello.").into());
        };
        let (mailbox, responses) = mpsc::channel(MAILBOX);
        let automation = self.0.host.automation();
        let pass = automation.hire(&caller.player_id, &hello, mailbox.clone()).map_err(status)?;
        tracing::info!(worker = hello.worker, capacity = hello.capacity, "a worker has come");
        let host = self.0.host.clone();
        let (ended, ending) = oneshot::channel();
        tokio::spawn(async move {
            let heard = tokio::select! {
                heard = listen(&host, &pass, requests, &mailbox) => heard,
                () = mailbox.closed() => Ok(()),
                () = host.drained() => {
                    Err(Failure::new(ErrorReason::Draining, "the server is stopping; connect anew").into())
                }
            };
            if let Err(status) = heard {
                // Nobody may be there any more to be told.
                drop(ended.send(Err(status)));
            }
            tracing::info!(worker = hello.worker, "a worker is gone");
        });
        // What comes last is why the stream was ended, where there is a reason.
        let ending = ending.into_stream().filter_map(|ending| std::future::ready(ending.ok()));
        Ok(Response::new(Box::pin(ReceiverStream::new(responses).map(Ok).chain(ending))))
    }
}

/// Hears what a worker says until it ends, or says something that cannot be read.
async fn listen(
    host: &Host,
    pass: &WorkerPass,
    mut requests: Streaming<WorkRequest>,
    mailbox: &mpsc::Sender<WorkResponse>,
) -> Result<(), Status> {
    let mut heartbeat = tokio::time::interval(HEARTBEAT);
    loop {
        let response = tokio::select! {
            _ = heartbeat.tick() => {
                let time = Some(timestamp(host.now()));
                Some(WorkResponse { message: Some(Say::Heartbeat(Heartbeat { time })) })
            }
            heard = requests.message() => match heard? {
                Some(request) => hear(pass, request).await?,
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

async fn hear(pass: &WorkerPass, request: WorkRequest) -> Result<Option<WorkResponse>, Status> {
    let Some(message) = request.message else { return Ok(None) };
    match message {
        Said::Answer(answer) => {
            pass.answer(answer).await;
            Ok(None)
        }
        Said::Renew(renew) => Ok(Some(pass.renew(renew.lease).await)),
        Said::GiveBack(given_back) => {
            pass.give_back(&given_back);
            Ok(None)
        }
        Said::Hello(_) => {
            Err(Failure::field("hello", "Only the first message is a Hello: open another stream.")
                .into())
        }
    }
}
