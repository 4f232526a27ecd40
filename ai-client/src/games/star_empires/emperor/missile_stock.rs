//! Missiles for starbases. They have the most firepower per RU, but need a rack, fire once, and hit
//! only one ship. So they are worth using only against ships that cost more than a missile, and
//! only if guns do not suffice (R25).

use heliopause_star_empires::{Coord, Name};

use super::doctrine::Role;
use super::plan::Plan;
use crate::games::star_empires::survey::Unit;

const MIN_TARGET_DP: u16 = 20;
/// First turn in which missiles are built. Until then the empire invests in growth.
const FROM_TURN: u32 = 12;

pub(super) fn load(plan: &mut Plan<'_>) {
    let survey = plan.survey;
    for (base, mut room) in bases(plan) {
        let mut names: Vec<Name> = Vec::new();
        for missile in survey.loose_at(base.at).filter(|unit| unit.is_missile()) {
            if missile.class.tonnage <= room {
                room -= missile.class.tonnage;
                names.push(missile.name());
            }
        }
        if !names.is_empty() {
            plan.lines.load(&names, base.name());
        }
    }
}

pub(super) fn wanted(plan: &Plan<'_>, at: Coord) -> u32 {
    let Some(class) = plan.doctrine.class(plan.survey.own, Role::Missile) else { return 0 };
    if plan.survey.view.turn < FROM_TURN {
        return 0;
    }
    let there = plan.survey.loose_at(at).filter(|unit| unit.is_missile()).count() as u32;
    let bases = bases(plan).into_iter().filter(|(base, _)| base.at == at);
    let room: u32 = bases.map(|(_, room)| room / class.tonnage.max(1)).sum();
    room.saturating_sub(there)
}

/// Returns the missiles to fire: none unless a foe is worth one and the guns do not suffice.
pub(super) fn ready<'u>(
    own: &'u [Unit],
    guns: u32,
    foes: &[Unit],
) -> impl Iterator<Item = &'u Unit> + use<'u> {
    let dp: u32 = foes.iter().map(|foe| u32::from(foe.dp)).sum();
    let helps = guns < dp && foes.iter().any(|foe| foe.dp >= MIN_TARGET_DP);
    own.iter().filter(move |unit| helps && unit.is_missile() && !unit.is_loose())
}

fn bases(plan: &Plan<'_>) -> Vec<(Unit, u32)> {
    let survey = plan.survey;
    let bases =
        survey.units.iter().filter(|unit| unit.class.name == survey.starbase && unit.is_loose());
    bases.map(|base| (*base, survey.free_racks(base))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::Level;
    use crate::games::star_empires::emperor::doctrine::Doctrine;
    use crate::games::star_empires::emperor::memory::Memory;
    use crate::games::star_empires::emperor::relations::Relations;
    use crate::games::star_empires::samples;
    use crate::games::star_empires::survey::Survey;
    use heliopause_star_empires::{EmpireView, Line, Sheet};

    fn view(
        aboard: usize,
        beside: usize,
        more: impl FnOnce(&mut EmpireView),
    ) -> heliopause_star_empires::View {
        let mut view = samples::view_with(|own| {
            samples::world(own, (0, 0), "Home", 12, Some(0));
            own.status.homeworld = Some(samples::name("Home"));
            let base = samples::ship(own, (0, 0), "starbase");
            let design = Doctrine::of(Level::Strong).design(Role::Missile).unwrap();
            let class = design.class(samples::name("javelin")).unwrap();
            own.classes.push(class);
            own.classes.sort_by_key(|class| class.name);
            for missile in
                samples::ships(own, (0, 0), &class, aboard + beside).into_iter().take(aboard)
            {
                samples::load(own, missile, base);
            }
            more(own);
        });
        view.turn = FROM_TURN;
        view
    }

    fn sheet(view: &heliopause_star_empires::View) -> Sheet {
        let survey = Survey::new(view).unwrap();
        let (memory, mut relations) = (Memory::default(), Relations::default());
        super::super::sheet(&survey, Doctrine::of(Level::Strong), &memory, &mut relations)
    }

    #[test]
    fn missiles_are_built_until_the_starbase_is_full() {
        for (aboard, beside, expected) in [(0, 0, 2), (1, 0, 1), (1, 1, 0), (2, 0, 0)] {
            let view = view(aboard, beside, |_| {});
            let survey = Survey::new(&view).unwrap();
            let memory = Memory::default();
            let plan = Plan::new(&survey, Doctrine::of(Level::Strong), &memory);
            let found = wanted(&plan, Coord::new(0, 0));
            assert_eq!(found, expected, "{aboard} aboard, {beside} beside");
        }
        let loads = |view| {
            sheet(&view).lines.into_iter().filter(|line| matches!(line, Line::Load { .. })).count()
        };
        assert_eq!((loads(view(0, 2, |_| {})), loads(view(2, 1, |_| {}))), (1, 0));
    }

    #[test]
    fn missiles_fire_only_if_guns_do_not_suffice_and_not_at_wings() {
        let fired = |view: &heliopause_star_empires::View| {
            let names = sheet(view).lines.into_iter().find_map(|line| match line {
                Line::Fire { ships: heliopause_star_empires::Selection::Ships(names), .. } => {
                    Some(names.len())
                }
                _ => None,
            });
            names.unwrap_or(0)
        };
        let many = |own: &mut EmpireView| {
            (0..6).for_each(|_| samples::foreign(own, (0, 0), 1, "battleship", 40));
        };
        assert_eq!(fired(&view(2, 0, many)), 3, "a starbase and two missiles against 240 points");
        let one = |own: &mut EmpireView| samples::foreign(own, (0, 0), 1, "battleship", 40);
        assert_eq!(fired(&view(2, 0, one)), 1, "guns suffice");
        let wings = |own: &mut EmpireView| {
            (0..60).for_each(|_| samples::foreign(own, (0, 0), 1, "fighter", 5));
        };
        assert_eq!(fired(&view(2, 0, wings)), 1, "wings are cheaper than missiles");
    }
}
