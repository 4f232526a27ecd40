//! The panels of industry points, technologies and prices.

use heliopause_kernel::Game as _;
use heliopause_stellar_conquest::fate::commission;
use heliopause_stellar_conquest::{
    BONUS, Colony, Fleet, Item, Outfit, Power, ProductionSheet, STARTING_FLEET, Sheet, Ship,
    ShipKind, Spending, Stage, StellarConquest, TURNS, Tech, TechSet,
};

use super::atlas::Atlas;
use super::{campaign, words};
use crate::scene::{SceneFigure, ScenePanel, SceneRow, figure, panel, row, states};

pub(super) fn treasury(atlas: &Atlas, power: &Power) -> ScenePanel {
    let table = &atlas.view.table;
    let is_setup = table.stage == Stage::Setup;
    let mut figures = if is_setup {
        setup(atlas, power)
    } else if table.stage == Stage::Over {
        Vec::new()
    } else {
        industry(atlas, power)
    };
    let next = match (table.stage, atlas.next_production()) {
        (Stage::Production, _) => "now".to_owned(),
        (_, Some(turn)) => format!("after turn {turn}"),
        (_, None) => "none".to_owned(),
    };
    figures.push(figure("next production", next, ""));
    figures.push(figure("turn", format!("{} of {TURNS}", table.turn), ""));
    if !is_setup {
        figures.extend(holdings(power));
        figures.extend(points(atlas));
    }
    if power.grant > 0 {
        let note = "from the Empire, only for research in the next production turn";
        figures.push(figure("grant", format!("{} i.p.", power.grant), note));
    }
    if let Some(debt) = table.campaign.fate().map(|fate| fate.debt).filter(|debt| *debt > 0) {
        let points = format!("{} ship points", words::halves(debt));
        figures.push(figure("owed to the Empire", points, ""));
    }
    ScenePanel { figures, ..panel("treasury", "Treasury", "", Vec::new()) }
}

fn setup(atlas: &Atlas, power: &Power) -> Vec<SceneFigure> {
    let (budget, planned) = match &power.sheet {
        Sheet::Outfit(Outfit::Commission { corvettes, scouts, .. }) => {
            (commission::HALF_POINTS, Some(2 * corvettes + scouts))
        }
        Sheet::Outfit(Outfit::Bonus { scouts, corvettes, research }) => {
            let ships = [(Item::Scout, scouts), (Item::Corvette, corvettes)];
            let ships = ships.map(|(item, count)| item.price(*count, TechSet::NONE));
            let research = research.iter().map(|payment| payment.points);
            (BONUS, Some(ships.into_iter().chain(research).sum()))
        }
        Sheet::None | Sheet::Production(_) | Sheet::Decree(_) => {
            let is_fate = atlas.view.table.campaign.fate().is_some();
            (if is_fate { commission::HALF_POINTS } else { BONUS }, None)
        }
    };
    let shown = |points: u32| match atlas.view.table.campaign.fate() {
        Some(_) => format!("{} ship points", words::halves(points)),
        None => format!("{points} i.p."),
    };
    spendable(budget, planned, shown, "to spend at setup")
}

fn spendable(
    budget: u32,
    planned: Option<u32>,
    shown: impl Fn(u32) -> String,
    note: &str,
) -> Vec<SceneFigure> {
    let mut figures = vec![figure("available", shown(budget), note)];
    if let Some(planned) = planned {
        figures.push(figure("planned", shown(planned), "on your sheet"));
        figures.push(figure("left", shown(budget.saturating_sub(planned)), ""));
    }
    figures
}

fn industry(atlas: &Atlas, power: &Power) -> Vec<SceneFigure> {
    let shown = |points: u32| format!("{points} i.p.");
    let output = commanded(atlas, power).map(|it| it.output(power.research.owned)).sum();
    if atlas.view.table.stage != Stage::Production {
        return vec![figure("industry", shown(output), "if production took place now")];
    }
    let planned = match &power.sheet {
        Sheet::Production(sheet) => Some(planned(power, sheet)),
        Sheet::None | Sheet::Outfit(_) | Sheet::Decree(_) => None,
    };
    spendable(output, planned, shown, "each colony spends its own industry points")
}

/// Returns the colonies that give the viewer industry points.
fn commanded<'a>(atlas: &Atlas, power: &'a Power) -> impl Iterator<Item = &'a Colony> {
    let own = power.colonies.iter().filter(|colony| colony.is_free());
    let conquered = power.conquered_colonies.iter().map(|prize| &prize.colony);
    own.chain(conquered.filter(|_| atlas.conquests_produce()))
}

/// Returns the industry points that a stored sheet spends, without grants.
fn planned(power: &Power, sheet: &ProductionSheet) -> u32 {
    let mut research = power.research;
    for payment in &sheet.grant {
        research.pay(payment.tech, payment.points);
    }
    let mut sum = 0;
    for plan in &sheet.colonies {
        let transports = u32::from(plan.emigrants) + u32::from(plan.bonus);
        sum += Item::ColonyTransport.price(transports, TechSet::NONE);
        let mut scouts = 0;
        for spending in &plan.spending {
            sum += match *spending {
                Spending::Build { item: Item::Scout, count } => {
                    let price = |count| Item::Scout.price(count, TechSet::NONE);
                    scouts += count;
                    price(scouts) - price(scouts - count)
                }
                Spending::Build { item, count } => item.price(count, research.owned),
                Spending::Research(payment) => {
                    research.pay(payment.tech, payment.points);
                    payment.points
                }
            };
        }
    }
    sum
}

fn holdings(power: &Power) -> Vec<SceneFigure> {
    let colonies = || power.colonies.iter().filter(|colony| colony.is_free());
    let people: u32 = colonies().map(|it| u32::from(it.population) + u32::from(it.subjects)).sum();
    let room: u32 = colonies().map(|colony| u32::from(colony.world.capacity)).sum();
    let factories: u32 = colonies().map(|colony| colony.factories).sum();
    let fleet: Fleet = power.ships.iter().map(Ship::kind).collect();
    vec![
        figure("people", format!("{people}M of {room}M"), ""),
        figure("factories", factories, ""),
        figure("ships", words::fleet(fleet), ""),
    ]
}

fn points(atlas: &Atlas) -> Vec<SceneFigure> {
    let goals = StellarConquest::goals(&atlas.view).into_iter().filter(|goal| goal.seat.is_some());
    let figures = goals.map(|goal| {
        let note = match atlas.view.table.campaign.fate() {
            Some(_) => campaign::level(goal.value),
            None => "as far as you know; the most points win",
        };
        figure(goal.label, goal.value, note)
    });
    figures.collect()
}

/// Returns the panel of technologies: first those in progress, then open, owned and closed ones.
pub(super) fn technology(atlas: &Atlas, power: &Power) -> ScenePanel {
    let research = &power.research;
    let rank = |tech: Tech| match (research.has(tech), research.owned.opens(tech)) {
        (true, _) => 2,
        (false, true) if research.paid(tech) > 0 => 0,
        (false, true) => 1,
        (false, false) => 3,
    };
    let mut all = Tech::ALL;
    all.sort_by_key(|tech| rank(*tech));
    let speed = format!("{} hexes a turn", research.owned.speed());
    ScenePanel {
        figures: vec![figure("ship speed", speed, "")],
        folded: !is_shopping(atlas),
        ..panel(
            "technology",
            "Technology",
            "technology | in orders | #price | #paid | #remaining | ",
            all.into_iter().map(|tech| technology_row(power, tech, rank(tech))).collect(),
        )
    }
}

fn technology_row(power: &Power, tech: Tech, rank: u8) -> SceneRow {
    let (research, title) = (&power.research, tech.title());
    let state = match rank {
        0 => "in progress".to_owned(),
        1 => "open".to_owned(),
        2 => "owned".to_owned(),
        _ => format!("needs {} of level {}", title.class, title.level - 1),
    };
    let unless_owned = |points: u32| if rank == 2 { String::new() } else { points.to_string() };
    SceneRow {
        states: states([(rank == 2, "good"), (rank == 3, "out")]),
        ..row([
            tech.to_string(),
            title.code.to_owned(),
            unless_owned(research.owned.cost(tech)),
            unless_owned(research.paid(tech)),
            unless_owned(research.missing(tech)),
            state,
        ])
    }
}

pub(super) fn prices(atlas: &Atlas) -> ScenePanel {
    let table = &atlas.view.table;
    let owned = atlas.own().map_or(TechSet::NONE, |(_, power)| power.research.owned);
    let note = match (table.stage, table.campaign.fate()) {
        (Stage::Setup, Some(_)) => format!(
            "At setup, a corvette costs 1 ship point and a scout ½; {} colony transports and two \
             technologies are free.",
            commission::TRANSPORTS
        ),
        (Stage::Setup, None) => {
            format!("Each player also starts with {}.", words::fleet(STARTING_FLEET))
        }
        _ => String::new(),
    };
    ScenePanel {
        note,
        folded: !is_shopping(atlas),
        ..panel(
            "prices",
            "Prices",
            "item | letters | #i.p. | ",
            Item::ALL.into_iter().map(|item| price(item, owned)).collect(),
        )
    }
}

fn price(item: Item, owned: TechSet) -> SceneRow {
    let letters = match item {
        Item::ColonyTransport => ShipKind::Transport.letters(),
        Item::Scout => ShipKind::Scout.letters(),
        Item::Corvette => ShipKind::Corvette.letters(),
        Item::Fighter => ShipKind::Fighter.letters(),
        Item::DeathStar => ShipKind::DeathStar.letters(),
        Item::MissileBase => "MB",
        Item::AdvancedMissileBase => "AMB",
        Item::Factory | Item::PlanetShield => "",
    };
    let is_allowed = item.is_allowed(owned);
    let needs = |tech: Tech| if is_allowed { String::new() } else { format!("needs {tech}") };
    let remark = match item {
        Item::ColonyTransport => "carries 1M; built only for emigrants".to_owned(),
        Item::Scout => format!("{} for two", item.price(2, owned)),
        Item::Corvette => String::new(),
        Item::Fighter => needs(Tech::Fighter),
        Item::DeathStar => needs(Tech::DeathStar),
        Item::Factory if !is_allowed => needs(Tech::IndustrialTechnology),
        Item::Factory if owned.has(Tech::RoboticIndustry) => "any number".to_owned(),
        Item::Factory if owned.has(Tech::ImprovedIndustrialTechnology) => "2 per 1M".to_owned(),
        Item::Factory => "1 per 1M".to_owned(),
        Item::MissileBase => needs(Tech::MissileBase),
        Item::AdvancedMissileBase => needs(Tech::AdvancedMissileBase),
        Item::PlanetShield if is_allowed => "1 per planet".to_owned(),
        Item::PlanetShield => needs(Tech::PlanetShield),
    };
    let price = item.price(1, owned).to_string();
    SceneRow {
        states: states([(!is_allowed, "out")]),
        ..row([item.to_string(), letters.to_owned(), price, remark])
    }
}

/// Returns whether the viewer can buy items and technologies now.
fn is_shopping(atlas: &Atlas) -> bool {
    atlas.own().is_some() && atlas.view.table.stage.is_simultaneous()
}
