//! The tokio channels that the engine uses, built on loom and limited to what the models need.

use std::collections::VecDeque;

use loom::sync::{Arc, Condvar, Mutex};

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum StreamItem {
    Entry(u64),
    Lagged,
    Closed,
}

#[derive(Default)]
struct Ring {
    sent: Vec<u64>,
    receivers: usize,
    closed: bool,
}

/// A broadcast that keeps only the last few entries. A receiver that falls further behind gets
/// `Lagged`.
pub(crate) struct Broadcast {
    ring: Mutex<Ring>,
    news: Condvar,
    kept: usize,
}

impl Broadcast {
    pub(crate) fn new(kept: usize) -> Self {
        Self { ring: Mutex::default(), news: Condvar::new(), kept }
    }

    pub(crate) fn subscribe(&self) -> usize {
        let mut ring = self.ring.lock().unwrap();
        ring.receivers += 1;
        ring.sent.len()
    }

    pub(crate) fn receiver_count(&self) -> usize {
        self.ring.lock().unwrap().receivers
    }

    pub(crate) fn send(&self, entry: u64) {
        self.ring.lock().unwrap().sent.push(entry);
        self.news.notify_all();
    }

    pub(crate) fn close(&self) {
        self.ring.lock().unwrap().closed = true;
        self.news.notify_all();
    }

    pub(crate) fn recv(&self, place: &mut usize) -> StreamItem {
        let mut ring = self.ring.lock().unwrap();
        loop {
            let oldest = ring.sent.len().saturating_sub(self.kept);
            if *place < oldest {
                *place = oldest;
                return StreamItem::Lagged;
            }
            if let Some(&entry) = ring.sent.get(*place) {
                *place += 1;
                return StreamItem::Entry(entry);
            }
            if ring.closed {
                return StreamItem::Closed;
            }
            ring = self.news.wait(ring).unwrap();
        }
    }
}

pub(crate) struct Queue<T> {
    jobs: Mutex<(VecDeque<T>, bool)>,
    news: Condvar,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self { jobs: Mutex::new((VecDeque::new(), false)), news: Condvar::new() }
    }
}

impl<T> Queue<T> {
    pub(crate) fn send(&self, job: T) -> Result<(), T> {
        let mut jobs = self.jobs.lock().unwrap();
        if jobs.1 {
            return Err(job);
        }
        jobs.0.push_back(job);
        drop(jobs);
        self.news.notify_all();
        Ok(())
    }

    pub(crate) fn close(&self) {
        self.jobs.lock().unwrap().1 = true;
        self.news.notify_all();
    }

    pub(crate) fn recv_many(&self, most: usize) -> Vec<T> {
        let mut jobs = self.jobs.lock().unwrap();
        while jobs.0.is_empty() && !jobs.1 {
            jobs = self.news.wait(jobs).unwrap();
        }
        let count = most.min(jobs.0.len());
        jobs.0.drain(..count).collect()
    }

    pub(crate) fn try_recv(&self) -> Option<T> {
        self.jobs.lock().unwrap().0.pop_front()
    }
}

pub(crate) struct Answer<T> {
    slot: Mutex<Option<T>>,
    news: Condvar,
}

impl<T> Default for Answer<T> {
    fn default() -> Self {
        Self { slot: Mutex::new(None), news: Condvar::new() }
    }
}

impl<T> Answer<T> {
    pub(crate) fn shared() -> Arc<Self> {
        Arc::default()
    }

    pub(crate) fn send(&self, answer: T) {
        *self.slot.lock().unwrap() = Some(answer);
        self.news.notify_all();
    }

    pub(crate) fn wait(&self) -> T {
        let mut slot = self.slot.lock().unwrap();
        loop {
            if let Some(answer) = slot.take() {
                return answer;
            }
            slot = self.news.wait(slot).unwrap();
        }
    }
}
