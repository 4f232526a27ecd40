//! Prediction of the damage that one empire's attackers do to targets in a sequence (6.3.2).

use std::cmp::Reverse;

use heliopause_kernel::{Seat, SeatSet};
use heliopause_star_empires::Name;

use super::survey::Unit;

/// Returns the target empires in the sequence of the default orders (notes 15, step 4).
pub(super) fn sequence(targets: &[Unit], among: SeatSet) -> Vec<Seat> {
    let mut empires: Vec<(u64, u64, Seat)> = among
        .iter()
        .filter_map(|seat| {
            let ships = || targets.iter().filter(|unit| unit.owner == seat);
            let dp = ships().map(|unit| u64::from(unit.dp)).sum();
            let tonnage = ships().map(|unit| u64::from(unit.class.tonnage)).sum();
            ships().next().map(|_| (dp, tonnage, seat))
        })
        .collect();
    empires.sort_unstable();
    empires.into_iter().map(|(_, _, seat)| seat).collect()
}

/// Sorts targets: wings first, missiles last, and the largest first in each group (notes 6.1,
/// step 3).
pub(super) fn sort_as_targets(units: &mut [Unit]) {
    units.sort_by(|one, other| {
        let band = |unit: &Unit| if unit.is_wing() { 0 } else { 1 + u8::from(unit.is_missile()) };
        let rating = |unit: &Unit| unit.class.damage(unit.dp);
        let by_size = || {
            let by_rating = rating(other).cmp_rating(rating(one));
            other.dp.cmp(&one.dp).then(by_rating).then(other.class.tonnage.cmp(&one.class.tonnage))
        };
        band(one).cmp(&band(other)).then_with(by_size).then(one.handle.cmp(&other.handle))
    });
}

/// Returns the missiles needed in addition to the guns to destroy all targets, or `None` if a
/// target would survive.
pub(super) fn destroys_all(
    guns: u32,
    missiles: &[Unit],
    targets: &[Unit],
    among: SeatSet,
) -> Option<Vec<Name>> {
    let mut unfired = guns;
    let mut unused: Vec<Unit> = missiles.to_vec();
    // The order in which missiles fire (notes 6.1, step 5).
    unused
        .sort_by_key(|missile| (missile.class.ratings.guns, missile.class.tonnage, missile.handle));
    let mut used = Vec::new();
    for empire in sequence(targets, among) {
        let mut list: Vec<Unit> =
            targets.iter().filter(|unit| unit.owner == empire).copied().collect();
        sort_as_targets(&mut list);
        for target in list {
            let mut left = u32::from(target.dp);
            while unfired < left && !unused.is_empty() {
                let missile = unused.remove(chosen(&unused, left));
                left = left.saturating_sub(u32::from(missile.class.ratings.guns));
                used.push(missile.name());
            }
            if unfired < left {
                return None;
            }
            unfired -= left;
        }
    }
    Some(used)
}

fn chosen(unused: &[Unit], left: u32) -> usize {
    let suffices = |missile: &Unit| u32::from(missile.class.ratings.guns) >= left;
    let largest = || {
        let key = |&(_, missile): &(usize, &Unit)| {
            (Reverse(missile.class.ratings.guns), missile.class.tonnage, missile.handle)
        };
        unused.iter().enumerate().min_by_key(key).map_or(0, |(index, _)| index)
    };
    unused.iter().position(suffices).unwrap_or_else(largest)
}
