//! What a seed decides: who is there, and what goes wrong when.
//!
//! Swarm testing: each run draws first which kinds of faults are possible at all and how often, so
//! that rare meetings of few kinds are not drowned by all the others.

use std::fmt;
use std::time::Duration;

use crate::chance::Chance;
use crate::net::Node;

/// The first of the engines.
pub const ENGINE: Node = 1;
/// The first of the workers.
pub const WORKER: Node = 100;
/// The first of the players.
pub const PLAYER: Node = 200;

/// What a run is like.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is drawn by itself")]
pub struct Plan {
    pub seed: u64,
    pub engines: u8,
    /// Whether they share a store; one alone may have its own.
    pub shared: bool,
    pub workers: u8,
    /// Players with a seat; one more watches.
    pub players: u8,
    pub games: Vec<GamePlan>,
    /// How long things go wrong.
    pub stormy: Duration,
    /// The way of a packet, in milliseconds.
    pub delay: (u64, u64),
    /// How many hints in a thousand get lost.
    pub hints_lost: u64,
    /// How long an untouched game stays in memory.
    pub evict_after: Duration,
    /// How far engines' clocks are ahead, in milliseconds.
    pub skews: Vec<i64>,
    /// How many of a player's calls in a thousand are clumsy.
    pub clumsy: u64,
    /// Whether somebody opens streams and never reads them.
    pub idler: bool,
    /// Whether those who only watch read slowly, and of little at once.
    pub dawdles: bool,
    /// Whether nobody watches a game in which nobody plays.
    pub unwatched: bool,
    /// Whether there is one worker more, who takes decisions and never answers.
    pub sulks: bool,
    /// How long workers think, in milliseconds.
    pub thinks: u64,
    /// Whether an engine alone has SQLite for a store, not memory.
    pub sqlite: bool,
    /// What is written in private letters: another number, other words of the same length.
    pub secret: u64,
    /// Whether all engines are killed at the end, and one comes back only to be stopped.
    pub killed_last: bool,
    pub faults: Vec<Fault>,
}

/// A game that is played.
#[derive(Clone, Debug)]
pub struct GamePlan {
    pub kind: &'static str,
    /// How many seats people take; the first is the host's.
    pub people: usize,
    /// How many automation takes.
    pub automated: usize,
    /// How long a phase lasts, in seconds.
    pub interval: u64,
    /// When it is made.
    pub at: Duration,
    /// Whether a game master leads it, who is nobody of those who play.
    pub led: bool,
}

/// Something that goes wrong.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Its number, for `--without`.
    pub id: usize,
    pub at: Duration,
    pub what: What,
}

/// What goes wrong, and for how long where it passes.
#[derive(Clone, Debug)]
pub enum What {
    /// An engine dies; `silent` if its machine does, and nobody learns it.
    Crash { engine: Node, down: Duration, silent: bool },
    /// An engine is drained and starts anew.
    Drain { engine: Node, down: Duration },
    /// Nothing gets from one to another.
    Block { from: Node, to: Node, lasting: Duration },
    /// All connections of somebody break.
    Break { node: Node },
    /// The store is slow.
    Slow { lasting: Duration, millis: u64 },
    /// The store is full.
    Full { lasting: Duration },
    /// Answers of the store get lost.
    Lose { lasting: Duration, in_1000: u64 },
    /// The disk of an engine alone neither reads nor writes, so many times in a thousand.
    Fail { lasting: Duration, in_1000: u64 },
    /// An engine hears no hints.
    Deaf { engine: Node, lasting: Duration },
    /// An engine's clock is set.
    Jump { engine: Node, millis: i64 },
    /// A worker dies, or hangs.
    Worker { worker: Node, down: Duration, hangs: bool },
    /// The store dies, and its replica takes over: it has all that was acknowledged, and a clock of
    /// its own.
    FailOver { down: Duration, millis: i64 },
    /// All engines are stopped, and those that start have newer rules.
    Upgrade { down: Duration },
    /// The store goes back to its state of this moment, after so long, under running engines; and
    /// whether their lines to it break.
    GoBack { lost: Duration, breaks: bool },
}

impl What {
    /// How long it lasts.
    pub fn lasting(&self) -> Duration {
        match self {
            Self::Crash { down, .. }
            | Self::Drain { down, .. }
            | Self::Worker { down, .. }
            | Self::FailOver { down, .. }
            | Self::Upgrade { down }
            | Self::GoBack { lost: down, .. } => *down,
            Self::Block { lasting, .. }
            | Self::Slow { lasting, .. }
            | Self::Full { lasting }
            | Self::Lose { lasting, .. }
            | Self::Fail { lasting, .. }
            | Self::Deaf { lasting, .. } => *lasting,
            Self::Break { .. } | Self::Jump { .. } => Duration::ZERO,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>3} at {:>5.1} s: {:?}", self.id, self.at.as_secs_f64(), self.what)
    }
}

/// How far the clocks of a store and of its replica may differ, in milliseconds.
pub const CLOCKS_DIFFER: i64 = 50;

/// From this seed on the store goes back once. These worlds are apart, because what was
/// acknowledged may be lost in them.
pub const GOING_BACK: u64 = 1_000_000;

/// The kinds of games that are played: quick ones.
const KINDS: [(&str, usize, usize); 3] =
    [("starships-at-large", 2, 4), ("star-empires", 2, 3), ("diplomacy", 2, 4)];

impl Plan {
    /// What a seed decides.
    pub fn of(seed: u64) -> Self {
        let chance = &mut Chance::of(seed, "plan");
        let shared = chance.in_1000(750);
        let engines = if shared { *chance.pick(&[1, 2, 2, 2, 3]) } else { 1 };
        let workers = chance.within(1..3) as u8;
        let players = chance.within(2..4) as u8;
        let stormy = Duration::from_secs(chance.within(60..240));
        let game = |index: u64, chance: &mut Chance| {
            let &(kind, least, most) = chance.pick(&KINDS);
            let seats = chance.within(least as u64..most as u64 + 1) as usize;
            let people = (chance.within(0..u64::from(players) + 1) as usize).min(seats);
            GamePlan {
                kind,
                people: people.max(usize::from(index == 0)),
                automated: seats.saturating_sub(people.max(usize::from(index == 0))),
                interval: {
                    // Long ones leave time to see that nothing else moves a game on.
                    let longest = *chance.pick(&[8, 8, 40, 40, 40, 400]);
                    chance.within(longest / 3..longest)
                },
                at: Duration::from_millis(chance.within(100..20_000)),
                led: chance.in_1000(250),
            }
        };
        let games = (0..chance.within(1..4)).map(|index| game(index, chance)).collect();
        let least = *chance.pick(&[0, 1, 5]);
        let mut plan = Self {
            seed,
            engines,
            shared,
            workers,
            players,
            games,
            stormy,
            delay: (least, least + *chance.pick(&[1, 10, 80])),
            hints_lost: *chance.pick(&[0, 0, 100, 1_000]),
            evict_after: Duration::from_secs(*chance.pick(&[1, 3, 30])),
            skews: (0..engines).map(|_| chance.skew()).collect(),
            clumsy: *chance.pick(&[0, 50, 300]),
            idler: chance.in_1000(300),
            dawdles: chance.in_1000(300),
            unwatched: chance.in_1000(500),
            sulks: chance.in_1000(200),
            thinks: *chance.pick(&[20, 500, 5_000]),
            sqlite: !shared && chance.in_1000(600),
            secret: 0,
            killed_last: chance.in_1000(300),
            faults: Vec::new(),
        };
        plan.faults = plan.draw_faults(&mut Chance::of(seed, "faults"));
        if seed >= GOING_BACK {
            plan.go_back(&mut Chance::of(seed, "going back"));
        }
        plan
    }

    /// Lets the store go back. A client that is cut off then comes back with its cursor, which may be
    /// one of the new history by that time; so nothing else cuts clients off.
    fn go_back(&mut self, chance: &mut Chance) {
        (self.shared, self.sqlite) = (true, false);
        self.stormy = self.stormy.max(Duration::from_mins(2));
        self.faults.retain(|fault| {
            matches!(
                fault.what,
                What::Slow { .. }
                    | What::Full { .. }
                    | What::Lose { .. }
                    | What::Deaf { .. }
                    | What::Jump { .. }
                    | What::Worker { .. }
            )
        });
        let id = self.faults.iter().map(|fault| fault.id).max().unwrap_or(0) + 1;
        let at = chance.millis(30_000..80_000);
        let what = What::GoBack { lost: chance.millis(500..25_000), breaks: chance.in_1000(500) };
        self.faults.push(Fault { id, at, what });
    }

    /// The same with other words in private letters.
    #[must_use]
    pub fn with_secret(mut self, secret: u64) -> Self {
        self.secret = secret;
        self
    }

    /// Those two who write each other private letters, who alone may know what is in them.
    pub fn confidants() -> [Node; 2] {
        [PLAYER, PLAYER + 1]
    }

    /// Who leads games and plays in none.
    pub fn master(&self) -> Node {
        PLAYER + self.players + 1
    }

    /// When nothing gets from an engine to somebody.
    pub fn cut_off(&self, node: Node) -> Vec<(Duration, Duration)> {
        let cuts = self.faults.iter().filter(|fault| match fault.what {
            What::Block { from, to, .. } => from == node || to == node,
            What::Crash { silent, .. } => silent,
            _ => false,
        });
        cuts.map(|fault| (fault.at, fault.at + fault.what.lasting())).collect()
    }

    /// The plan without some of its faults.
    #[must_use]
    pub fn without(mut self, ids: &[usize]) -> Self {
        self.faults.retain(|fault| !ids.contains(&fault.id));
        self
    }

    fn draw_faults(&self, chance: &mut Chance) -> Vec<Fault> {
        const KINDS_OF_FAULTS: usize = 12;
        // A fifth of the runs is calm: what goes wrong there goes wrong by itself.
        if chance.in_1000(200) {
            return Vec::new();
        }
        let often: Vec<u64> = (0..KINDS_OF_FAULTS).map(|_| *chance.pick(&[0, 0, 1, 3])).collect();
        let every = *chance.pick(&[3_000, 8_000, 20_000]);
        let mut faults = Vec::new();
        let mut at = Duration::from_secs(3);
        loop {
            at += chance.millis(every / 4..every * 2);
            if at >= self.stormy || often.iter().sum::<u64>() == 0 {
                return faults;
            }
            let mut drawn = chance.below(often.iter().sum());
            let kind = often.iter().position(|times| {
                let here = drawn < *times;
                drawn = drawn.saturating_sub(*times);
                here
            });
            let what = self.fault(kind.unwrap_or_default(), chance);
            if let Some(what) = what {
                faults.push(Fault { id: faults.len() + 1, at, what });
            }
        }
    }

    fn fault(&self, kind: usize, chance: &mut Chance) -> Option<What> {
        let engine = ENGINE + chance.below(self.engines.into()) as Node;
        let worker = WORKER + chance.below(self.workers.into()) as Node;
        let player = PLAYER + chance.below(u64::from(self.players) + 2) as Node;
        // Some things last longer than everybody's patience.
        let longest = if chance.in_1000(150) { 40_000 } else { 12_000 };
        let lasting = chance.millis(200..longest);
        Some(match kind {
            0 => {
                What::Crash { engine, down: chance.millis(50..8_000), silent: chance.in_1000(300) }
            }
            1 => What::Drain { engine, down: chance.millis(50..5_000) },
            2 => {
                let other = *chance.pick(&[worker, player, player]);
                let (from, to) =
                    if chance.in_1000(500) { (engine, other) } else { (other, engine) };
                What::Block { from, to, lasting }
            }
            3 if self.shared => {
                let to_store = chance.in_1000(500);
                let (from, to) = if to_store { (engine, 0) } else { (0, engine) };
                What::Block { from, to, lasting }
            }
            4 => What::Break { node: *chance.pick(&[engine, worker, player]) },
            5 => What::Slow { lasting, millis: *chance.pick(&[50, 500, 3_000]) },
            6 => What::Full { lasting },
            7 if self.shared => What::Lose { lasting, in_1000: *chance.pick(&[50, 300]) },
            7 => What::Fail { lasting, in_1000: *chance.pick(&[300, 1_000]) },
            8 if self.shared && chance.in_1000(500) => What::Deaf { engine, lasting },
            8 if self.shared => What::Jump { engine, millis: chance.skew() },
            9 => What::Worker {
                worker,
                down: chance.millis(100..20_000),
                hangs: chance.in_1000(500),
            },
            10 if self.shared => What::FailOver {
                down: chance.millis(500..20_000),
                millis: chance.below(2 * CLOCKS_DIFFER as u64) as i64 - CLOCKS_DIFFER,
            },
            11 => What::Upgrade { down: chance.millis(100..5_000) },
            _ => return None,
        })
    }
}

impl Chance {
    /// How far a clock is ahead.
    fn skew(&mut self) -> i64 {
        let most = *self.pick(&[0, 300, 5_000, 90_000]);
        if most == 0 { 0 } else { self.below(2 * most) as i64 - most as i64 }
    }
}
