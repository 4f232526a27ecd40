//! AI workers: the real ones, on the simulated network.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use heliopause_ai::bot::Level;
use heliopause_ai::games;
use heliopause_ai::worker::{self, Plays, Settings, Thinks, Tls};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::net::{self, Net, Node};
use crate::plan::ENGINE;
use crate::traced;

/// Where a worker runs.
pub struct Desk {
    pub node: Node,
    net: Net,
    settings: Settings,
    working: Mutex<Option<(AbortHandle, watch::Sender<bool>)>>,
}

impl Desk {
    /// A desk of a worker that plays everything.
    pub fn new(node: Node, net: Net, engines: u8, token_file: &Path, thinks: u64) -> Arc<Self> {
        let levels: worker::Levels = [Level::Random, Level::Standard].into_iter().collect();
        let plays = games::all()
            .flat_map(|kit| {
                kit.profiles().iter().map(move |&profile| Plays { kit, profile, levels })
            })
            .collect();
        let addresses = (0..engines).map(|index| net::address(node, ENGINE + index));
        let settings = Settings {
            engines: addresses.map(|address| format!("http://{address}")).collect(),
            token_file: token_file.to_owned(),
            tls: Tls::default(),
            name: format!("worker {node}"),
            concurrency: 4,
            plays,
            dial: net.dialler(node),
            thinks: Thinks::Here(Duration::from_millis(thinks)),
        };
        Arc::new(Self { node, net, settings, working: Mutex::new(None) })
    }

    /// A worker begins.
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

    /// The worker dies; or hangs, and nobody learns it.
    pub fn end(&self, hangs: bool) {
        let Some((working, _stop)) = self.replace(None) else { return };
        traced!("worker {} ends, hangs {hangs}", self.node);
        self.net.break_all(self.node, true, hangs);
        working.abort();
    }
}
