//! The channel to an engine: address, TLS, token.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use heliopause_connect::Engines;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity, Uri};

use super::Settings;

/// Certificates for `https://`. There are no built-in authorities: an engine's own certificate or
/// authority is named.
#[derive(Clone, Debug, Default)]
pub struct Tls {
    /// PEM file with the authorities that may have signed the engine's certificate.
    pub ca: Option<PathBuf>,
    /// PEM files with the worker's own certificate and its key, for an engine that asks for one.
    pub identity: Option<(PathBuf, PathBuf)>,
}

/// The engines that serve the games.
pub(super) fn engines(settings: &Settings) -> Result<Engines> {
    let addresses = settings
        .engines
        .iter()
        .map(|address| read_address(address))
        .collect::<Result<Vec<Uri>>>()?;
    let is_protected = |address: &Uri| address.scheme_str() == Some("https");
    let protected = addresses.iter().filter(|address| is_protected(address)).count();
    if addresses.is_empty() {
        bail!("no engine is named: give --engine URL");
    }
    if protected != 0 && protected != addresses.len() {
        bail!("either all engines are named by https, or none");
    }
    let tls = if protected == 0 { None } else { Some(tls_config(&settings.tls)?) };
    let endpoint = |address: Uri| {
        let endpoint = Endpoint::from(address);
        tls.clone()
            .map_or(Ok(endpoint.clone()), |tls| endpoint.tls_config(tls))
            .context("the certificates cannot be used")
    };
    let engines = Engines::new(addresses.into_iter().map(endpoint).collect::<Result<Vec<_>>>()?);
    Ok(engines.through(Arc::clone(&settings.dial)))
}

fn read_address(address: &str) -> Result<Uri> {
    let read = address
        .trim()
        .parse::<Uri>()
        .ok()
        .filter(|uri| uri.scheme().is_some() && uri.host().is_some());
    read.with_context(|| format!("{address:?} is not an address like http://127.0.0.1:50051"))
}

fn tls_config(tls: &Tls) -> Result<ClientTlsConfig> {
    let Some(ca) = &tls.ca else {
        bail!(
            "an https address needs --tls-ca FILE with the authority of the engine's certificate"
        );
    };
    let config = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(read(ca)?));
    Ok(match &tls.identity {
        Some((certificate, key)) => {
            config.identity(Identity::from_pem(read(certificate)?, read_secret(key)?))
        }
        None => config,
    })
}

/// Reads the worker's token as the header that carries it, which never shows in a log.
pub(super) fn authorization(token_file: &Path) -> Result<MetadataValue<Ascii>> {
    let token = String::from_utf8(read_secret(token_file)?)
        .map_err(|_| anyhow::anyhow!("the token file {} holds no text", token_file.display()))?;
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
