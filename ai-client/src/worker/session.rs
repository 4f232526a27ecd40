//! One stream from Hello to its end.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use heliopause_connect::Engines;
use heliopause_proto::v1::automation_service_client::AutomationServiceClient;
use heliopause_proto::v1::work_request::Message as Say;
use heliopause_proto::v1::work_response::Message as Hear;
use heliopause_proto::v1::{LeaseRef, Welcome, WorkRequest, WorkResponse};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;
use tonic::{Status, Streaming};
use tonic_types::StatusExt as _;

use super::desk::{self, Desk, Job, Step};
use super::{End, Settings, Thinks, connect, stopped};

/// Messages that may wait for the engine to read them. More than all leases can have to say at
/// once, so a full queue means that the engine has stopped reading.
const OUTBOX: usize = 1024;
/// A view, its choices and the latest events of the largest game fit in this many times over.
const LARGEST_MESSAGE: usize = 16 << 20;
/// How long a stopping worker waits for the engine to take its leases back.
const FAREWELL: Duration = Duration::from_secs(2);
/// An engine that says nothing for so long hangs: it gives a sign of life every second. Where a
/// proxy stands between, its connection lives on and tells nothing.
const SILENCE: Duration = Duration::from_secs(4);
/// An engine that is well answers a Hello within this.
const AT_ONCE: Duration = Duration::from_secs(1);
/// How long an idle worker sleeps when nothing has to be renewed.
const IDLE: Duration = Duration::from_hours(1);

type Thought = (LeaseRef, Result<desk::Thought, String>);

/// Opens a stream and works until it ends or the worker shall stop.
pub(super) async fn work(settings: &Settings, stop: &mut watch::Receiver<bool>) -> End {
    let opened = tokio::select! {
        opened = open(settings) => opened,
        () = stopped(stop) => return End::Stopped,
    };
    match opened {
        Ok(Opened { outbox, inbox, engines, channel }) => tokio::select! {
            end = Session::new(settings, outbox).run(inbox, stop) => end,
            // Whoever waits at an engine that lost its database may wait for ever.
            () = engines.until_better_than(&channel) => {
                End::Lost { welcomed: true, why: "the engine does not serve at present, another \
                    one does".to_owned() }
            }
        },
        Err(error) => End::Lost { welcomed: false, why: in_short(&error) },
    }
}

/// A stream that was opened, and where it leads.
struct Opened {
    outbox: mpsc::Sender<WorkRequest>,
    inbox: Streaming<WorkResponse>,
    engines: Engines,
    channel: Channel,
}

/// Connects and says Hello.
async fn open(settings: &Settings) -> Result<Opened> {
    let authorization = connect::authorization(&settings.token_file)?;
    let engines = connect::engines(settings)?;
    let reached = engines.connect().await;
    let channel =
        reached.with_context(|| format!("cannot reach the engine at {}", settings.engines))?;
    let named = &settings.engines;
    // Behind a proxy the call may come to another engine than the one that was asked how it is. If
    // that one hangs, the next call comes to the next one.
    for patience in [AT_ONCE, SILENCE] {
        let (outbox, response) =
            match timeout(patience, greet(settings, channel.clone(), &authorization)).await {
                Ok(greeted) => greeted?,
                Err(_) => continue,
            };
        let refused =
            |status| anyhow::anyhow!("the engine at {named} refused the worker: {}", told(&status));
        return Ok(Opened { outbox, inbox: response.map_err(refused)?, engines, channel });
    }
    bail!("the engine at {named} says nothing")
}

type Greeted = (mpsc::Sender<WorkRequest>, Result<Streaming<WorkResponse>, Status>);

/// Opens a stream and says Hello.
async fn greet(
    settings: &Settings,
    channel: Channel,
    authorization: &MetadataValue<Ascii>,
) -> Result<Greeted> {
    let (outbox, outgoing) = mpsc::channel(OUTBOX);
    outbox
        .try_send(request(Say::Hello(settings.hello())))
        .context("the outbox is new and empty")?;
    let mut call = tonic::Request::new(ReceiverStream::new(outgoing));
    call.metadata_mut().insert("authorization", authorization.clone());
    let mut client =
        AutomationServiceClient::new(channel).max_decoding_message_size(LARGEST_MESSAGE);
    Ok((outbox, client.work(call).await.map(tonic::Response::into_inner)))
}

struct Session {
    desk: Desk,
    outbox: mpsc::Sender<WorkRequest>,
    thoughts: mpsc::UnboundedSender<Thought>,
    thought: mpsc::UnboundedReceiver<Thought>,
    thinks: Thinks,
    welcomed: bool,
}

/// Why the stream cannot go on.
type Lost = String;

impl Session {
    fn new(settings: &Settings, outbox: mpsc::Sender<WorkRequest>) -> Self {
        // Not more thoughts can wait here than decisions are taken at once.
        let (thoughts, thought) = mpsc::unbounded_channel();
        let desk = Desk::new(settings.find(), settings.concurrency);
        Self { desk, outbox, thoughts, thought, thinks: settings.thinks, welcomed: false }
    }

    async fn run(
        mut self,
        mut inbox: Streaming<WorkResponse>,
        stop: &mut watch::Receiver<bool>,
    ) -> End {
        let mut heard_at = Instant::now();
        loop {
            let renewal = self.desk.next_renewal().unwrap_or_else(|| Instant::now() + IDLE);
            let done = tokio::select! {
                () = stopped(stop) => return self.farewell(inbox).await,
                heard = inbox.message() => {
                    heard_at = Instant::now();
                    self.hear(heard)
                }
                () = tokio::time::sleep_until((heard_at + SILENCE).into()) => Err("the engine says \
                    nothing".to_owned()),
                Some((reference, result)) = self.thought.recv() => {
                    let step = self.desk.thought(reference, result);
                    self.take(step)
                }
                () = tokio::time::sleep_until(renewal.into()) => self.renew(),
            };
            if let Err(why) = done {
                return End::Lost { welcomed: self.welcomed, why };
            }
        }
    }

    fn hear(&mut self, heard: Result<Option<WorkResponse>, Status>) -> Result<(), Lost> {
        let message = match heard {
            Ok(Some(response)) => response.message,
            Ok(None) => return Err("the engine ended the stream".to_owned()),
            Err(status) => return Err(format!("lost the engine: {}", told(&status))),
        };
        let step = match message {
            Some(Hear::Welcome(welcome)) => {
                self.welcome(&welcome);
                None
            }
            Some(Hear::Lease(lease)) => self.desk.leased(lease, Instant::now()),
            Some(Hear::Accepted(accepted)) => {
                self.desk.accepted(&accepted);
                None
            }
            Some(Hear::Refused(refused)) => self.desk.refused(&refused),
            Some(Hear::Revoked(revoked)) => {
                self.desk.revoked(&revoked);
                None
            }
            // A lease that lasts longer changes nothing here: it is renewed in time again. A
            // message that is newer than this program asks nothing that it could do.
            Some(Hear::Renewed(_) | Hear::Heartbeat(_)) | None => None,
        };
        self.take(step)
    }

    fn welcome(&mut self, welcome: &Welcome) {
        self.welcomed = true;
        let told = welcome
            .lease_time
            .as_ref()
            .and_then(|time| u64::try_from(time.seconds).ok().zip(u32::try_from(time.nanos).ok()));
        if let Some((seconds, nanos)) = told {
            self.desk.welcomed(
                Duration::from_secs(seconds).saturating_add(Duration::from_nanos(nanos.into())),
            );
        }
        tracing::info!("connected: waiting for decisions");
    }

    fn take(&mut self, step: Option<Step>) -> Result<(), Lost> {
        match step {
            Some(Step::Say(say)) => self.say(say),
            Some(Step::Think(job)) => {
                self.think(job);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Thinks, on the blocking pool or in a task. A bot that panics costs its lease, nothing else.
    fn think(&self, job: Job) {
        let (reference, thoughts) = (job.reference, self.thoughts.clone());
        let thinking = match self.thinks {
            Thinks::Apart => tokio::task::spawn_blocking(move || job.run()),
            Thinks::Here(pause) => tokio::spawn(async move {
                tokio::time::sleep(pause).await;
                job.run()
            }),
        };
        tokio::spawn(async move {
            let result = thinking.await.unwrap_or_else(|_| Err("the bot failed".to_owned()));
            // Nobody listens any more when the stream was lost meanwhile.
            let _ = thoughts.send((reference, result));
        });
    }

    fn renew(&mut self) -> Result<(), Lost> {
        self.desk.renew(Instant::now()).into_iter().try_for_each(|say| self.say(say))
    }

    fn say(&self, say: Say) -> Result<(), Lost> {
        self.outbox.try_send(request(say)).map_err(|_| "the engine has stopped reading".to_owned())
    }

    /// Gives all leases back and waits a moment for the engine to hear it.
    async fn farewell(mut self, mut inbox: Streaming<WorkResponse>) -> End {
        let leases = self.desk.clear();
        tracing::info!("stopping; {} leases given back", leases.len());
        for say in leases {
            if self.say(say).is_err() {
                return End::Stopped;
            }
        }
        drop(self.outbox);
        let ended = async { while let Ok(Some(_)) = inbox.message().await {} };
        let _ = timeout(FAREWELL, ended).await;
        End::Stopped
    }
}

fn request(say: Say) -> WorkRequest {
    WorkRequest { message: Some(say) }
}

/// An error for a person: what was tried and what stood in its way, without the layers between
/// them.
fn in_short(error: &anyhow::Error) -> String {
    match error.chain().len() {
        1 => error.to_string(),
        _ => format!("{error}: {}", error.root_cause()),
    }
}

/// A status for a person, with the engine's own reason if it gave one.
fn told(status: &Status) -> String {
    match status.get_details_error_info() {
        Some(info) => format!("{} ({})", status.message(), info.reason),
        None if status.message().is_empty() => status.code().description().to_owned(),
        None => status.message().to_owned(),
    }
}
