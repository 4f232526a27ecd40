//! Rules 4 and 6.3: titles chosen by dice.

use heliopause_kernel::Seat;

use crate::rules::referee::Referee;
use crate::state::{Outfit, Payment, Research};
use crate::tables::{Class, Predecessor, Tech, TechSet};

/// Returns the titles left for research: titles not owned, except speeds below an owned one.
fn unfinished(owned: TechSet) -> impl Iterator<Item = Tech> {
    let speed = owned.speed();
    Tech::ALL
        .into_iter()
        .filter(move |&tech| !owned.has(tech) && tech.speed().is_none_or(|hexes| hexes > speed))
}

pub(super) fn is_complete(owned: TechSet) -> bool {
    unfinished(owned).next().is_none()
}

const fn class(total: u8, war: bool) -> Class {
    match (total, war) {
        (0..=5, false) | (6..=7, true) => Class::Speed,
        (6..=7, false) | (8.., true) => Class::Weapons,
        (8.., false) | (0..=5, true) => Class::Technology,
    }
}

fn has_predecessor(owned: TechSet, tech: Tech) -> bool {
    match tech.title().discount {
        Some((Predecessor::Owned(before), _)) => owned.has(before),
        Some((Predecessor::Speed(hexes), _)) => owned.speed() >= hexes,
        None => false,
    }
}

fn candidates(owned: TechSet, class: Class, total: u8) -> Vec<Tech> {
    let of_class = || unfinished(owned).filter(move |tech| tech.title().class == class);
    let open = || of_class().filter(move |&tech| owned.opens(tech));
    let at = |level: Option<u8>| open().filter(move |tech| Some(tech.title().level) == level);
    if total <= 5 {
        return at(open().map(|tech| tech.title().level).min()).collect();
    }
    let related = |tech: &Tech| total >= 9 && has_predecessor(owned, *tech);
    match open().filter(related).map(|tech| tech.title().level).max() {
        Some(level) => at(Some(level)).filter(related).collect(),
        None => at(open().map(|tech| tech.title().level).max()).collect(),
    }
}

fn choose(owned: TechSet, war: bool, mut roll: impl FnMut() -> u8) -> Option<Tech> {
    if is_complete(owned) {
        return None;
    }
    let class = loop {
        let mut class = class(roll() + roll(), war);
        if class == Class::Speed && owned.speed() == 8 {
            class = [Class::Technology, Class::Weapons][usize::from(war)];
        }
        if unfinished(owned).any(|tech| tech.title().class == class) {
            break class;
        }
    };
    let titles = candidates(owned, class, roll() + roll() + u8::from(war));
    match titles[..] {
        [] => None,
        [only] => Some(only),
        [first, second, ..] => Some(if roll() % 2 == 1 { first } else { second }),
    }
}

pub(crate) fn roll_outfit(referee: &mut Referee<'_>, seat: Seat) -> Outfit {
    let owned = TechSet::NONE.with(Tech::Speed3);
    let object = seat.index() as u64;
    let total =
        referee.roll("first-research", object, 0) + referee.roll("first-research", object, 1);
    let level_1: Vec<Tech> = unfinished(owned)
        .filter(|tech| tech.title().level == 1 && tech.title().class == class(total, false))
        .collect();
    let tech = match level_1[..] {
        [first, second] if referee.roll("first-research", object, 2).is_multiple_of(2) => {
            [first, second][1]
        }
        _ => level_1[0],
    };
    let research = vec![Payment { tech: Tech::Speed3, points: 15 }, Payment { tech, points: 10 }];
    Outfit::Bonus { scouts: 0, corvettes: 0, research }
}

/// Rolls the titles for this production turn: those in progress, then random ones, until they cost
/// at least as much as the colonies can produce (DR-31).
pub(super) fn roll_agenda(referee: &mut Referee<'_>, seat: Seat) -> Vec<Tech> {
    let seat_view = referee.seat_view(seat);
    let mut research: Research = seat_view.power.research;
    let mut left: u32 = seat_view
        .commanded()
        .map(|(owner, colony)| seat_view.output_of(owner, colony, research.owned))
        .sum();
    // Factories enabled by a new title produce in the same production turn.
    left = left.saturating_mul(2);
    let war = referee.politics().fights(seat);
    let mut titles = Vec::new();
    let mut nth = 0;
    loop {
        let roll = || {
            nth += 1;
            referee.roll("research", seat.index() as u64, nth)
        };
        let begun = research.payments().map(|(tech, _)| tech).find(|tech| !titles.contains(tech));
        let Some(tech) = begun.or_else(|| choose(research.owned, war, roll)) else { break };
        titles.push(tech);
        let missing = research.missing(tech);
        if missing >= left {
            break;
        }
        left -= missing;
        research.pay(tech, missing);
    }
    titles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dice(shown: &[u8]) -> impl FnMut() -> u8 {
        let mut shown = shown.iter().copied();
        move || shown.next().expect("no more dice are rolled")
    }

    fn set(techs: &[Tech]) -> TechSet {
        techs.iter().copied().collect()
    }

    #[test]
    fn space_6_3_finished_classes_are_rolled_again_until_all_are_done() {
        let mut owned: TechSet = Tech::ALL.into_iter().collect();
        assert_eq!(choose(owned, false, dice(&[])), None);
        owned =
            Tech::ALL.into_iter().filter(|tech| tech.title().class != Class::Technology).collect();
        assert_eq!(
            choose(owned, false, dice(&[3, 3, 6, 6, 1, 1, 2])),
            Some(Tech::IndustrialTechnology)
        );
        assert!(
            unfinished(set(&[Tech::Speed6])).all(|tech| tech.speed().is_none_or(|hexes| hexes > 6))
        );
    }
}
