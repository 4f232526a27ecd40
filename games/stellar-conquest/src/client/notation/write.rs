//! The writer of the order notation.

use crate::client::notation::words::{FIRE, ITEMS, LEAVE, REFUGE, SCUTTLE, STAY, WATCH, Words};
use crate::state::{
    ColonyPlan, DecreePlan, DecreeSheet, Factories, Order, Outfit, Payment, PostPlan,
    ProductionSheet, RaidOrder, ShipNumber, Spending, StandingOrders, Voyage, Withdrawal,
};
use crate::tables::{Item, PlanetId};

pub(super) fn order(order: &Order) -> String {
    match order {
        Order::Outfit(outfit) => write_outfit(outfit),
        Order::Standing(standing) => write_standing(*standing),
        Order::Watch { planet, watch } => {
            format!("watch {} {}", write_planet(*planet), word(WATCH, *watch))
        }
        Order::Inspect { glimpse, look: true } => format!("look {glimpse}"),
        Order::Inspect { glimpse, look: false } => format!("pass {glimpse}"),
        Order::Recall { ships } => format!("recall {}", write_ships(ships)),
        Order::Move(voyage) => write_voyage(voyage),
        Order::Form { ships, marker: Some(marker) } => {
            format!("form {} {}", write_ships(ships), marker.number())
        }
        Order::Form { ships, marker: None } => format!("form {} loose", write_ships(ships)),
        Order::Post { star, up: true } => format!("post {star}"),
        Order::Post { star, up: false } => format!("unpost {star}"),
        Order::EndMovement => "end movement".to_owned(),
        Order::EndTurn => "end turn".to_owned(),
        Order::Produce(sheet) => write_production(sheet),
        Order::Decree(sheet) => write_decree(sheet),
        Order::Raid(sortie) => write_raid(sortie),
        Order::Place { at, destination: Some(star) } => format!("place {at} to {star}"),
        Order::Place { at, destination: None } => format!("place {at}"),
        Order::Fight { at } => format!("fight {at}"),
        Order::Aim { shots } if shots.is_empty() => "hold".to_owned(),
        Order::Aim { shots } => shots
            .iter()
            .fold("aim".to_owned(), |line, shot| format!("{line} {}>{}", shot.by.0, shot.at.0)),
        Order::Withdraw { groups } if groups.is_empty() => "stay".to_owned(),
        Order::Withdraw { groups } => {
            format!(
                "withdraw{}",
                groups.iter().map(write_withdrawal).collect::<Vec<String>>().join(";")
            )
        }
        Order::SendTo { at } => format!("send {at}"),
        Order::Attack { planets } => write_attack(planets),
        Order::Scuttle { factories } if factories.is_empty() => "scuttle none".to_owned(),
        Order::Scuttle { factories } => {
            factories.iter().fold("scuttle".to_owned(), |line, &factories| {
                format!("{line} {}", write_factories(factories))
            })
        }
        Order::Raze { factories } => format!("raze {}", write_factories(*factories)),
        Order::Kill { planet, millions } => format!("kill {} {millions}", write_planet(*planet)),
        Order::Land { ships, planet } => {
            format!("land {} {}", write_ships(ships), write_planet(*planet))
        }
        Order::BreakOff => "break".to_owned(),
    }
}

fn write_withdrawal(group: &Withdrawal) -> String {
    let units = group.units.iter().map(|unit| format!(" {}", unit.0));
    let bound = group.destination.map(|star| format!(" to {star}"));
    units.chain(bound).collect()
}

fn write_raid(sortie: &RaidOrder) -> String {
    let RaidOrder { ships, target, rounds, path } = sortie;
    let raid = format!("raid {target} {rounds} {}", write_ships(ships));
    if path.is_empty() {
        return raid;
    }
    let via: Vec<String> = path.iter().map(ToString::to_string).collect();
    format!("{raid} via {}", via.join(" "))
}

fn word<T: Copy + PartialEq>(words: &Words<T>, value: T) -> &'static str {
    words.iter().find(|(own, _)| *own == value).map_or("", |&(_, word)| word)
}

pub(crate) fn write_planet(planet: PlanetId) -> String {
    format!("{} {}", planet.star, planet.nth + 1)
}

fn write_factories(factories: Factories) -> String {
    format!("{} {}", write_planet(factories.planet), factories.count)
}

/// Writes ship numbers in the given order. Only consecutive numbers become ranges.
pub(crate) fn write_ships(ships: &[ShipNumber]) -> String {
    format!("#{}", runs(ships).join(","))
}

/// Returns the ranges of consecutive numbers, such as `1-4`, and the single numbers between them.
pub(crate) fn runs(ships: &[ShipNumber]) -> Vec<String> {
    let run = |run: &[ShipNumber]| match run {
        [] => String::new(),
        [one] => one.0.to_string(),
        [first, .., last] => format!("{}-{}", first.0, last.0),
    };
    ships.chunk_by(|one, next| one.0.checked_add(1) == Some(next.0)).map(run).collect()
}

fn write_voyage(voyage: &Voyage) -> String {
    let mut parts = vec![format!("move {}", write_ships(&voyage.ships))];
    let mut add = |keyword: &str, names: Vec<String>| {
        if !names.is_empty() {
            parts.push(format!("{keyword} {}", names.join(" ")));
        }
    };
    add("via", voyage.path.iter().map(ToString::to_string).collect());
    add("to", voyage.destination.iter().map(ToString::to_string).collect());
    add("avoid", voyage.avoiding.iter().map(ToString::to_string).collect());
    if voyage.round_clouds {
        parts.push("clouds".to_owned());
    }
    if voyage.accept_loss {
        parts.push("lose".to_owned());
    }
    parts.join(" ")
}

fn write_attack(planets: &[PlanetId]) -> String {
    let mut parts = vec!["attack".to_owned()];
    let mut star = None;
    for planet in planets {
        if star != Some(planet.star) {
            parts.push(planet.star.to_string());
            star = Some(planet.star);
        }
        parts.push((planet.nth + 1).to_string());
    }
    parts.join(" ")
}

fn write_standing(standing: StandingOrders) -> String {
    format!(
        "standing fire {} stay {} scouts {} transports {} refuge {} scuttle {}",
        word(FIRE, standing.fire),
        word(STAY, standing.stay),
        word(LEAVE, standing.scouts_leave),
        word(LEAVE, standing.transports_leave),
        word(REFUGE, standing.refuge),
        word(SCUTTLE, standing.scuttle),
    )
}

fn write_item(item: Item, count: u32) -> String {
    let names = ITEMS
        .iter()
        .find(|(own, _, _)| *own == item)
        .map_or(("", ""), |&(_, one, several)| (one, several));
    format!("{count} {}", if count == 1 { names.0 } else { names.1 })
}

fn write_payment(payment: Payment) -> String {
    format!("{} into {}", payment.points, payment.tech.title().code)
}

fn write_outfit(outfit: &Outfit) -> String {
    let ships = |corvettes: u32, scouts: u32| {
        let counts = [(Item::Corvette, corvettes), (Item::Scout, scouts)];
        counts
            .into_iter()
            .filter(|&(_, count)| count > 0)
            .map(|(item, count)| write_item(item, count))
    };
    let (verb, parts): (&str, Vec<String>) = match outfit {
        Outfit::Bonus { scouts, corvettes, research } => (
            "setup",
            ships(*corvettes, *scouts).chain(research.iter().copied().map(write_payment)).collect(),
        ),
        Outfit::Commission { corvettes, scouts, technologies } => {
            let codes = technologies.iter().map(|tech| tech.title().code.to_owned());
            ("commission", ships(*corvettes, *scouts).chain(codes).collect())
        }
    };
    format!("{verb} {}", parts.join("; ")).trim_end().to_owned()
}

fn write_plan(plan: &ColonyPlan) -> String {
    let mut parts = Vec::new();
    if plan.emigrants > 0 || plan.bonus > 0 {
        parts.push(format!("emigrate {}+{}", plan.emigrants, plan.bonus));
    }
    if plan.evacuate {
        parts.push("evacuate".to_owned());
    }
    parts.extend(plan.spending.iter().map(|spending| match spending {
        Spending::Build { item, count } => write_item(*item, *count),
        Spending::Research(payment) => write_payment(*payment),
    }));
    format!("{}: {}", write_planet(plan.planet), parts.join("; ")).trim_end().to_owned()
}

fn write_decree(sheet: &DecreeSheet) -> String {
    let plan = |plan: &DecreePlan| {
        let budget = plan.budget.map(|points| format!("spend {points}"));
        let weapons = plan.weapons.iter().map(|build| write_item(build.item, build.count));
        let parts: Vec<String> = budget.into_iter().chain(weapons).collect();
        format!("{}: {}", write_planet(plan.planet), parts.join("; ")).trim_end().to_owned()
    };
    let mut parts: Vec<String> = sheet.plans.iter().map(plan).collect();
    parts.extend(sheet.posts.as_ref().map(write_posts));
    format!("decree {}", parts.join(" | ")).trim_end().to_owned()
}

fn write_posts(posts: &PostPlan) -> String {
    let stars: Vec<&str> = posts.stars.iter().map(|star| star.as_str()).collect();
    if stars.is_empty() { "posts none".to_owned() } else { format!("posts {}", stars.join(" ")) }
}

fn write_production(sheet: &ProductionSheet) -> String {
    let mut parts: Vec<String> = sheet.colonies.iter().map(write_plan).collect();
    if let Some(posts) = &sheet.posts {
        parts.push(write_posts(posts));
    }
    if !sheet.grant.is_empty() {
        let payments: Vec<String> = sheet.grant.iter().copied().map(write_payment).collect();
        parts.push(format!("grant {}", payments.join("; ")));
    }
    format!("produce {}", parts.join(" | ")).trim_end().to_owned()
}
