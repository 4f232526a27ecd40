//! Random legal play, checked for every viewer.

mod crowded;
pub(crate) mod stages;

use heliopause_kernel::{Seat, Setup};
use heliopause_stellar_conquest::outer_space::{DecreePlan, DecreeSheet};
use heliopause_stellar_conquest::{
    Choices, ColonyPlan, Factories, Options, Order, Payment, PostPlan, ProductionSheet, RaidOrder,
    Shot, Spending, StarId, StellarConquest, UnitId, Variant, Voyage, Withdrawal,
};
use heliopause_testing::{Player, Rng};

use crate::offer_lines::offer_lines;

pub(crate) fn setup(chance: &mut Rng) -> Setup<Options> {
    if chance.one_in(4) {
        let options = Options { variant: Variant::FateOfEmpire, ..Options::default() };
        return Setup { options, players: 1 };
    }
    if chance.one_in(3) {
        let options =
            Options { hidden_posts: chance.one_in(3), ..Options::of(Variant::OuterSpace) };
        return Setup { options, players: 2 + chance.below(3) };
    }
    let options = Options {
        variant: Variant::Conquest,
        hidden_posts: chance.one_in(3),
        private_battles: chance.one_in(2),
        bases_use_improved_weaponry: chance.one_in(2),
        attackable_shields: chance.one_in(2),
        armed_scouts: chance.one_in(2),
        fractional_growth: chance.one_in(2),
    };
    Setup { options, players: 2 + chance.below(3) }
}

pub(crate) type Watched = heliopause_testing::Watched<StellarConquest>;

pub(crate) struct Conquerors;

impl Player for Conquerors {
    type Game = StellarConquest;
    const CASES: u32 = 6;
    const STEPS: usize = 100;
    const ORDERS: usize = 2;

    fn setup(chance: &mut Rng) -> Setup<Options> {
        setup(chance)
    }

    fn begin(chance: &mut Rng) -> Watched {
        let setup = setup(chance);
        if chance.one_in(2) {
            return Watched::new(&setup, chance.number());
        }
        let (game, dice) = crowded::crowded(&setup, chance);
        Watched::of(game, dice)
    }

    fn order(watched: &Watched, seat: Seat, chance: &mut Rng) -> Option<Order> {
        random_order(&watched.game, seat, chance)
    }

    fn lines(game: &StellarConquest, seat: Seat, order: &Order) -> Vec<String> {
        offer_lines(game, seat, order)
    }
}

pub(crate) fn random_order(game: &StellarConquest, seat: Seat, chance: &mut Rng) -> Option<Order> {
    let mut choices = game.choices(seat);
    let mut orders: Vec<Order> = Vec::new();
    // A colony's setting can always be changed. Choosing it too often would prevent movement.
    if !chance.one_in(8) {
        choices.listed.retain(|listed| !matches!(listed.order, Order::Watch { .. }));
    }
    if !choices.listed.is_empty() {
        orders.push(chance.pick(&choices.listed).order);
    }
    orders.extend(movement(&choices, chance));
    orders.extend(battle(&choices, chance));
    orders.extend(planets(&choices, chance));
    orders.extend(production(&choices, chance));
    orders.extend(politics(&choices, chance));
    (!orders.is_empty()).then(|| chance.pick(&orders))
}

fn movement(choices: &Choices, chance: &mut Rng) -> Vec<Order> {
    let mut orders = Vec::new();
    for voyage in choices.voyages.iter().filter(|voyage| !voyage.routes.is_empty()) {
        // Nearby destinations make ships meet.
        let route =
            (0..3).map(|_| chance.pick(&voyage.routes)).min_by_key(|route| route.turns).unwrap();
        // Ships out of command range are lost (rule 7.5), so few of them go there.
        let safe = route.safe.filter(|_| !chance.one_in(8)).unwrap_or(route.path.len());
        if safe == 0 {
            continue;
        }
        let mut length = 1 + chance.below(safe);
        // Ships may pass through stars where they may not stop (space 7.1).
        while length > 0
            && length < route.path.len()
            && StarId::in_hex(route.path[length - 1]).is_some()
        {
            length -= 1;
        }
        if length == 0 {
            continue;
        }
        let accept_loss = route.safe.is_some_and(|safe| safe < length);
        let part = route.voyage(chance.some(&voyage.ships), length);
        orders.push(Order::Move(Voyage { accept_loss, ..part }));
    }
    orders.extend(choices.posts.iter().map(|&star| Order::Post { star, up: true }));
    orders
}

fn battle(choices: &Choices, chance: &mut Rng) -> Vec<Order> {
    let mut orders = Vec::new();
    if !choices.aims.is_empty() {
        let shot = |(by, targets): &(UnitId, Vec<(UnitId, u8)>)| Shot {
            by: *by,
            at: chance.pick(targets).0,
        };
        orders.push(Order::Aim { shots: choices.aims.iter().map(shot).collect() });
    }
    if let Some(withdraw) = &choices.withdraw {
        let units =
            if withdraw.forced { withdraw.units.clone() } else { chance.some(&withdraw.units) };
        let half = units.len().div_ceil(1 + chance.below(2)).max(1);
        let group = |units: &[UnitId]| {
            let destination =
                (!withdraw.destinations.is_empty()).then(|| chance.pick(&withdraw.destinations));
            Withdrawal { units: units.to_vec(), destination }
        };
        orders.push(Order::Withdraw { groups: units.chunks(half).map(group).collect() });
    }
    if !choices.scuttle.is_empty() {
        let Factories { planet, count: most } = chance.pick(&choices.scuttle);
        orders.push(Order::Scuttle {
            factories: vec![Factories { planet, count: 1 + chance.below(most as usize) as u32 }],
        });
    }
    orders
}

fn planets(choices: &Choices, chance: &mut Rng) -> Vec<Order> {
    let mut orders = Vec::new();
    if !choices.raze.is_empty() {
        let (planet, most) = chance.pick(&choices.raze);
        orders.push(Order::Raze {
            factories: Factories { planet, count: 1 + chance.below(most as usize) as u32 },
        });
    }
    if !choices.kill.is_empty() {
        let (planet, most) = chance.pick(&choices.kill);
        orders.push(Order::Kill { planet, millions: 1 + chance.below(usize::from(most)) as u16 });
    }
    for landing in &choices.landings {
        let count =
            landing.fewest as usize + chance.below((landing.most - landing.fewest) as usize + 1);
        orders.push(Order::Land { ships: landing.ships[..count].to_vec(), planet: landing.planet });
    }
    orders
}

fn politics(choices: &Choices, chance: &mut Rng) -> Vec<Order> {
    let mut orders = Vec::new();
    for raid in &choices.raids {
        let count = 1 + chance.below(raid.ships.len());
        let target = chance.pick(&raid.targets);
        let (ships, rounds) = (raid.ships[..count].to_vec(), 1 + chance.below(2) as u8);
        orders.push(Order::Raid(RaidOrder { ships, target, rounds, path: Vec::new() }));
    }
    if let Some(places) = &choices.places {
        let destination =
            (!places.destinations.is_empty()).then(|| chance.pick(&places.destinations));
        orders.push(Order::Place { at: chance.pick(&places.places), destination });
    }
    if let Some(decree) = &choices.decree {
        let mut plans = Vec::new();
        for colony in &decree.colonies {
            if chance.one_in(2) {
                let budget =
                    colony.least + chance.below((colony.most - colony.least) as usize + 1) as u32;
                plans.push(DecreePlan {
                    planet: colony.planet,
                    budget: Some(budget),
                    weapons: Vec::new(),
                });
            }
        }
        let posts = (!decree.posts.is_empty() && chance.one_in(2))
            .then(|| PostPlan { stars: chance.some(&decree.posts) });
        orders.push(Order::Decree(DecreeSheet { plans, posts }));
    }
    orders
}

fn production(choices: &Choices, chance: &mut Rng) -> Vec<Order> {
    let Some(production) = &choices.production else { return Vec::new() };
    let mut colonies = Vec::new();
    for colony in &production.colonies {
        let mut plan = ColonyPlan::new(colony.planet);
        match chance.below(4) {
            0 => plan.emigrants = chance.below(usize::from(colony.emigrants) + 1) as u16,
            1 if !colony.items.is_empty() => {
                let (item, most) = chance.pick(&colony.items);
                plan.spending
                    .push(Spending::Build { item, count: 1 + chance.below(most as usize) as u32 });
            }
            // One payment per sheet, because two could exceed the missing amount.
            2 if !production.research.is_empty() && colonies.is_empty() && colony.output > 0 => {
                let open = chance.pick(&production.research);
                let most = open.points.min(colony.output) as usize;
                plan.spending.push(Spending::Research(Payment {
                    tech: open.tech,
                    points: 1 + chance.below(most) as u32,
                }));
            }
            _ if colony.evacuate && chance.one_in(4) => plan.evacuate = true,
            _ => {}
        }
        colonies.push(plan);
    }
    vec![Order::Produce(ProductionSheet { colonies, posts: None, grant: Vec::new() })]
}
