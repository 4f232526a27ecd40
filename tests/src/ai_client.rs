//! The AI client, started as a process.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::{Engine, binary};

/// An AI client that plays every automated seat of an engine. Dropping it kills the process.
#[derive(Debug)]
pub struct AiClient(Child);

impl AiClient {
    pub fn start(engine: &Engine) -> Self {
        Self::start_with(engine, 4)
    }

    pub fn start_with(engine: &Engine, concurrency: usize) -> Self {
        Self::launch(&mut command(&engine.url(), engine, concurrency))
    }

    pub fn at(urls: &str, engine: &Engine) -> Self {
        Self::launch(&mut command(urls, engine, 4))
    }

    pub fn trusting(urls: &str, engine: &Engine, authorities: &Path) -> Self {
        Self::launch(command(urls, engine, 4).env("SSL_CERT_FILE", authorities))
    }

    fn launch(command: &mut Command) -> Self {
        Self(command.spawn().expect("the AI client can be started"))
    }
}

fn command(urls: &str, engine: &Engine, concurrency: usize) -> Command {
    let mut command = Command::new(binary("ai-client"));
    command.args(["--engine", urls, "--concurrency", &concurrency.to_string(), "--token-file"]);
    command.arg(engine.data().join("worker.token"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

impl Drop for AiClient {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
