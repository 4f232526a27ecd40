//! The worker's side of one stream, from `Hello` to the end of the stream.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use heliopause_client::connect::Engines;
use heliopause_proto::v1::automation_service_client::AutomationServiceClient;
use heliopause_proto::v1::work_request::Message as ToEngine;
use heliopause_proto::v1::work_response::Message as FromEngine;
use heliopause_proto::v1::{LeaseRef, Welcome, WorkRequest, WorkResponse};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;
use tonic::{Status, Streaming};
use tonic_types::StatusExt as _;

use super::lease_table::{self, Job, LeaseTable, Step};
use super::{BotExecutor, End, Settings, connect, stopped};

/// Maximum number of queued messages. The maximum number of leases needs fewer, so a full queue
/// means that the engine stopped reading.
const OUTBOX_CAPACITY: usize = 1024;
/// Maximum message size, far above that of any lease.
const MAX_MESSAGE_BYTES: usize = 16 << 20;
/// Timeout for sending the returned leases when the worker stops.
const FAREWELL_TIMEOUT: Duration = Duration::from_secs(2);
/// Time without a message after which an engine counts as hung. Engines send a heartbeat every
/// second. An open connection proves nothing, because a proxy may keep it open.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(4);
/// Time for the first response to a Hello. A healthy engine needs less.
const HELLO_TIMEOUT: Duration = Duration::from_secs(1);
const IDLE_SLEEP: Duration = Duration::from_hours(1);

type JobResult = (LeaseRef, Result<lease_table::JobResult, String>);

pub(super) async fn work(settings: &Settings, stop: &mut watch::Receiver<bool>) -> End {
    let opened = tokio::select! {
        opened = open(settings) => opened,
        () = stopped(stop) => return End::Stopped,
    };
    match opened {
        Ok(Opened { outbox, inbox, engines, channel }) => tokio::select! {
            end = Session::new(settings, outbox).run(inbox, stop) => end,
            // Otherwise a worker could wait forever for an engine that lost its database.
            () = engines.until_better_than(&channel) => {
                End::Lost { welcomed: true, why: "the engine is not serving; switching to another \
                    engine".to_owned() }
            }
        },
        Err(error) => End::Lost { welcomed: false, why: summarize_error(&error) },
    }
}

struct Opened {
    outbox: mpsc::Sender<WorkRequest>,
    inbox: Streaming<WorkResponse>,
    engines: Engines,
    channel: Channel,
}

async fn open(settings: &Settings) -> Result<Opened> {
    let authorization = connect::authorization(&settings.token_file)?;
    let engines = connect::engines(settings)?;
    let reached = engines.connect().await;
    let channel =
        reached.with_context(|| format!("cannot reach the engine at {}", settings.engines))?;
    let named = &settings.engines;
    // Behind a proxy, the call may reach another engine than the one that was checked. Try twice.
    for patience in [HELLO_TIMEOUT, SILENCE_TIMEOUT] {
        let (outbox, response) =
            match timeout(patience, send_hello(settings, channel.clone(), &authorization)).await {
                Ok(greeted) => greeted?,
                Err(_) => continue,
            };
        let refused = |status| {
            let why = describe_status(&status);
            anyhow::anyhow!("the engine at {named} rejected the worker: {why}")
        };
        return Ok(Opened { outbox, inbox: response.map_err(refused)?, engines, channel });
    }
    bail!("the engine at {named} does not respond")
}

type HelloSent = (mpsc::Sender<WorkRequest>, Result<Streaming<WorkResponse>, Status>);

async fn send_hello(
    settings: &Settings,
    channel: Channel,
    authorization: &MetadataValue<Ascii>,
) -> Result<HelloSent> {
    let (outbox, outgoing) = mpsc::channel(OUTBOX_CAPACITY);
    outbox
        .try_send(request(ToEngine::Hello(settings.hello())))
        .context("the outbox is new and empty")?;
    let mut call = tonic::Request::new(ReceiverStream::new(outgoing));
    call.metadata_mut().insert("authorization", authorization.clone());
    let mut client =
        AutomationServiceClient::new(channel).max_decoding_message_size(MAX_MESSAGE_BYTES);
    Ok((outbox, client.work(call).await.map(tonic::Response::into_inner)))
}

struct Session {
    lease_table: LeaseTable,
    outbox: mpsc::Sender<WorkRequest>,
    thoughts: mpsc::UnboundedSender<JobResult>,
    thought: mpsc::UnboundedReceiver<JobResult>,
    executor: BotExecutor,
    welcomed: bool,
}

type Lost = String;

impl Session {
    fn new(settings: &Settings, outbox: mpsc::Sender<WorkRequest>) -> Self {
        // The channel needs no bound, because each lease sends at most one result.
        let (thoughts, thought) = mpsc::unbounded_channel();
        let lease_table = LeaseTable::new(settings.find(), settings.concurrency);
        Self {
            lease_table,
            outbox,
            thoughts,
            thought,
            executor: settings.executor,
            welcomed: false,
        }
    }

    async fn run(
        mut self,
        mut inbox: Streaming<WorkResponse>,
        stop: &mut watch::Receiver<bool>,
    ) -> End {
        let mut heard_at = Instant::now();
        loop {
            let renewal =
                self.lease_table.next_renewal().unwrap_or_else(|| Instant::now() + IDLE_SLEEP);
            let done = tokio::select! {
                () = stopped(stop) => return self.farewell(inbox).await,
                heard = inbox.message() => {
                    heard_at = Instant::now();
                    self.handle_message(heard)
                }
                () = tokio::time::sleep_until((heard_at + SILENCE_TIMEOUT).into()) => Err("the \
                    engine stopped sending".to_owned()),
                Some((reference, result)) = self.thought.recv() => {
                    let step = self.lease_table.thought(reference, result);
                    self.take(step)
                }
                () = tokio::time::sleep_until(renewal.into()) => self.renew(),
            };
            if let Err(why) = done {
                return End::Lost { welcomed: self.welcomed, why };
            }
        }
    }

    fn handle_message(&mut self, heard: Result<Option<WorkResponse>, Status>) -> Result<(), Lost> {
        let message = match heard {
            Ok(Some(response)) => response.message,
            Ok(None) => return Err("the engine closed the stream".to_owned()),
            Err(status) => {
                let why = describe_status(&status);
                return Err(format!("lost the connection to the engine: {why}"));
            }
        };
        let step = match message {
            Some(FromEngine::Welcome(welcome)) => {
                self.welcome(&welcome);
                None
            }
            Some(FromEngine::Lease(lease)) => self.lease_table.leased(lease, Instant::now()),
            Some(FromEngine::Accepted(accepted)) => {
                self.lease_table.accepted(&accepted);
                None
            }
            Some(FromEngine::Refused(refused)) => self.lease_table.refused(&refused),
            Some(FromEngine::Revoked(revoked)) => {
                self.lease_table.revoked(&revoked);
                None
            }
            // Leases are renewed well before they end, so a longer lease changes nothing.
            Some(FromEngine::Renewed(_) | FromEngine::Heartbeat(_)) | None => None,
        };
        self.take(step)
    }

    fn welcome(&mut self, welcome: &Welcome) {
        self.welcomed = true;
        let lease_time = welcome
            .lease_time
            .as_ref()
            .and_then(|time| u64::try_from(time.seconds).ok().zip(u32::try_from(time.nanos).ok()));
        if let Some((seconds, nanos)) = lease_time {
            self.lease_table.welcomed(
                Duration::from_secs(seconds).saturating_add(Duration::from_nanos(nanos.into())),
            );
        }
        tracing::info!("connected: waiting for decisions");
    }

    fn take(&mut self, step: Option<Step>) -> Result<(), Lost> {
        match step {
            Some(Step::ToEngine(say)) => self.say(say),
            Some(Step::Think(job)) => {
                self.think(job);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Runs a job. A panic in a bot affects only its lease.
    fn think(&self, job: Job) {
        let (reference, thoughts) = (job.reference, self.thoughts.clone());
        let thinking = match self.executor {
            BotExecutor::BlockingPool => tokio::task::spawn_blocking(move || job.run()),
            BotExecutor::CurrentRuntime(pause) => tokio::spawn(async move {
                tokio::time::sleep(pause).await;
                job.run()
            }),
        };
        tokio::spawn(async move {
            let result = thinking.await.unwrap_or_else(|_| Err("the bot panicked".to_owned()));
            // The receiver is gone if the stream was lost.
            let _ = thoughts.send((reference, result));
        });
    }

    fn renew(&mut self) -> Result<(), Lost> {
        self.lease_table.renew(Instant::now()).into_iter().try_for_each(|say| self.say(say))
    }

    fn say(&self, say: ToEngine) -> Result<(), Lost> {
        self.outbox.try_send(request(say)).map_err(|_| "the engine stopped reading".to_owned())
    }

    async fn farewell(mut self, mut inbox: Streaming<WorkResponse>) -> End {
        let leases = self.lease_table.clear();
        tracing::info!("stopping; leases returned: {}", leases.len());
        for say in leases {
            if self.say(say).is_err() {
                return End::Stopped;
            }
        }
        drop(self.outbox);
        let ended = async { while let Ok(Some(_)) = inbox.message().await {} };
        let _ = timeout(FAREWELL_TIMEOUT, ended).await;
        End::Stopped
    }
}

fn request(say: ToEngine) -> WorkRequest {
    WorkRequest { message: Some(say) }
}

/// Formats an error as its outermost context and its root cause.
fn summarize_error(error: &anyhow::Error) -> String {
    match error.chain().len() {
        1 => error.to_string(),
        _ => format!("{error}: {}", error.root_cause()),
    }
}

fn describe_status(status: &Status) -> String {
    match status.get_details_error_info() {
        Some(info) => format!("{} ({})", status.message(), info.reason),
        None if status.message().is_empty() => status.code().description().to_owned(),
        None => status.message().to_owned(),
    }
}
