//! Conversion of orders to the lines that offers produce.

use heliopause_kernel::{Game, Seat};
use heliopause_stellar_conquest::outer_space::DecreeSheet;
use heliopause_stellar_conquest::{
    Item, Order, Outfit, Payment, Power, PrescribedChoices, ProductionSheet, Ship, ShipNumber,
    Shot, Spending, StarId, StellarConquest, Tech, UnitId, Voyage, Withdrawal,
};
use heliopause_testing::Rng;

/// Writes an order as offers do, one line per entry. Returns no lines if the order needs no offer.
#[expect(clippy::too_many_lines, reason = "one arm for each order")]
pub(crate) fn offer_lines(game: &StellarConquest, seat: Seat, order: &Order) -> Vec<String> {
    let power = game.power(seat);
    let kind = |ship: &ShipNumber| power.ship(*ship).map(Ship::kind);
    let names = |ships: &[ShipNumber]| {
        ships.iter().map(ToString::to_string).collect::<Vec<String>>().join(",")
    };
    let free = power.research.has(Tech::UnlimitedShipCommunication);
    let bound = |star: Option<StarId>| {
        star.filter(|_| !free).map_or_else(String::new, |star| format!(" to {star}"))
    };
    match order {
        Order::Outfit(outfit) => vec![outfit_line(outfit)],
        Order::Produce(sheet) if completes(power, sheet) => Vec::new(),
        Order::Produce(sheet) => sheet_lines(sheet),
        Order::Decree(sheet) if sheet.plans.iter().any(|plan| !plan.weapons.is_empty()) => {
            Vec::new()
        }
        Order::Decree(sheet) => decree_lines(game, seat, sheet),
        Order::Move(voyage) => move_line(game, seat, voyage).into_iter().collect(),
        Order::Raid(sortie) if sortie.path.is_empty() => {
            vec![format!("raid {} {} {}", sortie.target, sortie.rounds, names(&sortie.ships))]
        }
        Order::Raid(_) => Vec::new(),
        Order::Recall { ships } => {
            let mut ships = ships.clone();
            ships.sort_by_key(kind);
            vec![format!("recall {}", names(&ships))]
        }
        Order::Form { ships, marker } => {
            let force =
                marker.map_or_else(|| "loose".to_owned(), |marker| marker.number().to_string());
            vec![format!("form {} {force}", names(ships))]
        }
        Order::Land { ships, planet } => {
            vec![format!("land {} {} {}", names(ships), planet.star, planet.nth + 1)]
        }
        Order::Place { at, destination } => vec![format!("place {at}{}", bound(*destination))],
        Order::Aim { shots } => {
            let mut shots = shots.clone();
            shots.sort_by_key(|shot| shot.by);
            match game.choices(seat).prescribed {
                Some(prescribed) => vec![prescribed_line(&prescribed, &shots)],
                None => vec![StellarConquest::notate(&Order::Aim { shots })],
            }
        }
        Order::Withdraw { groups } if groups.len() > 1 => {
            let units =
                game.choices(seat).withdraw.map_or_else(Vec::new, |withdraw| withdraw.units);
            if free {
                let all: Vec<String> = groups
                    .iter()
                    .flat_map(|group| &group.units)
                    .map(|unit| unit.0.to_string())
                    .collect();
                return vec![format!("withdraw {}", all.join(" "))];
            }
            let fate = |unit: &UnitId| {
                let group = groups.iter().find(|group| group.units.contains(unit));
                let fate =
                    group.map_or_else(|| " stay".to_owned(), |group| bound(group.destination));
                format!("{}{fate}", unit.0)
            };
            vec![format!("withdraw {}", units.iter().map(fate).collect::<Vec<String>>().join("; "))]
        }
        Order::Withdraw { groups } => {
            let group = |group: &Withdrawal| Withdrawal {
                destination: group.destination.filter(|_| !free),
                ..group.clone()
            };
            vec![StellarConquest::notate(&Order::Withdraw {
                groups: groups.iter().map(group).collect(),
            })]
        }
        Order::Attack { planets } => {
            let mut planets = planets.clone();
            planets.sort_unstable();
            vec![StellarConquest::notate(&Order::Attack { planets })]
        }
        // Settings with default values need not be written.
        Order::Standing(_) => {
            let line = StellarConquest::notate(order);
            let words: Vec<&str> = line.split(' ').skip(1).collect();
            let said = words
                .chunks(2)
                .filter(|said| !matches!(said[1], "ask") && *said != ["scouts", "stay"]);
            let said =
                said.filter(|said| *said != ["transports", "stay"]).map(|said| said.join(" "));
            vec![
                std::iter::once("standing".to_owned())
                    .chain(said)
                    .collect::<Vec<String>>()
                    .join(" "),
            ]
        }
        other => vec![StellarConquest::notate(other)],
    }
}

/// Writes prescribed shots by naming the targets that get one more shot than identical targets.
fn prescribed_line(prescribed: &PrescribedChoices, shots: &[Shot]) -> String {
    let mut line = "aim".to_owned();
    let (mut alike, mut more) = (String::new(), String::new());
    for shot in &prescribed.shots {
        if !prescribed.alike.iter().any(|group| group.guns.contains(&shot.by)) {
            line.extend([
                " ".to_owned(),
                shot.by.0.to_string(),
                ">".to_owned(),
                shot.at.0.to_string(),
            ]);
        }
    }
    for group in &prescribed.alike {
        let (rest, fixed) = group.guns.split_at(group.guns.len() % group.ships.len());
        alike.extend(
            fixed
                .iter()
                .zip(group.ships.iter().cycle())
                .map(|(by, at)| format!(" {}>{}", by.0, at.0)),
        );
        let each = group.guns.len() / group.ships.len();
        let count = |ship: &&UnitId| {
            shots.iter().filter(|shot| group.guns.contains(&shot.by) && shot.at == **ship).count()
        };
        let targets: Vec<String> = group
            .ships
            .iter()
            .filter(|ship| count(ship) > each)
            .map(|ship| ship.0.to_string())
            .collect();
        if !rest.is_empty() {
            let guns: Vec<String> = rest.iter().map(|by| by.0.to_string()).collect();
            more.extend([" ", &guns.join(","), ">", &targets.join(",")]);
        }
    }
    if more.is_empty() {
        return StellarConquest::notate(&Order::Aim { shots: prescribed.shots.clone() });
    }
    line + &alike + &more
}

pub(crate) fn shuffled(prescribed: &PrescribedChoices, chance: &mut Rng) -> Order {
    let mut shots = prescribed.shots.clone();
    for group in &prescribed.alike {
        let mut ships = group.ships.clone();
        for at in (1..ships.len()).rev() {
            ships.swap(at, chance.below(at + 1));
        }
        for shot in shots.iter_mut().filter(|shot| group.guns.contains(&shot.by)) {
            let place =
                group.ships.iter().position(|ship| *ship == shot.at).expect("it is fired at");
            shot.at = ships[place];
        }
    }
    Order::Aim { shots }
}

fn move_line(game: &StellarConquest, seat: Seat, voyage: &Voyage) -> Option<String> {
    let voyages = game.choices(seat).voyages;
    let own = voyages.iter().filter(|own| voyage.ships.iter().all(|ship| own.ships.contains(ship)));
    let route = own.flat_map(|own| &own.routes).find(|route| {
        let same =
            (route.destination, route.round_clouds) == (voyage.destination, voyage.round_clouds);
        same && route.path.starts_with(&voyage.path)
    })?;
    let hexes = Some(voyage.path.len()).filter(|&hexes| hexes > 0 && hexes < route.path.len());
    // A star may be closed to ships that stop there (space 7.1).
    if hexes.is_some() && StarId::in_hex(route.path[0]).is_some() {
        return None;
    }
    let ships: Vec<String> = voyage.ships.iter().map(ToString::to_string).collect();
    let stop = hexes.map_or_else(String::new, |hexes| format!(" stop {hexes}"));
    let clouds = if voyage.round_clouds { " clouds" } else { "" };
    let lose = if route.safe.is_some() { " lose" } else { "" };
    Some(format!("move {} to {}{stop}{clouds}{lose}", ships.join(","), voyage.destination?))
}

fn decree_lines(game: &StellarConquest, seat: Seat, sheet: &DecreeSheet) -> Vec<String> {
    let colonies = game.choices(seat).decree.map_or_else(Vec::new, |decree| decree.colonies);
    let chosen = |planet| {
        colonies.iter().any(|colony| colony.planet == planet && colony.least < colony.most)
    };
    let line = |plans, posts| StellarConquest::notate(&Order::Decree(DecreeSheet { plans, posts }));
    let budgets = sheet.plans.iter().filter(|plan| plan.budget.is_some() && chosen(plan.planet));
    let mut lines: Vec<String> = budgets.map(|plan| line(vec![plan.clone()], None)).collect();
    lines.extend(sheet.posts.clone().map(|posts| line(Vec::new(), Some(posts))));
    if lines.is_empty() {
        lines.push(line(Vec::new(), None));
    }
    lines
}

fn scout_entries(count: u32) -> impl Iterator<Item = String> {
    let pairs = (count >= 2).then(|| format!("{} scout-pairs", count / 2));
    pairs.into_iter().chain((count % 2 == 1).then(|| "1 scouts".to_owned()))
}

fn outfit_line(outfit: &Outfit) -> String {
    match outfit {
        Outfit::Bonus { scouts, corvettes, research } => {
            let mut research = research.clone();
            research.sort_unstable();
            let corvettes = (*corvettes > 0).then(|| format!("{corvettes} corvettes"));
            let paid = research
                .iter()
                .map(|paid| format!("{} into {}", paid.points, paid.tech.title().code));
            let parts: Vec<String> =
                corvettes.into_iter().chain(scout_entries(*scouts)).chain(paid).collect();
            format!("setup {}", parts.join("; ")).trim_end().to_owned()
        }
        Outfit::Commission { corvettes, scouts, technologies } => {
            let ships = [(*corvettes, "corvettes"), (*scouts, "scouts")];
            let ships = ships
                .into_iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, name)| format!("{count} {name}"));
            let techs = technologies.iter().map(|tech| tech.title().code.to_owned());
            format!("commission {}", ships.chain(techs).collect::<Vec<String>>().join("; "))
        }
    }
}

fn completes(power: &Power, sheet: &ProductionSheet) -> bool {
    let of_colonies = sheet.colonies.iter().flat_map(|plan| &plan.spending).filter_map(
        |spending| match spending {
            Spending::Research(payment) => Some(payment),
            Spending::Build { .. } => None,
        },
    );
    let payments: Vec<&Payment> = sheet.grant.iter().chain(of_colonies).collect();
    let into = |tech: Tech| {
        payments.iter().filter(|paid| paid.tech == tech).map(|paid| paid.points).sum::<u32>()
    };
    payments.iter().any(|paid| into(paid.tech) >= power.research.missing(paid.tech))
}

fn sheet_lines(sheet: &ProductionSheet) -> Vec<String> {
    let paid = |paid: &Payment| format!("{} into {}", paid.points, paid.tech.title().code);
    let grant = sheet.grant.iter().map(|payment| format!("produce grant {}", paid(payment)));
    let posts = sheet.posts.clone().map(|posts| {
        StellarConquest::notate(&Order::Produce(ProductionSheet {
            posts: Some(posts),
            ..ProductionSheet::default()
        }))
    });
    let mut lines: Vec<String> = grant.chain(posts).collect();
    for plan in &sheet.colonies {
        let mut does: Vec<String> = Vec::new();
        if plan.emigrants > 0 {
            does.push(format!("emigrate {}+{}", plan.emigrants, plan.bonus));
        }
        if plan.evacuate {
            does.push("evacuate".to_owned());
        }
        does.extend(plan.spending.iter().map(|spending| match spending {
            Spending::Build { item: Item::Scout, count } => {
                scout_entries(*count).collect::<Vec<_>>().join("; ")
            }
            Spending::Build { item, count } => {
                let several = match item {
                    Item::Factory => "factories".to_owned(),
                    Item::AdvancedMissileBase => "advanced-bases".to_owned(),
                    Item::PlanetShield => "shields".to_owned(),
                    _ => format!("{}s", item.as_str().replace(' ', "-")),
                };
                format!("{count} {several}")
            }
            Spending::Research(payment) => paid(payment),
        }));
        let planet = format!("{} {}", plan.planet.star, plan.planet.nth + 1);
        lines.extend(does.iter().map(|does| format!("produce {planet}: {does}")));
    }
    // A listed colony without actions is equal to an unlisted colony.
    if lines.is_empty() {
        lines.push("produce".to_owned());
    }
    lines
}
