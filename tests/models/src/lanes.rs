//! Model: the two executors that append to PostgreSQL. While one is slow, the other executes the
//! next batch.

use loom::sync::{Arc, Mutex};
use loom::thread;

use crate::channel::{Answer, Queue};

/// A mistake to inject into the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    None,
    /// `journal::append` reads the last entry without locking the game's row.
    LooksWithoutLock,
    /// `part` puts two appends to one game into the same transaction.
    BothAtOnce,
    /// `write` reports success after its first round trip, before the commit.
    AnswersFirstFlight,
}

struct Waiting {
    expected: u64,
    answer: Arc<Answer<Result<(), u64>>>,
}

/// A game's row and its journal. The row stays locked until the commit.
struct Database {
    row: Mutex<u64>,
    journal: Mutex<Vec<u64>>,
}

const BATCH_MAX: usize = 2;
const LANES: usize = 2;

/// Appends to one game from several engines. An engine whose append is rejected tries again.
pub fn run(engines: u64, mistake: Mistake) {
    let queue: Arc<Queue<Waiting>> = Arc::default();
    let database = Arc::new(Database { row: Mutex::new(0), journal: Mutex::default() });
    let lanes: Vec<_> = (0..LANES)
        .map(|_| {
            let (queue, database) = (queue.clone(), database.clone());
            thread::spawn(move || lane(&queue, &database, mistake))
        })
        .collect();
    let engines: Vec<_> = (0..engines)
        .map(|_| {
            let (queue, database) = (queue.clone(), database.clone());
            let answer = Answer::shared();
            assert!(queue.send(Waiting { expected: 0, answer: answer.clone() }).is_ok());
            (answer, database)
        })
        .collect();
    queue.close();
    let mut won = 0;
    for (answer, database) in engines {
        match answer.wait() {
            Ok(()) => {
                won += 1;
                assert!(!database.journal.lock().unwrap().is_empty(), "what was answered is there");
            }
            Err(actual) => assert!(actual > 0, "who lost is told who came first"),
        }
    }
    assert_eq!(won, 1, "one append comes next");
    for lane in lanes {
        lane.join().unwrap();
    }
    assert_eq!(*database.journal.lock().unwrap(), [1], "entries are dense");
}

/// Models `lane`. Both executors accept batches at any time, as if the other were slow.
fn lane(queue: &Queue<Waiting>, database: &Database, mistake: Mistake) {
    loop {
        let mut batch = queue.recv_many(BATCH_MAX);
        if batch.is_empty() {
            return;
        }
        while !batch.is_empty() {
            let now = part(&mut batch, mistake);
            write(database, now, mistake);
        }
    }
}

/// Models `part`. Of two appends to one game, the second waits for the first.
fn part(batch: &mut Vec<Waiting>, mistake: Mistake) -> Vec<Waiting> {
    let count = if mistake == Mistake::BothAtOnce { batch.len() } else { 1 };
    batch.drain(..count).collect()
}

/// Models `journal::append`. The first round trip locks the rows and reads the last entries. The
/// second writes for games whose last entry is the expected one, and commits.
fn write(database: &Database, batch: Vec<Waiting>, mistake: Mistake) {
    let mut row = database.row.lock().unwrap();
    let stands = *row;
    if mistake == Mistake::LooksWithoutLock {
        drop(row);
        loom::thread::yield_now();
        row = database.row.lock().unwrap();
    }
    if mistake == Mistake::AnswersFirstFlight {
        drop(row);
        answer(&batch, stands);
        row = database.row.lock().unwrap();
    }
    for waiting in &batch {
        if waiting.expected == stands {
            database.journal.lock().unwrap().push(stands + 1);
            *row = stands + 1;
        }
    }
    drop(row);
    if mistake != Mistake::AnswersFirstFlight {
        answer(&batch, stands);
    }
}

fn answer(batch: &[Waiting], stands: u64) {
    for waiting in batch {
        let is_next = waiting.expected == stands;
        waiting.answer.send(if is_next { Ok(()) } else { Err(stands) });
    }
}
