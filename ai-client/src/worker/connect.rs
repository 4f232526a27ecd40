//! The channel to an engine: address, TLS, token.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use heliopause_connect::{Engines, trust};
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{ClientTlsConfig, Identity};

use super::Settings;

/// Certificates for `https://`.
#[derive(Clone, Debug, Default)]
pub struct Tls {
    /// PEM file with the authorities that may have signed the engine's certificate, if they are not
    /// the system's.
    pub ca: Option<PathBuf>,
    /// PEM files with the worker's own certificate and its key, for an engine that asks for one.
    pub identity: Option<(PathBuf, PathBuf)>,
}

/// The engines that serve the games.
pub(super) fn engines(settings: &Settings) -> Result<Engines> {
    let is_protected = settings.engines.are_protected();
    let tls = is_protected.then(|| tls_config(&settings.tls)).transpose()?;
    let endpoints = settings.engines.endpoints(tls.as_ref());
    let engines = Engines::new(endpoints.context("the certificates cannot be used")?);
    Ok(engines.through(Arc::clone(&settings.dial)))
}

fn tls_config(tls: &Tls) -> Result<ClientTlsConfig> {
    let config = trust(tls.ca.as_deref().map(read).transpose()?);
    Ok(match &tls.identity {
        Some((certificate, key)) => {
            config.identity(Identity::from_pem(read(certificate)?, read_secret(key)?))
        }
        None => config,
    })
}

/// Reads the token and the certificates, and uses none of them.
pub(super) fn check(settings: &Settings) -> Result<()> {
    let file = &settings.token_file;
    let token = fs::read(file).with_context(|| {
        let file = file.display();
        format!(
            "--token-file: {file} cannot be read; the engine writes worker.token into its data \
                directory"
        )
    })?;
    header(file, token)?;
    engines(settings).map(drop)
}

/// Reads the worker's token as the header that carries it, which never shows in a log.
pub(super) fn authorization(token_file: &Path) -> Result<MetadataValue<Ascii>> {
    header(token_file, read_secret(token_file)?)
}

fn header(token_file: &Path, token: Vec<u8>) -> Result<MetadataValue<Ascii>> {
    let token = String::from_utf8(token)
        .map_err(|_| anyhow::anyhow!("the token file {} holds no text", token_file.display()))?;
    ensure!(!token.trim().is_empty(), "the token file {} is empty", token_file.display());
    let mut value: MetadataValue<Ascii> = format!("Bearer {}", token.trim())
        .parse()
        .with_context(|| format!("the token file {} holds no token", token_file.display()))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Reads a secret, and warns if it is open to others.
fn read_secret(path: &Path) -> Result<Vec<u8>> {
    let secret = read(path)?;
    if let Some(open) = heliopause_connect::secrets::open_to_others(path) {
        tracing::warn!("{open}");
    }
    Ok(secret)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}
