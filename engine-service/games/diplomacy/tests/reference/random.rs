//! Small random positions with orders, made so that units meet.

use heliopause_diplomacy::{
    Code, Given, Ground, Kind, Named, Node, Order, Place, Position, Province, Terrain, Unit,
    Variant,
};
use heliopause_kernel::Seat;

/// A small generator, so that a position is decided by bytes while there are any, and by one number
/// after that.
pub(crate) struct Chance {
    bytes: std::vec::IntoIter<u8>,
    state: u64,
}

impl Chance {
    #[allow(dead_code, reason = "one of the two programs that have this module uses it")]
    pub(crate) fn of_seed(number: u64) -> Self {
        Self { bytes: Vec::new().into_iter(), state: number }
    }

    #[allow(dead_code, reason = "one of the two programs that have this module uses it")]
    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        Self { bytes: Vec::from(bytes).into_iter(), state: 0 }
    }

    fn next(&mut self) -> u64 {
        if let Some(byte) = self.bytes.next() {
            return byte.into();
        }
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Corners of the map in which units meet, and convoys too.
const CORNERS: [&str; 6] = [
    "ENG NTH Lon Bel Bre Pic Wal IRI MAO Hol Par Bur Yor",
    "NTH SKA Nwy Swe Den BAL Kie Ber HEL Hol Edi NWG",
    "TYS ION Nap Rom Tus Tun WES LYO Apu ADR Ven Alb Gre",
    "BLA Con Bul Ank Sev Rum Arm AEG Smy Gre Ser",
    "Mun Bur Ruh Kie Ber Sil Boh Tyr Vie Tri Bud",
    "Par Bur Pic Gas Bre Mar",
];

/// A small random position and its orders.
pub(crate) fn random(mut chance: Chance) -> (Position, Vec<Given>) {
    let variant = chance.pick(&[Variant::Standard, Variant::OuterSpace, Variant::OuterSpace]);
    let corner: Vec<Province> = chance
        .pick(&CORNERS)
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

fn random_orders(chance: &mut Chance, position: &Position, corner: &[Province]) -> Vec<Given> {
    let ground = Ground::new(position);
    let mut orders: Vec<Given> = Vec::new();
    let mut moves: Vec<(Named, Province)> = Vec::new();
    let mut named: Vec<(Seat, Named)> =
        position.units().map(|unit| (unit.owner, Named::from(unit))).collect();
    for seat in position.seats() {
        named.extend((0..position.orbit(seat)).map(|_| (seat, Named::ORBITING)));
    }
    // Moves first, so that supports and convoys can be for them.
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
    chance: &mut Chance,
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

/// A position around the Channel in which convoys hang on their own fleets' fate: armies land where
/// supporters stand.
pub(crate) fn random_convoys(mut chance: Chance) -> (Position, Vec<Given>) {
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

/// Armies land, the fleets in the seas carry them, other fleets attack those seas or support the
/// attacks.
fn convoy_orders(chance: &mut Chance, position: &Position, seas: [Province; 2]) -> Vec<Given> {
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
