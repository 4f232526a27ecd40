//! What was last seen at foreign worlds, kept from turn to turn in the memo: a map forgets ships at
//! once.

use std::collections::BTreeMap;

use heliopause_kernel::Seat;
use heliopause_star_empires::{Coord, Status};

use crate::games::star_empires::strength::Force;
use crate::games::star_empires::survey::Survey;

/// The most worlds that are remembered; beyond them the oldest are forgotten.
const MOST: usize = 400;
/// Bytes of an entry.
const ENTRY: usize = 16;
/// What is assumed of a world that was never seen: so many guns and damage points for each RU that
/// it makes.
const UNSEEN: u32 = 5;
/// Guns, and damage points, that an RU makes.
const POINTS: u32 = 5;
/// What a homeworld has at least while its starbase lives.
const HOMEWORLD: u32 = 150;

/// What was seen at a foreign world, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sighting {
    turn: u32,
    guns: u32,
    dp: u32,
}

/// What was last seen at foreign worlds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Memory {
    seen: BTreeMap<Coord, Sighting>,
}

impl Memory {
    /// Reads a memo. One that is damaged or not of this game is an empty memory.
    pub(super) fn read(memo: &[u8]) -> Self {
        let word = |entry: &[u8], at: usize| {
            entry
                .get(at..at + 4)
                .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        };
        let read = |entry: &[u8]| {
            let place = word(entry, 0)?;
            let at = Coord::new((place >> 16) as u16 as i16, place as u16 as i16);
            // Strengths are kept small enough to add.
            let strength = |at| word(entry, at).map(|strength| strength.min(1 << 24));
            Some((at, Sighting { turn: word(entry, 4)?, guns: strength(8)?, dp: strength(12)? }))
        };
        Self { seen: memo.chunks_exact(ENTRY).take(MOST).filter_map(read).collect() }
    }

    /// Writes the memo.
    pub(super) fn write(&self) -> Vec<u8> {
        let entry = |(at, seen): (&Coord, &Sighting)| {
            let place = u32::from(at.o as u16) << 16 | u32::from(at.y as u16);
            [place, seen.turn, seen.guns, seen.dp].map(u32::to_le_bytes).concat()
        };
        self.seen.iter().flat_map(entry).collect()
    }

    /// The memory with what the map shows now.
    pub(super) fn updated(mut self, survey: &Survey<'_>) -> Self {
        let chart = &survey.own.chart;
        let foreign = |at: Coord| {
            chart
                .world_at(at)
                .is_some_and(|world| world.owner.is_some_and(|owner| owner != survey.me))
        };
        self.seen.retain(|&at, _| foreign(at));
        for world in chart.worlds.iter().filter(|world| foreign(world.at)) {
            let current = chart.sector(world.at).is_some_and(|row| row.status != Status::Stale);
            if current {
                let force = force_at(survey, world.at, |owner| survey.is_danger(owner));
                self.seen.insert(
                    world.at,
                    Sighting { turn: survey.view.turn, guns: force.guns, dp: force.dp },
                );
            }
        }
        while self.seen.len() > MOST {
            let oldest =
                self.seen.iter().min_by_key(|(at, seen)| (seen.turn, **at)).map(|(&at, _)| at);
            let Some(oldest) = oldest else { break };
            self.seen.remove(&oldest);
        }
        self
    }

    /// What is likely to be at a foreign world now.
    ///
    /// `turns` more pass until somebody gets there, and who sees it coming builds what they can.
    pub(super) fn expected(&self, survey: &Survey<'_>, at: Coord, turns: u32) -> Force {
        let Some(world) = survey.own.chart.world_at(at) else { return Force::default() };
        let likely = world.production.min(1000);
        let Some(seen) = self.seen.get(&at) else {
            let least = if likely >= 12 { HOMEWORLD } else { 0 };
            return Force { guns: likely * UNSEEN + least, dp: likely * UNSEEN + least, count: 1 };
        };
        // What was built since: a third of what the world made is taken to stay there, at five
        // points an RU.
        let age = survey.view.turn.saturating_sub(seen.turn).min(50);
        let grown = age * likely * POINTS / 3 + turns.min(20) * likely * POINTS;
        Force { guns: seen.guns + grown, dp: seen.dp + grown, count: 1 }
    }
}

/// The ships of some empires that the map shows in a sector: one by one where they are visible, else
/// by tonnage. Ships of unknown owners count.
pub(super) fn force_at(survey: &Survey<'_>, at: Coord, counts: impl Fn(Seat) -> bool) -> Force {
    let mut force = Force::of(survey.foreign_at(at).iter().filter(|unit| counts(unit.owner)));
    let fleets = &survey.own.chart.fleets;
    let start = fleets.partition_point(|fleet| fleet.at < at);
    for fleet in fleets[start..].iter().take_while(|fleet| fleet.at == at) {
        if fleet.identity.is_none_or(|(owner, _)| counts(owner)) {
            force += Force::of_fleet(fleet);
        }
    }
    force
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memo_reads_back_and_a_damaged_one_does_no_harm() {
        let mut memory = Memory::default();
        for (o, y) in [(-3, 4), (0, 0), (7, -9)] {
            let seen = Sighting { turn: 5, guns: 40, dp: (i32::from(o) + 100) as u32 };
            memory.seen.insert(Coord::new(o, y), seen);
        }
        let memo = memory.write();
        assert_eq!(Memory::read(&memo), memory);
        assert_eq!(Memory::read(&memo[..memo.len() - 1]).seen.len(), 2);
        let wild = Memory::read(&[0xff; 64]);
        assert!(wild.seen.values().all(|seen| seen.guns <= 1 << 24));
    }
}
