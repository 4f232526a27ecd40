//! The connection to an engine: address, TLS, token.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use heliopause_client::connect::{Engines, trust};
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{ClientTlsConfig, Identity};

use super::Settings;

/// Certificates for `https://`.
#[derive(Clone, Debug, Default)]
pub struct Tls {
    /// PEM file with the engine's authorities. `None` for the system's authorities.
    pub ca: Option<PathBuf>,
    /// PEM files with the certificate and key, for an engine that requires client certificates.
    pub identity: Option<(PathBuf, PathBuf)>,
}

pub(super) fn engines(settings: &Settings) -> Result<Engines> {
    let is_protected = settings.engines.are_protected();
    let tls = is_protected.then(|| tls_config(&settings.tls)).transpose()?;
    let endpoints = settings.engines.endpoints(tls.as_ref());
    let engines = Engines::new(endpoints.context("cannot use the certificates")?);
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

pub(super) fn check(settings: &Settings) -> Result<()> {
    let file = &settings.token_file;
    let token = fs::read(file).with_context(|| {
        let file = file.display();
        format!(
            "--token-file: cannot read {file}; the engine writes worker.token into its data \
                directory"
        )
    })?;
    header(file, token)?;
    engines(settings).map(drop)
}

/// Reads the token, marked as sensitive so that it does not appear in logs.
pub(super) fn authorization(token_file: &Path) -> Result<MetadataValue<Ascii>> {
    header(token_file, read_secret(token_file)?)
}

fn header(token_file: &Path, token: Vec<u8>) -> Result<MetadataValue<Ascii>> {
    let token = String::from_utf8(token).map_err(|_| {
        anyhow::anyhow!("the token file {} is not a text file", token_file.display())
    })?;
    ensure!(!token.trim().is_empty(), "the token file {} is empty", token_file.display());
    let mut value: MetadataValue<Ascii> =
        format!("Bearer {}", token.trim()).parse().with_context(|| {
            format!(
                "the token file {} contains invalid characters; only printable ASCII is allowed",
                token_file.display()
            )
        })?;
    value.set_sensitive(true);
    Ok(value)
}

fn read_secret(path: &Path) -> Result<Vec<u8>> {
    let secret = read(path)?;
    if let Some(open) = heliopause_client::connect::secrets::open_to_others(path) {
        tracing::warn!("{open}");
    }
    Ok(secret)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}
