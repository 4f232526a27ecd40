//! Small random positions of Diplomacy, with orders that bring units into conflict.

use heliopause_diplomacy::{
    Code, Given, Ground, Kind, Named, Node, Order, Place, Position, Province, Terrain, Unit,
    Variant,
};
use heliopause_kernel::Seat;
use heliopause_testing::Rng;

const REGIONS: [&str; 6] = [
    "ENG NTH Lon Bel Bre Pic Wal IRI MAO Hol Par Bur Yor",
    "NTH SKA Nwy Swe Den BAL Kie Ber HEL Hol Edi NWG",
    "TYS ION Nap Rom Tus Tun WES LYO Apu ADR Ven Alb Gre",
    "BLA Con Bul Ank Sev Rum Arm AEG Smy Gre Ser",
    "Mun Bur Ruh Kie Ber Sil Boh Tyr Vie Tri Bud",
    "Par Bur Pic Gas Bre Mar",
];

/// Returns a random position and orders for its units.
pub fn random(mut chance: Rng) -> (Position, Vec<Given>) {
    let variant = chance.pick(&[Variant::Standard, Variant::OuterSpace, Variant::OuterSpace]);
    let corner: Vec<Province> = chance
        .pick(&REGIONS)
        .split_whitespace()
        .map(|text| text.parse::<Province>().unwrap())
        .collect();
    let powers = 2 + chance.below(2);
    let codes = ["ZOR", "VEL", "KRU"].iter().take(powers).map(|code| code.parse::<Code>().unwrap());
    let mut position = Position::empty(variant, codes);
    for _ in 0..4 + chance.below(6) {
        let province = chance.pick(&corner);
        let kind = match province.terrain() {
            Terrain::Sea => Kind::Fleet,
            Terrain::Inland => Kind::Army,
            Terrain::Coastal => chance.pick(&[Kind::Army, Kind::Army, Kind::Fleet]),
        };
        let coasts: Vec<Node> = province.coasts().collect();
        let at = if kind == Kind::Fleet && !coasts.is_empty() {
            chance.pick(&coasts)
        } else {
            province.node()
        };
        let owner = Seat::at(chance.below(powers));
        if position.unit(province).is_none() {
            position.put(Unit { owner, kind, at });
        }
    }
    if variant == Variant::OuterSpace {
        for seat in Seat::first(powers) {
            *position.orbit_mut(seat) = chance.pick(&[0, 1, 2, 3, 3]);
        }
    }
    let orders = random_orders(&mut chance, &position, &corner);
    (position, orders)
}

fn random_orders(chance: &mut Rng, position: &Position, corner: &[Province]) -> Vec<Given> {
    let ground = Ground::new(position);
    let mut orders: Vec<Given> = Vec::new();
    let mut moves: Vec<(Named, Province)> = Vec::new();
    let mut named: Vec<(Seat, Named)> =
        position.units().map(|unit| (unit.owner, Named::from(unit))).collect();
    for seat in position.seats() {
        named.extend((0..position.orbit(seat)).map(|_| (seat, Named::ORBITING)));
    }
    // Moves come first so that supports and convoys can refer to them.
    for round in 0..2 {
        for &(seat, unit) in &named {
            let supports = unit.at != Place::Orbit && chance.below(2) == 0;
            if supports != (round == 1) {
                continue;
            }
            for _ in 0..12 {
                let order = random_order(chance, unit, corner, &moves, round == 1);
                if ground.judge(seat, &order).is_ok() {
                    if let Order::Move { to: Place::Earth(to), .. } = order {
                        moves.push((unit, to.province()));
                    }
                    orders.push(Given { seat, order });
                    break;
                }
            }
        }
        if round == 0 {
            named.retain(|(_, unit)| {
                unit.at != Place::Orbit
                    && !orders.iter().any(|given| given.order.unit() == Some(*unit))
            });
        }
    }
    orders
}

fn random_order(
    chance: &mut Rng,
    unit: Named,
    corner: &[Province],
    moves: &[(Named, Province)],
    supports: bool,
) -> Order {
    let somewhere = chance.pick(corner);
    let to = Place::Earth(somewhere.node());
    if !supports {
        return match chance.below(6) {
            0 => Order::Move { unit, to: Place::Orbit, via_convoy: false },
            1 => Order::Move { unit, to, via_convoy: true },
            _ => Order::Move { unit, to, via_convoy: false },
        };
    }
    let (other, goes_to) = if moves.is_empty() {
        (Named { kind: None, at: to }, somewhere)
    } else {
        chance.pick(moves)
    };
    match chance.below(5) {
        0 => Order::SupportHold { unit, other: Named { kind: None, at: to } },
        1 | 2 => match other.at {
            Place::Earth(_) => Order::Convoy { unit, army: other, to: goes_to.node() },
            Place::Orbit => Order::SupportMove {
                unit,
                other,
                of: "VEL".parse::<Code>().ok(),
                to: Place::Earth(goes_to.node()),
            },
        },
        _ => Order::SupportMove { unit, other, of: None, to: Place::Earth(goes_to.node()) },
    }
}

/// Returns a random position around the English Channel in which the success of a convoy can decide
/// whether its own fleets are dislodged. Armies land where supporting units are.
pub fn random_convoys(mut chance: Rng) -> (Position, Vec<Given>) {
    let read = |text: &str| text.parse::<Province>().unwrap();
    let seas = ["ENG", "NTH"].map(read);
    let coasts = ["Lon", "Bel", "Bre", "Pic", "Wal", "Hol", "Edi", "Nwy", "Den", "Yor"].map(read);
    let codes = ["ZOR", "VEL", "KRU"].map(|code| code.parse::<Code>().unwrap());
    let mut position = Position::empty(Variant::Standard, codes);
    for sea in seas.into_iter().chain(["IRI", "MAO", "HEL", "SKA", "NWG"].map(read)) {
        if seas.contains(&sea) || chance.below(3) == 0 {
            position.put(Unit {
                owner: Seat::at(chance.below(3)),
                kind: Kind::Fleet,
                at: sea.node(),
            });
        }
    }
    for coast in coasts {
        if chance.below(2) == 0 {
            let kind = chance.pick(&[Kind::Army, Kind::Fleet, Kind::Fleet]);
            position.put(Unit { owner: Seat::at(chance.below(3)), kind, at: coast.node() });
        }
    }
    let orders = convoy_orders(&mut chance, &position, seas);
    (position, orders)
}

fn convoy_orders(chance: &mut Rng, position: &Position, seas: [Province; 2]) -> Vec<Given> {
    let ground = Ground::new(position);
    let occupied: Vec<Province> = position.occupied().iter().collect();
    let mut moves: Vec<(Named, Province)> = Vec::new();
    let mut orders: Vec<Given> = Vec::new();
    let mut give = |seat: Seat, order: Order| {
        let legal = ground.judge(seat, &order).is_ok();
        if legal {
            orders.push(Given { seat, order });
        }
        legal
    };
    let carries = |unit: &Unit| seas.contains(&unit.at.province());
    for unit in position.units().filter(|unit| !carries(unit)) {
        let named = Named::from(unit);
        let to = if unit.kind == Kind::Army { chance.pick(&occupied) } else { chance.pick(&seas) };
        let order = Order::Move {
            unit: named,
            to: Place::Earth(to.node()),
            via_convoy: unit.kind == Kind::Army,
        };
        if (unit.kind == Kind::Army || chance.below(2) == 0) && give(unit.owner, order) {
            moves.push((named, to));
        }
    }
    for unit in position
        .units()
        .filter(|unit| !moves.iter().any(|(other, _)| other.at == Place::Earth(unit.at)))
    {
        let named = Named::from(unit);
        for _ in 0..6 {
            let Some(&(other, to)) = moves.get(chance.below(moves.len().max(1))) else { break };
            let order = match chance.below(8) {
                0 => Order::SupportHold {
                    unit: named,
                    other: Named { kind: None, at: Place::Earth(chance.pick(&seas).node()) },
                },
                _ if carries(&unit) => Order::Convoy { unit: named, army: other, to: to.node() },
                _ => {
                    Order::SupportMove { unit: named, other, of: None, to: Place::Earth(to.node()) }
                }
            };
            if give(unit.owner, order) {
                break;
            }
        }
    }
    orders
}
