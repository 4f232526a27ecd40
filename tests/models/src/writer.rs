//! Model: the thread that writes to SQLite, and its group commit.

use loom::sync::{Arc, Mutex};
use loom::thread;

use crate::channel::{Answer, Queue};

/// A mistake to inject into the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    None,
    /// `Batches::run` reports results before the commit.
    AnswersEarly,
    /// `Batches::gather` adds jobs after the batch was written.
    GathersLate,
    /// `Batches::write` does not roll back a failed batch.
    KeepsHalf,
    /// `Writer::drop` exits with jobs in the queue.
    LeavesJobs,
}

struct Job {
    number: u64,
    answer: Arc<Answer<bool>>,
}

/// The disk: the data that commits made durable, and the data written by the open transaction.
#[derive(Default)]
struct Disk {
    durable: Vec<u64>,
    written: Vec<u64>,
}

const BATCH_JOBS_MAX: usize = 2;

/// Writes one job for each caller. The batch with job `fails` fails at its commit.
pub fn run(callers: u64, fails: Option<u64>, mistake: Mistake) {
    let (queue, disk) = (Arc::new(Queue::default()), Arc::new(Mutex::new(Disk::default())));
    let writer = {
        let (queue, disk) = (queue.clone(), disk.clone());
        thread::spawn(move || batches(&queue, &disk, fails, mistake))
    };
    let callers: Vec<_> = (1..=callers)
        .map(|number| {
            let (queue, disk) = (queue.clone(), disk.clone());
            thread::spawn(move || append(&queue, &disk, number))
        })
        .collect();
    for caller in callers {
        caller.join().unwrap();
    }
    // `Writer::drop`.
    queue.close();
    writer.join().unwrap();
    assert!(disk.lock().unwrap().written.is_empty(), "no transaction is left open");
}

/// Models `Writer::run`.
fn append(queue: &Queue<Job>, disk: &Mutex<Disk>, number: u64) {
    let answer = Answer::shared();
    let job = Job { number, answer: answer.clone() };
    assert!(queue.send(job).is_ok(), "nobody has closed the queue yet");
    let done = answer.wait();
    let durable = disk.lock().unwrap().durable.contains(&number);
    assert_eq!(done, durable, "the answer to job {number}");
}

/// Models `Batches::run`.
fn batches(queue: &Queue<Job>, disk: &Mutex<Disk>, fails: Option<u64>, mistake: Mistake) {
    let mut before = 0;
    loop {
        let mut batch = queue.recv_many(BATCH_JOBS_MAX);
        if batch.is_empty() {
            return;
        }
        let is_loaded = before >= 1 || mistake == Mistake::GathersLate;
        if is_loaded && mistake != Mistake::GathersLate {
            gather(queue, &mut batch);
        }
        before = batch.len();
        if mistake == Mistake::AnswersEarly {
            batch.iter().for_each(|job| job.answer.send(true));
        }
        let fault = write(disk, &batch, fails, mistake);
        if mistake == Mistake::GathersLate {
            gather(queue, &mut batch);
        }
        if mistake == Mistake::LeavesJobs && batch.len() == 1 {
            return;
        }
        if mistake != Mistake::AnswersEarly {
            batch.drain(..).for_each(|job| job.answer.send(!fault));
        }
    }
}

fn gather(queue: &Queue<Job>, batch: &mut Vec<Job>) {
    while batch.len() < BATCH_JOBS_MAX
        && let Some(job) = queue.try_recv()
    {
        batch.push(job);
    }
}

/// Models `Batches::write` and `Batches::transaction`. Returns whether the write failed.
fn write(disk: &Mutex<Disk>, batch: &[Job], fails: Option<u64>, mistake: Mistake) -> bool {
    for job in batch {
        disk.lock().unwrap().written.push(job.number);
    }
    let mut disk = disk.lock().unwrap();
    let fault = batch.iter().any(|job| Some(job.number) == fails);
    if !fault || mistake == Mistake::KeepsHalf {
        let written = std::mem::take(&mut disk.written);
        disk.durable.extend(written);
    } else {
        // The rollback discards the writes of the batch.
        disk.written.clear();
    }
    fault
}
