//! Real AI workers on the simulated network.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use heliopause_ai::bot::Level;
use heliopause_ai::games;
use heliopause_ai::worker::{self, BotExecutor, Plays, Settings, Tls};
use heliopause_client::connect::{Addresses, Engines};
use heliopause_proto::v1::automation_service_client::AutomationServiceClient;
use heliopause_proto::v1::work_request::Message as Say;
use heliopause_proto::v1::{WorkRequest, WorkResponse};
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;
use tokio::time::sleep;
use tokio_stream::wrappers::ReceiverStream;

use crate::net::{self, Net, Node};
use crate::plan::ENGINE;
use crate::traced;

/// The machine of a worker.
pub struct WorkerMachine {
    pub node: Node,
    net: Net,
    settings: Settings,
    working: Mutex<Option<(AbortHandle, watch::Sender<bool>)>>,
}

impl WorkerMachine {
    pub fn new(
        node: Node,
        net: Net,
        engines: u8,
        token_file: &Path,
        thinking_time: u64,
    ) -> Arc<Self> {
        let levels: worker::Levels = [Level::Random, Level::Standard].into_iter().collect();
        let plays = games::all()
            .flat_map(|adapter| {
                adapter.profiles().iter().map(move |&profile| Plays { adapter, profile, levels })
            })
            .collect();
        let address = |index| net::address(node, ENGINE + index).to_string();
        let addresses = (0..engines).map(|index| address(index).parse().expect("it is one"));
        let settings = Settings {
            engines: Addresses::new(addresses.collect()).expect("there are engines"),
            token_file: token_file.to_owned(),
            tls: Tls::default(),
            name: format!("worker {node}"),
            concurrency: 4,
            plays,
            dial: net.dialler(node),
            executor: BotExecutor::CurrentRuntime(Duration::from_millis(thinking_time)),
        };
        Arc::new(Self { node, net, settings, working: Mutex::new(None) })
    }

    pub fn start(&self) {
        traced!("worker {} begins", self.node);
        let (stop, stopped) = watch::channel(false);
        let settings = self.settings.clone();
        let working = tokio::spawn(async move { worker::run(&settings, stopped).await });
        let old = self.replace(Some((working.abort_handle(), stop)));
        debug_assert!(old.is_none(), "one worker at a desk");
    }

    fn replace(
        &self,
        by: Option<(AbortHandle, watch::Sender<bool>)>,
    ) -> Option<(AbortHandle, watch::Sender<bool>)> {
        std::mem::replace(&mut *self.working.lock().unwrap_or_else(PoisonError::into_inner), by)
    }

    /// Accepts leases and never answers them, until the end of the run. The connection stays open.
    pub async fn stay_silent(self: Arc<Self>, token: String) {
        loop {
            traced!("worker {} stays silent", self.node);
            if let Some(mut inbox) = self.greet(&token).await {
                while let Ok(Some(_)) = inbox.message().await {}
            }
            sleep(Duration::from_secs(1)).await;
        }
    }

    async fn greet(&self, token: &str) -> Option<tonic::Streaming<WorkResponse>> {
        let endpoints = self.settings.engines.endpoints(None).expect("no certificate is wrong");
        let engines = Engines::new(endpoints).through(Arc::clone(&self.settings.dial));
        let channel = engines.connect().await.ok()?;
        let (outbox, outgoing) = mpsc::channel(1);
        outbox.send(WorkRequest { message: Some(Say::Hello(self.settings.hello())) }).await.ok()?;
        let silent = ReceiverStream::new(outgoing).chain(stream::pending());
        let mut call = tonic::Request::new(silent);
        let token = format!("Bearer {token}").parse().expect("a token is plain");
        call.metadata_mut().insert("authorization", token);
        Some(AutomationServiceClient::new(channel).work(call).await.ok()?.into_inner())
    }

    /// Kills the worker, or makes it hang without closing its connection.
    pub fn end(&self, hangs: bool) {
        let Some((working, _stop)) = self.replace(None) else { return };
        traced!("worker {} ends, hangs {hangs}", self.node);
        self.net.break_all(self.node, true, hangs);
        working.abort();
    }
}
