//! Random legal orders, the baseline.

use heliopause_star_empires::{Class, Coord, Name, Sheet};

use crate::chance::Rng;
use crate::games::star_empires::lines::Lines;
use crate::games::star_empires::routes::disc;
use crate::games::star_empires::survey::{Survey, Unit};

pub(super) fn sheet(survey: &Survey<'_>, chance: &mut Rng) -> Sheet {
    let mut lines = Lines::default();
    for &at in survey.loose.keys() {
        shoot(survey, at, chance, &mut lines);
    }
    for unit in survey.units.iter().filter(|unit| unit.is_loose() && unit.engines() > 0) {
        if chance.below(2) == 0 {
            wander(unit, chance, &mut lines);
        }
    }
    for world in survey.own_worlds().filter(|world| Survey::can_work(world)) {
        build(survey, world.name, world.stockpile.unwrap_or(0), chance, &mut lines);
    }
    lines.sheet()
}

fn shoot(survey: &Survey<'_>, at: Coord, chance: &mut Rng, lines: &mut Lines) {
    let owners: Vec<_> = survey.foreign_at(at).iter().map(|unit| unit.owner).collect();
    let Some(name) = chance.pick(&owners).and_then(|&owner| survey.empire_name(owner)) else {
        return;
    };
    let attackers: Vec<Name> =
        survey.loose_at(at).filter(|unit| unit.is_armed()).map(Unit::name).collect();
    lines.fire(&attackers, name);
}

fn wander(unit: &Unit, chance: &mut Rng, lines: &mut Lines) {
    let reached: Vec<Coord> =
        disc(unit.at, unit.engines().min(5).cast_signed()).filter(|&at| at != unit.at).collect();
    if let Some(&to) = chance.pick(&reached) {
        lines.go(&[unit.name()], to);
    }
}

fn build(survey: &Survey<'_>, world: Name, mut stock: u32, chance: &mut Rng, lines: &mut Lines) {
    let affordable = |stock: u32| -> Vec<&Class> {
        survey
            .own
            .classes
            .iter()
            .filter(|class| !class.unbuildable && (1..=stock).contains(&class.cost))
            .collect()
    };
    while chance.below(4) > 0 {
        let classes = affordable(stock);
        let Some(class) = chance.pick(&classes) else { return };
        stock -= class.cost;
        lines.build(world, 1, class.name);
    }
}
