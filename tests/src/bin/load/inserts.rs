//! Plain inserts into PostgreSQL: the baseline for appends of the same size.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio_postgres::{Client, NoTls};

const CONNECTIONS: usize = 2;

type Insert = (u64, u64, Bytes, oneshot::Sender<()>);

pub(crate) struct RawInserts {
    sender: mpsc::Sender<Insert>,
}

impl RawInserts {
    pub(crate) async fn open(address: &str) -> Self {
        let sql = "CREATE TABLE IF NOT EXISTS entry (game bigint, number bigint, body bytea, \
            PRIMARY KEY (game, number))";
        connect(address).await.batch_execute(sql).await.expect("a table can be made");
        let (sender, receiver) = mpsc::channel(4_096);
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..CONNECTIONS {
            tokio::spawn(insert(connect(address).await, receiver.clone()));
        }
        Self { sender }
    }

    pub(crate) async fn append(&self, game: u64, number: u64, entry: Bytes) {
        let (reply, answer) = oneshot::channel();
        self.sender.send((game, number, entry, reply)).await.expect("the writers run");
        answer.await.expect("the writers answer");
    }
}

async fn connect(address: &str) -> Client {
    let (client, connection) =
        tokio_postgres::connect(address, NoTls).await.expect("the database is there");
    tokio::spawn(connection);
    client
}

async fn insert(client: Client, receiver: Arc<Mutex<mpsc::Receiver<Insert>>>) {
    let sql = "INSERT INTO entry SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[])";
    let statement = client.prepare(sql).await.expect("a good statement");
    let mut batch = Vec::new();
    while receiver.lock().await.recv_many(&mut batch, 256).await > 0 {
        let games: Vec<i64> = batch.iter().map(|insert: &Insert| insert.0.cast_signed()).collect();
        let numbers: Vec<i64> = batch.iter().map(|insert| insert.1.cast_signed()).collect();
        let bodies: Vec<&[u8]> = batch.iter().map(|insert| &insert.2[..]).collect();
        client
            .execute(&statement, &[&games, &numbers, &bodies])
            .await
            .expect("rows can be inserted");
        for (.., reply) in batch.drain(..) {
            reply.send(()).expect("whoever appends waits");
        }
    }
}
