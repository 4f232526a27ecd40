//! Sightings at foreign worlds from earlier turns, kept in the memo.

use std::collections::BTreeMap;

use bytes::Buf as _;
use heliopause_kernel::Seat;
use heliopause_star_empires::{Coord, Status};

use crate::games::star_empires::strength::Force;
use crate::games::star_empires::survey::Survey;

/// Maximum number of remembered worlds. The oldest sightings are dropped first.
const MAX_WORLDS: usize = 400;
const ENTRY_BYTES: usize = 16;
/// Assumed guns and damage points per RU of production at a world that was never seen.
const UNSEEN_POINTS_PER_RU: u32 = 5;
const POINTS_PER_RU: u32 = 5;
/// Guns, and also damage points, that a homeworld's starbase adds to the estimate.
const STARBASE_POINTS: u32 = 150;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sighting {
    turn: u32,
    guns: u32,
    dp: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Memory {
    seen: BTreeMap<Coord, Sighting>,
}

impl Memory {
    /// Reads a memo. Treats a damaged memo, or one of another game, as empty.
    pub(super) fn read(memo: &[u8]) -> Self {
        let read = |mut entry: &[u8]| {
            let (y, o) = (entry.get_i16_le(), entry.get_i16_le());
            let turn = entry.get_u32_le();
            // Strengths are bounded so that sums cannot overflow.
            let mut strength = || entry.get_u32_le().min(1 << 24);
            (Coord::new(o, y), Sighting { turn, guns: strength(), dp: strength() })
        };
        Self { seen: memo.chunks_exact(ENTRY_BYTES).take(MAX_WORLDS).map(read).collect() }
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let entry = |(at, seen): (&Coord, &Sighting)| {
            let place = u32::from(at.o as u16) << 16 | u32::from(at.y as u16);
            [place, seen.turn, seen.guns, seen.dp].map(u32::to_le_bytes).concat()
        };
        self.seen.iter().flat_map(entry).collect()
    }

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
                let Force { guns, dp, .. } =
                    force_at(survey, world.at, |owner| survey.is_danger(owner));
                self.seen.insert(world.at, Sighting { turn: survey.view.turn, guns, dp });
            }
        }
        while self.seen.len() > MAX_WORLDS {
            let oldest =
                self.seen.iter().min_by_key(|(at, seen)| (seen.turn, **at)).map(|(&at, _)| at);
            let Some(oldest) = oldest else { break };
            self.seen.remove(&oldest);
        }
        self
    }

    /// Returns the expected force at a world after `turns` more turns. Assumes that the defender
    /// notices the attack and spends its whole production on ships.
    pub(super) fn expected(&self, survey: &Survey<'_>, at: Coord, turns: u32) -> Force {
        let Some(world) = survey.own.chart.world_at(at) else { return Force::default() };
        let likely = world.production.min(1000);
        let Some(seen) = self.seen.get(&at) else {
            let least = if likely >= 12 { STARBASE_POINTS } else { 0 };
            return Force {
                guns: likely * UNSEEN_POINTS_PER_RU + least,
                dp: likely * UNSEEN_POINTS_PER_RU + least,
                count: 1,
            };
        };
        // Assume that a third of the production since the sighting became ships, and that all of it
        // does while the attack approaches.
        let age = survey.view.turn.saturating_sub(seen.turn).min(50);
        let grown = age * likely * POINTS_PER_RU / 3 + turns.min(20) * likely * POINTS_PER_RU;
        Force { guns: seen.guns + grown, dp: seen.dp + grown, count: 1 }
    }
}

/// Returns the visible force in a sector of the owners that `counts` accepts, and of unknown
/// owners. Estimates ships on long-range scans by tonnage.
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
    fn memos_round_trip_and_damaged_ones_are_tolerated() {
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
