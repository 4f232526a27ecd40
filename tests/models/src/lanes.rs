//! The lanes that append to PostgreSQL: one takes the next batch when the other's is slow.

use loom::sync::{Arc, Mutex};
use loom::thread;

use crate::channel::{Answer, Queue};

/// A mistake that can be planted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    None,
    /// `journal::append` looks where the game stands without locking its row.
    LooksWithoutLock,
    /// `part` lets two appends to one game into the same transaction.
    BothAtOnce,
    /// `write` answers after its first flight, before the commit.
    AnswersFirstFlight,
}

/// An append of one entry behind another.
struct Waiting {
    expected: u64,
    answer: Arc<Answer<Result<(), u64>>>,
}

/// A game's row and its journal. The lock of the row is held until the commit.
struct Database {
    row: Mutex<u64>,
    journal: Mutex<Vec<u64>>,
}

const BATCH_MAX: usize = 2;
const LANES: usize = 2;

/// Engines append to one game, each behind the entry that it knows, and again behind what they are
/// told of if they lose.
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

/// `lane`: the other lane may take a batch while this one's is slow, which here can be always.
fn lane(queue: &Queue<Waiting>, database: &Database, mistake: Mistake) {
    loop {
        let mut batch = queue.recv_many(BATCH_MAX);
        if batch.is_empty() {
            return;
        }
        // `write_all`.
        while !batch.is_empty() {
            let now = part(&mut batch, mistake);
            write(database, now, mistake);
        }
    }
}

/// `part`: of two appends to one game the second waits for the first.
fn part(batch: &mut Vec<Waiting>, mistake: Mistake) -> Vec<Waiting> {
    let count = if mistake == Mistake::BothAtOnce { batch.len() } else { 1 };
    batch.drain(..count).collect()
}

/// `journal::append`: the first flight locks the rows and reads where the games stand; the second
/// writes for those that stand where it was expected, and commits.
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
