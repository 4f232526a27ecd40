//! Connections to the database, with TLS or without.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Pool, PoolError, RecyclingMethod, Runtime};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Connection, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::PATIENCE;

/// How long a connection may be silent before it is asked for a sign of life.
const KEEPALIVE: Duration = Duration::from_secs(20);

/// Why the database could not be opened: what is wrong, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address is none.
    #[error("--data is no address of a database; write postgres://USER:PASSWORD@HOST:PORT/DATABASE")]
    Address(#[source] tokio_postgres::Error),
    /// Nobody answers there.
    #[error("the database does not answer; check the address, and that the database runs and lets this user in")]
    Unreachable(#[source] PoolError),
    /// It is of a newer version of this program.
    #[error(
        "the database has schema {found}, and this engine-service knows only up to {known}: run the newer \
         engine-service that wrote it"
    )]
    Newer {
        /// Its schema version.
        found: i32,
        /// The newest schema version that this program knows.
        known: i32,
    },
    /// The certificates that vouch for it cannot be read.
    #[error("{}: {error}", file.display())]
    Authority {
        /// The file with them.
        file: PathBuf,
        /// What is wrong with it.
        error: io::Error,
    },
    /// The database would not.
    #[error("the database could not be opened; the first start needs the right to create tables")]
    Database(#[from] tokio_postgres::Error),
}

/// The way to the database.
#[derive(Clone)]
pub(super) struct Connector {
    config: Config,
    tls: MakeRustlsConnect,
}

/// A connection outside the pool, which its holder must drive.
type Driven = Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

impl Connector {
    pub(super) fn new(address: &str, authority: Option<&Path>) -> Result<Self, OpenError> {
        let mut config: Config = address.parse().map_err(OpenError::Address)?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(PATIENCE);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(PATIENCE);
        }
        if config.get_application_name().is_none() {
            config.application_name("heliopause");
        }
        config.keepalives_idle(KEEPALIVE).keepalives_interval(PATIENCE).keepalives_retries(2);
        Ok(Self { config, tls: MakeRustlsConnect::new(tls(authority)?) })
    }

    /// A connection of its own.
    pub(super) async fn connect(&self) -> Result<(Client, Driven), tokio_postgres::Error> {
        self.config.connect(self.tls.clone()).await
    }

    /// A pool of connections. None is opened before it is needed.
    pub(super) fn pool(&self, connections: usize) -> Pool {
        let manager = Manager::from_config(
            self.config.clone(),
            self.tls.clone(),
            ManagerConfig { recycling_method: RecyclingMethod::Fast },
        );
        let pool = Pool::builder(manager)
            .max_size(connections)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(PATIENCE))
            .create_timeout(Some(PATIENCE))
            .recycle_timeout(Some(PATIENCE))
            .build();
        pool.expect("a pool with timeouts has a runtime")
    }
}

/// Who vouches for the database, where the address asks for TLS.
fn tls(authority: Option<&Path>) -> Result<ClientConfig, OpenError> {
    let mut roots = RootCertStore::empty();
    match authority {
        None => {
            // Certificates of the system that cannot be read vouch for nobody.
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
        Some(file) => {
            let failed = |error: io::Error| OpenError::Authority { file: file.to_owned(), error };
            let certificates = CertificateDer::pem_file_iter(file).map_err(|error| failed(io::Error::other(error)))?;
            for certificate in certificates {
                let certificate = certificate.map_err(|error| failed(io::Error::other(error)))?;
                roots.add(certificate).map_err(|error| failed(io::Error::other(error)))?;
            }
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider knows the protocols' default versions");
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}
