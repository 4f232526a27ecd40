//! Connections for queries, used on blocking threads.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OpenFlags};
use tokio::sync::Semaphore;

use super::writer::{Session, locked};
use crate::store::{Result, StoreError};

pub(super) enum Readers {
    Pool(Pool),
    /// The only connection of a database in memory.
    Memory(Arc<Mutex<Session>>),
}

/// A pool of connections. It has as many permits as connections, so the holder of a permit always
/// finds a connection.
pub(super) struct Pool {
    permits: Arc<Semaphore>,
    free: Arc<Mutex<Vec<Connection>>>,
}

impl Readers {
    /// Opens the given number of connections. Reads that find no free connection wait in FIFO
    /// order.
    pub(super) fn open(file: &Path, connections: usize) -> rusqlite::Result<Self> {
        let free = (0..connections).map(|_| open(file)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self::Pool(Pool {
            permits: Arc::new(Semaphore::new(connections)),
            free: Arc::new(Mutex::new(free)),
        }))
    }

    pub(super) async fn run<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    {
        let Pool { permits, free } = match self {
            Self::Pool(pool) => pool,
            Self::Memory(session) => return work(&mut locked(session).connection),
        };
        let permit =
            Arc::clone(permits).acquire_owned().await.expect("the semaphore is never closed");
        let free = Arc::clone(free);
        let reading = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let mut loan = Loan::take(&free);
            work(loan.connection())
        });
        reading
            .await
            .map_err(|fault| StoreError::Unavailable(format!("a read was interrupted: {fault}")))?
    }
}

fn open(file: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.set_prepared_statement_cache_capacity(64);
    // Not opened read-only: a reader of a write-ahead log writes to the shared-memory index.
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// A borrowed connection. It is returned before the permit, even if the work panics.
struct Loan<'a> {
    free: &'a Mutex<Vec<Connection>>,
    connection: Option<Connection>,
}

impl<'a> Loan<'a> {
    fn take(free: &'a Mutex<Vec<Connection>>) -> Self {
        let connection = free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Self { free, connection }
    }

    fn connection(&mut self) -> &mut Connection {
        self.connection.as_mut().expect("there are as many connections as permits")
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).extend(self.connection.take());
    }
}
