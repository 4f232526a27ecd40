//! Rules 4 and 6.3: which titles the dice choose.

use heliopause_kernel::Seat;

use crate::rules::referee::Referee;
use crate::state::research::Research;
use crate::state::sheet::{Outfit, Payment};
use crate::tables::technology::{Class, Predecessor, Tech, TechSet};

/// What is left to be researched: nothing that is owned, and no speed below one that is.
fn unfinished(owned: TechSet) -> impl Iterator<Item = Tech> {
    let speed = owned.speed();
    Tech::ALL
        .into_iter()
        .filter(move |&tech| !owned.has(tech) && tech.speed().is_none_or(|hexes| hexes > speed))
}

/// Whether nothing is.
pub(super) fn is_complete(owned: TechSet) -> bool {
    unfinished(owned).next().is_none()
}

/// 6.3.1: the class that two dice say.
const fn class(total: u8, war: bool) -> Class {
    match (total, war) {
        (0..=5, false) | (6..=7, true) => Class::Speed,
        (6..=7, false) | (8.., true) => Class::Weapons,
        (8.., false) | (0..=5, true) => Class::Technology,
    }
}

/// 18.2: whether what makes a title cheaper is owned.
fn has_predecessor(owned: TechSet, tech: Tech) -> bool {
    match tech.title().discount {
        Some((Predecessor::Owned(before), _)) => owned.has(before),
        Some((Predecessor::Speed(hexes), _)) => owned.speed() >= hexes,
        None => false,
    }
}

/// 6.3.2: the titles among which a die chooses.
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

/// 6.3: the title that dice choose; nothing if all are finished.
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

/// 4: the 25 i.p. of the start.
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

/// DR-31: the titles into which a power's colonies can pay in this production turn: those that are
/// begun, then those that dice find, until they cost more than all colonies yield.
pub(super) fn roll_agenda(referee: &mut Referee<'_>, seat: Seat) -> Vec<Tech> {
    let eyes = referee.eyes(seat);
    let mut research: Research = eyes.power.research;
    let mut left: u32 =
        eyes.commanded().map(|(owner, colony)| eyes.output_of(owner, colony, research.owned)).sum();
    // Factories that a title puts to work yield more in the same production turn.
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
    fn space_6_3_dt_22_levels() {
        let owned = set(&[Tech::MissileBase]);
        assert_eq!(choose(owned, false, dice(&[3, 3, 4, 5])), Some(Tech::AdvancedMissileBase));
        assert_eq!(choose(owned, false, dice(&[3, 3, 3, 3, 2])), Some(Tech::DeathStar));
        assert_eq!(choose(owned, false, dice(&[3, 3, 2, 2])), Some(Tech::Fighter));
        assert_eq!(owned.cost(Tech::AdvancedMissileBase), 40);
        assert_eq!(owned.cost(Tech::DeathStar), 90);
    }

    #[test]
    fn space_6_3_dt_23_war_adds_one_to_the_level_and_has_its_own_classes() {
        let owned = set(&[Tech::MissileBase]);
        // In war 8 and more means weapons, and a level of 8 counts 9.
        assert_eq!(choose(owned, true, dice(&[4, 4, 4, 4])), Some(Tech::AdvancedMissileBase));
        assert_eq!(choose(owned, true, dice(&[3, 3, 1, 1, 1])), Some(Tech::Speed3));
        let fast = set(&[Tech::Speed8, Tech::MissileBase]);
        assert_eq!(choose(fast, true, dice(&[3, 3, 1, 1])), Some(Tech::Fighter));
        assert_eq!(choose(fast, false, dice(&[2, 2, 1, 1, 1])), Some(Tech::ControlledEnvironment));
    }

    #[test]
    fn space_6_3_a_finished_class_is_rolled_again_and_nothing_is_left_in_the_end() {
        let mut owned: TechSet = Tech::ALL.into_iter().collect();
        assert_eq!(choose(owned, false, dice(&[])), None);
        owned =
            Tech::ALL.into_iter().filter(|tech| tech.title().class != Class::Technology).collect();
        assert_eq!(
            choose(owned, false, dice(&[3, 3, 6, 6, 1, 1, 2])),
            Some(Tech::IndustrialTechnology)
        );
        // Speeds that are slower than what is owned are finished.
        assert!(
            unfinished(set(&[Tech::Speed6])).all(|tech| tech.speed().is_none_or(|hexes| hexes > 6))
        );
    }
}
